"""What is known of the game before it is played: title, seats, options, topics, endings."""

from typing import Final

from engine.kernel.catalogues import Words, words
from engine.kernel.forms import Topic
from engine.kernel.options import common
from engine.kernel.rules import Meta, Option
from engine.renaissance.acts import POWER_OPTIONS
from engine.renaissance.catalogue import NATIONS, SCENARIOS

SCENARIO: Final = Option(
    "scenario",
    words("Scénario", "Scenario"),
    {scenario.id: scenario.words for scenario in SCENARIOS.values()},
    {scenario.id: tuple(sorted({table.players for table in scenario.tables})) for scenario in SCENARIOS.values()},
)
"""Scénarios optionnels; all but the first are for four to six players (A27)."""
WITHOUT: Final = Option(
    "without",
    words("Qui manque à quatre joueurs en 1454", "Who is left out with four players in 1454"),
    {"a": words("Naples", "Naples"), "b": words("Milan", "Milan")},
)
"""Jeu à 3 ou 4 joueurs"""
CHOICE: Final = Option(
    "nations",
    words("Attribution des nations", "How nations are given out"),
    {
        "drawn": words("tirées au sort", "drawn by lot"),
        "chosen": words("choisies, le sort départage", "chosen, by lot if several want one"),
    },
)
"""Préparation"""

_PRIVILEGES: Final = {
    "florence": words("Florence débauche des artistes", "Florence lures artists"),
    "genes": words("Gênes ignore terrain et débarquement", "Genoa ignores ground and landing"),
    "naples": words("Naples a une Retraite gratuite par tour", "Naples has a free Retreat each turn"),
    "milan": words("Milan a un Condottiere gratuit par tour", "Milan has a free Condottiere each turn"),
    "rome": words("Rome vote double", "Rome votes twice"),
    "venise": words("Venise reçoit deux ducats par tour", "Venice receives two ducats each turn"),
    "france": words("La France attaque d'une ville prise dans le tour", "France attacks from a city just taken"),
    "espagne": words("L'Espagne a un pillage gratuit par tour", "Spain has a free looting each turn"),
    "saint_empire": words("Le Saint-Empire reçoit une carte de plus", "The Empire receives one more card"),
    "suisse": words("La Suisse a un point en attaque ou en défense", "Switzerland has a point in attack or in defence"),
}


def _privilege(nation: str) -> Option:
    return Option(POWER_OPTIONS[nation], _PRIVILEGES[nation], {"off": words("non", "no"), "on": words("oui", "yes")})


def _topic(asks: str, name: Words, about: Words, lines: bool = False, rider: bool = False, must: bool = False) -> Topic:
    return Topic(asks, name, lines, rider, may_pass=not must, about=about)


TOPICS: Final = (
    _topic("nations", words("NATIONS|NATION", "NATIONS|NATION"), words(
        "La nation que vous aimeriez jouer.", "The nation that you would like to play.")),
    _topic("setup", words("PRÉPARATION|PLACEMENT", "SETUP|PLACEMENT"), words(
        "Votre rempart, et ce que le scénario laisse à choisir.",
        "Your rampart, and what the scenario leaves to choose."), must=True),
    _topic("garrison", words("GARNISON|TROISIÈME GARNISON", "GARRISON|THIRD GARRISON"), words(
        "La ville de votre troisième garnison.", "The city of your third garrison.")),
    _topic("return", words("RETOUR", "RETURN"), words(
        "La ville par laquelle vous revenez en jeu.", "The city with which you come back."), must=True),
    _topic("vote", words("VOTE|ÉTAT POLITIQUE", "VOTE|POLITICAL STATE"), words(
        "Votre vote secret : la paix ou la guerre.", "Your secret vote: peace or war."), must=True),
    _topic("stance", words("AVANTAGE SUISSE|SUISSE", "SWISS EDGE|SWISS"), words(
        "Le bonus suisse du tour.", "The Swiss bonus of the turn."), must=True),
    _topic("purchases", words("ACHATS|ACHAT", "PURCHASES|PURCHASE"), words(
        "Vos cartes, vos remparts, vos châteaux, vos palais.",
        "Your cards, ramparts, castles and palaces."), lines=True),
    _topic("expansion", words("EXPANSION", "EXPANSION"), words(
        "Les villes libres que vous souhaitez, dans l'ordre : une par manche, les autres en réserve. Quand chacun joue "
        "à son tour, qui n'en écrit qu'une est interrogé de nouveau à la seconde manche.",
        "The free cities that you wish for, in order: one a round, the others in reserve. Where each plays in turn, "
        "whoever writes a single one is asked again in the second round."), lines=True),
    _topic("combat", words("COMBATS|COMBAT|CAMPAGNE", "COMBAT|COMBATS|CAMPAIGN"), words(
        "Votre campagne : attaques et cartes jaunes, dans l'ordre.",
        "Your campaign: attacks and yellow cards, in order."), lines=True),
    _topic("sales", words("VENTE|VENTES", "SALES|SALE"), words(
        "À qui vous vendez vos Condottieri.", "To whom you sell your Condottieri."), lines=True, rider=True),
    _topic("hire", words("EMBAUCHE|ENGAGEMENT", "HIRING|HIRE"), words(
        "Les Condottieri de tiers que vous achetez.", "The Condottieri of others that you buy."),
        lines=True, rider=True),
    _topic("defence", words("DÉFENSE", "DEFENCE|DEFENSE"), words(
        "Les cartes que vous posez en défense.", "The cards that you lay in defence."),
        lines=True, rider=True, must=True),
    _topic("counter", words("CONTRE|PARADE", "COUNTER|COUNTERS"), words(
        "Contrer l'Ingénieur ou le Félon de l'attaquant.", "Counter the attacker's Engineer or Felon."),
        lines=True, rider=True),
    _topic("traitor", words("TRAHISON|TRAHISONS", "BETRAYAL|BETRAYALS"), words(
        "Acheter le Condottiere qui trahit votre adversaire.", "Buy the Condottiere who betrays your foe."),
        lines=True, rider=True),
    _topic("sign", words("SIGNE DE DIEU|SIGNE", "SIGN OF GOD|SIGN"), words(
        "Doubler une de vos cartes.", "Double one of your cards."), lines=True, rider=True),
    _topic("retreat", words("RETRAITE|RETRAITES", "RETREAT|RETREATS"), words(
        "Les cartes bleues que vous reprenez après une défaite.",
        "The blue cards that you take back after a defeat."), lines=True, rider=True),
    _topic("deals", words("DIPLOMATIE|ACCORDS", "DIPLOMACY|DEALS"), words(
        "Dons de ducats et échanges de villes, à tout moment.", "Gifts of ducats and swaps of cities, at any time.")),
)  # fmt: skip

META: Final = Meta(
    name="renaissance",
    title=words("Renaissance", "Renaissance"),
    designer="Pascal Bernard",
    seats=(3, 4, 5, 6),
    version="1",
    options=(*common(talk="free"), SCENARIO, WITHOUT, CHOICE, *(_privilege(nation) for nation in NATIONS)),
    topics=TOPICS,
    endings={"last_turn": words("Le tour de 1494 est joué.", "The turn of 1494 was played.")},
    reconstructed=words(
        "Le plateau et le détail des quatre-vingts cartes ne sont pas joints à la règle. Sont reconstitués : les "
        "routes, presque tous les ports et terrains, les villes de chaque province et le nom de quatorze provinces, "
        "deux villes (Savona, Ravenna), le nombre de cartes de chaque sorte, les faces du dé Condottiere, onze "
        "artistes, les couleurs ; pour les scénarios, l'ordre de jeu, le nombre de tours et leurs années.",
        "The board and the make-up of the eighty cards do not come with the rules. Reconstructed are: the roads, "
        "nearly all ports and grounds, the cities of each province and the names of fourteen provinces, two cities "
        "(Savona, Ravenna), the number of cards of each kind, the faces of the Condottiere die, eleven artists, the "
        "colours; for the scenarios, the order of play, the number of turns and their years.",
    ),
)

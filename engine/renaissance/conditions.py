"""What IF may ask, and whether it holds on the author's own view."""

from collections.abc import Callable, Mapping
from typing import Final

from engine.kernel.catalogues import words
from engine.kernel.forms import Fact
from engine.kernel.names import Seat
from engine.kernel.orders import Condition
from engine.kernel.phrasebook import fact
from engine.kernel.position import Options
from engine.renaissance import vocabulary as v
from engine.renaissance.acts import Seen
from engine.renaissance.board import Board
from engine.renaissance.catalogue import TROOPS, WAR
from engine.renaissance.phases import strength

_CITY: Final = v.CITY
_SUBJECT: Final = v.before(v.CITY)
_NATION: Final = v.before(v.NATION)
_KIND: Final = v.one_of("card", "card", v.CARD_TITLE, v.KIND_CHOICES)


FACTS: Final[tuple[Fact, ...]] = (
    fact("hold", words("JE TIENS|JE CONTRÔLE|JE POSSÈDE", "I HOLD|I CONTROL|I OWN"),
          words("La ville est à vous.", "The city is yours."), _CITY),
    fact("holds", words("TIENT|CONTRÔLE|POSSÈDE", "HOLDS|CONTROLS|OWNS"),
          words("La ville est à cette nation.", "The city is that nation's."), _NATION, _CITY),
    fact("free", words("EST LIBRE|EST VIDE", "IS FREE|IS EMPTY"),
          words("La ville n'est à personne.", "The city is nobody's."), _SUBJECT),
    fact("fell", words("EST TOMBÉE|EST PRISE|TOMBE", "FELL|HAS FALLEN|WAS TAKEN"),
          words("La ville a été prise au combat dans ce tour.", "The city was taken in battle this turn."), _SUBJECT),
    fact("beaten", words("J'AI PERDU À|J'AI ÉCHOUÉ À|J'AI PERDU", "I LOST AT|I FAILED AT|I LOST"),
          words("Votre attaque de ce tour sur la ville a échoué.", "Your attack of this turn on the city failed."),
          _CITY),
    fact("have", words("J'AI|IL ME RESTE", "I HAVE|I HAVE LEFT"),
          words("Vous avez au moins tant de cartes, de ducats ou de villes.",
                "You have at least so many cards, ducats or cities."),
          v.number("count", v.NUMBER_TITLE, 0),
          v.one_of("what", "counted", words("cartes, ducats ou villes", "cards, ducats or cities"), v.COUNTED)),
    fact("in_hand", words("J'AI EN MAIN|J'AI LA CARTE", "I HAVE IN HAND|I HAVE THE CARD"),
          words("La carte est dans votre main.", "The card is in your hand."), _KIND),
    fact("walls", words("EST FORTIFIÉE|A UN REMPART", "IS WALLED|IS FORTIFIED|HAS A RAMPART"),
          words("Un rempart ou une forteresse y est.", "A rampart or a fortress stands there."), _SUBJECT),
    fact("attacked", words("EST ATTAQUÉE|EST ASSIÉGÉE", "IS ATTACKED|IS BESIEGED|IS UNDER ATTACK"),
          words("La bataille en cours est pour cette ville.", "The battle under way is for this city."), _SUBJECT),
    fact("attacks", words("ATTAQUE|EST L'ATTAQUANT", "ATTACKS|IS THE ATTACKER"),
          words("La nation mène l'attaque en cours.", "The nation leads the attack under way."), _NATION),
    fact("losing", words("JE PERDS|JE SUIS EN TRAIN DE PERDRE", "I AM LOSING|I WOULD LOSE"),
          words("Vous perdriez la bataille en cours.", "You would lose the battle under way."),),
    fact("turns", words("CELA SUFFIT|C'EST DÉCISIF", "IT DECIDES|IT IS DECISIVE"),
          words("Doubler votre meilleure carte changerait l'issue de la bataille.",
                "Doubling your best card would turn the battle."),),
    fact("war", words("C'EST LA GUERRE|GUERRE", "IT IS WAR|WAR"),
          words("L'Italie est en guerre.", "Italy is at war."),),
)  # fmt: skip
"""Public facts, or what the author knows of himself: the same list for everybody."""

About = Mapping[str, str | int]


def holds(seen: Seen, seat: Seat, condition: Condition) -> bool:
    """Whether the fact holds, negation apart. The position is read under `seen_by(seat)`."""
    if condition.fact in _IN_BATTLE:
        return _IN_BATTLE[condition.fact](seen.core.options, seen.board, seat)
    return _JUDGES[condition.fact](seen.board, seat, condition.about)


def _holds(board: Board, seat: Seat, about: About) -> bool:
    power = board.nation(str(about["nation"]))
    return power is not None and board.cities[str(about["city"])].owner == power.seat


def _have(board: Board, seat: Seat, about: About) -> bool:
    power = board.powers[seat]
    kinds = board.kinds(seat)
    stock = {
        "ducats": power.ducats,
        "cards": power.cards,
        "cities": len(board.held(seat)),
        "blue": sum(kind in TROOPS for kind in kinds),
        "condottiere": kinds.count("condottiere"),
    }
    return stock[str(about["what"])] >= int(about["count"])


def _attacks(board: Board, seat: Seat, about: About) -> bool:
    battle = board.battle
    return battle is not None and board.powers[battle.attacker].nation == about["nation"]


def _losing(options: Options, board: Board, seat: Seat) -> bool:
    battle = board.battle
    fights = battle is not None and seat in (battle.attacker, battle.defender)
    if battle is None or not fights or not battle.dice:
        return False
    return strength.losing(options, board, battle) == seat


def _turns(options: Options, board: Board, seat: Seat) -> bool:
    battle = board.battle
    fights = battle is not None and seat in (battle.attacker, battle.defender)
    return fights and battle is not None and strength.turns(options, board, battle, seat)


_JUDGES: Final[Mapping[str, Callable[[Board, Seat, About], bool]]] = {
    "hold": lambda board, seat, about: board.cities[str(about["city"])].owner == seat,
    "holds": _holds,
    "free": lambda board, seat, about: board.cities[str(about["city"])].owner is None,
    "fell": lambda board, seat, about: about["city"] in board.fallen,
    "beaten": lambda board, seat, about: about["city"] in board.powers[seat].beaten,
    "have": _have,
    "in_hand": lambda board, seat, about: about["card"] in board.kinds(seat),
    "walls": lambda board, seat, about: board.level(str(about["city"])) > 1,
    "attacked": lambda board, seat, about: board.battle is not None and board.battle.city == about["city"],
    "attacks": _attacks,
    "war": lambda board, seat, about: board.state == WAR,
}
_IN_BATTLE: Final[Mapping[str, Callable[[Options, Board, Seat], bool]]] = {"losing": _losing, "turns": _turns}

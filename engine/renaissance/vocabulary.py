"""The words of the game as choices and slots: what forms and facts are made of.  Built once; nothing of a position."""

from typing import Final

from engine.kernel.catalogues import words
from engine.kernel.forms import Choice
from engine.kernel.phrasebook import before as before
from engine.kernel.phrasebook import choices as choices
from engine.kernel.phrasebook import led as led
from engine.kernel.phrasebook import may as may
from engine.kernel.phrasebook import number as number
from engine.kernel.phrasebook import one_of as one_of
from engine.kernel.phrasebook import some_of as some_of
from engine.renaissance.catalogue import KINDS, NATIONS, TOWNS, TROOPS, WEAPONS


def kinds(*ids: str) -> tuple[Choice, ...]:
    """These kinds of card."""
    return choices((kind, KINDS[kind].words) for kind in ids)


CITY_CHOICES: Final = choices((town.id, town.words) for town in TOWNS.values())
NATION_CHOICES: Final = choices((nation.id, nation.words) for nation in NATIONS.values())
KIND_CHOICES: Final = kinds(*KINDS)
TROOP_CHOICES: Final = kinds(*TROOPS)
LAID_CHOICES: Final = kinds(*TROOPS, "condottiere", *WEAPONS)
RED_CHOICES: Final = kinds(*WEAPONS, "condottiere")
STRONGEST: Final = choices(
    (("strongest", words("la plus forte|le plus fort|plus forte|plus fort|meilleure", "strongest|best")),)
)
_OTHERS: Final = choices(
    (
        ("weakest", words("la plus faible|le plus faible|plus faible", "weakest")),
        ("none", words("aucune|rien|aucune carte", "none|nothing|no card")),
    )
)
DEFENCE_CHOICES: Final = (*STRONGEST, *_OTHERS, *kinds(*TROOPS, "condottiere"))
DOUBLED_CHOICES: Final = (*STRONGEST, *kinds(*TROOPS, "condottiere"))
BUYER_CHOICES: Final = (
    *choices(
        (
            ("attacker", words("l'attaquant|attaquant", "attacker|the attacker")),
            ("defender", words("le défenseur|défenseur", "defender|the defender")),
        )
    ),
    *NATION_CHOICES,
)
STATE_CHOICES: Final = choices((("peace", words("paix|pax", "peace")), ("war", words("guerre|belli", "war"))))
SIDE_CHOICES: Final = choices(
    (("attack", words("attaque|offensive", "attack")), ("defence", words("défense|défensive", "defence|defense")))
)
BUILDING_CHOICES: Final = choices(
    (
        ("palace", words("palais|un palais", "palace|palaces")),
        ("rampart", words("rempart|remparts|un rempart", "rampart|ramparts|wall|walls")),
        ("castle", words("château|châteaux|un château", "castle|castles")),
        ("fortress", words("forteresse|forteresses|une forteresse", "fortress|fortresses")),
    )
)
COUNTED: Final = choices(
    (
        ("blue", words("bleues|bleue|cartes bleues|carte bleue", "blue|blues|blue cards|blue card")),
        ("condottiere", words("condottieri|condottiere", "condottieri|condottiere|mercenaries")),
        ("ducats", words("ducats|ducat", "ducats|ducat")),
        ("cards", words("cartes|carte", "cards|card")),
        ("cities", words("villes|ville", "cities|city")),
    )
)

CITY_TITLE: Final = words("ville", "city")
CITIES_TITLE: Final = words("villes", "cities")
ORIGIN_TITLE: Final = words("ville de départ", "city of origin")
NATION_TITLE: Final = words("nation", "nation")
CARD_TITLE: Final = words("carte", "card")
CARDS_TITLE: Final = words("cartes", "cards")
DUCATS_TITLE: Final = words("ducats", "ducats")
NUMBER_TITLE: Final = words("nombre", "number")

FROM: Final = words("DEPUIS|PARTANT DE|DE|À PARTIR DE|VENANT DE", "FROM|OUT OF")
WITH: Final = words("AVEC|PAR", "WITH|BY|USING")
TO: Final = words("À|AU|AUX|POUR", "TO|FOR")
AT: Final = words("À|AU|EN|DANS|SUR", "AT|IN|ON")
AGAINST: Final = words("CONTRE|POUR|EN ÉCHANGE DE", "FOR|AGAINST|IN EXCHANGE FOR")


CITY: Final = one_of("city", "city", CITY_TITLE, CITY_CHOICES)
ORIGIN: Final = may(led(one_of("origin", "city", ORIGIN_TITLE, CITY_CHOICES), FROM), "")
NATION: Final = one_of("nation", "nation", NATION_TITLE, NATION_CHOICES)
LAID: Final = led(some_of("cards", "card", CARDS_TITLE, LAID_CHOICES), WITH)

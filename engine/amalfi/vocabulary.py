"""The words of the game as choices and slots: what forms are made of. Built once; nothing of a position."""

from collections import Counter
from collections.abc import Mapping
from typing import Final

from engine.amalfi.catalogue import ARTWORKS, CHARACTERS, COLOURS, DESTINATIONS, HANDS, HOLDS, WORDS
from engine.kernel.catalogues import Words
from engine.kernel.forms import Choice, Slot
from engine.kernel.phrasebook import as_optional, choices, number, one_choice, some_choices, with_lead
from engine.kernel.vocabulary import FormWords

MOST: Final = 10
"""A player has ten ships."""
RIGHTMOST: Final = "rightmost"
"""The rightmost character of the Council, whoever it is."""
NO_SHIP: Final = "none"
INSTEAD_CHARACTER: Final = "character"
INSTEAD_POINTS: Final = "vp"
SAID: Final = FormWords(WORDS)
named, title, lead = SAID.find, SAID.title, SAID.lead


def _things(found: Mapping[str, object]) -> tuple[Choice, ...]:
    return choices((key, words) for key, thing in found.items() if isinstance(words := _words(thing), Words))


def _words(thing: object) -> object:
    return getattr(thing, "words", None)


def _by_surname(named_: tuple[Choice, ...]) -> tuple[Choice, ...]:
    """The same choices, with the last words of their names as further spellings; none that two have, or is a number."""
    words = Counter(word for choice in named_ for word in {last(name) for name in choice.names.all_forms()})

    def short(names: Words) -> Words:
        known = {last(name) for name in names.all_forms()}
        unique = {word for word in known if words[word] == 1 and not word.isupper()}
        return Words.each(lambda language: tuple(w for w in map(last, names.of(language)) if w in unique))

    return tuple(Choice(choice.value, choice.names | short(choice.names)) for choice in named_)


def last(name: str) -> str:
    """The last word of a name."""
    return name.rpartition(" ")[2]


HOLD_CHOICES: Final = named(HOLDS, "hold")
SHIP_CHOICES: Final = named((*HOLDS, NO_SHIP), "hold")
PLAYERS: Final = named(COLOURS, "colour")
PLACE_CHOICES: Final = _things(DESTINATIONS)
ARTWORK_CHOICES: Final = _things(ARTWORKS)
CHARACTER_CHOICES: Final = _by_surname(_things(CHARACTERS))
"""By the whole name, or by its last word where nobody else has it."""
HAND_CHOICES: Final = _things(HANDS)
COUNCIL_CHOICES: Final = (*CHARACTER_CHOICES, *named((RIGHTMOST,), "council"))
ERECT_CHOICES: Final = (*PLACE_CHOICES, *named((INSTEAD_CHARACTER, INSTEAD_POINTS), "instead"))
CARD_CHOICES: Final = (*ARTWORK_CHOICES, *PLACE_CHOICES, *CHARACTER_CHOICES)
"""Everything that may lie open in a row."""


def place(name: str = "place") -> Slot:
    """A destination."""
    return one_choice(name, "destination", title("place"), PLACE_CHOICES)


def artwork() -> Slot:
    """An artwork."""
    return one_choice("artwork", "artwork", title("artwork"), ARTWORK_CHOICES)


def character(name: str = "character") -> Slot:
    """A character."""
    return one_choice(name, "character", title("character"), CHARACTER_CHOICES)


def characters(name: str = "characters") -> Slot:
    """Characters, in order."""
    return some_choices(name, "character", title("characters"), CHARACTER_CHOICES)


def holds(name: str = "holds") -> Slot:
    """Holds; one that a number stands before is meant so often."""
    return some_choices(name, "hold", title("holds"), HOLD_CHOICES, counted=True)


def ships_sent() -> Slot:
    """A hold for each ship, or none."""
    return some_choices("send", "hold", title("holds"), SHIP_CHOICES, counted=True)


def taken(name: str = "take") -> Slot:
    """Characters of the Council, by preference."""
    return some_choices(name, "character", title("characters"), COUNCIL_CHOICES)


def erected() -> Slot:
    """Places for a lighthouse, or what is gained instead."""
    return some_choices("erect", "destination", title("places"), ERECT_CHOICES)


def refreshed() -> Slot:
    """Engaged characters."""
    return characters("refresh")


def recalled() -> Slot:
    """Docks."""
    return some_choices("recall", "destination", title("places"), PLACE_CHOICES)


def thing() -> Slot:
    """What an action is about."""
    return one_choice("get", "thing", title("thing"), CARD_CHOICES)


def count(name: str = "count", low: int = 0) -> Slot:
    """A number."""
    return number(name, title("count"), low)


def ships() -> Slot:
    """A number of ships."""
    return number("ships", title("ships"), 1, MOST)


def wish(slot: Slot, word: str, unsaid: object = ()) -> Slot:
    """A slot behind its lead word, which may be left out."""
    return as_optional(with_lead(slot, lead(word)), unsaid)

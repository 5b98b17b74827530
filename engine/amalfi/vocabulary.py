"""The words of the game as choices and slots, for forms. Nothing depends on a position."""

from collections import Counter
from collections.abc import Mapping
from typing import Final

from engine.amalfi.catalogue import ARTWORKS, CHARACTERS, COLOURS, DESTINATIONS, HANDS, HOLDS, WORDS
from engine.kernel.catalogues import Words
from engine.kernel.forms import Choice, Slot
from engine.kernel.phrasebook import as_optional, choices, number, one_choice, some_choices, with_lead
from engine.kernel.vocabulary import FormWords

MOST: Final = 10
"""The number of ships of a player."""
RIGHTMOST: Final = "rightmost"
"""The rightmost character of the Council."""
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
    """Return the choices with the last words of their names as further spellings, if unique and not a number."""
    words = Counter(word for choice in named_ for word in {last(name) for name in choice.names.all_forms()})

    def short(names: Words) -> Words:
        known = {last(name) for name in names.all_forms()}
        unique = {word for word in known if words[word] == 1 and not word.isupper()}
        return Words.each(lambda language: tuple(w for w in map(last, names.of(language)) if w in unique))

    return tuple(Choice(choice.value, choice.names | short(choice.names)) for choice in named_)


def last(name: str) -> str:
    """Return the last word of a name."""
    return name.rpartition(" ")[2]


HOLD_CHOICES: Final = named(HOLDS, "hold")
SHIP_CHOICES: Final = named((*HOLDS, NO_SHIP), "hold")
PLAYERS: Final = named(COLOURS, "colour")
PLACE_CHOICES: Final = _things(DESTINATIONS)
ARTWORK_CHOICES: Final = _things(ARTWORKS)
CHARACTER_CHOICES: Final = _by_surname(_things(CHARACTERS))
"""Characters by the whole name, or by its last word if unique."""
HAND_CHOICES: Final = _things(HANDS)
COUNCIL_CHOICES: Final = (*CHARACTER_CHOICES, *named((RIGHTMOST,), "council"))
ERECT_CHOICES: Final = (*PLACE_CHOICES, *named((INSTEAD_CHARACTER, INSTEAD_POINTS), "instead"))
CARD_CHOICES: Final = (*ARTWORK_CHOICES, *PLACE_CHOICES, *CHARACTER_CHOICES)
"""Everything that may be open in a row."""


def place(name: str = "place") -> Slot:
    """Return a slot for a destination."""
    return one_choice(name, "destination", title("place"), PLACE_CHOICES)


def artwork() -> Slot:
    """Return a slot for an artwork."""
    return one_choice("artwork", "artwork", title("artwork"), ARTWORK_CHOICES)


def character(name: str = "character") -> Slot:
    """Return a slot for a character."""
    return one_choice(name, "character", title("character"), CHARACTER_CHOICES)


def characters(name: str = "characters") -> Slot:
    """Return a slot for characters, in order."""
    return some_choices(name, "character", title("characters"), CHARACTER_CHOICES)


def holds(name: str = "holds") -> Slot:
    """Return a slot for holds; a number repeats a hold."""
    return some_choices(name, "hold", title("holds"), HOLD_CHOICES, counted=True)


def ships_sent() -> Slot:
    """Return a slot for a hold for each ship, or none."""
    return some_choices("send", "hold", title("holds"), SHIP_CHOICES, counted=True)


def taken(name: str = "take") -> Slot:
    """Return a slot for characters of the Council, by preference."""
    return some_choices(name, "character", title("characters"), COUNCIL_CHOICES)


def erected() -> Slot:
    """Return a slot for places for a lighthouse, or what is gained instead."""
    return some_choices("erect", "destination", title("places"), ERECT_CHOICES)


def refreshed() -> Slot:
    """Return a slot for engaged characters."""
    return characters("refresh")


def recalled() -> Slot:
    """Return a slot for docks."""
    return some_choices("recall", "destination", title("places"), PLACE_CHOICES)


def thing() -> Slot:
    """Return a slot for the thing of an action."""
    return one_choice("get", "thing", title("thing"), CARD_CHOICES)


def count(name: str = "count", low: int = 0) -> Slot:
    """Return a slot for a number."""
    return number(name, title("count"), low)


def ships() -> Slot:
    """Return a slot for a number of ships."""
    return number("ships", title("ships"), 1, MOST)


def wish(slot: Slot, word: str, unsaid: object = (), *, spare: bool = True) -> Slot:
    """Return an optional slot with a lead word; its value is `unsaid` if left out, and `spare` as in `Slot`."""
    return as_optional(with_lead(slot, lead(word)), unsaid, spare=spare)

"""What the narrator must know of each game beside its templates: each game says it in its own module `telling`."""

import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from engine import rules
from engine.kernel.events import Event
from engine.kernel.names import Seat
from engine.kernel.position import Position
from engine.kernel.rules import Meta, Rules


@dataclass(frozen=True)
class Teller:
    """One game, as far as telling it goes.

    `words`: tables and small functions that its templates may call. `power`: the id of the name that a seat plays
    under ("" while it has none), `seat_of` the way back; `named`: the kind of these names in the glossary. `marked`:
    kinds of things that are always named with their id. `figures`: a seat's own numbers that a report compares, in
    the order of the report.  `weight`: how much an event matters in a seat's story; 0: not at all.  `card`: the id
    under which the glossary knows a card.
    """

    rules: Rules[Any]
    words: Mapping[str, object]
    power: Callable[[Position[Any], Seat], str]
    seat_of: Callable[[Position[Any], str], Seat | None]
    figures: Callable[[Position[Any], Seat], Mapping[str, int]]
    weight: Callable[[Event, Seat], int]
    named: str
    marked: frozenset[str]
    card: Callable[[str], str] = str

    @property
    def meta(self) -> Meta:
        """Title, options, topics, endings."""
        return self.rules.meta

    @property
    def problems(self) -> tuple[str, ...]:
        """Every code of a refusal that the game's modules say they use."""
        return codes(self.meta.name, "PROBLEMS")

    @property
    def notes(self) -> tuple[str, ...]:
        """Every code of a preview's remarks that they say they use."""
        return codes(self.meta.name, "NOTES")


@cache
def codes(game: str, tuples: str) -> tuple[str, ...]:
    """The codes in the tuples of this name in all modules of a game."""
    package = import_module(f"engine.{game}")
    modules = [import_module(m.name) for m in pkgutil.walk_packages(package.__path__, f"engine.{game}.")]
    return tuple(dict.fromkeys(code for module in modules for code in getattr(module, tuples, ())))


def _own(event: Event, seat: Seat) -> int:
    """For a game that does not say what matters: whatever is of the seat itself."""
    return int(getattr(event, "seat", None) == seat)


@cache
def teller(game: str) -> Teller:
    """The teller of a game; raises KeyError, whose text names the games there are."""
    own = import_module(f"engine.{rules(game).meta.name}.telling")
    return Teller(
        rules(game), own.WORDS, own.name_of, own.seat_of, own.figures, getattr(own, "weight", _own),
        own.NAMED, own.MARKED, getattr(own, "card_name", str),
    )  # fmt: skip

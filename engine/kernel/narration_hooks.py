"""What a narrator must know of a game beside its templates.

A game says it in the `narration_hooks` of its rules.  Everything has a value that fits a small game, whose seats play
under no name of their own.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, Protocol, runtime_checkable

from engine.kernel.catalogues import Words
from engine.kernel.codec import is_serializable
from engine.kernel.events import Event, Heading
from engine.kernel.position import Position
from engine.kernel.rules import View
from engine.kernel.viewers import Seat

Thing = tuple[str, str]
"""A thing of a game by its kind and its id, as files of names and texts have it."""


def _no_name(position: Position[Any], seat: Seat) -> str:
    return ""


def _no_seat(position: Position[Any], name: str) -> Seat | None:
    return None


def _name_by_id(card: str) -> Thing:
    return "card", card


def without_figures(position: Position[Any], seat: Seat) -> Mapping[str, int]:
    """None of its own: a report compares those that everybody may follow, if the game counts any."""
    return {}


def _own_name(event: Event, seat: Seat) -> int:
    return int(getattr(event, "seat", None) == seat)


def _no_text(view: View) -> Iterable[Thing]:
    return ()


@dataclass(frozen=True)
class HandItem:
    """Something that a seat has so much of: `name` is what an order's choice keeps, where orders name it."""

    name: str
    words: Words
    amount: int


def _no_items(position: Position[Any], seat: Seat) -> Sequence[HandItem]:
    return ()


def count_turns(events: Sequence[Event]) -> Mapping[int, Event]:
    """Return where each turn of a story begins, with the event whose `chapter` is its heading."""
    return {number: event for number, event in enumerate(events) if event.heading is Heading.TURN}


@dataclass(frozen=True, kw_only=True)
class NarrationHooks:
    """One game, as far as telling it goes.

    `events`: the game's own, each of which has a macro; `problems`, `notes`: the codes of its refusals and of a
    preview's remarks, likewise.  `words`: tables and small functions that its templates may call.
    `name_of`: the id of the name that a seat plays under ("" while it has none), `seat_of` the way back; `name`: the
    kind of these names in the glossary.  `mark`: kinds of things that are always named with their id.
    `figures`: a seat's own numbers that a report compares, in the order of the report.  `weight`: how much an event
    matters in a seat's story; 0: not at all.  `hand_items`: what a page counts down while orders are written, where
    that is more or other than `figures`.  `turns`: where the turns of that story begin, each with its heading.
    `card`: the kind and the id under which the glossary knows a card, or a tile, that lies face down.  `things`: what
    the reader of a view can see of the things that have a text; it is told when they see one that they did not see
    before.
    """

    events: tuple[type[Event], ...] = ()
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    words: Mapping[str, object] = field(default_factory=dict)
    name_of: Callable[[Position[Any], Seat], str] = _no_name
    seat_of: Callable[[Position[Any], str], Seat | None] = _no_seat
    name: str = "seat"
    mark: frozenset[str] = frozenset()
    figures: Callable[[Position[Any], Seat], Mapping[str, int]] = without_figures
    hand_items: Callable[[Position[Any], Seat], Sequence[HandItem]] = _no_items
    weight: Callable[[Event, Seat], int] = _own_name
    turns: Callable[[Sequence[Event]], Mapping[int, Event]] = count_turns
    card: Callable[[str], Thing] = _name_by_id
    things: Callable[[View], Iterable[Thing]] = _no_text


@runtime_checkable
class HasTexts(Protocol):
    """Rules of a game that says how it is told (optional, like `SupportsReadings`)."""

    @property
    def narration_hooks(self) -> NarrationHooks:
        """What its narrator must know."""
        ...


def hooks_of(rules: object) -> NarrationHooks:
    """Return the narration hooks of rules, or those that fit a small game."""
    return rules.narration_hooks if isinstance(rules, HasTexts) else NarrationHooks()


def classes_in(*modules: ModuleType) -> tuple[type[Event], ...]:
    """Return the events that modules define, in their order, without abstract bases."""
    things = ((module, thing) for module in modules for thing in vars(module).values() if isinstance(thing, type))
    found = (cls for module, cls in things if issubclass(cls, Event) and cls.__module__ == module.__name__)
    return tuple(cls for cls in found if is_serializable(cls))


def problem_codes(name: str, *modules: ModuleType) -> tuple[str, ...]:
    """Return the codes in the tuples of a name (PROBLEMS, NOTES) in modules, each once."""
    return tuple(dict.fromkeys(code for module in modules for code in getattr(module, name, ())))

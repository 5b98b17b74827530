"""What a narrator needs to know of a game besides its templates: the `narration_hooks` of its rules.

Every hook has a default that fits a small game whose seats play under no names.
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
"""The kind and the id of a thing of the game, as catalogues of names and texts have them."""


def _no_name(position: Position[Any], seat: Seat) -> str:
    return ""


def _no_seat(position: Position[Any], name: str) -> Seat | None:
    return None


def _name_by_id(card: str) -> Thing:
    return "card", card


def without_figures(position: Position[Any], seat: Seat) -> Mapping[str, int]:
    """Return no figures; a report then compares the public ones, if the game counts any."""
    return {}


def _weigh_own(event: Event, seat: Seat) -> int:
    return int(getattr(event, "seat", None) == seat)


def _no_spellings(kind: str, thing: str) -> Sequence[str]:
    return ()


def _no_things(view: View) -> Iterable[Thing]:
    return ()


@dataclass(frozen=True)
class HandItem:
    """Something that a seat has an amount of.

    `name`: the value of the order's choice, if orders can name it.
    """

    name: str
    words: Words
    amount: int


def _no_items(position: Position[Any], seat: Seat) -> Sequence[HandItem]:
    return ()


def find_turns(events: Sequence[Event]) -> Mapping[int, Event]:
    """Return the event that begins each turn, by its index; its macro `chapter` writes the heading."""
    return {number: event for number, event in enumerate(events) if event.heading is Heading.TURN}


@dataclass(frozen=True, kw_only=True)
class NarrationHooks:
    """What the narrator needs to know of one game.

    `events`: the event classes of the game; each has a macro.
    `problems`, `notes`: codes of refusals and of remarks in previews; each has a macro.
    `words`: tables and functions that templates may use.
    `name_of`: the id of the name that a seat plays under, "" if none; `seat_of`: the reverse.
    `name`: the kind of these names in the glossary.
    `mark`: kinds of things always shown with their id.
    `figures`: a seat's own numbers that a report compares, in order.
    `weight`: how important an event is in a seat's story; 0 leaves it out.
    `hand_items`: amounts that a page counts down while orders are written, if these differ from `figures`.
    `turns`: events that begin turns of the story, by index.
    `card`: the kind and id of a face-down card or tile in the glossary.
    `spellings`: what else a thing is called by those who ask about it.
    `described`: what the board prints of a thing, by kind and id; HELP and its name says it.
    `things`: things with a text that the reader of a view can see; the text is shown when they first see one.
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
    weight: Callable[[Event, Seat], int] = _weigh_own
    turns: Callable[[Sequence[Event]], Mapping[int, Event]] = find_turns
    card: Callable[[str], Thing] = _name_by_id
    spellings: Callable[[str, str], Sequence[str]] = _no_spellings
    things: Callable[[View], Iterable[Thing]] = _no_things
    described: Mapping[str, Mapping[str, Words]] = field(default_factory=dict)


@runtime_checkable
class HasNarrationHooks(Protocol):
    """Rules that declare narration hooks (optional, like `SupportsReadings`)."""

    @property
    def narration_hooks(self) -> NarrationHooks:
        """Return what the narrator needs to know of the game."""
        ...


def hooks_of(rules: object) -> NarrationHooks:
    """Return the narration hooks of rules, or the defaults."""
    return rules.narration_hooks if isinstance(rules, HasNarrationHooks) else NarrationHooks()


def classes_in(*modules: ModuleType) -> tuple[type[Event], ...]:
    """Return the event classes that modules define, in order, without abstract bases."""
    things = ((module, thing) for module in modules for thing in vars(module).values() if isinstance(thing, type))
    found = (cls for module, cls in things if issubclass(cls, Event) and cls.__module__ == module.__name__)
    return tuple(cls for cls in found if is_serializable(cls))


def problem_codes(name: str, *modules: ModuleType) -> tuple[str, ...]:
    """Return the codes in the tuples called `name` (PROBLEMS, NOTES) of modules, each once."""
    return tuple(dict.fromkeys(code for module in modules for code in getattr(module, name, ())))

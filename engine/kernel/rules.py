"""The protocol of a game's rules."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from engine.kernel.catalogues import Words
from engine.kernel.corrections import Corrections
from engine.kernel.events import Event
from engine.kernel.forms import Fact, Form, Slot, Topic
from engine.kernel.holes import SlotValues
from engine.kernel.keywords import TURN
from engine.kernel.orders import Condition, Line, Order, Orders, Problem, Question
from engine.kernel.position import B, ExecuteOrders, Options, Position, Step
from engine.kernel.table import Table
from engine.kernel.viewers import Seat, Viewer

View = Mapping[str, Any]
"""What one viewer is shown: only names, numbers, tuples and mappings, for templates and JSON."""


@dataclass(frozen=True)
class Option:
    """A choice made when a game is created: its values with their words; the first value is the default.

    `only`: the numbers of players for which a value may be chosen, if not all.
    `table`: the option concerns the server (talk, spectators); positions do not hold it and rules never read it.
    `before`: the value for games set up before the option existed; "" for an option of the first version.
    """

    name: str
    title: Words
    values: Mapping[str, Words]
    only: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    table: bool = False
    before: str = ""

    @property
    def default(self) -> str:
        """Return the default value."""
        return next(iter(self.values))

    def open_to(self, players: int) -> tuple[str, ...]:
        """Return the values that this number of players may choose."""
        return tuple(value for value in self.values if players in self.only.get(value, (players,)))


@dataclass(frozen=True)
class Meta:
    """What is known of a game before it is played.

    `seats`: the possible numbers of players.
    `endings`: the sentences of endings, by key.
    `reconstructed`: which parts of the game are reconstructed, if any.
    `compatible_versions`: earlier versions whose games these rules continue and replay unchanged.
    `turn`: the word for a turn in headings (`FOR ROUND 3 ACTION 2`).
    `results`: sentences of further results of a game, by the key that `Ended.result` names.
    `has_no_free_text`: no order has words that a player wrote, so entries may be compressed before encryption without a
    risk of leaking them.
    `not_held`: the codes of refusals of cards that are not in hand.
    """

    name: str
    title: Words
    designer: str
    seats: tuple[int, ...]
    version: str
    options: tuple[Option, ...]
    topics: tuple[Topic, ...]
    endings: Mapping[str, Words]
    reconstructed: Words | None = None
    compatible_versions: tuple[str, ...] = ()
    turn: Words = TURN
    results: Mapping[str, Words] = field(default_factory=dict)
    has_no_free_text: bool = False
    not_held: frozenset[str] = frozenset()

    @property
    def accepted_versions(self) -> tuple[str, ...]:
        """Return the versions whose games can be played by these rules, the current one first."""
        return (self.version, *self.compatible_versions)

    def topic(self, asks: str) -> Topic:
        """Return the topic of a question. Raises KeyError."""
        return {topic.key: topic for topic in self.topics}[asks]

    def chosen(self, options: Options, players: int | None = None) -> Options:
        """Return the options with defaults filled in.

        Raises ValueError for an unknown name or value, or, if `players` is given, for a value not for this number of
        players.
        """
        known = {o.name: o for o in self.options}
        for name, value in options.items():
            if name not in known or value not in known[name].values:
                raise ValueError(f"{self.name} has no option {name}={value}")
            if players is not None and value not in known[name].open_to(players):
                raise ValueError(f"{self.name} has no option {name}={value} for {players} players")
        return {o.name: options.get(o.name, o.default) for o in self.options}

    def stored_options(self, options: Options) -> Options:
        """Return the options of an existing table.

        Options added later have their value `before`, and names that no longer exist are left out.
        """
        return {o.name: options.get(o.name, o.before or o.default) for o in self.options}

    def position_options(self, options: Options) -> Options:
        """Return the options that positions of a table hold: those that rules read, without any added later."""
        kept = self.stored_options(options)
        return {o.name: kept[o.name] for o in self.options if not o.table and (o.name in options or not o.before)}


class Rules(Protocol[B]):
    """The rules of one game. They have no state.

    `seen` is a position read under `seen_by(seat)`, or a redacted copy. The kernel alone checks sets of orders,
    previews and alternatives, with `execution_of`, `refusal` and `fact_holds`, the same for all games.
    """

    @property
    def meta(self) -> Meta:
        """Return title, seats, options, topics."""
        ...

    def blank(self, seats: Sequence[Seat], options: Options) -> B:
        """Return the board before anything happened."""
        ...

    def begin(self, table: Table[B]) -> None:
        """Set up the game: emit events, ask questions, queue steps."""
        ...

    def take(self, table: Table[B], step: Step) -> None:
        """Do one step of the agenda."""
        ...

    def resolve(self, table: Table[B], gate: str, answers: Mapping[Seat, Orders]) -> None:
        """Resolve a gate whose answers are all in."""
        ...

    def apply(self, board: B, event: Event) -> None:
        """Change the board as the event says. Use no rules and no dice; handle every event of the game."""
        ...

    def execution_of(self, decision: Question, orders: Orders) -> ExecuteOrders | None:
        """Return the step that carries out these orders line by line, or None if the answer is a single order."""
        ...

    def refusal(self, seen: Position[B], decision: Question, order: Order) -> Problem | None:
        """Return why this order is impossible now, as far as its author knows, or None."""
        ...

    def forms(self, seen: Position[B], decision: Question) -> Sequence[Form]:
        """Return the forms of an answer, each slot with its vocabulary and the values valid now."""
        ...

    def advance_questions(self, seen: Position[B], seat: Seat) -> Sequence[Question]:
        """Return questions that may be answered before they are asked: reactions and later phases."""
        ...

    def turn(self, seen: Position[B]) -> int:
        """Return the turn of reaction orders sent now: this one, or the next once its purchases are asked."""
        ...

    def facts(self, seen: Position[B], seat: Seat) -> Sequence[Fact]:
        """Return the facts for IF."""
        ...

    def fact_holds(self, seen: Position[B], seat: Seat, condition: Condition) -> bool:
        """Return True if the fact holds on the seat's own view. The kernel applies `negated`."""
        ...

    def suggest_orders(self, seen: Position[B], decision: Question, most: int | None = None) -> Sequence[Line]:
        """Return likely lines for this question, best first, at most `most`; each would be valid alone now.

        Templates offer them and bots play them.
        """
        ...

    def default_orders(self, seen: Position[B], decision: Question) -> Orders:
        """Return the orders used if the deadline passes."""
        ...

    def present_view(self, seen: Position[B], viewer: Viewer) -> View:
        """Return what a viewer is shown, from a redacted position."""
        ...

    def list_violations(self, position: Position[B]) -> Sequence[Problem]:
        """Return the broken invariants of a position; empty for a sound one."""
        ...


@runtime_checkable
class SupportsCorrections(Protocol):
    """Rules whose board a game master can correct."""

    corrections: Corrections


@runtime_checkable
class HasForms(Protocol):
    """Rules that say every form of their orders without a position, by topic."""

    every_form: Mapping[str, Sequence[Form]]


@runtime_checkable
class NarrowsSlots(Protocol):
    """Rules that know which values are worth trying in a slot (optional, like `SupportsCorrections`)."""

    def slot_values(
        self, seen: Position[Any], decision: Question, form: Form, slot: Slot, known: Mapping[str, Any]
    ) -> SlotValues | None:
        """Return the values of a slot that can be of use, given some values of other slots; None for any.

        It must hold each value that is legal and changes anything; `refusal` is asked about all that it holds.
        """
        ...

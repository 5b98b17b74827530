"""What a game is: the protocol that its Rules keep."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from engine.kernel.catalogues import Words
from engine.kernel.corrections import Corrections
from engine.kernel.events import Event
from engine.kernel.forms import Fact, Form, Topic
from engine.kernel.keywords import TURN
from engine.kernel.orders import Condition, Line, Order, Orders, Problem, Question
from engine.kernel.position import B, ExecuteOrders, Options, Position, Step
from engine.kernel.table import Table
from engine.kernel.viewers import Seat, Viewer

View = Mapping[str, Any]
"""What one viewer is shown: names, numbers, tuples and mappings only, ready for templates and JSON."""


@dataclass(frozen=True)
class Option:
    """A choice made when a game is created: its values (the first is the default), with their words.

    `only`: the numbers of players that a value is for, where it is not for all.  `table`: it is about what is around
    the game (talk, spectators): the server reads it, the rules never do, and no position holds it.  `before`: what a
    game is played by that was set up before there was this option; only an option of the first version has none.
    """

    name: str
    title: Words
    values: Mapping[str, Words]
    only: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    table: bool = False
    before: str = ""

    @property
    def default(self) -> str:
        """The value taken when nobody chooses."""
        return next(iter(self.values))

    def open_to(self, players: int) -> tuple[str, ...]:
        """The values that this number of players may choose."""
        return tuple(value for value in self.values if players in self.only.get(value, (players,)))


@dataclass(frozen=True)
class Meta:
    """What is known of a game before it is played.

    `compatible_versions`: earlier versions whose games these rules play on, and tell again, exactly as they were.
    `turn`: the word for a turn in the headings of orders (`FOR ROUND 3 ACTION 2`).  `results`: what may come of a game
    beside its ranking, a sentence each, by the name that `Ended` gives.  `has_no_free_text`: no order has words of a
    player's own choice, only names and numbers of the game; so what happened may be compressed before it is sealed.
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

    @property
    def accepts_seats(self) -> tuple[str, ...]:
        """The versions whose games can be played by these rules."""
        return (self.version, *self.compatible_versions)

    def topic(self, asks: str) -> Topic:
        """The topic of a question; raises KeyError."""
        return self._topics()[asks]

    def _topics(self) -> Mapping[str, Topic]:
        return {t.key: t for t in self.topics}

    def chosen(self, options: Options, players: int | None = None) -> Options:
        """The options with the defaults filled in; raises ValueError for a name or value that does not exist.

        And for a value that is not for this number of players, where it is told.
        """
        known = {o.name: o for o in self.options}
        for name, value in options.items():
            if name not in known or value not in known[name].values:
                raise ValueError(f"{self.name} has no option {name}={value}")
            if players is not None and value not in known[name].open_to(players):
                raise ValueError(f"{self.name} has no option {name}={value} for {players} players")
        return {o.name: options.get(o.name, o.default) for o in self.options}

    def stored_option(self, options: Options) -> Options:
        """What a table goes by: the options that it was set up with, and for those that came later what was before.

        A name that does not exist any more is left out.
        """
        return {o.name: options.get(o.name, o.before or o.default) for o in self.options}

    def ruling(self, options: Options) -> Options:
        """The options of a table that the rules read, as its positions hold them: none that came later."""
        kept = self.stored_option(options)
        return {o.name: kept[o.name] for o in self.options if not o.table and (o.name in options or not o.before)}


class Rules(Protocol[B]):
    """One game's rules: stateless.  `seen` is a position read under `seen_by(seat)`, or a redacted copy.

    The kernel alone judges sequences, previews and ranked plans, by `execution_of`, `refusal` and `never`, in one way
    for all games. `suggest_orders` gives the likely lines that templates offer and bots play.
    """

    @property
    def meta(self) -> Meta:
        """Title, seats, options, topics."""
        ...

    def blank(self, seats: Sequence[Seat], options: Options) -> B:
        """The board before anything happened."""
        ...

    def begin(self, table: Table[B]) -> None:
        """Set up: emit, ask, queue."""
        ...

    def take(self, table: Table[B], step: Step) -> None:
        """Do one step of the agenda."""
        ...

    def resolve(self, table: Table[B], gate: str, answers: Mapping[Seat, Orders]) -> None:
        """All answers of a gate are in."""
        ...

    def apply(self, board: B, event: Event) -> None:
        """Change the board as the event says: no rules, no dice, total."""
        ...

    def execution_of(self, decision: Question, orders: Orders) -> ExecuteOrders | None:
        """The step that carries out this set line by line; None where the answer is a single order."""
        ...

    def refusal(self, seen: Position[B], decision: Question, order: Order) -> Problem | None:
        """Why this order cannot be done now, as far as its author knows; None if it can."""
        ...

    def forms(self, seen: Position[B], decision: Question) -> Sequence[Form]:
        """What may be written in answer, each slot with its vocabulary and what would be accepted now."""
        ...

    def advance_questions(self, seen: Position[B], seat: Seat) -> Sequence[Question]:
        """Questions that may be answered now although they are not open: riders, and later phases."""
        ...

    def turn(self, seen: Position[B]) -> int:
        """The turn that riders sent now belong to: this one, or the next once its purchase is asked."""
        ...

    def facts(self, seen: Position[B], seat: Seat) -> Sequence[Fact]:
        """What IF may ask."""
        ...

    def fact_holds(self, seen: Position[B], seat: Seat, condition: Condition) -> bool:
        """Return True if the fact holds on the seat's own view (negation is the kernel's)."""
        ...

    def suggest_orders(self, seen: Position[B], decision: Question, most: int | None = None) -> Sequence[Line]:
        """Likely lines for this question, best first, so many at most; each would be accepted alone now."""
        ...

    def default_orders(self, seen: Position[B], decision: Question) -> Orders:
        """The stated default if the deadline passes."""
        ...

    def present_view(self, seen: Position[B], viewer: Viewer) -> View:
        """What a viewer is shown, from a redacted position."""
        ...

    def list_violations(self, position: Position[B]) -> Sequence[Problem]:
        """Broken invariants: nothing minted, nothing lost."""
        ...


@runtime_checkable
class SupportsCorrections(Protocol):
    """Rules of a game whose master can put right what its board holds."""

    corrections: Corrections

"""Facts, in the past tense. An event changes the position and is a sentence of the report."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar

from engine.kernel.codec import saved
from engine.kernel.names import Seat
from engine.kernel.orders import Clause, Decision, Line, Orders, Problem, Ruling
from engine.kernel.position import Step


class Heading(Enum):
    """What an event begins that stands as a heading above what follows."""

    TURN = "turn"
    PHASE = "phase"


@dataclass(frozen=True, kw_only=True)
class Event:
    """A fact. `told`: the seats that may know of it; None: everybody.

    A class of events with a `heading` is told by its macro `chapter`, as the heading of what follows it.
    """

    heading: ClassVar[Heading | None] = None
    told: frozenset[Seat] | None = None


NOBODY: frozenset[Seat] = frozenset()
"""For events that belong to the loop: folded like all others, told to nobody."""


@saved("kernel.Queued")
@dataclass(frozen=True, kw_only=True)
class Queued(Event):
    """Steps were put before the rest of the agenda."""

    steps: tuple[Step, ...]
    told: frozenset[Seat] | None = NOBODY


@saved("kernel.Taken")
@dataclass(frozen=True, kw_only=True)
class Taken(Event):
    """The first step of the agenda was taken."""

    told: frozenset[Seat] | None = NOBODY


@saved("kernel.Asked")
@dataclass(frozen=True, kw_only=True)
class Asked(Event):
    """Questions were put."""

    decisions: tuple[Decision, ...]
    told: frozenset[Seat] | None = NOBODY


@saved("kernel.Closed")
@dataclass(frozen=True, kw_only=True)
class Closed(Event):
    """A gate was closed for these seats, and its answers were opened."""

    gate: str
    seats: tuple[Seat, ...]
    told: frozenset[Seat] | None = NOBODY


@saved("kernel.Withdrawn")
@dataclass(frozen=True, kw_only=True)
class Withdrawn(Event):
    """A seat's open questions were taken back: it is no longer in the game, or they have no object any more."""

    seat: Seat
    told: frozenset[Seat] | None = NOBODY


@saved("kernel.Defaulted")
@dataclass(frozen=True, kw_only=True)
class Defaulted(Event):
    """A seat did not answer in time; the game's stated default was taken."""

    seat: Seat
    gate: str
    asks: str


@saved("kernel.Opened")
@dataclass(frozen=True, kw_only=True)
class Opened(Event):
    """A line was taken up; private to its owner: which clause was chosen, and why not those before it."""

    seat: Seat
    gate: str
    line: int
    attempt: int
    clause: Clause
    passed: tuple[Problem, ...] = ()
    otherwise: bool = False


@saved("kernel.Lapsed")
@dataclass(frozen=True, kw_only=True)
class Lapsed(Event):
    """A line ended without being done; private to its owner, with the reason of each clause and the line itself."""

    seat: Seat
    gate: str
    line: int
    reasons: tuple[Problem, ...]
    attempted: Line | None = None


@saved("kernel.Dropped")
@dataclass(frozen=True, kw_only=True)
class Dropped(Event):
    """After a line that failed, the rest was dropped or is asked again, as the game's option says; private."""

    seat: Seat
    gate: str
    lines: int
    again: bool


@saved("kernel.Corrected")
@dataclass(frozen=True, kw_only=True)
class Corrected(Event):
    """A ruling of the game master: ordinary events of the game, with who ruled and why."""

    by: str
    reason: str
    edits: tuple[Event, ...]


@saved("kernel.RulingAdopted")
@dataclass(frozen=True, kw_only=True)
class RulingAdopted(Event):
    """From here on the game is played under another reading of a rule."""

    option: str
    value: str


@saved("kernel.StatePatched")
@dataclass(frozen=True, kw_only=True)
class StatePatched(Event):
    """The last resort of a correction: one value of the board, by its path, from `old` to `new`."""

    path: tuple[str, ...]
    old: object
    new: object


@saved("kernel.RulingUndone")
@dataclass(frozen=True, kw_only=True)
class RulingUndone(Event):
    """The ruling of an entry was taken back: what follows in the correction is its inverse."""

    entry: int


@saved("kernel.Rewound")
@dataclass(frozen=True, kw_only=True)
class Rewound(Event):
    """The game goes on from after an earlier entry; those up to `last` count no more.

    `seen`: (entry, seat, how many) for hidden things that a seat had come to see in them: all are told who, none what.
    `again`: they are told again, with the draws of then; else all draws will be new.
    """

    entry: int
    last: int
    again: bool = False
    seen: tuple[tuple[int, Seat, int], ...] = ()


@saved("kernel.ToldAgain")
@dataclass(frozen=True, kw_only=True)
class ToldAgain(Event):
    """An entry is adjudicated again here, with its answers and draws of then, but for the draws named."""

    entry: int
    anew: tuple[str, ...] = ()


@saved("kernel.Ended")
@dataclass(frozen=True, kw_only=True)
class Ended(Event):
    """The game is over: why, in what order the seats finished, and with how many points."""

    reason: str
    ranking: tuple[tuple[Seat, ...], ...]
    points: Mapping[Seat, int]


@saved("kernel.StoodIn")
@dataclass(frozen=True, kw_only=True)
class StoodIn(Event):
    """A seat did not answer in time, and its plan (`standing`) or a bot (`bot`) answered for it: told to all.

    It is no part of the position.
    """

    seat: Seat
    gate: str
    asks: str
    how: str


# What the server tells a seat about what it filed ahead: private, and no part of the position.


@saved("kernel.RiderUsed")
@dataclass(frozen=True, kw_only=True)
class RiderUsed(Event):
    """A question came up and the seat's rider answered it."""

    seat: Seat
    asks: str
    orders: Orders


@saved("kernel.RiderPassed")
@dataclass(frozen=True, kw_only=True)
class RiderPassed(Event):
    """A question came up and the seat's rider could not answer it, for this reason."""

    seat: Seat
    asks: str
    reason: Problem


@saved("kernel.RiderEnded")
@dataclass(frozen=True, kw_only=True)
class RiderEnded(Event):
    """The turn is over, and a rider for it ends without having been needed."""

    seat: Seat
    asks: str


@saved("kernel.AheadTaken")
@dataclass(frozen=True, kw_only=True)
class AheadTaken(Event):
    """A question opened for which the seat had filed orders ahead: they stand."""

    seat: Seat
    gate: str
    asks: str


@saved("kernel.AheadRefused")
@dataclass(frozen=True, kw_only=True)
class AheadRefused(Event):
    """A question opened, and the orders filed ahead for it cannot stand: the seat is asked."""

    seat: Seat
    gate: str
    asks: str
    rulings: tuple[Ruling, ...]

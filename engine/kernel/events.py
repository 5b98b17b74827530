"""Facts, in the past tense. An event changes the position and is a sentence of the report."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar, dataclass_transform

from engine.kernel.codec import record
from engine.kernel.orders import Clause, Line, LineResult, Orders, Problem, Question
from engine.kernel.position import Step
from engine.kernel.viewers import Seat


class Heading(Enum):
    """What an event begins that stands as a heading above what follows."""

    TURN = "turn"
    PHASE = "phase"


@dataclass_transform(frozen_default=True, kw_only_default=True)
@dataclass(frozen=True, kw_only=True)
class Event:
    """A fact. `visible_to`: the seats that may know of it; None: everybody.

    Each class of events is a frozen dataclass, its fields by keyword, saved under the name that it gives.  One with a
    `heading` is told by its macro `chapter`, as the heading of what follows it.  `has_free_text`: it holds words that
    a person chose, whatever the game.
    """

    heading: ClassVar[Heading | None] = None
    has_free_text: ClassVar[bool] = False
    visible_to: frozenset[Seat] | None = None

    def __init_subclass__(cls, saved: str = "") -> None:
        super().__init_subclass__()
        record(cls, saved, kw_only=True)


NOBODY: frozenset[Seat] = frozenset()
"""For events that belong to the loop: folded like all others, told to nobody."""


class KernelEvent(Event):
    """A fact that `apply` of the kernel takes in; those of a game are applied by its rules."""


class StepsQueued(KernelEvent, saved="kernel.StepsQueued"):
    """Steps were put before the rest of the agenda."""

    steps: tuple[Step, ...]
    visible_to: frozenset[Seat] | None = NOBODY


class StepStarted(KernelEvent, saved="kernel.StepStarted"):
    """The first step of the agenda was taken."""

    visible_to: frozenset[Seat] | None = NOBODY


class QuestionsAsked(KernelEvent, saved="kernel.QuestionsAsked"):
    """Questions were put."""

    decisions: tuple[Question, ...]
    visible_to: frozenset[Seat] | None = NOBODY


class GateResolved(KernelEvent, saved="kernel.GateResolved"):
    """A gate was closed for these seats, and its answers were opened."""

    gate: str
    seats: tuple[Seat, ...]
    visible_to: frozenset[Seat] | None = NOBODY


class Withdrawn(KernelEvent, saved="kernel.Withdrawn"):
    """A seat's open questions were taken back: it is no longer in the game, or they have no object any more."""

    seat: Seat
    visible_to: frozenset[Seat] | None = NOBODY


class Defaulted(KernelEvent, saved="kernel.Defaulted"):
    """A seat did not answer in time; the game's stated default was taken."""

    seat: Seat
    gate: str
    topic: str


class LineStarted(KernelEvent, saved="kernel.LineStarted"):
    """A line was taken up; private to its owner: which clause was chosen, and why not those before it."""

    seat: Seat
    gate: str
    line: int
    attempt: int
    clause: Clause
    passed: tuple[Problem, ...] = ()
    otherwise: bool = False


class LineFailed(KernelEvent, saved="kernel.LineFailed"):
    """A line ended without being done; private to its owner, with the reason of each clause and the line itself."""

    seat: Seat
    gate: str
    line: int
    reasons: tuple[Problem, ...]
    attempted: Line | None = None


class LinesDropped(KernelEvent, saved="kernel.LinesDropped"):
    """After a line that failed, the rest was dropped or is asked again, as the game's option says; private."""

    seat: Seat
    gate: str
    lines: int
    again: bool


class QuestionRepeated(KernelEvent, saved="kernel.QuestionRepeated"):
    """A line wanted its author to be asked again, and they are; the lines after it are not carried out.  Private."""

    seat: Seat
    gate: str
    line: int
    lines: int


class Corrected(KernelEvent, saved="kernel.Corrected"):
    """A ruling of the game master: ordinary events of the game, with who ruled and why."""

    has_free_text = True
    by: str
    reason: str
    edits: tuple[Event, ...]


class ReadingAdopted(KernelEvent, saved="kernel.ReadingAdopted"):
    """From here on the game is played under another reading of a rule."""

    option: str
    value: str


class StatePatched(KernelEvent, saved="kernel.StatePatched"):
    """The last resort of a correction: one value of the board, by its path, from `old` to `new`."""

    has_free_text = True
    path: tuple[str, ...]
    old: object
    new: object


class RulingUndone(KernelEvent, saved="kernel.RulingUndone"):
    """The ruling of an entry was taken back: what follows in the correction is its inverse."""

    entry: int


class Rewound(KernelEvent, saved="kernel.Rewound"):
    """The game goes on from after an earlier entry; those up to `last` count no more.

    `seen`: (entry, seat, how many) for hidden things that a seat had come to see in them: all are told who, none what.
    `again`: they are told again, with the draws of then; else all draws will be new.
    """

    entry: int
    last: int
    again: bool = False
    seen: tuple[tuple[int, Seat, int], ...] = ()


class EntryReplayed(KernelEvent, saved="kernel.EntryReplayed"):
    """An entry is adjudicated again here, with its earlier answers and draws, except the draws named."""

    entry: int
    anew: tuple[str, ...] = ()


class Ended(KernelEvent, saved="kernel.Ended"):
    """The game is over: why, in what order the seats finished, and with how many points.

    Seats in the first group share the victory, unless the game has beaten them all (`won` False).  `result`: what came
    of it beside, by its name in the game's `Meta.results`: a band of scores, a victory of another kind.
    """

    reason: str
    ranking: tuple[tuple[Seat, ...], ...]
    points: Mapping[Seat, int]
    is_won: bool = True
    result: str = ""

    @property
    def has_winner(self) -> bool:
        """Return True if the first group has won; it is empty where all seats were out together."""
        return self.is_won and not (self.ranking and not self.ranking[0])


class AnswerSubstituted(Event, saved="kernel.AnswerSubstituted"):
    """A seat did not answer in time, and its plan (`standing`) or a bot (`bot`) answered for it: told to all.

    It is no part of the position.
    """

    seat: Seat
    gate: str
    topic: str
    how: str


# What the server tells a seat about what it filed ahead: private, and no part of the position.


class ReactionUsed(Event, saved="kernel.ReactionUsed"):
    """A question came up and the seat's rider answered it."""

    seat: Seat
    topic: str
    orders: Orders


class ReactionSkipped(Event, saved="kernel.ReactionSkipped"):
    """A question came up and the seat's rider could not answer it, for this reason."""

    seat: Seat
    topic: str
    reason: Problem


class ReactionExpired(Event, saved="kernel.ReactionExpired"):
    """The turn is over, and a rider for it ends without having been needed."""

    seat: Seat
    topic: str


class AdvanceOrdersUsed(Event, saved="kernel.AdvanceOrdersUsed"):
    """A question opened for which the seat had filed orders ahead: they stand."""

    seat: Seat
    gate: str
    topic: str


class AdvanceOrdersRefused(Event, saved="kernel.AdvanceOrdersRefused"):
    """A question opened, and the orders filed ahead for it cannot stand: the seat is asked."""

    seat: Seat
    gate: str
    topic: str
    rulings: tuple[LineResult, ...]

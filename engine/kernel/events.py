"""Events of the kernel.

An event changes the position and is a sentence of the report, in the past tense.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar, dataclass_transform

from engine.kernel.codec import record
from engine.kernel.orders import Clause, Line, LineResult, Orders, Problem, Question
from engine.kernel.position import Step
from engine.kernel.viewers import Seat


class Heading(Enum):
    """The part of the report that begins with an event, if the event is its heading."""

    TURN = "turn"
    PHASE = "phase"


@dataclass_transform(frozen_default=True, kw_only_default=True)
@dataclass(frozen=True, kw_only=True)
class Event:
    """A fact. `visible_to`: the seats that may know of it; None for all.

    Each subclass is a frozen dataclass with keyword fields and the saved name that it gives.
    `heading`: the event begins a turn or a phase of the report, and its macro `chapter` writes the heading.
    `has_free_text`: it has words that a person wrote.
    `is_only_ordered`: what the line that it follows comes to is found out later, with the lines of others.
    """

    heading: ClassVar[Heading | None] = None
    has_free_text: ClassVar[bool] = False
    is_only_ordered: ClassVar[bool] = False
    visible_to: frozenset[Seat] | None = None

    def __init_subclass__(cls, saved: str = "") -> None:
        super().__init_subclass__()
        record(cls, saved, kw_only=True)


NOBODY: frozenset[Seat] = frozenset()
"""The visibility of events that only the loop needs: applied like all others, shown to no seat."""


class KernelEvent(Event):
    """An event that the kernel applies; events of a game are applied by its rules."""


class StepsQueued(KernelEvent, saved="kernel.StepsQueued"):
    """Steps were queued before the rest of the agenda."""

    steps: tuple[Step, ...]
    visible_to: frozenset[Seat] | None = NOBODY


class StepStarted(KernelEvent, saved="kernel.StepStarted"):
    """The first step of the agenda was started."""

    visible_to: frozenset[Seat] | None = NOBODY


class QuestionsAsked(KernelEvent, saved="kernel.QuestionsAsked"):
    """Questions were asked."""

    decisions: tuple[Question, ...]
    visible_to: frozenset[Seat] | None = NOBODY


class GateResolved(KernelEvent, saved="kernel.GateResolved"):
    """A gate was closed for these seats, and its answers were opened."""

    gate: str
    seats: tuple[Seat, ...]
    visible_to: frozenset[Seat] | None = NOBODY


class Withdrawn(KernelEvent, saved="kernel.Withdrawn"):
    """The open questions of a seat were withdrawn: it has left the game, or they no longer apply."""

    seat: Seat
    visible_to: frozenset[Seat] | None = NOBODY


class Defaulted(KernelEvent, saved="kernel.Defaulted"):
    """A seat did not answer in time; the game's default was used."""

    seat: Seat
    gate: str
    topic: str


class LineStarted(KernelEvent, saved="kernel.LineStarted"):
    """A line was started. Visible to its owner, with the chosen clause.

    `passed`: the problems of the clauses before it. `otherwise`: the clause is of the fallback.
    """

    seat: Seat
    gate: str
    line: int
    attempt: int
    clause: Clause
    passed: tuple[Problem, ...] = ()
    otherwise: bool = False


class LineFailed(KernelEvent, saved="kernel.LineFailed"):
    """A line ended without being done. Visible to its owner, with the problem of each clause."""

    seat: Seat
    gate: str
    line: int
    reasons: tuple[Problem, ...]
    attempted: Line | None = None


class LinesDropped(KernelEvent, saved="kernel.LinesDropped"):
    """A line failed and the remaining lines were dropped, by the option `failures`.

    Visible to their owner.

    `again`: the question is repeated.
    """

    seat: Seat
    gate: str
    lines: int
    again: bool


class QuestionRepeated(KernelEvent, saved="kernel.QuestionRepeated"):
    """A line asked its author again, and the lines after it are dropped. Visible to their owner.

    `lines`: the number of lines dropped.
    """

    seat: Seat
    gate: str
    line: int
    lines: int


class Corrected(KernelEvent, saved="kernel.Corrected"):
    """A ruling of the game master: the events of the correction, its author and its reason."""

    has_free_text = True
    by: str
    reason: str
    edits: tuple[Event, ...]


class ReadingAdopted(KernelEvent, saved="kernel.ReadingAdopted"):
    """From now on the game is played under another reading of a rule."""

    option: str
    value: str


class StatePatched(KernelEvent, saved="kernel.StatePatched"):
    """A correction replaced one value of the board, at a path, from `old` to `new`."""

    has_free_text = True
    path: tuple[str, ...]
    old: object
    new: object


class RulingUndone(KernelEvent, saved="kernel.RulingUndone"):
    """The ruling of an entry was undone; the next events of the correction are its inverse."""

    entry: int


class Rewound(KernelEvent, saved="kernel.Rewound"):
    """The game continues after an earlier entry; the entries after it, up to `last`, no longer count.

    `again`: they are replayed with their recorded draws. If False, all draws will be new.
    `seen`: (entry, seat, count) of hidden things that a seat saw in them; all seats learn who saw them, not what they
    are.
    """

    entry: int
    last: int
    again: bool = False
    seen: tuple[tuple[int, Seat, int], ...] = ()


class EntryReplayed(KernelEvent, saved="kernel.EntryReplayed"):
    """An entry is adjudicated again, with its recorded answers and draws, except the draws in `rerolled`."""

    entry: int
    rerolled: tuple[str, ...] = ()


class Ended(KernelEvent, saved="kernel.Ended"):
    """The game is over.

    `reason`: the ending, by its key in `Meta.endings`.
    `ranking`: groups of seats, best first.
    `is_won`: the first group shares the victory; False if the game has beaten all.
    `result`: a further result, by its key in `Meta.results`, such as a band of scores.
    """

    reason: str
    ranking: tuple[tuple[Seat, ...], ...]
    points: Mapping[Seat, int]
    is_won: bool = True
    result: str = ""

    @property
    def has_winner(self) -> bool:
        """Return True if the first group has won; it is empty if all seats were out together."""
        return self.is_won and not (self.ranking and not self.ranking[0])


class AnswerSubstituted(Event, saved="kernel.AnswerSubstituted"):
    """A seat did not answer in time; its standing orders or a bot answered for it. Visible to all.

    `how`: `standing` or `bot`. The event is not part of the position.
    """

    seat: Seat
    gate: str
    topic: str
    how: str


# Events about orders that a seat stored in advance: visible to the seat, and not part of the position.


class ReactionUsed(Event, saved="kernel.ReactionUsed"):
    """A question was asked, and the seat's reaction orders answered it."""

    seat: Seat
    topic: str
    orders: Orders


class ReactionSkipped(Event, saved="kernel.ReactionSkipped"):
    """A question was asked, and the seat's reaction orders could not answer it, for this reason."""

    seat: Seat
    topic: str
    reason: Problem


class ReactionExpired(Event, saved="kernel.ReactionExpired"):
    """The turn is over, and the seat's reaction orders for it were not used."""

    seat: Seat
    topic: str


class AdvanceOrdersUsed(Event, saved="kernel.AdvanceOrdersUsed"):
    """A question was asked, and the orders that the seat stored in advance are valid."""

    seat: Seat
    gate: str
    topic: str


class AdvanceOrdersRefused(Event, saved="kernel.AdvanceOrdersRefused"):
    """A question was asked, and the orders that the seat stored in advance are invalid, so the seat must answer."""

    seat: Seat
    gate: str
    topic: str
    rulings: tuple[LineResult, ...]

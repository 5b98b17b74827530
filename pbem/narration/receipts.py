"""What a receipt tells, as data for its template: written, understood, refused and why; what stands and is awaited."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.kernel.orders import Decision, Line, Order, Problem
from pbem.narration.facts import CommandRead, LineRead, OrdersStand, ReceiptFacts, RiderRead, SetRead
from pbem.narration.reports import Lines, OwedLine, RiderLine, Telling, awaited_names, owed_lines, rider_line

_SHOWN: Final = 30
"""Lines of chatter that a receipt repeats; of more it gives the number."""


@dataclass(frozen=True)
class LineReceipt:
    """One written line: as written, as understood, why not, what would be accepted, remarks of the preview."""

    number: int
    written: str
    understood: str
    stands: bool
    problem: str = ""
    nearest: str = ""
    notes: Lines = ()


@dataclass(frozen=True)
class SetReceipt:
    """One set. `topic` empty: lines that belong to no question."""

    topic: str
    turn: int | None
    lines: tuple[LineReceipt, ...]
    taken: bool
    passed: bool
    ahead: bool
    problem: str
    commitment: str
    replaces: str

    @property
    def judged(self) -> bool:
        """Whether its lines were tried in sequence: not while one cannot be read, nor before the question opens."""
        return not self.ahead and all(line.understood for line in self.lines)

    @property
    def refused(self) -> int:
        """How many of its lines cannot stand."""
        return sum(not line.stands for line in self.lines) or int(bool(self.problem))


@dataclass(frozen=True)
class RiderReceipt:
    """One rider: filed, withdrawn, or refused and why."""

    topic: str
    number: int
    written: str
    understood: str
    withdrawn: bool
    problem: str


@dataclass(frozen=True)
class StandingReceipt:
    """A set that stands, as it would be written now, and since when."""

    topic: str
    turn: int | None
    filed: str
    lines: Lines
    ahead: bool
    commitment: str


@dataclass(frozen=True)
class CommandReceipt:
    """A command, what it was about, and what came of it."""

    name: str
    argument: str
    outcome: str


@dataclass(frozen=True)
class HelpLine:
    """How one kind of order is written."""

    usage: str
    about: str
    example: str


@dataclass(frozen=True)
class Receipt:
    """All sections of a receipt; those that are empty are left out."""

    sets: tuple[SetReceipt, ...]
    riders: tuple[RiderReceipt, ...]
    commands: tuple[CommandReceipt, ...]
    luck: Lines
    skipped: tuple[tuple[int, str], ...]
    skipped_more: int
    standing: tuple[StandingReceipt, ...]
    riders_standing: tuple[RiderLine, ...]
    owed: tuple[OwedLine, ...]
    awaited: Lines
    preview: Lines
    help: tuple[HelpLine, ...]
    warnings: Lines
    settled: bool

    @property
    def taken(self) -> int:
        """How many sets and riders count from now on."""
        return sum(one.taken for one in self.sets) + sum(not one.problem for one in self.riders)

    @property
    def refused(self) -> int:
        """How many lines were refused."""
        return sum(one.refused for one in self.sets) + sum(bool(one.problem) for one in self.riders)

    @property
    def dry(self) -> bool:
        """Whether the letter only asked to see what its lines would do."""
        return any(one.name == "preview" for one in self.commands)


def receipt(telling: Telling, facts: ReceiptFacts) -> Receipt:
    """All sections of a receipt."""
    asked = any(one.name == "help" for one in facts.commands)
    return Receipt(
        sets=tuple(_set(telling, one) for one in facts.sets),
        riders=tuple(_rider(telling, one) for one in facts.riders),
        commands=tuple(_command(telling, one) for one in facts.commands),
        luck=facts.luck,
        skipped=facts.skipped[:_SHOWN],
        skipped_more=max(len(facts.skipped) - _SHOWN, 0),
        standing=tuple(_standing(telling, one) for one in facts.standing),
        riders_standing=tuple(rider_line(telling, r.asks, r.orders) for r in facts.riders_standing),
        owed=tuple(one for one in owed_lines(telling, facts.owed) if one.blocking),
        awaited=awaited_names(telling, facts.awaited),
        preview=_preview(telling, facts),
        help=_help(telling, facts) if asked else (),
        warnings=facts.warnings,
        settled=facts.settled,
    )


def _set(telling: Telling, one: SetRead) -> SetReceipt:
    return SetReceipt(
        telling.topic(one.asks) if one.asks else "",
        one.turn,
        tuple(_line(telling, line, one) for line in one.lines),
        one.taken,
        one.passed,
        bool(one.asks) and one.decision is None,
        _worded(telling, one.problem),
        one.commitment,
        one.replaces,
    )


def _line(telling: Telling, read: LineRead, one: SetRead) -> LineReceipt:
    understood = telling.writing(read.line, one.asks) if read.line is not None else ""
    notes = tuple(telling.narrator.problem(note, telling.context) for note in read.notes)
    return LineReceipt(
        read.number,
        read.written,
        understood,
        read.problem is None,
        _worded(telling, read.problem),
        _nearest(telling, read, one.decision),
        notes,
    )


def _nearest(telling: Telling, read: LineRead, decision: Decision | None) -> str:
    """A line that would be accepted now; what could not be read at all brings its own with the problem."""
    if read.problem is None or decision is None or read.line is None:
        return ""
    return telling.writing.nearest(decision, _first_order(read.line))


def _first_order(line: Line) -> Order | None:
    return line.plan[0].order if line.plan else None


def _worded(telling: Telling, problem: Problem | None) -> str:
    """A problem as it stands behind a colon."""
    return "" if problem is None else f"{telling.narrator.reasons((problem,), telling.context)}."


def _rider(telling: Telling, one: RiderRead) -> RiderReceipt:
    understood = telling.writing(one.orders, one.asks) if one.orders else ""
    return RiderReceipt(
        telling.topic(one.asks), one.number, one.written, understood, one.withdrawn, _worded(telling, one.problem)
    )


def _command(telling: Telling, one: CommandRead) -> CommandReceipt:
    """What is withdrawn is a topic; the rest is as the player wrote it."""
    about = one.argument
    if one.name == "withdraw" and about and one.outcome != "unknown":
        about = telling.topic(about)
    return CommandReceipt(one.name, about, one.outcome)


def _standing(telling: Telling, one: OrdersStand) -> StandingReceipt:
    lines = tuple(f"{telling.writing(line, one.asks)}" for line in one.orders)
    filed = telling.clock.brief(one.filed)
    return StandingReceipt(telling.topic(one.asks), one.turn, filed, lines, one.ahead, one.commitment)


def _preview(telling: Telling, facts: ReceiptFacts) -> Lines:
    said = (telling.narrator.sentence(event, telling.viewer, telling.context) for event in facts.preview)
    return tuple(sentence for sentence in said if sentence)


def _help(telling: Telling, facts: ReceiptFacts) -> tuple[HelpLine, ...]:
    """How to answer what is asked now."""
    asked: Sequence[Decision] = [one.decision for one in facts.owed if one.decision.blocking]
    rows = (row for decision in asked for row in telling.writing.help(decision))
    return tuple(HelpLine(row.usage, row.about, row.example) for row in rows)

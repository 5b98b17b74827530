"""What a receipt tells, as data for its template: written, understood, refused and why; what stands and is awaited."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.kernel.events import Event, Lapsed, Opened
from engine.kernel.orders import Line, Orders
from engine.kernel.printing import HelpRow, colon
from pbem.narration.facts import CommandRead, OrdersStand, ReceiptFacts, SetRead
from pbem.narration.line_receipts import RiderReceipt, SetReceipt, riders_of, sets_of
from pbem.narration.reports import (
    OwedLine,
    RiderLine,
    StandingLine,
    awaited_names,
    owed_lines,
    rider_line,
    standing_line,
)
from pbem.narration.seat_narrator import Lines, SeatNarrator
from pbem.narration.things import LISTED, ThingTold, helped, meant, names_told
from pbem.narration.writing import RiderHelp

_SHOWN: Final = 30
"""Lines of chatter that a receipt repeats; of more it gives the number."""


@dataclass(frozen=True)
class CommandReceipt:
    """A command, what it was about, and what came of it: as in CommandRead, or `refused` for a preview."""

    name: str
    argument: str
    outcome: str


@dataclass(frozen=True)
class QuestionHelp:
    """How one open question is answered, and what happens if it is not."""

    topic: str
    question: str
    default: str
    due: str
    rows: tuple[HelpRow, ...]


@dataclass(frozen=True)
class Help:
    """All that the reader may write now: answers, headings for phases ahead, riders, conditions of lines.

    `effects`: what its things do, by name; `listed`: the names alone, where there are many. `reconstructed`: what of
    the game is not as printed.
    """

    questions: tuple[QuestionHelp, ...]
    ahead: Lines
    riders: tuple[RiderHelp, ...]
    conditions: Lines
    effects: tuple[tuple[str, str], ...]
    listed: Lines
    reconstructed: str


@dataclass(frozen=True)
class Receipt:
    """All sections of a receipt; those that are empty are left out."""

    sets: tuple[SetReceipt, ...]
    riders: tuple[RiderReceipt, ...]
    commands: tuple[CommandReceipt, ...]
    luck: Lines
    skipped: tuple[tuple[int, str], ...]
    skipped_more: int
    standing: tuple[StandingLine, ...]
    riders_standing: tuple[RiderLine, ...]
    owed: tuple[OwedLine, ...]
    awaited: Lines
    preview: Lines
    help: Help | None
    things: tuple[ThingTold, ...]
    warnings: Lines
    settled: bool
    uncovered: Lines
    signed: Lines
    doubtful: Lines
    earlier: bool
    """Return True if an earlier set stands in the place of one that this letter brought in vain."""

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
        """Return True if the letter only asked to see what its lines would do."""
        return any(one.name == "preview" for one in self.commands)


def receipt(telling: SeatNarrator, facts: ReceiptFacts) -> Receipt:
    """All sections of a receipt."""
    asked = {one.name for one in facts.commands}
    talk = tuple((number, text) for number, text in facts.skipped if text not in facts.doubtful)
    return Receipt(
        sets=sets_of(telling, facts),
        riders=riders_of(telling, facts),
        commands=tuple(_command(telling, one, facts) for one in facts.commands),
        luck=facts.luck,
        skipped=talk[:_SHOWN],
        skipped_more=max(len(talk) - _SHOWN, 0),
        standing=tuple(standing_line(telling, one) for one in _sets_standing(facts, "status" in asked)),
        riders_standing=_riders_standing(telling, facts, "status" in asked),
        owed=tuple(one for one in owed_lines(telling, facts.owed) if one.blocking),
        awaited=awaited_names(telling, facts.awaited),
        preview=_preview(telling, facts),
        help=_help(telling, facts) if _asks_for_all(telling, facts) else None,
        things=tuple(helped(telling.narrator, _words(facts))),
        warnings=facts.warnings,
        settled=facts.settled,
        uncovered=facts.uncovered,
        signed=facts.signed,
        doubtful=facts.doubtful[:_SHOWN],
        earlier=any(_replaced_in_vain(telling, one, facts.standing) for one in facts.sets if not one.taken),
    )


def _words(facts: ReceiptFacts) -> tuple[str, ...]:
    """What HELP was asked about."""
    return tuple(one.argument for one in facts.commands if one.name == "help" and one.argument)


def _asks_for_all(telling: SeatNarrator, facts: ReceiptFacts) -> bool:
    """Return True if HELP stands alone somewhere, or behind it what names no thing of the game."""
    asked = (one.argument for one in facts.commands if one.name == "help")
    return any(not about or not meant(telling.narrator, about) for about in asked)


def _sets_standing(facts: ReceiptFacts, whole: bool) -> tuple[OrdersStand, ...]:
    """Sets that stand from earlier letters; `whole`: those of this letter too, which it tells of anyhow."""
    mine = {one.commitment for one in facts.sets if one.taken}
    earlier = tuple(one for one in facts.standing if one.commitment not in mine or not one.commitment)
    if not whole:
        return earlier
    return (*earlier, *(_taken(one, facts.frame.sent) for one in facts.sets if one.taken))


def _taken(one: SetRead, at: int) -> OrdersStand:
    return OrdersStand(one.asks, _orders(one), at, one.turn, one.decision is None, one.commitment, one.number)


def _replaced_in_vain(telling: SeatNarrator, one: SetRead, standing: Sequence[OrdersStand]) -> bool:
    """Return True if an earlier set stands in the place of one that is refused."""
    mine = one.asks and telling.topic(one.asks, one.number)
    return any(mine == telling.topic(other.asks, other.number) for other in standing)


def _orders(one: SetRead) -> Orders:
    return tuple(read.line for read in one.lines if read.line is not None)


def _riders_standing(telling: SeatNarrator, facts: ReceiptFacts, whole: bool) -> tuple[RiderLine, ...]:
    """Riders that stand from earlier letters; `whole`: those of this letter too."""
    mine = {one.asks: one.orders for one in facts.riders if one.problem is None and not one.withdrawn}
    standing = {one.asks: one.orders for one in facts.riders_standing if whole or one.asks not in mine}
    return tuple(rider_line(telling, asks, orders) for asks, orders in {**standing, **(mine if whole else {})}.items())


def _command(telling: SeatNarrator, one: CommandRead, facts: ReceiptFacts) -> CommandReceipt:
    """What is withdrawn is a topic; the rest is as the player wrote it."""
    about, outcome = one.argument, one.outcome
    if one.name == "withdraw" and about and outcome != "unknown":
        about = telling.topic(about, one.number)
    if one.name == "preview":
        outcome = _tried(facts)
    if one.name == "help" and about:
        outcome = "thing" if meant(telling.narrator, about) else "nothing"
    return CommandReceipt(one.name, about, outcome)


def _tried(facts: ReceiptFacts) -> str:
    """What came of a preview: a line that cannot stand keeps the others from being tried."""
    if not facts.sets and not facts.riders:
        return "nothing"
    wrong = (any(line.problem for line in one.lines) or one.problem for one in facts.sets)
    return "refused" if any(wrong) else "done"


def _preview(telling: SeatNarrator, facts: ReceiptFacts) -> Lines:
    said = (_foreseen(telling, event) for event in facts.preview)
    return tuple(sentence for sentence in said if sentence)


def _foreseen(telling: SeatNarrator, event: Event) -> str | None:
    """What a line would do is told by its facts alone; one that would do nothing is told with the reason."""
    match event:
        case Opened():
            return None
        case Lapsed(attempted=Line() as line):
            said = telling.narrator.reasons(event.reasons, telling.context)
            return f"{telling.writing(line, event.gate)}{colon(telling.frame.reader.language)} {said}."
    return telling.narrator.sentence(event, telling.viewer, telling.context)


def _help(telling: SeatNarrator, facts: ReceiptFacts) -> Help:
    """How to answer what is asked now, and what may be sent ahead."""
    asked = [one.decision for one in facts.owed if one.decision.blocking]
    rows = {decision.asks: telling.writing.help(decision) for decision in asked}
    told = (line for line in owed_lines(telling, facts.owed) if line.blocking)
    questions = (QuestionHelp(o.topic, o.question, o.default, o.due, rows[o.asks]) for o in told)
    writing = telling.writing
    note = telling.narrator.teller.meta.reconstructed
    said = telling.narrator.words(note) if note is not None else ""
    names = names_told(telling.narrator)
    many = len(names) > LISTED
    effects = () if many else tuple(telling.narrator.effects())
    listed = names if many else ()
    return Help(tuple(questions), writing.ahead(), writing.riders(), writing.conditions(), effects, listed, said)

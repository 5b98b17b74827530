"""What a receipt tells, as data for its template: written, understood, refused and why; what stands and is awaited."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.kernel.events import Event, LineFailed, LineStarted
from engine.kernel.orders import Line, Orders
from engine.kernel.printing import HelpRow, add_colon
from pbem.narration.facts import ExecutedCommand, ReceiptFacts, ReceiptSet, StoredOrders
from pbem.narration.item_texts import LISTED, ItemText, find, help_texts, list_names, list_printed
from pbem.narration.line_receipts import ReactionReceipt, SetReceipt, build_reactions, build_sets
from pbem.narration.order_printer import ReactionHelp
from pbem.narration.reports import (
    QuestionLine,
    ReactionLine,
    StoredLine,
    awaited_names,
    question_lines,
    reaction_line,
    stored_line,
)
from pbem.narration.seat_narrator import Lines, SeatNarrator

_SHOWN: Final = 30
"""Lines of chatter that a receipt repeats; of more it gives the number."""


@dataclass(frozen=True)
class CommandReceipt:
    """A command, what it was about, and what came of it: as in ExecutedCommand, or `refused` for a preview."""

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
    """All that the reader may write now: answers, headings for phases ahead, reactions, conditions of lines.

    `effects`: what its things do, by name; `listed`: the names alone, where there are many. `place`: a name on the map
    that HELP knows. `reconstructed`: what of the game is not as printed.
    """

    questions: tuple[QuestionHelp, ...]
    ahead: Lines
    reactions: tuple[ReactionHelp, ...]
    conditions: Lines
    effects: tuple[tuple[str, str], ...]
    listed: Lines
    place: str
    reconstructed: str


@dataclass(frozen=True)
class Receipt:
    """All sections of a receipt; those that are empty are left out."""

    sets: tuple[SetReceipt, ...]
    reactions: tuple[ReactionReceipt, ...]
    commands: tuple[CommandReceipt, ...]
    luck: Lines
    skipped: tuple[tuple[int, str], ...]
    skipped_more: int
    stored_orders: tuple[StoredLine, ...]
    stored_reactions: tuple[ReactionLine, ...]
    questions: tuple[QuestionLine, ...]
    awaited: Lines
    preview: Lines
    help: Help | None
    things: tuple[ItemText, ...]
    warnings: Lines
    settled: bool
    uncovered: Lines
    signed: Lines
    unread: Lines
    doubtful: Lines
    earlier: bool
    """Return True if an earlier set stands in the place of one that this letter brought in vain."""

    @property
    def taken(self) -> int:
        """How many sets and reactions count from now on."""
        return sum(one.taken for one in self.sets) + sum(not one.problem for one in self.reactions)

    @property
    def refused(self) -> int:
        """How many lines were refused."""
        return sum(one.refused for one in self.sets) + sum(bool(one.problem) for one in self.reactions)

    @property
    def dry(self) -> bool:
        """Return True if the letter only asked to see what its lines would do."""
        return any(one.name == "preview" for one in self.commands)


def build_receipt(telling: SeatNarrator, facts: ReceiptFacts) -> Receipt:
    """All sections of a receipt."""
    asked = {one.name for one in facts.commands}
    talk = tuple((number, text) for number, text in facts.skipped if text not in facts.doubtful)
    return Receipt(
        sets=build_sets(telling, facts),
        reactions=build_reactions(telling, facts),
        commands=tuple(_command(telling, one, facts) for one in facts.commands),
        luck=facts.luck,
        skipped=talk[:_SHOWN],
        skipped_more=max(len(talk) - _SHOWN, 0),
        stored_orders=tuple(stored_line(telling, one) for one in _stored_sets(facts, "status" in asked)),
        stored_reactions=_stored_reactions(telling, facts, "status" in asked),
        questions=tuple(one for one in question_lines(telling, facts.questions) if one.blocking),
        awaited=awaited_names(telling, facts.awaited),
        preview=_preview(telling, facts),
        help=_help(telling, facts) if _wants_full_help(telling, facts) else None,
        things=tuple(help_texts(telling.narrator, _words(facts))),
        warnings=facts.warnings,
        settled=facts.settled,
        uncovered=facts.uncovered,
        signed=facts.signed,
        unread=facts.unread,
        doubtful=facts.doubtful[:_SHOWN],
        earlier=any(_keeps_earlier_set(telling, one, facts.stored_orders) for one in facts.sets if not one.taken),
    )


def _words(facts: ReceiptFacts) -> tuple[str, ...]:
    """What HELP was asked about."""
    return tuple(one.argument for one in facts.commands if one.name == "help" and one.argument)


def _wants_full_help(telling: SeatNarrator, facts: ReceiptFacts) -> bool:
    """Return True if HELP stands alone somewhere, or behind it what names no thing of the game."""
    asked = (one.argument for one in facts.commands if one.name == "help")
    return any(not about or not find(telling.narrator, about) for about in asked)


def _stored_sets(facts: ReceiptFacts, whole: bool) -> tuple[StoredOrders, ...]:
    """Sets that stand from earlier letters; `whole`: those of this letter too, which it tells of anyhow."""
    mine = {one.commitment for one in facts.sets if one.taken}
    earlier = tuple(one for one in facts.stored_orders if one.commitment not in mine or not one.commitment)
    if not whole:
        return earlier
    return (*earlier, *(_accepted(one, facts.frame.sent) for one in facts.sets if one.taken))


def _accepted(one: ReceiptSet, at: int) -> StoredOrders:
    return StoredOrders(one.topic, _orders(one), at, one.turn, one.decision is None, one.commitment, one.number)


def _keeps_earlier_set(telling: SeatNarrator, one: ReceiptSet, standing: Sequence[StoredOrders]) -> bool:
    """Return True if an earlier set stands in the place of one that is refused."""
    mine = one.topic and telling.topic(one.topic, one.number)
    return any(mine == telling.topic(other.topic, other.number) for other in standing)


def _orders(one: ReceiptSet) -> Orders:
    return tuple(read.line for read in one.lines if read.line is not None)


def _stored_reactions(telling: SeatNarrator, facts: ReceiptFacts, whole: bool) -> tuple[ReactionLine, ...]:
    """Reactions that stand from earlier letters; `whole`: those of this letter too."""
    mine = {one.topic: one.orders for one in facts.reactions if one.problem is None and not one.withdrawn}
    shown = {one.topic: one.orders for one in facts.stored_reactions if whole or one.topic not in mine}
    if whole:
        shown |= mine
    return tuple(reaction_line(telling, asks, orders) for asks, orders in shown.items())


def _command(telling: SeatNarrator, one: ExecutedCommand, facts: ReceiptFacts) -> CommandReceipt:
    """What is withdrawn is a topic; the rest is as the player wrote it."""
    about, outcome = one.argument, one.outcome
    if one.name == "withdraw" and about and outcome != "unknown":
        about = telling.topic(about, one.number)
    if one.name == "preview":
        outcome = _preview_sentences(facts)
    if one.name == "help" and about:
        outcome = "thing" if find(telling.narrator, about) else "nothing"
    return CommandReceipt(one.name, about, outcome)


def _preview_sentences(facts: ReceiptFacts) -> str:
    """What came of a preview: a line that cannot stand keeps the others from being tried."""
    if not facts.sets and not facts.reactions:
        return "nothing"
    wrong = (any(line.problem for line in one.lines) or one.problem for one in facts.sets)
    return "refused" if any(wrong) else "done"


def _preview(telling: SeatNarrator, facts: ReceiptFacts) -> Lines:
    said = (_foreseen_sentences(telling, event) for event in facts.preview)
    return tuple(sentence for sentence in said if sentence)


def _foreseen_sentences(telling: SeatNarrator, event: Event) -> str | None:
    """What a line would do is told by its facts alone; one that would do nothing is told with the reason."""
    match event:
        case LineStarted():
            return None
        case LineFailed(attempted=Line() as line):
            said = telling.narrator.reasons(event.reasons, telling.context)
            return f"{telling.writing(line, event.gate)}{add_colon(telling.frame.reader.language)} {said}."
    return telling.narrator.sentence(event, telling.viewer, telling.context)


def _help(telling: SeatNarrator, facts: ReceiptFacts) -> Help:
    """How to answer what is asked now, and what may be sent ahead."""
    asked = [one.decision for one in facts.questions if one.decision.blocking]
    rows = {decision.topic: telling.writing.help(decision) for decision in asked}
    told = (line for line in question_lines(telling, facts.questions) if line.blocking)
    questions = (QuestionHelp(o.topic, o.question, o.default, o.due, rows[o.topic_key]) for o in told)
    writing = telling.writing
    note = telling.narrator.teller.meta.reconstructed
    said = telling.narrator.words(note) if note is not None else ""
    names = list_names(telling.narrator)
    many = len(names) > LISTED
    effects = () if many else tuple(telling.narrator.effects())
    listed = names if many else ()
    places = list_printed(telling.narrator.game)
    place = str(telling.narrator.name(*places[0])) if places else ""
    ahead, reactions, conditions = writing.advance_help(), writing.reaction_help(), writing.conditions()
    return Help(tuple(questions), ahead, reactions, conditions, effects, listed, place, said)

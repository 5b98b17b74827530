"""What a report tells, as data for its template: what you owe, what changed for you and why, the story, the table.

Everything is taken from the reader's own redacted positions and events; words come from the narrator.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from types import MappingProxyType
from typing import Any, Final

from engine.kernel import events as kernel_events
from engine.kernel.events import Event, Heading, LineFailed, LinesDropped, LineStarted, QuestionRepeated
from engine.kernel.gates import Gate
from engine.kernel.orders import Orders, Question
from engine.kernel.plans import is_planned
from engine.kernel.position import Position
from engine.kernel.viewers import Seat
from pbem.narration.facts import EndedReaction, OpenQuestion, StoredOrders, StoredReaction
from pbem.narration.figure_changes import Change, list_changes
from pbem.narration.game_texts import ShownRows
from pbem.narration.item_texts import ItemText, find_in_view, first_mentions
from pbem.narration.order_printer import LIKELY
from pbem.narration.seat_narrator import Lines, SeatNarrator


@dataclass(frozen=True)
class QuestionLine:
    """A question as the reader is told of it; `the`: its topic with the article."""

    topic: str
    the: str
    question: str
    default: str
    due: str
    answered: bool
    blocking: bool
    topic_key: str


@dataclass(frozen=True)
class Chapter:
    """A stretch of the story: a turn or a phase, and its sentences."""

    title: str
    sentences: Lines


@dataclass(frozen=True)
class CarriedOutLine:
    """One of the reader's own lines, and what became of it: `done`, `ordered`, `won`, `lost`, `not_done`."""

    said: str
    outcomes: Lines
    reason: str = ""


@dataclass(frozen=True)
class CarriedOutSet:
    """The reader's lines of one question."""

    topic: str
    lines: tuple[CarriedOutLine, ...]


@dataclass(frozen=True)
class ReactionLine:
    """A choice answered ahead: its topic, how it was written, and what came of it."""

    topic: str
    said: str
    used: bool = False
    reason: str = ""


@dataclass(frozen=True)
class StoredLine:
    """A set that stands, as it would be written now, and since when."""

    topic: str
    turn: int | None
    filed: str
    lines: Lines
    ahead: bool


@dataclass(frozen=True)
class OfferedOrders:
    """A part of the orders template.

    `kind`: `line` (one line answers the question), `set` (several do), `plan` (a line for each of the next turns),
    `next` (such a plan of a seat that is not asked yet, below its heading), `later` (a later phase, likewise) or
    `lasting` (answers ahead).
    """

    topic: str
    lines: Lines
    kind: str


@dataclass(frozen=True)
class TextTable:
    """Rows of cells; the first is the head."""

    head: Lines
    rows: tuple[Lines, ...]


@dataclass(frozen=True)
class Report:
    """All sections of a report; those that are empty are left out."""

    questions: tuple[QuestionLine, ...]
    standing_open: tuple[QuestionLine, ...]
    changes: tuple[Change, ...]
    own_sets: tuple[CarriedOutSet, ...]
    reactions: tuple[ReactionLine, ...]
    stored_orders: tuple[StoredLine, ...]
    stored_reactions: tuple[ReactionLine, ...]
    story: tuple[Chapter, ...]
    state: Lines
    table: TextTable
    progress: Lines
    reference: Lines
    abridged: str
    places_title: str
    places: Lines
    hand: Lines
    options: Lines
    template: tuple[OfferedOrders, ...]
    awaited: Lines
    turn: int
    phase: str
    things: tuple[ItemText, ...] = ()
    more_things: Lines = ()


def question_lines(telling: SeatNarrator, owed: Sequence[OpenQuestion]) -> tuple[QuestionLine, ...]:
    """Open questions with their deadlines and defaults, those that hold up the game first."""
    ordered = sorted(owed, key=lambda o: (not o.decision.blocking, o.answered))
    return tuple(_question_line(telling, one) for one in ordered)


def _question_line(telling: SeatNarrator, one: OpenQuestion) -> QuestionLine:
    decision = one.decision
    number = Gate.parse(decision.gate).number
    return QuestionLine(
        telling.topic(decision.topic, number),
        telling.numbered_topic(decision.topic, telling.narrator.name("topic", decision.topic).the, number),
        telling.narrator.question(decision, telling.context),
        telling.narrator.default(decision, telling.context),
        telling.clock.moment(one.due) if one.due is not None else "",
        one.answered,
        decision.blocking,
        decision.topic,
    )


# --- your lines


def carried_out_sets(telling: SeatNarrator, events: Sequence[Event]) -> tuple[CarriedOutSet, ...]:
    """What became of each of the reader's own lines, by question, in the order in which they were taken up."""
    sets: dict[str, list[CarriedOutLine]] = {}
    for (name, _), line in _carried_out_lines(telling, events).items():
        gate = Gate.parse(name)
        sets.setdefault(telling.topic(gate.topic, gate.number), []).append(line)
    return tuple(CarriedOutSet(topic, tuple(lines)) for topic, lines in sets.items())


def _carried_out_lines(telling: SeatNarrator, events: Sequence[Event]) -> Mapping[tuple[str, int], CarriedOutLine]:
    """Each line by its gate and number."""
    found: dict[tuple[str, int], CarriedOutLine] = {}
    under_way: tuple[str, int] | None = None
    for event in events:
        if isinstance(event, LineStarted):
            under_way = (event.gate, event.line)
            found[under_way] = _opened_lines(telling, event, found.get(under_way))
        elif isinstance(event, LineFailed):
            found[event.gate, event.line] = _lapsed_lines(telling, event, found.get((event.gate, event.line)))
        elif isinstance(event, LinesDropped | QuestionRepeated):
            found[event.gate, -1] = CarriedOutLine(
                telling.narrator.sentence(event, telling.viewer, telling.context) or "", ()
            )
        elif under_way is not None and getattr(event, "seat", None) == telling.frame.reader.seat:
            found[under_way] = _with_outcome(found[under_way], event)
            under_way = None
    return found


def _opened_lines(telling: SeatNarrator, event: LineStarted, known: CarriedOutLine | None) -> CarriedOutLine:
    reasons = telling.narrator.reasons(event.passed, telling.context)
    said = telling.writing(event.clause, event.gate)
    outcomes = known.outcomes if known is not None else ()
    return CarriedOutLine(f"{event.line + 1}. {said}", (*outcomes, "done"), reasons)


def _lapsed_lines(telling: SeatNarrator, event: LineFailed, known: CarriedOutLine | None) -> CarriedOutLine:
    reasons = telling.narrator.reasons(event.reasons, telling.context)
    if known is not None:
        return CarriedOutLine(known.said, known.outcomes, reasons)
    said = telling.writing(event.attempted, event.gate) if event.attempted is not None else ""
    return CarriedOutLine(f"{event.line + 1}. {said}".strip(), ("not_done",), reasons)


def _with_outcome(line: CarriedOutLine, event: Event) -> CarriedOutLine:
    """The fact that followed tells how it went: a rivalry is won or lost, a unit is only ordered to move."""
    won = getattr(event, "won", None)
    if won is None and not event.is_only_ordered:
        return line
    outcome = "ordered" if event.is_only_ordered else "won" if won else "lost"
    return CarriedOutLine(line.said, (*line.outcomes[:-1], outcome), line.reason)


# --- the story

SINGLE: Final = 4
"""How many lines the template offers for a question that one line answers."""


def build_story(telling: SeatNarrator, events: Sequence[Event]) -> tuple[Chapter, ...]:
    """One sentence an event, in order, under the turn and phase in which it happened; empty chapters are left out."""
    chapters: list[Chapter] = []
    titles, said = dict[Heading, str](), list[str]()
    for event in events:
        if isinstance(event, _OUTSIDE):
            continue
        sentence = telling.narrator.sentence(event, telling.viewer, telling.context)
        if sentence is not None and event.heading is not None:
            chapters += _build_chapter(titles, said)
            titles = _titles(telling, event, event.heading, titles, bool(said))
            said = []
        elif sentence is not None:
            said.append(sentence)
    return (*chapters, *_build_chapter(titles, said))


def _titles(
    telling: SeatNarrator, event: Event, heading: Heading, before: Mapping[Heading, str], told: bool
) -> dict[Heading, str]:
    """The heads that stand above what follows: a turn's stays until something was told under it."""
    head = " ".join(telling.narrator.render_macro("chapter", event, telling.context).split())
    kept: dict[Heading, str] = {} if told else {k: title for k, title in before.items() if k is Heading.TURN}
    return {heading: head} if heading is Heading.TURN else {**kept, heading: head}


_OUTSIDE: Final = (
    LineStarted,
    LineFailed,
    LinesDropped,
    QuestionRepeated,
    kernel_events.ReactionUsed,
    kernel_events.ReactionSkipped,
    kernel_events.ReactionExpired,
)
"""What has a section of its own: the reader's lines and reactions."""


def _build_chapter(titles: Mapping[Heading, str], said: list[str]) -> list[Chapter]:
    """What was told under one head: "Turn 2, drawing of cards"."""
    title = ", ".join(titles.values())
    return [Chapter(title[:1].upper() + title[1:], tuple(said))] if said else []


# --- the whole


def build_report(
    telling: SeatNarrator,
    *,
    before: Position[Any] | None,
    events: Sequence[Event],
    owed: Sequence[OpenQuestion] = (),
    reactions: Sequence[StoredReaction] = (),
    ended_reactions: Sequence[EndedReaction] = (),
    standing: Sequence[StoredOrders] = (),
    awaited: Sequence[Seat] = (),
    abridges: bool = False,
) -> Report:
    """All sections of a report, from what was stored for its reader.

    `abridges`: leave out what the reader's last report of the turn said of prices and goals that are still the same.
    """
    asked = question_lines(telling, owed)
    shown = telling.view()
    asks = {one.topic_key for one in asked if one.blocking and not one.answered}
    seen = find_in_view(telling, shown)
    earlier = cache(lambda: telling.view(before) if before is not None else None)
    things, more = first_mentions(telling, seen, earlier() if seen else None)
    filed = {one.topic: one.orders for one in standing} | {one.topic: one.orders for one in reactions}
    rows = ShownRows(telling.rules, telling.frame.reader.language, shown, asks, frozenset(filed), earlier)
    reference = telling.lines("reference", rows)
    then = earlier() if abridges and reference else None
    told: Lines = ()
    if then is not None and then["turn"] == shown["turn"]:
        told = telling.lines("reference", replace(rows, view=then))
    changed = tuple(line for line in reference if line not in told)
    return Report(
        questions=tuple(one for one in asked if one.blocking),
        standing_open=tuple(one for one in asked if not one.blocking),
        changes=list_changes(telling, before, events),
        own_sets=carried_out_sets(telling, events),
        reactions=used_reactions(telling, ended_reactions),
        stored_orders=tuple(stored_line(telling, one) for one in standing),
        stored_reactions=tuple(reaction_line(telling, r.topic, r.orders) for r in reactions),
        story=build_story(telling, events),
        state=telling.lines("state", rows),
        table=_build_table(telling.lines("table", rows)),
        progress=telling.lines("progress", rows),
        reference=changed,
        abridged=" ".join(telling.lines("abridged", rows)) if changed != reference else "",
        places_title=" ".join(telling.lines("places_title", rows)),
        places=telling.lines("places", rows),
        hand=telling.lines("hand", rows) if telling.frame.reader.seat else (),
        options=telling.lines("options", rows) if telling.frame.reader.seat else (),
        template=order_templates(telling, owed, filed),
        awaited=awaited_names(telling, awaited),
        turn=shown["turn"],
        phase=telling.narrator.name("phase", shown["phase"]).bare,
        things=things,
        more_things=more,
    )


def _build_table(lines: Lines) -> TextTable:
    rows = tuple(tuple(cell.strip() for cell in line.split("¦")) for line in lines)
    return TextTable(rows[0], rows[1:]) if rows else TextTable((), ())


NOTHING_FILED: Final[Mapping[str, Orders]] = MappingProxyType({})


def order_templates(
    telling: SeatNarrator, owed: Sequence[OpenQuestion], filed: Mapping[str, Orders] = NOTHING_FILED
) -> tuple[OfferedOrders, ...]:
    """For each question that holds up the game: its topic, and likely lines ready to be uncovered; then what is ahead.

    `filed`: what the reader has on file, by topic, which is not offered again while it serves.
    """
    asked = tuple(_offer(telling, one.decision) for one in owed if one.decision.blocking and not one.answered)
    return (*asked, *_offer_ahead(telling, filed)) if telling.frame.reader.seat else asked


def _offer(telling: SeatNarrator, decision: Question) -> OfferedOrders:
    """Where one line is the whole answer, fewer are offered: the others would only have to be read."""
    topic = telling.topic(decision.topic, Gate.parse(decision.gate).number)
    if planned := telling.writing.plan(decision):
        return OfferedOrders(topic, telling.writing.plan_template(decision, planned), "plan")
    single = not telling.narrator.teller.meta.topic(decision.topic).lines
    likely = telling.writing.likely_lines(decision, SINGLE if single else LIKELY)
    return OfferedOrders(topic, telling.writing.order_template(decision, likely), "line" if single else "set")


def _offer_ahead(telling: SeatNarrator, filed: Mapping[str, Orders]) -> Iterator[OfferedOrders]:
    """The next turns of a reader who is not asked yet, and the reactions that they may need."""
    lasting: list[str] = []
    for decision, orders in telling.writing.offered_ahead(filed):
        lines = telling.writing.template_ahead(decision, orders)
        if telling.narrator.teller.meta.topic(decision.topic).is_reaction:
            lasting += lines
        else:
            kind = "next" if is_planned(telling.rules, decision) else "later"
            yield OfferedOrders(telling.topic(decision.topic, Gate.parse(decision.gate).number), lines, kind)
    if lasting:
        yield OfferedOrders("", tuple(lasting), "lasting")


def used_reactions(telling: SeatNarrator, ended: Sequence[EndedReaction]) -> tuple[ReactionLine, ...]:
    """Reactions that were used, passed over, or ended with the turn."""
    return tuple(
        ReactionLine(
            telling.topic(one.topic),
            _printed(telling, one.topic, one.orders),
            one.used,
            telling.narrator.reasons((one.reason,), telling.context) if one.reason is not None else "",
        )
        for one in ended
    )


def stored_line(telling: SeatNarrator, one: StoredOrders) -> StoredLine:
    """A set that stands."""
    lines = tuple(telling.writing(line, one.topic) for line in one.orders)
    topic = telling.topic(one.topic, one.number)
    return StoredLine(topic, one.turn, telling.clock.brief(one.filed), lines, one.ahead)


def reaction_line(telling: SeatNarrator, asks: str, orders: Orders) -> ReactionLine:
    """A reaction that stands."""
    return ReactionLine(telling.topic(asks), _printed(telling, asks, orders))


def _printed(telling: SeatNarrator, asks: str, orders: Orders) -> str:
    return telling.writing(orders, asks) if orders else ""


def awaited_names(telling: SeatNarrator, seats: Sequence[Seat]) -> Lines:
    """Who is awaited."""
    return tuple(telling.narrator.full(seat, telling.context) for seat in seats)

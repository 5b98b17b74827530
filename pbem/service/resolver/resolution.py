"""Resolution: close what is complete, carry out what was sealed, tell each viewer what they may know.

The only caller of `advance`.  A visit to a game is written in one transaction: position, journal, views, open
questions and emails change together or not at all, so a worker may be killed anywhere and its task delivered again.
It is prepared on a look at one moment wherever that can be (`service/tasks/resolve_game.py`).
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy.orm import Session

from engine.kernel.codec import load
from engine.kernel.events import AdvanceOrdersRefused, AdvanceOrdersUsed, ReactionSkipped, ReactionUsed
from engine.kernel.gates import parse_closing
from engine.kernel.orders import LineResult, Orders, Pace, Problem, Question
from engine.kernel.run import Advance, advance
from engine.kernel.secrets import redact_for_all
from engine.kernel.validation import all_valid, check_orders
from engine.kernel.viewers import PUBLIC, Seat
from pbem.archive.answers import default_answer
from pbem.archive.entries import (
    BEACON,
    BeaconDraw,
    CountedAnswer,
    EntryRecord,
    RecordedOrders,
    answers_by_key,
    draw_entropy_of,
    missed_seats,
)
from pbem.common.states import AnswerState, GameState
from pbem.crypto import beacon
from pbem.narration.facts import CountedOrders, DrawnRound
from pbem.service.base.game_states import AnswerEvent, apply_event
from pbem.service.base.services import Services
from pbem.service.deadlines import gate_timing, missed_deadlines
from pbem.service.game import checkpoints, sealed_orders, seat_views, stored_orders
from pbem.service.game.clock_state import load_clock_state
from pbem.service.game.journal import append_entry, load_game_keys, load_state
from pbem.service.game.resolver_context import ResolverContext, VerifiedRound
from pbem.service.mail import pictures
from pbem.service.resolver import beacon_draws, turn_statistics
from pbem.service.resolver.reports import enqueue_reports, report_to_spectators
from pbem.store.games import load_questions, replace_questions
from pbem.store.models import Game, PendingDraw, QuestionRow
from pbem.store.optimistic import require_lock

MAX_ENTRIES = 500
"""Entries in one visit; beyond it something goes round in circles, and the game is put before its operator."""


class TooManyEntries(Exception):
    """A game made more entries in one visit than any rulebook could ask for."""


def open_context(
    services: Services, session: Session, game: Game, now: int, signed: VerifiedRound | None = None
) -> ResolverContext:
    """Begin a visit to a running game that the caller has locked or looks at; `signed`: the round that it waits for."""
    keys = load_game_keys(services, game)
    checkpoints.verify_holders(session, keys, game)
    position = load_state(session, keys, game)
    return ResolverContext(
        services,
        session,
        game,
        keys,
        services.rules(game.rules),
        position,
        now,
        clock=load_clock_state(session, game, now),
        openings=checkpoints.known_openings(session, keys, game),
        rounds=signed,
    )


def resolve_due_gates(context: ResolverContext) -> None:
    """Close gates as long as one is complete; then write down what everybody may know."""
    before = context.game.entry
    context.new_questions = frozenset(d.topic for d in context.position.core.questions if d.blocking)
    context.game.scheduled_at = None
    update_questions(context)
    missed_deadlines.handle_missed(context)
    for _ in range(MAX_ENTRIES):
        if context.position.core.over or not _resolve_next_gate(context):
            break
        context.services.fault_point("resolver.appended")
    else:
        raise TooManyEntries(context.game.id)
    if context.game.entry != before:
        publish_state(context)


def _resolve_next_gate(context: ResolverContext) -> bool:
    """Close a gate that can be closed, and append its entry; False if there is none.

    At a table with the beacon its answers are fixed, and drawn once the round is there.
    """
    waits = beacon_draws.load_waiting(context.session, context.game)
    if waits is not None:
        require_lock(context.session)
        return not context.clock.paused and _resolve_with_round(context, waits)
    gate = next((g for g in context.position.core.gates() if _is_gate_ready(context, g)), None)
    if gate is None:
        return False
    if context.game.draw_mixing == BEACON:
        require_lock(context.session)
        _fix_answers(context, gate)
        return False
    counted = _collect_answers(context, gate)
    _charge_clocks(context, gate, counted)
    _resolve(context, gate, counted)
    return True


def _fix_answers(context: ResolverContext, gate: str) -> None:
    """Fix the answers of a gate; what is told of how they came is told when they are drawn."""
    before = {viewer: list(told) for viewer, told in context.events.items()}
    counted = _collect_answers(context, gate)
    _charge_clocks(context, gate, counted)
    since = {viewer: told[len(before.get(viewer, ())) :] for viewer, told in context.events.items()}
    context.events = before
    noted = ((viewer, tuple(event for _, event in told)) for viewer, told in since.items() if told)
    beacon_draws.fix_answers(context, gate, counted, tuple(noted))
    context.services.fault_point("beacon_draws.fixed")


def _resolve_with_round(context: ResolverContext, waits: PendingDraw) -> bool:
    """Resolve the answers that were fixed, if their round is there."""
    fixed = beacon_draws.load_ready(context, waits)
    if fixed is None:
        return False
    gate = waits.gate
    beacon_draws.clear(context, waits)
    for viewer, events in fixed.events:
        for event in events:
            context.add_event(viewer, event)
    _resolve(context, gate, fixed.answers, fixed.draw)
    return True


def _charge_clocks(context: ResolverContext, gate: str, counted: tuple[CountedAnswer, ...]) -> None:
    """What the answers of a gate have cost, and who was on time."""
    gate_timing.charge_banks(context, [row for row in context.rows().values() if parse_closing(row.gate) == gate])
    missed_deadlines.count_punctuality(context, gate, counted)


def _resolve(
    context: ResolverContext, gate: str, counted: tuple[CountedAnswer, ...], drawn: BeaconDraw | None = None
) -> None:
    """Resolve the answers of a gate together, and append the entry."""
    number = context.game.entry + 1
    chance = draw_entropy_of(context.game.id, number, counted, drawn)
    pictures.mark_baseline(context, counted)
    context.services.fault_point("resolver.unsealed")
    made = advance(
        context.rules,
        context.position,
        gate,
        answers_by_key(counted),
        chance,
        defaulted=missed_seats(counted),
    )
    context.services.fault_point("resolver.advanced")
    record_entry(context, gate, made, counted, chance, drawn=drawn)


def receipt_commitment(counted: CountedAnswer) -> str:
    """What the receipt of counted orders named them by: what was filed ahead was sealed anew since."""
    filed = load(counted.content)
    if isinstance(filed, RecordedOrders) and filed.ahead is not None:
        return filed.ahead.commitment
    return counted.commitment


def record_entry(
    context: ResolverContext,
    gate: str,
    made: Advance[Any],
    counted: tuple[CountedAnswer, ...],
    chance: bytes,
    *,
    base: int | None = None,
    replay_of: int | None = None,
    rerolled: tuple[str, ...] = (),
    drawn: BeaconDraw | None = None,
) -> None:
    """Append an entry, and bring sealed orders, reactions and open questions up to date with it.

    `base`, `replay_of`, `rerolled`, `drawn`: as the record has them, of an entry that goes back, tells another one
    again, or is mixed with a round of the beacon.
    """
    number, made_at = context.game.entry + 1, _next_entry_time(context, drawn)
    superseded = sealed_orders.list_superseded(context.session, context.services.verify, context.game.id, gate, counted)
    record = EntryRecord(
        context.game.id,
        number,
        gate,
        made_at,
        counted,
        chance,
        made.events,
        made.draws,
        base,
        replay_of,
        rerolled,
        superseded,
        context.game.draw_mixing,
        drawn,
        context.command,
        context.rules.meta.version,
    )
    for one in counted:
        if one.commitment:
            named = CountedOrders(one.question or gate, number, receipt_commitment(one))
            context.statistics.setdefault(one.seat, []).append(named)
    if drawn is not None and drawn.signature and replay_of is None:
        for seat in made.position.core.seats:
            context.statistics.setdefault(seat, []).append(DrawnRound(number, drawn.round, drawn.signature.hex()))
    turn_statistics.record_finished_turn(context, made.position)
    shown = redact_for_all(made.events, (*made.position.core.seats, PUBLIC))
    append_entry(context.session, context.keys, context.game, made, record, context.rules.meta, shown)
    context.position, context.last_made_at = made.position, made_at
    for viewer, seen in shown.items():
        context.events.setdefault(viewer, []).extend((number, event) for event in seen)
    answered: dict[str, list[str]] = {}
    for one in counted:
        answered.setdefault(one.question or gate, []).append(one.seat)
    for question, names in answered.items():
        sealed_orders.delete_for_gate(context.session, context.game.id, question, names)
    known = context.rows()
    for decision in made.position.core.questions:
        if (decision.gate, decision.seat) not in known:
            context.asked_entries.setdefault((decision.gate, decision.seat), number)
    update_questions(context)
    revalidate_answers(context)
    stored_orders.expire_reactions(context)


def _next_entry_time(context: ResolverContext, drawn: BeaconDraw | None) -> int:
    """When the next entry is made: later than the one before and than its round, even if the clock was set back."""
    signed = beacon.QUICKNET.round_time(drawn.round) * 1000 if drawn is not None and drawn.signature else 0
    return max(context.now, context.entry_time() + 1, signed)


def update_questions(context: ResolverContext) -> None:
    """Bring the table of open questions in line with the position, and seal anew what was filed ahead for new ones."""
    rows = context.rows()
    asked = {(d.gate, d.seat): d for d in context.position.core.questions}
    gone = {(gate, name): row for (gate, name), row in rows.items() if (gate, Seat(name)) not in asked}
    for closed in {gate for gate, _ in gone}:
        sealed_orders.delete_for_gate(
            context.session, context.game.id, closed, [name for gate, name in gone if gate == closed]
        )
    opened = [decision for place, decision in asked.items() if place not in rows]
    replace_questions(
        context.session, context.game.id, list(gone.values()), [_to_row(context, decision) for decision in opened]
    )
    for decision in opened:
        _activate_advance_orders(context, decision)


def _to_row(context: ResolverContext, decision: Question) -> QuestionRow:
    place = decision.gate, decision.seat
    known = context.openings.get(place)
    row = QuestionRow(
        game_id=context.game.id,
        gate=decision.gate,
        seat=decision.seat,
        topic=decision.topic,
        is_blocking=decision.blocking,
        is_reaction=decision.pace is Pace.REACTION,
        is_choice=decision.pace is Pace.CHOICE,
        opening_entry=context.asked_entries.get(place, known.entry if known is not None else context.game.entry),
        opened_at=context.now,
        state=AnswerState.UNANSWERED,
        pace_request="",
    )
    gate_timing.schedule_question(context, row, decision)
    return row


def revalidate_answers(context: ResolverContext) -> None:
    """Single answers that lie at gates still open, judged on the board as it is now: who must answer anew is told.

    Sets of lines are not: each line is judged when its turn comes.
    """
    for decision in context.position.core.questions:
        row = context.rows()[decision.gate, decision.seat]
        waits = row.answered_at is not None and row.opening_entry < context.game.entry
        if not waits or context.rules.meta.topic(decision.topic).lines:
            continue
        filed = context.answer_of(row)
        rulings = check_orders(context.rules, context.position, decision, filed.orders) if filed is not None else ()
        if filed is None or not all_valid(rulings):
            sealed_orders.invalidate(
                context.session, context.services.resolver_keys.signing, context.services.verify, row
            )
            apply_event(row, AnswerEvent.INVALIDATE, context.now)
            told = AdvanceOrdersRefused(seat=decision.seat, gate=decision.gate, topic=decision.topic, rulings=rulings)
            context.add_event(decision.seat, told)


def _activate_advance_orders(context: ResolverContext, decision: Question) -> None:
    """Orders filed ahead for a question that has just opened: sealed anew if they serve, told to be refused if not."""
    filed = sealed_orders.unseal_advance_orders(
        context.session, context.keys, context.services.verify, context.game.id, decision
    )
    if filed is None:
        return
    rulings = check_orders(context.rules, context.position, decision, filed.orders)
    if _is_usable(context, decision, rulings):
        row = context.rows()[decision.gate, decision.seat]
        sealed_orders.reseal_by_resolver(context.services, context.keys, context.session, row, filed)
        context.add_event(
            decision.seat, AdvanceOrdersUsed(seat=decision.seat, gate=decision.gate, topic=decision.topic)
        )
    else:
        refused = AdvanceOrdersRefused(seat=decision.seat, gate=decision.gate, topic=decision.topic, rulings=rulings)
        context.add_event(decision.seat, refused)


def _is_usable(context: ResolverContext, decision: Question, rulings: Sequence[LineResult]) -> bool:
    """True if what was filed ahead is taken for an answer: it stands, or what others did has undone some lines only.

    Where the table goes on with the next line when one fails, those lapse in their turn.  A line that could never have
    been carried out was a mistake, and its author is asked.
    """
    if all_valid(rulings):
        return True
    goes_on = context.position.core.options.get("failures") == "next" and context.rules.meta.topic(decision.topic).lines
    mistaken = any(r.problem is not None and r.problem.lasting for r in rulings)
    return goes_on and not mistaken and any(r.is_valid for r in rulings)


def _is_gate_ready(context: ResolverContext, gate: str) -> bool:
    """Return True if a gate can be closed now: every blocking question has an answer, a reaction, or is overdue."""
    decisions = context.position.core.gate(gate)
    rows = context.rows()
    blocking = [d for d in decisions if d.blocking]
    if context.clock.paused:
        return False
    if not blocking:
        return any(rows[d.gate, d.seat].answered_at is not None for d in decisions)
    answered = all(_has_answer(context, d, rows[d.gate, d.seat]) for d in blocking)
    return answered and not gate_timing.is_on_hold(context, [rows[d.gate, d.seat] for d in blocking])


def _has_answer(context: ResolverContext, decision: Question, row: QuestionRow) -> bool:
    if row.answered_at is not None or gate_timing.is_overdue(context, row):
        return True
    if decision.pace is Pace.REACTION and context.position.core.options.get("unanswered") == "default":
        return True
    return context.rules.meta.topic(decision.topic).is_reaction and stored_orders.is_reaction_valid(context, decision)


def _collect_answers(context: ResolverContext, gate: str) -> tuple[CountedAnswer, ...]:
    """The answers to count, in seat order: sealed orders, else reaction, else the stated default."""
    rows = context.rows()
    found: list[CountedAnswer] = []
    for decision in sorted(context.position.core.gate(gate), key=lambda d: context.position.core.seats.index(d.seat)):
        row = rows[decision.gate, decision.seat]
        answered = row.answered_at is not None
        current = sealed_orders.find_current(
            context.session, context.services.verify, row, context.opening_revision(row)
        )
        if decision.blocking or answered or current is not None:
            question = decision.gate if decision.gate != gate else ""
            found.append(replace(_answer_of(context, decision, row), question=question))
    return tuple(found)


def _answer_of(context: ResolverContext, decision: Question, row: QuestionRow) -> CountedAnswer:
    filed = context.answer_of(row)
    _flag_mismatch(context, row, filed)
    if filed is not None and _is_still_valid(context, decision, filed.orders):
        return filed
    if context.rules.meta.topic(decision.topic).is_reaction:
        reaction = stored_orders.find_reaction(context, decision)
        if reaction is not None:
            return _answer_from_reaction(context, decision, row, reaction)
    return _default_answer(context, decision, row)


def _flag_mismatch(context: ResolverContext, row: QuestionRow, filed: CountedAnswer | None) -> None:
    """Let the operator know of orders that do not fit what the table of questions says: somebody wrote there."""
    said = "at a question called unanswered" if filed is not None and row.answered_at is None else ""
    lie = sealed_orders.list_valid(context.session, context.services.verify, row.game_id, row.seat, "orders")
    if filed is None and any(stored.gate == row.gate for stored in lie):
        said = "at a question of another entry"
    if said:
        context.game.integrity_warning = f"orders of {row.seat} lay {said}, after entry {context.game.entry}"[:120]


def _default_answer(context: ResolverContext, decision: Question, row: QuestionRow) -> CountedAnswer:
    """The game's stated default, from the seat's own view; only who let a deadline pass is named as missing."""
    missed = row.answered_at is None and gate_timing.is_overdue(context, row)
    orders = default_answer(context.rules, context.position, decision)
    if missed:
        return missed_deadlines.substitute_answer(context, decision, row, orders)
    return CountedAnswer(decision.seat, orders, "unasked")


def _answer_from_reaction(
    context: ResolverContext, decision: Question, row: QuestionRow, reaction: CountedAnswer
) -> CountedAnswer:
    """A reaction answers if it is valid; its use, or why not, is told to its owner."""
    problem = _find_problem(context, decision, reaction.orders)
    if problem is None:
        context.add_event(decision.seat, ReactionUsed(seat=decision.seat, topic=decision.topic, orders=reaction.orders))
        return reaction
    context.add_event(decision.seat, ReactionSkipped(seat=decision.seat, topic=decision.topic, reason=problem))
    return _default_answer(context, decision, row)


def _find_problem(context: ResolverContext, decision: Question, orders: Orders) -> Problem | None:
    return next((r.problem for r in check_orders(context.rules, context.position, decision, orders) if r.problem), None)


def _is_still_valid(context: ResolverContext, decision: Question, orders: Orders) -> bool:
    """A set of lines is judged line by line as it is carried out; a single answer must still fit when it is opened."""
    return context.rules.meta.topic(decision.topic).lines or all_valid(
        check_orders(context.rules, context.position, decision, orders)
    )


def publish_state(context: ResolverContext) -> None:
    """What each viewer may have of where the game stands now, and of what happened; then the emails."""
    store_views(context)
    enqueue_reports(context)
    report_to_spectators(context)
    finish_game(context)


def store_views(context: ResolverContext) -> None:
    """Store what each viewer may have of where the game stands now, and of what happened in this visit."""
    own, game, number = context.services.resolver_keys, context.game.id, context.game.entry
    told = {viewer: tuple(context.events.get(viewer, ())) for viewer in (*context.position.core.seats, PUBLIC)}
    holders = seat_views.holders_of(context.session, game)
    rows = seat_views.store_views(
        own, context.rules.meta, game, number, context.position, told, context.statistics, holders
    )
    context.session.add_all(rows)
    turn_statistics.record_turn(context)
    context.services.fault_point("resolver.published")


def finish_game(context: ResolverContext) -> None:
    """Close the books of a game that is over."""
    if context.position.core.over:
        context.game.state, context.game.ended_at = GameState.OVER, max(context.now, context.entry_time())
        missed_deadlines.record_finished(context)
        sealed_orders.delete_for_game(context.session, context.game.id)
        replace_questions(context.session, context.game.id, load_questions(context.session, context.game.id), ())

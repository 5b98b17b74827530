"""Resolution: close what is complete, carry out what was sealed, tell each viewer what they may know.

The only caller of `advance`.  A visit to a game is written in one transaction: position, journal, views, open
questions and emails change together or not at all, so a worker may be killed anywhere and its task delivered again.
It is prepared on a look at one moment wherever that can be (`service/tasks/resolve_game.py`).
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import delete
from sqlalchemy.orm import Session

from engine.kernel.codec import load
from engine.kernel.events import AdvanceOrdersRefused, AdvanceOrdersUsed, ReactionSkipped, ReactionUsed
from engine.kernel.gates import parse_closing
from engine.kernel.orders import LineResult, Orders, Pace, Problem, Question
from engine.kernel.run import Advance, advance
from engine.kernel.secrets import redact
from engine.kernel.validation import all_valid, check_orders
from engine.kernel.viewers import PUBLIC, Seat
from pbem.archive.answers import default_answer
from pbem.archive.entries import BEACON, BeaconDraw, answers_by_key, draw_entropy_of, missed_seats
from pbem.common.states import AnswerState, GameState
from pbem.crypto import beacon
from pbem.narration.facts import CountedOrders, DrawnRound
from pbem.service.base.game_states import AnswerEvent, apply_event
from pbem.service.base.services import Services
from pbem.service.deadlines import gate_timing, missed_deadlines
from pbem.service.game import checkpoints, sealed_orders, seat_views, stored_orders
from pbem.service.game.clock_state import load_clock_state
from pbem.service.game.journal import (
    CountedAnswer,
    EntryRecord,
    RecordedOrders,
    append_entry,
    load_game_keys,
    load_state,
)
from pbem.service.game.resolver_context import ResolverContext, VerifiedRound
from pbem.service.mail import pictures
from pbem.service.resolver import beacon_draws, turn_statistics
from pbem.service.resolver.reports import enqueue_reports, report_to_spectators
from pbem.store.games import replace_questions
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


def resolve_due_gates(visit: ResolverContext) -> None:
    """Close gates as long as one is complete; then write down what everybody may know."""
    before = visit.game.entry
    visit.new_questions = frozenset(d.topic for d in visit.position.core.questions if d.blocking)
    visit.game.scheduled_at = None
    update_questions(visit)
    missed_deadlines.handle_missed(visit)
    for _ in range(MAX_ENTRIES):
        if visit.position.core.over or not _resolve_next_gate(visit):
            break
        visit.services.fault_point("resolver.appended")
    else:
        raise TooManyEntries(visit.game.id)
    if visit.game.entry != before:
        publish_state(visit)


def _resolve_next_gate(visit: ResolverContext) -> bool:
    """Close a gate that can be closed, and append its entry; False if there is none.

    At a table with the beacon its answers are fixed, and drawn once the round is there.
    """
    waits = beacon_draws.load_waiting(visit.session, visit.game)
    if waits is not None:
        require_lock(visit.session)
        return not visit.clock.paused and _resolve_with_round(visit, waits)
    gate = next((g for g in visit.position.core.gates() if _is_gate_ready(visit, g)), None)
    if gate is None:
        return False
    if visit.game.draw_mixing == BEACON:
        require_lock(visit.session)
        _fix_answers(visit, gate)
        return False
    counted = _collect_answers(visit, gate)
    _charge_clocks(visit, gate, counted)
    _resolve(visit, gate, counted)
    return True


def _fix_answers(visit: ResolverContext, gate: str) -> None:
    """Fix the answers of a gate; what is told of how they came is told when they are drawn."""
    before = {viewer: list(told) for viewer, told in visit.events.items()}
    counted = _collect_answers(visit, gate)
    _charge_clocks(visit, gate, counted)
    since = {viewer: told[len(before.get(viewer, ())) :] for viewer, told in visit.events.items()}
    visit.events = before
    noted = ((viewer, tuple(event for _, event in told)) for viewer, told in since.items() if told)
    beacon_draws.fix_answers(visit, gate, counted, tuple(noted))
    visit.services.fault_point("beacon_draws.fixed")


def _resolve_with_round(visit: ResolverContext, waits: PendingDraw) -> bool:
    """Resolve the answers that were fixed, if their round is there."""
    fixed = beacon_draws.load_ready(visit, waits)
    if fixed is None:
        return False
    gate = waits.gate
    beacon_draws.clear(visit, waits)
    for viewer, events in fixed.events:
        for event in events:
            visit.add_event(viewer, event)
    _resolve(visit, gate, fixed.answers, fixed.draw)
    return True


def _charge_clocks(visit: ResolverContext, gate: str, counted: tuple[CountedAnswer, ...]) -> None:
    """What the answers of a gate have cost, and who was on time."""
    gate_timing.charge_banks(visit, [row for row in visit.rows().values() if parse_closing(row.gate) == gate])
    missed_deadlines.count_punctuality(visit, gate, counted)


def _resolve(
    visit: ResolverContext, gate: str, counted: tuple[CountedAnswer, ...], drawn: BeaconDraw | None = None
) -> None:
    """Resolve the answers of a gate together, and append the entry."""
    number = visit.game.entry + 1
    chance = draw_entropy_of(visit.game.id, number, counted, drawn)
    pictures.mark_baseline(visit, counted)
    visit.services.fault_point("resolver.unsealed")
    made = advance(
        visit.rules,
        visit.position,
        gate,
        answers_by_key(counted),
        chance,
        defaulted=missed_seats(counted),
    )
    visit.services.fault_point("resolver.advanced")
    record_entry(visit, gate, made, counted, chance, drawn=drawn)


def receipt_commitment(counted: CountedAnswer) -> str:
    """What the receipt of counted orders named them by: what was filed ahead was sealed anew since."""
    filed = load(counted.content)
    return (
        filed.ahead.commitment if isinstance(filed, RecordedOrders) and filed.ahead is not None else counted.commitment
    )


def record_entry(
    visit: ResolverContext,
    gate: str,
    made: Advance[Any],
    counted: tuple[CountedAnswer, ...],
    chance: bytes,
    *,
    base: int | None = None,
    again: int | None = None,
    anew: tuple[str, ...] = (),
    drawn: BeaconDraw | None = None,
) -> None:
    """Append an entry, and bring sealed orders, reactions and open questions up to date with it.

    `base`, `again`, `anew`, `drawn`: as the record has them, of an entry that goes back, tells another one again, or is
    mixed with a round of the beacon.
    """
    number, made_at = visit.game.entry + 1, _next_entry_time(visit, drawn)
    beside = sealed_orders.list_superseded(visit.session, visit.services.verify, visit.game.id, gate, counted)
    record = EntryRecord(
        visit.game.id,
        number,
        gate,
        made_at,
        counted,
        chance,
        made.events,
        made.draws,
        base,
        again,
        anew,
        beside,
        visit.game.draw_mixing,
        drawn,
        visit.command,
        visit.rules.meta.version,
    )
    for one in counted:
        if one.commitment:
            named = CountedOrders(one.question or gate, number, receipt_commitment(one))
            visit.statistics.setdefault(one.seat, []).append(named)
    if drawn is not None and drawn.signature and again is None:
        for seat in made.position.core.seats:
            visit.statistics.setdefault(seat, []).append(DrawnRound(number, drawn.round, drawn.signature.hex()))
    turn_statistics.record_finished_turn(visit, made.position)
    append_entry(visit.session, visit.keys, visit.game, made, record, visit.rules.meta)
    visit.position, visit.last_made_at = made.position, made_at
    for viewer in (*made.position.core.seats, PUBLIC):
        shown = redact(made.events, viewer)
        visit.events.setdefault(viewer, []).extend((number, event) for event in shown)
    answered: dict[str, list[str]] = {}
    for one in counted:
        answered.setdefault(one.question or gate, []).append(one.seat)
    for question, names in answered.items():
        sealed_orders.delete_for_gate(visit.session, visit.game.id, question, names)
    known = visit.rows()
    for decision in made.position.core.questions:
        if (decision.gate, decision.seat) not in known:
            visit.asked_entries.setdefault((decision.gate, decision.seat), number)
    update_questions(visit)
    revalidate_answers(visit)
    stored_orders.expire_reactions(visit)


def _next_entry_time(visit: ResolverContext, drawn: BeaconDraw | None) -> int:
    """When the next entry is made: later than the one before and than its round, even if the clock was set back."""
    signed = beacon.QUICKNET.round_time(drawn.round) * 1000 if drawn is not None and drawn.signature else 0
    return max(visit.now, visit.entry_time() + 1, signed)


def update_questions(visit: ResolverContext) -> None:
    """Bring the table of open questions in line with the position, and seal anew what was filed ahead for new ones."""
    rows = visit.rows()
    asked = {(d.gate, d.seat): d for d in visit.position.core.questions}
    gone = {(gate, name): row for (gate, name), row in rows.items() if (gate, Seat(name)) not in asked}
    for closed in {gate for gate, _ in gone}:
        sealed_orders.delete_for_gate(
            visit.session, visit.game.id, closed, [name for gate, name in gone if gate == closed]
        )
    opened = [decision for place, decision in asked.items() if place not in rows]
    replace_questions(
        visit.session, visit.game.id, list(gone.values()), [_to_row(visit, decision) for decision in opened]
    )
    for decision in opened:
        _activate_advance_orders(visit, decision)


def _to_row(visit: ResolverContext, decision: Question) -> QuestionRow:
    place = decision.gate, decision.seat
    known = visit.openings.get(place)
    row = QuestionRow(
        game_id=visit.game.id,
        gate=decision.gate,
        seat=decision.seat,
        topic=decision.topic,
        is_blocking=decision.blocking,
        is_reaction=decision.pace is Pace.REACTION,
        is_choice=decision.pace is Pace.CHOICE,
        opening_entry=visit.asked_entries.get(place, known.entry if known is not None else visit.game.entry),
        opened_at=visit.now,
        state=AnswerState.UNANSWERED,
        pace_request="",
    )
    gate_timing.schedule_question(visit, row, decision)
    return row


def revalidate_answers(visit: ResolverContext) -> None:
    """Single answers that lie at gates still open, judged on the board as it is now: who must answer anew is told.

    Sets of lines are not: each line is judged when its turn comes.
    """
    for decision in visit.position.core.questions:
        row = visit.rows()[decision.gate, decision.seat]
        waits = row.answered_at is not None and row.opening_entry < visit.game.entry
        if not waits or visit.rules.meta.topic(decision.topic).lines:
            continue
        filed = visit.answer_of(row)
        rulings = check_orders(visit.rules, visit.position, decision, filed.orders) if filed is not None else ()
        if filed is None or not all_valid(rulings):
            sealed_orders.invalidate(visit.session, visit.services.resolver_keys.signing, visit.services.verify, row)
            apply_event(row, AnswerEvent.INVALIDATE, visit.now)
            told = AdvanceOrdersRefused(seat=decision.seat, gate=decision.gate, topic=decision.topic, rulings=rulings)
            visit.add_event(decision.seat, told)


def _activate_advance_orders(visit: ResolverContext, decision: Question) -> None:
    """Orders filed ahead for a question that has just opened: sealed anew if they serve, told to be refused if not."""
    filed = sealed_orders.unseal_advance_orders(
        visit.session, visit.keys, visit.services.verify, visit.game.id, decision
    )
    if filed is None:
        return
    rulings = check_orders(visit.rules, visit.position, decision, filed.orders)
    if _is_usable(visit, decision, rulings):
        row = visit.rows()[decision.gate, decision.seat]
        sealed_orders.reseal_by_resolver(visit.services, visit.keys, visit.session, row, filed)
        visit.add_event(decision.seat, AdvanceOrdersUsed(seat=decision.seat, gate=decision.gate, topic=decision.topic))
    else:
        refused = AdvanceOrdersRefused(seat=decision.seat, gate=decision.gate, topic=decision.topic, rulings=rulings)
        visit.add_event(decision.seat, refused)


def _is_usable(visit: ResolverContext, decision: Question, rulings: Sequence[LineResult]) -> bool:
    """True if what was filed ahead is taken for an answer: it stands, or what others did has undone some lines only.

    Where the table goes on with the next line when one fails, those lapse in their turn.  A line that could never have
    been carried out was a mistake, and its author is asked.
    """
    if all_valid(rulings):
        return True
    goes_on = visit.position.core.options.get("failures") == "next" and visit.rules.meta.topic(decision.topic).lines
    mistaken = any(r.problem is not None and r.problem.lasting for r in rulings)
    return goes_on and not mistaken and any(r.is_valid for r in rulings)


def _is_gate_ready(visit: ResolverContext, gate: str) -> bool:
    """Return True if a gate can be closed now: every blocking question has an answer, a reaction, or is overdue."""
    decisions = visit.position.core.gate(gate)
    rows = visit.rows()
    blocking = [d for d in decisions if d.blocking]
    if visit.clock.paused:
        return False
    if not blocking:
        return any(rows[d.gate, d.seat].answered_at is not None for d in decisions)
    answered = all(_has_answer(visit, d, rows[d.gate, d.seat]) for d in blocking)
    return answered and not gate_timing.is_on_hold(visit, [rows[d.gate, d.seat] for d in blocking])


def _has_answer(visit: ResolverContext, decision: Question, row: QuestionRow) -> bool:
    if row.answered_at is not None or gate_timing.is_overdue(visit, row):
        return True
    if decision.pace is Pace.REACTION and visit.position.core.options.get("unanswered") == "default":
        return True
    return visit.rules.meta.topic(decision.topic).is_reaction and stored_orders.is_reaction_valid(visit, decision)


def _collect_answers(visit: ResolverContext, gate: str) -> tuple[CountedAnswer, ...]:
    """The answers to count, in seat order: sealed orders, else reaction, else the stated default."""
    rows = visit.rows()
    found: list[CountedAnswer] = []
    for decision in sorted(visit.position.core.gate(gate), key=lambda d: visit.position.core.seats.index(d.seat)):
        row = rows[decision.gate, decision.seat]
        answered = row.answered_at is not None
        lies = sealed_orders.find_current(visit.session, visit.services.verify, row, visit.opening_revision(row))
        if decision.blocking or answered or lies is not None:
            question = decision.gate if decision.gate != gate else ""
            found.append(replace(_answer_of(visit, decision, row), question=question))
    return tuple(found)


def _answer_of(visit: ResolverContext, decision: Question, row: QuestionRow) -> CountedAnswer:
    filed = visit.answer_of(row)
    _flag_mismatch(visit, row, filed)
    if filed is not None and _is_still_valid(visit, decision, filed.orders):
        return filed
    if visit.rules.meta.topic(decision.topic).is_reaction:
        reaction = stored_orders.find_reaction(visit, decision)
        if reaction is not None:
            return _answer_from_reaction(visit, decision, row, reaction)
    return _default_answer(visit, decision, row)


def _flag_mismatch(visit: ResolverContext, row: QuestionRow, filed: CountedAnswer | None) -> None:
    """Let the operator know of orders that do not fit what the table of questions says: somebody wrote there."""
    said = "at a question called unanswered" if filed is not None and row.answered_at is None else ""
    lie = sealed_orders.list_valid(visit.session, visit.services.verify, row.game_id, row.seat, "orders")
    if filed is None and any(stored.gate == row.gate for stored in lie):
        said = "at a question of another entry"
    if said:
        visit.game.integrity_warning = f"orders of {row.seat} lay {said}, after entry {visit.game.entry}"[:120]


def _default_answer(visit: ResolverContext, decision: Question, row: QuestionRow) -> CountedAnswer:
    """The game's stated default, from the seat's own view; only who let a deadline pass is named as missing."""
    missed = row.answered_at is None and gate_timing.is_overdue(visit, row)
    orders = default_answer(visit.rules, visit.position, decision)
    return (
        missed_deadlines.substitute_answer(visit, decision, row, orders)
        if missed
        else CountedAnswer(decision.seat, orders, "unasked")
    )


def _answer_from_reaction(
    visit: ResolverContext, decision: Question, row: QuestionRow, reaction: CountedAnswer
) -> CountedAnswer:
    """A reaction answers if it is valid; its use, or why not, is told to its owner."""
    problem = _find_problem(visit, decision, reaction.orders)
    if problem is None:
        visit.add_event(decision.seat, ReactionUsed(seat=decision.seat, topic=decision.topic, orders=reaction.orders))
        return reaction
    visit.add_event(decision.seat, ReactionSkipped(seat=decision.seat, topic=decision.topic, reason=problem))
    return _default_answer(visit, decision, row)


def _find_problem(visit: ResolverContext, decision: Question, orders: Orders) -> Problem | None:
    return next((r.problem for r in check_orders(visit.rules, visit.position, decision, orders) if r.problem), None)


def _is_still_valid(visit: ResolverContext, decision: Question, orders: Orders) -> bool:
    """A set of lines is judged line by line as it is carried out; a single answer must still fit when it is opened."""
    return visit.rules.meta.topic(decision.topic).lines or all_valid(
        check_orders(visit.rules, visit.position, decision, orders)
    )


def publish_state(visit: ResolverContext) -> None:
    """What each viewer may have of where the game stands now, and of what happened; then the emails."""
    store_views(visit)
    enqueue_reports(visit)
    report_to_spectators(visit)
    finish_game(visit)


def store_views(visit: ResolverContext) -> None:
    """Store what each viewer may have of where the game stands now, and of what happened in this visit."""
    own, game, number = visit.services.resolver_keys, visit.game.id, visit.game.entry
    told = {viewer: tuple(visit.events.get(viewer, ())) for viewer in (*visit.position.core.seats, PUBLIC)}
    holders = seat_views.holders_of(visit.session, game)
    rows = seat_views.store_views(own, visit.rules.meta, game, number, visit.position, told, visit.statistics, holders)
    visit.session.add_all(rows)
    turn_statistics.record_turn(visit)
    visit.services.fault_point("resolver.published")


def finish_game(visit: ResolverContext) -> None:
    """Close the books of a game that is over."""
    if visit.position.core.over:
        require_lock(visit.session)
        visit.game.state, visit.game.ended_at = GameState.OVER, max(visit.now, visit.entry_time())
        missed_deadlines.record_finished(visit)
        sealed_orders.delete_for_game(visit.session, visit.game.id)
        visit.session.execute(delete(QuestionRow).where(QuestionRow.game_id == visit.game.id))

"""Missed deadlines: excused, stood in for by a plan or a bot, or closed by the default; counted; the seat offered.

All of it is the table's stated policy.  An answer of nothing that was confirmed is no miss: see `game_states`.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from engine.kernel.events import AnswerSubstituted
from engine.kernel.gates import Gate, parse_closing
from engine.kernel.orders import Orders, Question, requests_new_answer
from engine.kernel.validation import all_valid, check_orders
from engine.kernel.viewers import PUBLIC
from pbem.archive.answers import bot_answer
from pbem.archive.entries import CountedAnswer
from pbem.common.states import AnswerState
from pbem.narration.facts import Message
from pbem.service.access import permissions
from pbem.service.access import users as people
from pbem.service.base import calendar
from pbem.service.base.game_states import AnswerEvent, apply_event
from pbem.service.deadlines import gate_timing
from pbem.service.deadlines.interruptions import HALT_MS
from pbem.service.game import stored_orders
from pbem.service.game.clock_state import ClockState
from pbem.service.game.resolver_context import ResolverContext
from pbem.service.mail import notifications
from pbem.service.mail.notifications import send_master_prompt
from pbem.store.games import load_seats, name_of_seat, names_of_seats
from pbem.store.models import Outage, QuestionRow, SeatRow

MANY_SEATS: Final = 3
"""So many who miss at once, and were on time before, are no accident of theirs."""

MISSED: Final = frozenset({"default", "standing", "bot"})
"""How the answer of a seat that did not answer in time is counted."""


# --- before a gate closes


def handle_missed(context: ResolverContext) -> None:
    """Before anything is closed: stop the clock where many are late at once, else excuse who has an excuse left."""
    late = [row for row in context.rows().values() if _is_missing(context, row)]
    if not late:
        return
    seat_rows = {row.seat: row for row in load_seats(context.session, context.game.id)}
    if _is_mass_miss(context, late, seat_rows):
        _pause_game(context)
        return
    for (name, _), rows in _group_by_gate(row for row in late if not row.grace_used).items():
        seat = seat_rows[name]
        if _remaining_excuses(context, seat) > 0:
            seat.excused_misses = _remaining_excuses(context, seat) - 1
            _grant_extension(context, rows)


def _group_by_gate(rows: Iterable[QuestionRow]) -> Mapping[tuple[str, str], list[QuestionRow]]:
    """Questions by seat and gate: what one gate asks of a seat is missed, and excused, together."""
    found: dict[tuple[str, str], list[QuestionRow]] = {}
    for row in rows:
        found.setdefault((row.seat, parse_closing(row.gate)), []).append(row)
    return found


def _is_missing(context: ResolverContext, row: QuestionRow) -> bool:
    """True if a person was awaited and did not come; where an interruption has no answer, a reaction may give it."""
    awaited = row.is_blocking and not row.is_reaction and row.answered_at is None and not row.answers_fixed
    return awaited and not row.resolve_now and gate_timing.is_overdue(context, row)


def _is_mass_miss(context: ResolverContext, late: Sequence[QuestionRow], seat_rows: Mapping[str, SeatRow]) -> bool:
    """Return True if most of those asked miss at once, of whom nobody would have thought so; once for each question."""
    fresh = [row for row in late if seat_rows[row.seat].missed == 0]
    gates = {parse_closing(row.gate) for row in fresh}
    asked = {row.seat for row in context.rows().values() if row.is_blocking and parse_closing(row.gate) in gates}
    many = len({row.seat for row in fresh})
    return many >= MANY_SEATS and 2 * many > len(asked) and context.game.failed_entry != context.game.entry


def _pause_game(context: ResolverContext) -> None:
    """Stop the clock and call the master; it goes on by itself after a while."""
    context.game.failed_entry = context.game.entry
    outage = Outage(cause="halt", game_id=context.game.id, started_at=context.now, is_compensated=False)
    context.session.add(outage)
    context.session.flush()
    context.clock = ClockState(is_stopped=True)
    until = (context.now + HALT_MS) // 1000
    context.has_writes = True
    notifications.notify_all_seats(
        context.services, context.session, context.game, f"h{outage.id}", "halted", {"until": until}
    )
    here = {row.user_id for row in load_seats(context.session, context.game.id)}
    for user in permissions.masters_of(context.session, context.game):
        if user.id not in here:
            send_master_prompt(
                context.services,
                context.session,
                context.game,
                user,
                f"h{outage.id}",
                (Message("table_halted", {"moment": until}),),
            )


def _remaining_excuses(context: ResolverContext, seat: SeatRow) -> int:
    """Missed turns of a seat that are still excused; what is spent never comes back."""
    if seat.excused_misses is not None:
        return seat.excused_misses
    return gate_timing.load_schedule(context.game).excused_misses


def _grant_extension(context: ResolverContext, rows: Sequence[QuestionRow]) -> None:
    """What a gate asks of a seat waits half its time once more; all are told who was late."""
    row = rows[0]
    rhythm = gate_timing.load_schedule(context.game).rule_for(row.topic, gate_timing.load_pace(row))
    before = int(row.due_at or context.now)
    more = calendar.DeadlineRule(24)
    if rhythm is not None:
        hours = max(1, rhythm.hours // 2)
        more = calendar.DeadlineRule(hours, clock=rhythm.clock, zone=rhythm.zone, days=rhythm.days, free=rhythm.free)
    for each in rows:
        apply_event(each, AnswerEvent.EXCUSE, context.now)
        each.grace_used, context.has_writes = True, True
        gate_timing.set_deadline(context.game, each, calendar.compute_deadline(more, context.now))
    context.session.flush()
    name = names_of_seats(context.session, context.game).get(row.seat, row.seat)
    notifications.notify_deadline_change(
        context.services,
        context.session,
        context.game,
        f"x{row.id}",
        "excused",
        {row.seat: before},
        who=name,
    )


# --- what answers for a player who did not


def substitute_answer(context: ResolverContext, decision: Question, row: QuestionRow, default: Orders) -> CountedAnswer:
    """The answer of a seat that missed its deadline, as the table's policy says; all are told who missed and how."""
    policy, plan = gate_timing.load_schedule(context.game).on_missed, None
    if policy in ("standing", "bot"):
        plan = stored_orders.find_standing_orders(
            context.session, context.keys, context.services.verify, context.game.id, decision
        )
    if plan is not None and _is_valid_answer(context, decision, plan.orders) and not _asks_again(decision, plan.orders):
        apply_event(row, AnswerEvent.SUBSTITUTE, context.now)
        return _announce_substitute(context, decision, plan)
    apply_event(row, AnswerEvent.DEFAULT, context.now)
    if policy == "bot":
        orders = bot_answer(context.rules, context.position, decision, context.game.id, context.game.entry)
        return _announce_substitute(context, decision, CountedAnswer(decision.seat, orders, "bot"))
    return CountedAnswer(decision.seat, default, "default")


def _asks_again(decision: Question, plan: Orders) -> bool:
    """True if a plan would ask again who was asked again and did not come: nobody waits for that twice."""
    return requests_new_answer(plan) and Gate.parse(decision.gate).again > 0


def _is_valid_answer(context: ResolverContext, decision: Question, orders: Orders) -> bool:
    lines = context.rules.meta.topic(decision.topic).lines
    return bool(lines) or all_valid(check_orders(context.rules, context.position, decision, orders))


def _announce_substitute(context: ResolverContext, decision: Question, counted: CountedAnswer) -> CountedAnswer:
    """Everybody is told that something stood in, never what it answered."""
    event = AnswerSubstituted(seat=decision.seat, gate=decision.gate, topic=decision.topic, how=counted.how)
    for viewer in (*context.position.core.seats, PUBLIC):
        context.add_event(viewer, event)
    return counted


# --- counting


def count_punctuality(context: ResolverContext, gate: str, counted: Sequence[CountedAnswer]) -> None:
    """Count who was on time, each seat once, and offer the seats of those who miss too often in a row."""
    known = {row.seat: row for row in load_seats(context.session, context.game.id)}
    rows = context.rows()
    found = [(one, rows.get((one.question or gate, one.seat)), known.get(one.seat)) for one in counted]
    told: dict[int, list[tuple[CountedAnswer, QuestionRow, SeatRow]]] = {}
    for one, row, seat in found:
        if row is not None and seat is not None and _is_counted(row, one):
            told.setdefault(seat.id, []).append((one, row, seat))
    there = [seat.user_id for seat in known.values() if seat.user_id is not None]
    users = {user.id: user for user in people.lock_for_statistics(context.session, there)} if told else {}
    for answers in told.values():
        seat = answers[0][2]
        user = users.get(seat.user_id) if seat.user_id is not None else None
        if user is not None:
            missed = any(one.how in MISSED for one, _, _ in answers)
            on_time = not missed and all(row.state != AnswerState.LATE for _, row, _ in answers)
            user.turns_asked, user.turns_on_time = user.turns_asked + 1, user.turns_on_time + int(on_time)
            seat.missed = seat.missed + 1 if missed else 0
            _offer_seat(context, seat, missed=missed)


def _is_counted(row: QuestionRow, one: CountedAnswer) -> bool:
    """True if this is the question that was answered, and one that a person was awaited for, until its deadline."""
    if row.resolve_now and row.answered_at is None:
        return False
    return row.is_blocking and not row.is_reaction and (row.answered_at is not None or one.how in MISSED)


def _offer_seat(context: ResolverContext, seat: SeatRow, *, missed: bool) -> None:
    """After so many misses in a row the seat looks for another player; its owner's next answer ends that."""
    most = gate_timing.load_schedule(context.game).max_misses
    if not missed:
        seat.open_since = None
    elif most and seat.missed >= most and seat.open_since is None:
        seat.open_since = context.now
        terms = {"name": name_of_seat(context.session, seat)}
        notifications.notify_all_seats(
            context.services, context.session, context.game, f"s{seat.id}.{context.game.entry}", "offered", terms
        )


def record_finished(context: ResolverContext) -> None:
    """The game is over: the players who still sit there have finished it."""
    there = [seat.user_id for seat in load_seats(context.session, context.game.id) if seat.user_id is not None]
    for user in people.lock_for_statistics(context.session, there):
        user.games_finished += 1

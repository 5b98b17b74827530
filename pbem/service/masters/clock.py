"""A master's acts about time: look ahead, close a phase now, move deadlines, pause, hold one seat's clock."""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from sqlalchemy import select

from engine.kernel.forms import Choice, Form, Slot
from engine.kernel.gates import Gate, parse_closing
from engine.kernel.orders import Order
from pbem.narration.facts import Message
from pbem.service.base import calendar
from pbem.service.base.calendar import DAY_MS, HOUR_MS
from pbem.service.base.services import RequestRefused
from pbem.service.base.wording import WORDS
from pbem.service.deadlines import gate_timing, interruptions
from pbem.service.deadlines.interruptions import HOLD, extend_deadlines
from pbem.service.game.clock_state import load_clock_state
from pbem.service.mail import notifications
from pbem.service.masters.registry import (
    CommandContext,
    CommandResult,
    CommandSpec,
    act,
    of_seat,
    seat_names,
    seat_row,
    single_form,
    text_slot,
)
from pbem.service.masters.ruling_request import BARE, RulingRequest, enqueue_ruling
from pbem.service.resolver import beacon_draws
from pbem.store.games import load_open_questions, load_seats
from pbem.store.models import Outage, PendingDraw, QuestionRow

_DAY: Final = re.compile(
    r"(?:(\d{4})-(\d{1,2})-(\d{1,2})|(\d{1,2})[/.](\d{1,2})[/.](\d{4}))\D{1,4}?(\d{1,2})[:hH](\d{2})?"
)
SOONEST_MS: Final = DAY_MS
"""A deadline is never moved nearer than this, so that nobody is caught asleep."""


class Preview(Order):
    """The seats that would get the default."""


class ProcessGate(Order):
    """Close a phase now; its name must be the right one."""

    topic: str = ""
    turn: int | None = None
    entry: int | None = None


class ExtendDeadline(Order):
    """Give everybody more time."""

    many: int
    unit: str = "hours"


class SetDeadline(Order):
    """Set the deadline."""

    moment: str


class PauseGame(Order):
    """Stop the clock."""

    reason: str = ""


class ResumeGame(Order):
    """Start the clock again."""


class DrawNow(Order):
    """Draw the gate that waits for a round of the beacon without it."""


class HoldSeat(Order):
    """Stop one seat's clock."""

    seat: str


class ReleaseSeat(Order):
    """Let one seat's clock go on."""

    seat: str


# --- phases


def list_blocking(context: CommandContext) -> list[QuestionRow]:
    """The open questions that the table waits for."""
    return [row for row in load_open_questions(context.session, context.game.id) if row.blocking]


def list_gates(context: CommandContext) -> dict[str, list[QuestionRow]]:
    """The same by gate, in the order in which they were put."""
    found: dict[str, list[QuestionRow]] = {}
    for row in list_blocking(context):
        found.setdefault(parse_closing(row.gate), []).append(row)
    return found


def phase_name(context: CommandContext, rows: Sequence[QuestionRow]) -> str:
    """The name of a phase, as PROCESS wants it; one that may come again in its turn is stamped with the last entry."""
    row = rows[0]
    topic = context.services.rules(context.game.rules).meta.topic(row.asks).words.printed(context.user.language).upper()
    stamp = WORDS("leads.entry").printed(context.user.language)
    turn = Gate.parse(row.gate).turn
    said = f"{topic} {turn}" if turn is not None else topic
    return f"{said} {stamp} {context.game.entry}" if Gate.parse(row.gate).recurs else said


def player_names(context: CommandContext, rows: Iterable[QuestionRow]) -> tuple[str, ...]:
    """The players of some questions, in the order of the table."""
    called, wanted = seat_names(context), {row.seat for row in rows}
    return tuple(name for seat, name in called.items() if seat in wanted)


def _topics(context: CommandContext) -> tuple[Choice, ...]:
    return tuple(Choice(topic.asks, topic.words) for topic in context.services.rules(context.game.rules).meta.topics)


def _process_forms(context: CommandContext) -> Sequence[Form]:
    first = next((rows[0] for rows in list_gates(context).values()), None)
    asks = (first.asks,) if first is not None else ()
    turn = Gate.parse(first.gate).turn if first is not None else None
    stamp = (context.game.entry,) if first is not None and Gate.parse(first.gate).recurs else ()
    slots = (
        Slot("topic", "topic", WORDS("slots.phase"), _topics(context), optional=True, default="", likely=asks),
        Slot("turn", "turn", WORDS("slots.turn"), low=0, optional=True, likely=() if turn is None else (turn,)),
        Slot("entry", "entry", WORDS("slots.entry"), low=0, optional=True, lead=WORDS("leads.entry"), likely=stamp),
    )
    return (act("process", ProcessGate, *slots),)


def _find_gates(context: CommandContext, order: ProcessGate) -> list[list[QuestionRow]]:
    """The gates that the name means, if it is one that is asked now; raises Refused with the right name."""
    now = list(list_gates(context).values())
    right = tuple(phase_name(context, rows) for rows in now)
    if not now:
        raise RequestRefused("nothing_asked")
    if not order.topic:
        raise RequestRefused("phase_missing", phases=right)
    meant = [rows for rows in now if _matches(context, order, rows)]
    if not meant:
        raise RequestRefused("phase_stale", phases=right)
    return meant


def _matches(context: CommandContext, order: ProcessGate, rows: Sequence[QuestionRow]) -> bool:
    gate = Gate.parse(rows[0].gate)
    if rows[0].asks != order.topic or (gate.turn is not None and order.turn != gate.turn):
        return False
    return order.entry == context.game.entry if gate.recurs or order.entry is not None else True


def _forecast(context: CommandContext, rows: Sequence[QuestionRow]) -> Message:
    """The seats that would get the default, and nothing else; whether a choice in mid-turn is on file is not told."""
    owing = player_names(context, (row for row in rows if row.answered_at is None))
    terms = {"phase": phase_name(context, rows), "names": owing, "reaction": any(row.reaction for row in rows)}
    return Message("would_default" if owing else "all_answered", terms)


def preview_gates(context: CommandContext, order: Preview) -> CommandResult:
    """What closing each open phase would bring: whose answers are missing."""
    found = tuple(_forecast(context, rows) for rows in list_gates(context).values())
    return CommandResult(found or (Message("nothing_asked"),))


def _preview_process(context: CommandContext, order: ProcessGate) -> CommandResult:
    found = _find_gates(context, order)
    still = load_clock_state(context.session, context.game, context.now)
    if still.paused or interruptions.find_pause(context.session, context.game.id) is not None:
        raise RequestRefused("paused")
    if all(row.forced for rows in found for row in rows):
        raise RequestRefused("phase_closing")
    return CommandResult(tuple(_forecast(context, rows) for rows in found))


def _execute_process(context: CommandContext, order: ProcessGate) -> CommandResult:
    """Play closes the phase at once: seats without an answer get the default, and it counts as no miss."""
    said = _preview_process(context, order).said
    for rows in _find_gates(context, order):
        for row in rows:
            row.forced = True
    context.game.play_wanted = context.game.play_wanted or context.now
    return CommandResult(tuple(Message("processed", dict(one.terms)) for one in said))


# --- deadlines


def _extended_deadlines(context: CommandContext, order: ExtendDeadline) -> dict[int, int]:
    span = order.many * (DAY_MS if order.unit == "days" else HOUR_MS)
    found = {row.id: max(row.due_at, context.now) + span for row in list_blocking(context) if row.due_at is not None}
    if not found:
        raise RequestRefused("no_deadline")
    if max(found.values()) > context.now + 2 * calendar.LONGEST_H * HOUR_MS:
        raise RequestRefused("too_far", days=2 * calendar.LONGEST_H // 24)
    return found


def _preview_extend(context: CommandContext, order: ExtendDeadline) -> CommandResult:
    return CommandResult(
        (Message("deadline_will", {"moment": min(_extended_deadlines(context, order).values()) // 1000}),)
    )


def _execute_extend(context: CommandContext, order: ExtendDeadline) -> CommandResult:
    return _set_deadlines(context, _extended_deadlines(context, order))


def _set_deadlines(context: CommandContext, due: dict[int, int]) -> CommandResult:
    """Move the deadlines, and tell every seat its own."""
    before: dict[str, int] = {}
    for row in list_blocking(context):
        if row.id in due:
            if row.due_at is not None:
                before[row.seat] = row.due_at
            gate_timing.set_deadline(context.game, row, due[row.id])
    context.session.flush()
    notifications.notify_deadline_change(
        context.services, context.session, context.game, context.dedup_key, "master", before, who=context.user.name
    )
    return CommandResult((Message("deadline_is", {"moment": min(due.values()) // 1000}),), notified=True)


def parse_datetime(written: str, zone: str) -> int | None:
    """A day and a time as it was written (2027-07-01 20:00, 1/7/2027 20h), by a zone's clocks, in milliseconds."""
    found = _DAY.search(written)
    if found is None:
        return None
    groups = found.groups()
    year, month, day = (groups[0], groups[1], groups[2]) if groups[0] else (groups[5], groups[4], groups[3])
    try:
        local = datetime(int(year), int(month), int(day), int(groups[6]), int(groups[7] or 0), tzinfo=ZoneInfo(zone))
        return int(local.timestamp()) * 1000
    except (ValueError, OverflowError):
        return None


def _gate_deadlines(context: CommandContext, order: SetDeadline) -> dict[int, int]:
    moment = parse_datetime(order.moment, context.user.zone)
    if moment is None:
        raise RequestRefused("no_moment", written=order.moment[:60])
    rows = list_blocking(context)
    if not rows:
        raise RequestRefused("nothing_asked")
    nearest = min((row.due_at for row in rows if row.due_at is not None), default=None)
    if moment < context.now + SOONEST_MS and (nearest is None or moment < max(nearest, context.now)):
        raise RequestRefused("too_soon", hours=SOONEST_MS // HOUR_MS)
    if moment > context.now + calendar.LONGEST_H * HOUR_MS:
        raise RequestRefused("too_far", days=calendar.LONGEST_H // 24)
    return {row.id: moment for row in rows}


def _preview_deadline(context: CommandContext, order: SetDeadline) -> CommandResult:
    return CommandResult((Message("deadline_will", {"moment": min(_gate_deadlines(context, order).values()) // 1000}),))


def _execute_deadline(context: CommandContext, order: SetDeadline) -> CommandResult:
    return _set_deadlines(context, _gate_deadlines(context, order))


# --- standing still


def _preview_pause(context: CommandContext, order: PauseGame) -> CommandResult:
    if interruptions.find_pause(context.session, context.game.id) is not None:
        raise RequestRefused("paused_already")
    return CommandResult((Message("would_pause"),))


def _execute_pause(context: CommandContext, order: PauseGame) -> CommandResult:
    _preview_pause(context, order)
    interruptions.set_paused(context.services, context.session, context.game, interruptions.PAUSE, context.user.name)
    return CommandResult((Message("paused"),), notified=True, reason=order.reason)


def _preview_resume(context: CommandContext, order: ResumeGame) -> CommandResult:
    if interruptions.find_pause(context.session, context.game.id) is None:
        raise RequestRefused("not_paused")
    return CommandResult((Message("would_resume"),))


def _execute_resume(context: CommandContext, order: ResumeGame) -> CommandResult:
    _preview_resume(context, order)
    interruptions.set_paused(context.services, context.session, context.game, interruptions.RESUME, context.user.name)
    return CommandResult((Message("resumed"),), notified=True)


def _find_late_round(context: CommandContext) -> PendingDraw:
    """The gate that has waited too long; raises Refused where none has."""
    row = beacon_draws.load_waiting(context.session, context.game)
    if row is None or not beacon_draws.is_overdue(row, context.now):
        raise RequestRefused("round_waited")
    return row


def _preview_draw(context: CommandContext, order: DrawNow) -> CommandResult:
    return CommandResult((Message("would_draw", {"round": _find_late_round(context).round}),))


def _execute_draw(context: CommandContext, order: DrawNow) -> CommandResult:
    """Play draws the gate at once; all are told."""
    said = (Message("draws_now", {"round": _find_late_round(context).round}),)
    wanted = RulingRequest(BARE, context.user.id, context.user.name, "", context.game.entry)
    enqueue_ruling(context.services, context.session, context.game, wanted)
    return CommandResult(said, announce=said)


def find_hold(context: CommandContext, seat: str) -> Outage | None:
    """The hold that a seat is in."""
    user = seat_row(context, seat).user_id
    lasting = Outage.game_id == context.game.id, Outage.cause == HOLD, Outage.ended_at.is_(None)
    return context.session.scalars(select(Outage).where(*lasting, Outage.user_id == user)).first()


def list_held_seats(context: CommandContext) -> tuple[str, ...]:
    """All seats that are held."""
    return tuple(
        row.seat
        for row in load_seats(context.session, context.game.id)
        if row.user_id is not None and find_hold(context, row.seat) is not None
    )


def _preview_hold(context: CommandContext, order: HoldSeat) -> CommandResult:
    if seat_row(context, order.seat).user_id is None:
        raise RequestRefused("seat_empty", name=seat_names(context)[order.seat])
    if find_hold(context, order.seat) is not None:
        raise RequestRefused("held_already", name=seat_names(context)[order.seat])
    return CommandResult((Message("would_hold", {"name": seat_names(context)[order.seat]}),))


def _execute_hold(context: CommandContext, order: HoldSeat) -> CommandResult:
    _preview_hold(context, order)
    user = seat_row(context, order.seat).user_id
    context.session.add(
        Outage(
            cause=HOLD, game_id=context.game.id, user_id=user, began_at=context.now, given=False, who=context.user.name
        )
    )
    said = (Message("held", {"name": seat_names(context)[order.seat]}),)
    return CommandResult(said, announce=said)


def _preview_release(context: CommandContext, order: ReleaseSeat) -> CommandResult:
    if find_hold(context, order.seat) is None:
        raise RequestRefused("not_held", name=seat_names(context)[order.seat])
    return CommandResult((Message("would_release", {"name": seat_names(context)[order.seat]}),))


def _execute_release(context: CommandContext, order: ReleaseSeat) -> CommandResult:
    """The seat's time goes on, and what stood still of it is given back."""
    _preview_release(context, order)
    outage = find_hold(context, order.seat)
    if outage is not None:
        outage.ended_at = max(context.now, outage.began_at)
        context.game.look_at = context.now
        extend_deadlines(context.services, context.session, outage)
    said = (Message("released", {"name": seat_names(context)[order.seat]}),)
    return CommandResult(said)


_UNITS: Final = (
    Choice("hours", WORDS("choices.unit.hours")),
    Choice("days", WORDS("choices.unit.days")),
)

COMMANDS: Final = (
    CommandSpec("preview", single_form(act("preview", Preview)), preview_gates, preview_gates, is_read_only=True),
    CommandSpec("process", _process_forms, _preview_process, _execute_process, dangerous=True, needs_second=True),
    CommandSpec(
        "extend",
        single_form(
            act(
                "extend",
                ExtendDeadline,
                Slot("many", "number", WORDS("slots.length"), low=1, high=2160),
                Slot("unit", "unit", WORDS("slots.unit"), _UNITS, optional=True, default="hours"),
            )
        ),
        _preview_extend,
        _execute_extend,
    ),
    CommandSpec(
        "deadline",
        single_form(act("deadline", SetDeadline, text_slot("moment", WORDS("slots.day_and_time")))),
        _preview_deadline,
        _execute_deadline,
    ),
    CommandSpec(
        "pause",
        single_form(act("pause", PauseGame, text_slot("reason", WORDS("slots.reason"), optional=True))),
        _preview_pause,
        _execute_pause,
    ),
    CommandSpec("resume", single_form(act("resume", ResumeGame)), _preview_resume, _execute_resume),
    CommandSpec(
        "draw_now",
        single_form(act("draw_now", DrawNow)),
        _preview_draw,
        _execute_draw,
        dangerous=True,
        needs_second=True,
        needs_consent=True,
    ),
    CommandSpec("hold", of_seat("hold", HoldSeat), _preview_hold, _execute_hold),
    CommandSpec("release", of_seat("release", ReleaseSeat), _preview_release, _execute_release),
)

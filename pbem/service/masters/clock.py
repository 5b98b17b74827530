"""A master's acts about time: look ahead, close a phase now, move deadlines, pause, hold one seat's clock."""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from sqlalchemy import select

from engine.kernel.forms import Choice, Form, Slot
from engine.kernel.gates import Gate, closing
from engine.kernel.orders import Order
from pbem.narration.facts import Said
from pbem.service.base import calendar
from pbem.service.base.calendar import DAY_MS, HOUR_MS
from pbem.service.base.services import Refused
from pbem.service.base.wording import WORDS
from pbem.service.game.standstill import standstill_of
from pbem.service.masters.forms import act, names, of_seat, one, row_of, text_slot
from pbem.service.masters.registry import ActContext, Action, Outcome
from pbem.service.masters.ruling_request import BARE, Wanted, ask
from pbem.service.play import rounds
from pbem.service.post import notifications
from pbem.service.time import gate_timing, pauses
from pbem.service.time.outages import HOLD, give_back
from pbem.store.games import open_decisions, seats
from pbem.store.models import DecisionRow, Outage, RoundRow

_DAY: Final = re.compile(
    r"(?:(\d{4})-(\d{1,2})-(\d{1,2})|(\d{1,2})[/.](\d{1,2})[/.](\d{4}))\D{1,4}?(\d{1,2})[:hH](\d{2})?"
)
SOONEST_MS: Final = DAY_MS
"""A deadline is never moved nearer than this, so that nobody is caught asleep."""


class Look(Order):
    """The seats that would get the default."""


class Process(Order):
    """Close a phase now; its name must be the right one."""

    topic: str = ""
    turn: int | None = None
    entry: int | None = None


class Extend(Order):
    """Give everybody more time."""

    many: int
    unit: str = "hours"


class Deadline(Order):
    """Set the deadline."""

    moment: str


class Pause(Order):
    """Stop the clock."""

    reason: str = ""


class Resume(Order):
    """Start the clock again."""


class DrawNow(Order):
    """Draw the gate that waits for a round of the beacon without it."""


class Hold(Order):
    """Stop one seat's clock."""

    seat: str


class Release(Order):
    """Let one seat's clock go on."""

    seat: str


# --- phases


def blocking(context: ActContext) -> list[DecisionRow]:
    """The open questions that the table waits for."""
    return [row for row in open_decisions(context.session, context.game.id) if row.blocking]


def gates(context: ActContext) -> dict[str, list[DecisionRow]]:
    """The same by gate, in the order in which they were put."""
    found: dict[str, list[DecisionRow]] = {}
    for row in blocking(context):
        found.setdefault(closing(row.gate), []).append(row)
    return found


def phase(context: ActContext, rows: Sequence[DecisionRow]) -> str:
    """The name of a phase, as PROCESS wants it; one that may come again in its turn is stamped with the last entry."""
    row = rows[0]
    topic = context.services.rules(context.game.rules).meta.topic(row.asks).words.printed(context.user.language).upper()
    stamp = WORDS("leads.entry").printed(context.user.language)
    turn = Gate.parse(row.gate).turn
    said = f"{topic} {turn}" if turn is not None else topic
    return f"{said} {stamp} {context.game.entry}" if Gate.parse(row.gate).recurs else said


def who(context: ActContext, rows: Iterable[DecisionRow]) -> tuple[str, ...]:
    """The players of some questions, in the order of the table."""
    called, wanted = names(context), {row.seat for row in rows}
    return tuple(name for seat, name in called.items() if seat in wanted)


def _topics(context: ActContext) -> tuple[Choice, ...]:
    return tuple(Choice(topic.asks, topic.words) for topic in context.services.rules(context.game.rules).meta.topics)


def _process_forms(context: ActContext) -> Sequence[Form]:
    first = next((rows[0] for rows in gates(context).values()), None)
    asks = (first.asks,) if first is not None else ()
    turn = Gate.parse(first.gate).turn if first is not None else None
    stamp = (context.game.entry,) if first is not None and Gate.parse(first.gate).recurs else ()
    slots = (
        Slot("topic", "topic", WORDS("slots.phase"), _topics(context), optional=True, unsaid="", likely=asks),
        Slot("turn", "turn", WORDS("slots.turn"), low=0, optional=True, likely=() if turn is None else (turn,)),
        Slot("entry", "entry", WORDS("slots.entry"), low=0, optional=True, lead=WORDS("leads.entry"), likely=stamp),
    )
    return (act("process", Process, *slots),)


def _found(context: ActContext, order: Process) -> list[list[DecisionRow]]:
    """The gates that the name means, if it is one that is asked now; raises Refused with the right name."""
    now = list(gates(context).values())
    right = tuple(phase(context, rows) for rows in now)
    if not now:
        raise Refused("nothing_asked")
    if not order.topic:
        raise Refused("phase_missing", phases=right)
    meant = [rows for rows in now if _is_meant(context, order, rows)]
    if not meant:
        raise Refused("phase_stale", phases=right)
    return meant


def _is_meant(context: ActContext, order: Process, rows: Sequence[DecisionRow]) -> bool:
    gate = Gate.parse(rows[0].gate)
    if rows[0].asks != order.topic or (gate.turn is not None and order.turn != gate.turn):
        return False
    return order.entry == context.game.entry if gate.recurs or order.entry is not None else True


def _forecast(context: ActContext, rows: Sequence[DecisionRow]) -> Said:
    """The seats that would get the default, and nothing else; whether a choice in mid-turn is on file is not told."""
    owing = who(context, (row for row in rows if row.answered_at is None))
    terms = {"phase": phase(context, rows), "names": owing, "reaction": any(row.reaction for row in rows)}
    return Said("would_default" if owing else "all_answered", terms)


def look(context: ActContext, order: Look) -> Outcome:
    """What closing each open phase would bring: whose answers are missing."""
    found = tuple(_forecast(context, rows) for rows in gates(context).values())
    return Outcome(found or (Said("nothing_asked"),))


def _would_process(context: ActContext, order: Process) -> Outcome:
    found = _found(context, order)
    still = standstill_of(context.session, context.game, context.now)
    if still.paused or pauses.paused(context.session, context.game.id) is not None:
        raise Refused("paused")
    if all(row.forced for rows in found for row in rows):
        raise Refused("phase_closing")
    return Outcome(tuple(_forecast(context, rows) for rows in found))


def _process(context: ActContext, order: Process) -> Outcome:
    """Play closes the phase at once: seats without an answer get the default, and it counts as no miss."""
    said = _would_process(context, order).said
    for rows in _found(context, order):
        for row in rows:
            row.forced = True
    context.game.play_wanted = context.game.play_wanted or context.now
    return Outcome(tuple(Said("processed", dict(one.terms)) for one in said))


# --- deadlines


def _extended(context: ActContext, order: Extend) -> dict[int, int]:
    span = order.many * (DAY_MS if order.unit == "days" else HOUR_MS)
    found = {row.id: max(row.due_at, context.now) + span for row in blocking(context) if row.due_at is not None}
    if not found:
        raise Refused("no_deadline")
    if max(found.values()) > context.now + 2 * calendar.LONGEST_H * HOUR_MS:
        raise Refused("too_far", days=2 * calendar.LONGEST_H // 24)
    return found


def _would_extend(context: ActContext, order: Extend) -> Outcome:
    return Outcome((Said("deadline_will", {"moment": min(_extended(context, order).values()) // 1000}),))


def _extend(context: ActContext, order: Extend) -> Outcome:
    return _set(context, _extended(context, order))


def _set(context: ActContext, due: dict[int, int]) -> Outcome:
    """Move the deadlines, and tell every seat its own."""
    before: dict[str, int] = {}
    for row in blocking(context):
        if row.id in due:
            if row.due_at is not None:
                before[row.seat] = row.due_at
            gate_timing.set_due(context.game, row, due[row.id])
    context.session.flush()
    notifications.moved_to_all(
        context.services, context.session, context.game, context.mark, "master", before, who=context.user.name
    )
    return Outcome((Said("deadline_is", {"moment": min(due.values()) // 1000}),), told=True)


def moment_of(written: str, zone: str) -> int | None:
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


def _deadlines(context: ActContext, order: Deadline) -> dict[int, int]:
    moment = moment_of(order.moment, context.user.zone)
    if moment is None:
        raise Refused("no_moment", written=order.moment[:60])
    rows = blocking(context)
    if not rows:
        raise Refused("nothing_asked")
    nearest = min((row.due_at for row in rows if row.due_at is not None), default=None)
    if moment < context.now + SOONEST_MS and (nearest is None or moment < max(nearest, context.now)):
        raise Refused("too_soon", hours=SOONEST_MS // HOUR_MS)
    if moment > context.now + calendar.LONGEST_H * HOUR_MS:
        raise Refused("too_far", days=calendar.LONGEST_H // 24)
    return {row.id: moment for row in rows}


def _would_deadline(context: ActContext, order: Deadline) -> Outcome:
    return Outcome((Said("deadline_will", {"moment": min(_deadlines(context, order).values()) // 1000}),))


def _deadline(context: ActContext, order: Deadline) -> Outcome:
    return _set(context, _deadlines(context, order))


# --- standing still


def _would_pause(context: ActContext, order: Pause) -> Outcome:
    if pauses.paused(context.session, context.game.id) is not None:
        raise Refused("paused_already")
    return Outcome((Said("would_pause"),))


def _pause(context: ActContext, order: Pause) -> Outcome:
    _would_pause(context, order)
    pauses.carry_out(context.services, context.session, context.game, pauses.PAUSE, context.user.name)
    return Outcome((Said("paused"),), told=True, reason=order.reason)


def _would_resume(context: ActContext, order: Resume) -> Outcome:
    if pauses.paused(context.session, context.game.id) is None:
        raise Refused("not_paused")
    return Outcome((Said("would_resume"),))


def _resume(context: ActContext, order: Resume) -> Outcome:
    _would_resume(context, order)
    pauses.carry_out(context.services, context.session, context.game, pauses.RESUME, context.user.name)
    return Outcome((Said("resumed"),), told=True)


def _late_round(context: ActContext) -> RoundRow:
    """The gate that has waited too long; raises Refused where none has."""
    row = rounds.waiting(context.session, context.game)
    if row is None or not rounds.overdue(row, context.now):
        raise Refused("round_waited")
    return row


def _would_draw(context: ActContext, order: DrawNow) -> Outcome:
    return Outcome((Said("would_draw", {"round": _late_round(context).round}),))


def _draw_now(context: ActContext, order: DrawNow) -> Outcome:
    """Play draws the gate at once; all are told."""
    said = (Said("draws_now", {"round": _late_round(context).round}),)
    wanted = Wanted(BARE, context.user.id, context.user.name, "", context.game.entry)
    ask(context.services, context.session, context.game, wanted)
    return Outcome(said, tells=said)


def held(context: ActContext, seat: str) -> Outage | None:
    """The hold that a seat is in."""
    user = row_of(context, seat).user_id
    lasting = Outage.game_id == context.game.id, Outage.cause == HOLD, Outage.ended_at.is_(None)
    return context.session.scalars(select(Outage).where(*lasting, Outage.user_id == user)).first()


def held_seats(context: ActContext) -> tuple[str, ...]:
    """All seats that are held."""
    return tuple(
        row.seat
        for row in seats(context.session, context.game.id)
        if row.user_id is not None and held(context, row.seat) is not None
    )


def _would_hold(context: ActContext, order: Hold) -> Outcome:
    if row_of(context, order.seat).user_id is None:
        raise Refused("seat_empty", name=names(context)[order.seat])
    if held(context, order.seat) is not None:
        raise Refused("held_already", name=names(context)[order.seat])
    return Outcome((Said("would_hold", {"name": names(context)[order.seat]}),))


def _hold(context: ActContext, order: Hold) -> Outcome:
    _would_hold(context, order)
    user = row_of(context, order.seat).user_id
    context.session.add(
        Outage(
            cause=HOLD, game_id=context.game.id, user_id=user, began_at=context.now, given=False, who=context.user.name
        )
    )
    said = (Said("held", {"name": names(context)[order.seat]}),)
    return Outcome(said, tells=said)


def _would_release(context: ActContext, order: Release) -> Outcome:
    if held(context, order.seat) is None:
        raise Refused("not_held", name=names(context)[order.seat])
    return Outcome((Said("would_release", {"name": names(context)[order.seat]}),))


def _release(context: ActContext, order: Release) -> Outcome:
    """The seat's time goes on, and what stood still of it is given back."""
    _would_release(context, order)
    outage = held(context, order.seat)
    if outage is not None:
        outage.ended_at = max(context.now, outage.began_at)
        context.game.look_at = context.now
        give_back(context.services, context.session, outage)
    said = (Said("released", {"name": names(context)[order.seat]}),)
    return Outcome(said)


_UNITS: Final = (
    Choice("hours", WORDS("choices.unit.hours")),
    Choice("days", WORDS("choices.unit.days")),
)

ACTIONS: Final = (
    Action("preview", one(act("preview", Look)), look, look, looks=True),
    Action("process", _process_forms, _would_process, _process, dangerous=True, second=True),
    Action(
        "extend",
        one(
            act(
                "extend",
                Extend,
                Slot("many", "number", WORDS("slots.length"), low=1, high=2160),
                Slot("unit", "unit", WORDS("slots.unit"), _UNITS, optional=True, unsaid="hours"),
            )
        ),
        _would_extend,
        _extend,
    ),
    Action(
        "deadline",
        one(act("deadline", Deadline, text_slot("moment", WORDS("slots.day_and_time")))),
        _would_deadline,
        _deadline,
    ),
    Action(
        "pause",
        one(act("pause", Pause, text_slot("reason", WORDS("slots.reason"), optional=True))),
        _would_pause,
        _pause,
    ),
    Action("resume", one(act("resume", Resume)), _would_resume, _resume),
    Action(
        "draw_now", one(act("draw_now", DrawNow)), _would_draw, _draw_now, dangerous=True, second=True, consent=True
    ),
    Action("hold", of_seat("hold", Hold), _would_hold, _hold),
    Action("release", of_seat("release", Release), _would_release, _release),
)

"""Commands about time: preview and close phases, move deadlines, pause the game, hold one seat's clock."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from sqlalchemy import select

from engine.kernel.forms import Choice, Slot
from engine.kernel.gates import Gate, parse_closing
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
    Command,
    CommandContext,
    CommandResult,
    Decision,
    SeatCommand,
    announced,
    seat_names,
    seat_row,
    text_slot,
)
from pbem.service.masters.ruling_request import BARE, RulingRequest, enqueue_ruling
from pbem.service.resolver import beacon_draws
from pbem.store.games import load_open_questions, load_seats
from pbem.store.models import Outage, QuestionRow

_DATETIME: Final = re.compile(
    r"(?:(\d{4})-(\d{1,2})-(\d{1,2})|(\d{1,2})[/.](\d{1,2})[/.](\d{4}))\D{1,4}?(\d{1,2})[:hH](\d{2})?"
)
SOONEST_MS: Final = DAY_MS
"""The least time from now to a deadline that is moved nearer."""


_UNITS: Final = (Choice("hours", WORDS("choices.unit.hours")), Choice("days", WORDS("choices.unit.days")))


# --- phases


def list_blocking(context: CommandContext) -> list[QuestionRow]:
    """Return the open questions that the game waits for."""
    return [row for row in load_open_questions(context.session, context.game.id) if row.is_blocking]


def list_gates(context: CommandContext) -> list[list[QuestionRow]]:
    """Return the same questions by gate, in the order in which the gates opened."""
    gates: dict[str, list[QuestionRow]] = {}
    for row in list_blocking(context):
        gates.setdefault(parse_closing(row.gate), []).append(row)
    return list(gates.values())


def phase_name(context: CommandContext, rows: Sequence[QuestionRow]) -> str:
    """Return the name of a phase, as PROCESS wants it: topic, turn, and the last entry if it may recur in its turn."""
    row = rows[0]
    topic = (
        context.services.rules(context.game.rules).meta.topic(row.topic).words.printed(context.user.language).upper()
    )
    stamp = WORDS("leads.entry").printed(context.user.language)
    gate = Gate.parse(row.gate)
    name = f"{topic} {gate.turn}" if gate.turn is not None else topic
    return f"{name} {stamp} {context.game.entry}" if gate.recurs else name


def player_names(context: CommandContext, rows: Iterable[QuestionRow]) -> tuple[str, ...]:
    """Return the names of the players of some questions, in the order of their seats."""
    seats = {row.seat for row in rows}
    return tuple(name for seat, name in seat_names(context).items() if seat in seats)


def _forecast(context: CommandContext, rows: Sequence[QuestionRow]) -> Message:
    """Name the seats that would get the default; whether a reaction is on file is not told."""
    owing = player_names(context, (row for row in rows if row.answered_at is None))
    terms = {"phase": phase_name(context, rows), "names": owing, "reaction": any(row.is_reaction for row in rows)}
    return Message("would_default" if owing else "all_answered", terms)


class Preview(Command):
    """Show the seats that would get the default."""

    name = "preview"
    is_read_only = True

    def decide(self, context: CommandContext) -> Decision:
        """Say of each open phase whose answers are missing."""
        forecasts = tuple(_forecast(context, rows) for rows in list_gates(context)) or (Message("nothing_asked"),)
        return Decision(forecasts, lambda: CommandResult(forecasts))


def _first_question(context: CommandContext) -> QuestionRow | None:
    return next((rows[0] for rows in list_gates(context)), None)


def _topic_slot(context: CommandContext) -> Slot:
    first = _first_question(context)
    topics = context.services.rules(context.game.rules).meta.topics
    choices = tuple(Choice(topic.key, topic.words) for topic in topics)
    likely = () if first is None else (first.topic,)
    return Slot("topic", "topic", WORDS("slots.phase"), choices, optional=True, default="", suggested=likely)


def _turn_slot(context: CommandContext) -> Slot:
    first = _first_question(context)
    turn = Gate.parse(first.gate).turn if first is not None else None
    return Slot("turn", "turn", WORDS("slots.turn"), low=0, optional=True, suggested=() if turn is None else (turn,))


def _stamp_slot(context: CommandContext) -> Slot:
    first = _first_question(context)
    likely = (context.game.entry,) if first is not None and Gate.parse(first.gate).recurs else ()
    return Slot(
        "entry", "entry", WORDS("slots.entry"), low=0, optional=True, lead=WORDS("leads.entry"), suggested=likely
    )


class ProcessGate(Command):
    """Close a phase now; its name must be the right one."""

    name = "process"
    slots = (_topic_slot, _turn_slot, _stamp_slot)
    dangerous = True
    needs_second = True
    topic: str = ""
    turn: int | None = None
    entry: int | None = None

    def decide(self, context: CommandContext) -> Decision:
        """Close the phase at once: seats without an answer get the default, and it counts as no miss."""
        gates = self._find_gates(context)
        clock = load_clock_state(context.session, context.game, context.now)
        if clock.paused or interruptions.find_pause(context.session, context.game.id) is not None:
            raise RequestRefused("paused")
        if all(row.resolve_now for rows in gates for row in rows):
            raise RequestRefused("phase_closing")
        forecasts = tuple(_forecast(context, rows) for rows in gates)

        def close() -> CommandResult:
            for rows in gates:
                for row in rows:
                    row.resolve_now = True
            context.game.resolve_requested_at = context.game.resolve_requested_at or context.now
            return CommandResult(tuple(Message("processed", dict(forecast.terms)) for forecast in forecasts))

        return Decision(forecasts, close)

    def _find_gates(self, context: CommandContext) -> list[list[QuestionRow]]:
        """Return the open gates that the name fits. Raises RequestRefused with the right names."""
        gates = list_gates(context)
        names = tuple(phase_name(context, rows) for rows in gates)
        if not gates:
            raise RequestRefused("nothing_asked")
        if not self.topic:
            raise RequestRefused("phase_missing", phases=names)
        matches = [rows for rows in gates if self._matches(context, rows[0])]
        if not matches:
            raise RequestRefused("phase_stale", phases=names)
        return matches

    def _matches(self, context: CommandContext, row: QuestionRow) -> bool:
        gate = Gate.parse(row.gate)
        if row.topic != self.topic or (gate.turn is not None and self.turn != gate.turn):
            return False
        return self.entry == context.game.entry if gate.recurs or self.entry is not None else True


# --- deadlines


def _move_deadlines(context: CommandContext, due: Mapping[int, int]) -> Decision:
    """Set the deadlines of questions, by their ids, and notify every seat of its own."""
    terms = {"moment": min(due.values()) // 1000}

    def move() -> CommandResult:
        before: dict[str, int] = {}
        for row in list_blocking(context):
            if row.id in due:
                if row.due_at is not None:
                    before[row.seat] = row.due_at
                gate_timing.set_deadline(context.game, row, due[row.id])
        context.session.flush()
        notifications.notify_deadline_change(
            context.services, context.session, context.game, context.dedup_key, "master", before, who=context.author
        )
        return CommandResult((Message("deadline_is", terms),), notified=True)

    return Decision((Message("deadline_will", terms),), move)


class ExtendDeadline(Command):
    """Give everybody more time."""

    name = "extend"
    slots = (
        Slot("many", "number", WORDS("slots.length"), low=1, high=2160),
        Slot("unit", "unit", WORDS("slots.unit"), _UNITS, optional=True, default="hours"),
    )
    many: int
    unit: str = "hours"

    def decide(self, context: CommandContext) -> Decision:
        """Move every deadline by the same time."""
        span = self.many * (DAY_MS if self.unit == "days" else HOUR_MS)
        due = {row.id: max(row.due_at, context.now) + span for row in list_blocking(context) if row.due_at is not None}
        if not due:
            raise RequestRefused("no_deadline")
        if max(due.values()) > context.now + 2 * calendar.LONGEST_H * HOUR_MS:
            raise RequestRefused("too_far", days=2 * calendar.LONGEST_H // 24)
        return _move_deadlines(context, due)


def parse_datetime(written: str, zone: str) -> int | None:
    """Parse a day and time (2027-07-01 20:00, 1/7/2027 20h) in a time zone. Return milliseconds, or None."""
    match = _DATETIME.search(written)
    if match is None:
        return None
    groups = match.groups()
    year, month, day = (groups[0], groups[1], groups[2]) if groups[0] else (groups[5], groups[4], groups[3])
    try:
        local = datetime(int(year), int(month), int(day), int(groups[6]), int(groups[7] or 0), tzinfo=ZoneInfo(zone))
        return int(local.timestamp()) * 1000
    except (ValueError, OverflowError):
        return None


class SetDeadline(Command):
    """Set the deadline."""

    name = "deadline"
    slots = (text_slot("moment", WORDS("slots.day_and_time")),)
    moment: str

    def decide(self, context: CommandContext) -> Decision:
        """Set all deadlines to one moment, no sooner than a day from now unless they are sooner already."""
        moment = parse_datetime(self.moment, context.user.time_zone)
        if moment is None:
            raise RequestRefused("no_moment", written=self.moment[:60])
        rows = list_blocking(context)
        if not rows:
            raise RequestRefused("nothing_asked")
        nearest = min((row.due_at for row in rows if row.due_at is not None), default=None)
        if moment < context.now + SOONEST_MS and (nearest is None or moment < max(nearest, context.now)):
            raise RequestRefused("too_soon", hours=SOONEST_MS // HOUR_MS)
        if moment > context.now + calendar.LONGEST_H * HOUR_MS:
            raise RequestRefused("too_far", days=calendar.LONGEST_H // 24)
        return _move_deadlines(context, {row.id: moment for row in rows})


# --- pauses


class PauseGame(Command):
    """Stop the clock."""

    name = "pause"
    slots = (text_slot("reason", WORDS("slots.reason"), optional=True),)
    reason: str = ""

    def decide(self, context: CommandContext) -> Decision:
        """Pause the game, unless it is paused."""
        if interruptions.find_pause(context.session, context.game.id) is not None:
            raise RequestRefused("paused_already")

        def pause() -> CommandResult:
            interruptions.set_paused(
                context.services, context.session, context.game, interruptions.PAUSE, context.author, self.reason
            )
            return CommandResult((Message("paused"),), notified=True, reason=self.reason)

        return Decision((Message("would_pause"),), pause)


class ResumeGame(Command):
    """Start the clock again."""

    name = "resume"

    def decide(self, context: CommandContext) -> Decision:
        """Resume the game, if it is paused."""
        if interruptions.find_pause(context.session, context.game.id) is None:
            raise RequestRefused("not_paused")

        def resume() -> CommandResult:
            interruptions.set_paused(
                context.services, context.session, context.game, interruptions.RESUME, context.author
            )
            return CommandResult((Message("resumed"),), notified=True)

        return Decision((Message("would_resume"),), resume)


class DrawNow(Command):
    """Draw the gate that waits for a round of the beacon without it."""

    name = "draw_now"
    dangerous = True
    needs_second = True
    needs_consent = True

    def decide(self, context: CommandContext) -> Decision:
        """Have the resolver draw the gate at once, if its round is overdue."""
        row = beacon_draws.load_waiting(context.session, context.game)
        if row is None or not beacon_draws.is_overdue(row, context.now):
            raise RequestRefused("round_waited")
        terms = {"round": row.round}

        def draw() -> CommandResult:
            ruling = RulingRequest(BARE, context.user.id, context.author, "", context.game.entry)
            enqueue_ruling(context.services, context.session, context.game, ruling)
            return announced(Message("draws_now", terms))

        return Decision((Message("would_draw", terms),), draw)


def find_hold(context: CommandContext, seat: str) -> Outage | None:
    """Return the hold of a seat's clock, if there is one."""
    user = seat_row(context, seat).user_id
    lasting = Outage.game_id == context.game.id, Outage.cause == HOLD, Outage.ended_at.is_(None)
    return context.session.scalars(select(Outage).where(*lasting, Outage.user_id == user)).first()


def list_held_seats(context: CommandContext) -> tuple[str, ...]:
    """Return the seats whose clocks are held."""
    return tuple(
        row.seat
        for row in load_seats(context.session, context.game.id)
        if row.user_id is not None and find_hold(context, row.seat) is not None
    )


class HoldSeat(SeatCommand):
    """Stop one seat's clock."""

    name = "hold"

    def decide(self, context: CommandContext) -> Decision:
        """Hold the clock of a seat that has a player."""
        terms = {"name": seat_names(context)[self.seat]}
        user = seat_row(context, self.seat).user_id
        if user is None:
            raise RequestRefused("seat_empty", **terms)
        if find_hold(context, self.seat) is not None:
            raise RequestRefused("held_already", **terms)

        def hold() -> CommandResult:
            outage = Outage(
                cause=HOLD,
                game_id=context.game.id,
                user_id=user,
                started_at=context.now,
                is_compensated=False,
                declared_by=context.author,
            )
            context.session.add(outage)
            return announced(Message("held", terms))

        return Decision((Message("would_hold", terms),), hold)


class ReleaseSeat(SeatCommand):
    """Let one seat's clock go on."""

    name = "release"

    def decide(self, context: CommandContext) -> Decision:
        """End the hold and extend the deadlines that it affected."""
        terms = {"name": seat_names(context)[self.seat]}
        outage = find_hold(context, self.seat)
        if outage is None:
            raise RequestRefused("not_held", **terms)

        def release() -> CommandResult:
            outage.ended_at = max(context.now, outage.started_at)
            context.game.scheduled_at = context.now
            extend_deadlines(context.services, context.session, outage)
            return CommandResult((Message("released", terms),))

        return Decision((Message("would_release", terms),), release)


COMMANDS: Final = (
    Preview,
    ProcessGate,
    ExtendDeadline,
    SetDeadline,
    PauseGame,
    ResumeGame,
    DrawNow,
    HoldSeat,
    ReleaseSeat,
)

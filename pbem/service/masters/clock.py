"""A master's acts about time: look ahead, close a phase now, move deadlines, pause, hold one seat's clock."""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from sqlalchemy import select

from engine.kernel.catalogues import words
from engine.kernel.forms import Choice, Form, Slot
from engine.kernel.gates import Gate
from engine.kernel.orders import Order
from pbem.narration.facts import Said
from pbem.service.base import calendar
from pbem.service.base.calendar import DAY_MS, HOUR_MS
from pbem.service.base.services import Refused
from pbem.service.game.standstill import watch
from pbem.service.masters.forms import names, of_seat, one, row_of, text_slot
from pbem.service.masters.registry import Action, Desk, Outcome, register
from pbem.service.post import notifications
from pbem.service.time import gate_timing, pauses
from pbem.service.time.outages import HOLD, give_back
from pbem.store.games import open_decisions, seats
from pbem.store.models import DecisionRow, Outage

_DAY: Final = re.compile(
    r"(?:(\d{4})-(\d{1,2})-(\d{1,2})|(\d{1,2})[/.](\d{1,2})[/.](\d{4}))\D{1,4}?(\d{1,2})[:hH](\d{2})?"
)
SOONEST_MS: Final = DAY_MS
"""A deadline is never moved nearer than this, so that nobody is caught asleep."""


class Look(Order):
    """Who would be defaulted."""


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


class Hold(Order):
    """Stop one seat's clock."""

    seat: str


class Release(Order):
    """Let one seat's clock go on."""

    seat: str


# --- phases


def blocking(desk: Desk) -> list[DecisionRow]:
    """The open questions that the table waits for."""
    return [row for row in open_decisions(desk.session, desk.game.id) if row.blocking]


def gates(desk: Desk) -> dict[str, list[DecisionRow]]:
    """The same by gate, in the order in which they were put."""
    found: dict[str, list[DecisionRow]] = {}
    for row in blocking(desk):
        found.setdefault(row.gate, []).append(row)
    return found


def phase(desk: Desk, rows: Sequence[DecisionRow]) -> str:
    """The name of a phase, as PROCESS wants it; one that may come again in its turn is stamped with the last entry."""
    row = rows[0]
    topic = desk.office.rules(desk.game.title).meta.topic(row.asks).words.shown(desk.user.language).upper()
    stamp = {"fr": "ENTRÉE", "en": "ENTRY"}[desk.user.language]
    turn = Gate.parse(row.gate).turn
    said = f"{topic} {turn}" if turn is not None else topic
    return f"{said} {stamp} {desk.game.entry}" if Gate.parse(row.gate).recurs else said


def who(desk: Desk, rows: Iterable[DecisionRow]) -> tuple[str, ...]:
    """The players of some questions, in the order of the table."""
    called, wanted = names(desk), {row.seat for row in rows}
    return tuple(name for seat, name in called.items() if seat in wanted)


def _topics(desk: Desk) -> tuple[Choice, ...]:
    return tuple(Choice(topic.asks, topic.words) for topic in desk.office.rules(desk.game.title).meta.topics)


def _process_forms(desk: Desk) -> Sequence[Form]:
    first = next((rows[0] for rows in gates(desk).values()), None)
    asks = (first.asks,) if first is not None else ()
    turn = Gate.parse(first.gate).turn if first is not None else None
    stamp = (desk.game.entry,) if first is not None and Gate.parse(first.gate).recurs else ()
    slots = (
        Slot("topic", "topic", words("phase", "phase"), _topics(desk), optional=True, unsaid="", likely=asks),
        Slot("turn", "turn", words("tour", "turn"), low=0, optional=True, likely=() if turn is None else (turn,)),
        Slot("entry", "entry", words("entrée", "entry"), low=0, optional=True, lead=words("ENTRÉE", "ENTRY"),
             likely=stamp),
    )  # fmt: skip
    return (
        Form(words("TRAITER|CLORE", "PROCESS"), Process, slots, about=words(
            "Clore la phase nommée sans attendre.", "Close the named phase without waiting any longer.")),
    )  # fmt: skip


def _found(desk: Desk, order: Process) -> list[list[DecisionRow]]:
    """The gates that the name means, if it is one that is asked now; raises Refused with the right name."""
    now = list(gates(desk).values())
    right = tuple(phase(desk, rows) for rows in now)
    if not now:
        raise Refused("nothing_asked")
    if not order.topic:
        raise Refused("phase_missing", phases=right)
    meant = [rows for rows in now if _is_meant(desk, order, rows)]
    if not meant:
        raise Refused("phase_stale", phases=right)
    return meant


def _is_meant(desk: Desk, order: Process, rows: Sequence[DecisionRow]) -> bool:
    gate = Gate.parse(rows[0].gate)
    if rows[0].asks != order.topic or (gate.turn is not None and order.turn != gate.turn):
        return False
    return order.entry == desk.game.entry if gate.recurs or order.entry is not None else True


def _forecast(desk: Desk, rows: Sequence[DecisionRow]) -> Said:
    """Who would be defaulted, and nothing else; of a choice in mid-turn it is not told whether it is on file."""
    owing = who(desk, (row for row in rows if row.answered_at is None))
    terms = {"phase": phase(desk, rows), "names": owing, "reaction": any(row.reaction for row in rows)}
    return Said("would_default" if owing else "all_answered", terms)


def look(desk: Desk, order: Look) -> Outcome:
    """What closing each open phase would bring: whose answers are missing."""
    found = tuple(_forecast(desk, rows) for rows in gates(desk).values())
    return Outcome(found or (Said("nothing_asked"),))


def _would_process(desk: Desk, order: Process) -> Outcome:
    found = _found(desk, order)
    still = watch(desk.session, desk.game, desk.now)
    if still.paused or pauses.paused(desk.session, desk.game.id) is not None:
        raise Refused("paused")
    if all(row.forced for rows in found for row in rows):
        raise Refused("phase_closing")
    return Outcome(tuple(_forecast(desk, rows) for rows in found))


def _process(desk: Desk, order: Process) -> Outcome:
    """Play closes the phase at once: who has not answered gets the default, and it is no miss of his."""
    said = _would_process(desk, order).said
    for rows in _found(desk, order):
        for row in rows:
            row.forced = True
    desk.game.play_wanted = desk.game.play_wanted or desk.now
    return Outcome(tuple(Said("processed", dict(one.terms)) for one in said))


# --- deadlines


def _extended(desk: Desk, order: Extend) -> dict[int, int]:
    span = order.many * (DAY_MS if order.unit == "days" else HOUR_MS)
    found = {row.id: max(row.due_at, desk.now) + span for row in blocking(desk) if row.due_at is not None}
    if not found:
        raise Refused("no_deadline")
    if max(found.values()) > desk.now + 2 * calendar.LONGEST_H * HOUR_MS:
        raise Refused("too_far", days=2 * calendar.LONGEST_H // 24)
    return found


def _would_extend(desk: Desk, order: Extend) -> Outcome:
    return Outcome((Said("deadline_will", {"moment": min(_extended(desk, order).values()) // 1000}),))


def _extend(desk: Desk, order: Extend) -> Outcome:
    return _set(desk, _extended(desk, order))


def _set(desk: Desk, due: dict[int, int]) -> Outcome:
    """Move the deadlines, and tell every seat its own."""
    before: dict[str, int] = {}
    for row in blocking(desk):
        if row.id in due:
            if row.due_at is not None:
                before[row.seat] = row.due_at
            gate_timing.set_due(desk.game, row, due[row.id])
    desk.session.flush()
    notifications.moved_to_all(desk.office, desk.session, desk.game, desk.mark, "master", before, who=desk.user.name)
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


def _deadlines(desk: Desk, order: Deadline) -> dict[int, int]:
    moment = moment_of(order.moment, desk.user.zone)
    if moment is None:
        raise Refused("no_moment", written=order.moment[:60])
    rows = blocking(desk)
    if not rows:
        raise Refused("nothing_asked")
    nearest = min((row.due_at for row in rows if row.due_at is not None), default=None)
    if moment < desk.now + SOONEST_MS and (nearest is None or moment < max(nearest, desk.now)):
        raise Refused("too_soon", hours=SOONEST_MS // HOUR_MS)
    if moment > desk.now + calendar.LONGEST_H * HOUR_MS:
        raise Refused("too_far", days=calendar.LONGEST_H // 24)
    return {row.id: moment for row in rows}


def _would_deadline(desk: Desk, order: Deadline) -> Outcome:
    return Outcome((Said("deadline_will", {"moment": min(_deadlines(desk, order).values()) // 1000}),))


def _deadline(desk: Desk, order: Deadline) -> Outcome:
    return _set(desk, _deadlines(desk, order))


# --- standing still


def _would_pause(desk: Desk, order: Pause) -> Outcome:
    if pauses.paused(desk.session, desk.game.id) is not None:
        raise Refused("paused_already")
    return Outcome((Said("would_pause"),))


def _pause(desk: Desk, order: Pause) -> Outcome:
    _would_pause(desk, order)
    pauses.carry_out(desk.office, desk.session, desk.game, pauses.PAUSE, desk.user.name)
    return Outcome((Said("paused"),), told=True, reason=order.reason)


def _would_resume(desk: Desk, order: Resume) -> Outcome:
    if pauses.paused(desk.session, desk.game.id) is None:
        raise Refused("not_paused")
    return Outcome((Said("would_resume"),))


def _resume(desk: Desk, order: Resume) -> Outcome:
    _would_resume(desk, order)
    pauses.carry_out(desk.office, desk.session, desk.game, pauses.RESUME, desk.user.name)
    return Outcome((Said("resumed"),), told=True)


def held(desk: Desk, seat: str) -> Outage | None:
    """The hold that a seat is in."""
    user = row_of(desk, seat).user_id
    lasting = Outage.game_id == desk.game.id, Outage.cause == HOLD, Outage.ended_at.is_(None)
    return desk.session.scalars(select(Outage).where(*lasting, Outage.user_id == user)).first()


def held_seats(desk: Desk) -> tuple[str, ...]:
    """All seats that are held."""
    return tuple(row.seat for row in seats(desk.session, desk.game.id) if row.user_id is not None
                 and held(desk, row.seat) is not None)  # fmt: skip


def _would_hold(desk: Desk, order: Hold) -> Outcome:
    if row_of(desk, order.seat).user_id is None:
        raise Refused("seat_empty", name=names(desk)[order.seat])
    if held(desk, order.seat) is not None:
        raise Refused("held_already", name=names(desk)[order.seat])
    return Outcome((Said("would_hold", {"name": names(desk)[order.seat]}),))


def _hold(desk: Desk, order: Hold) -> Outcome:
    _would_hold(desk, order)
    user = row_of(desk, order.seat).user_id
    desk.session.add(Outage(cause=HOLD, game_id=desk.game.id, user_id=user, began_at=desk.now, given=False,
                            who=desk.user.name))  # fmt: skip
    said = (Said("held", {"name": names(desk)[order.seat]}),)
    return Outcome(said, tells=said)


def _would_release(desk: Desk, order: Release) -> Outcome:
    if held(desk, order.seat) is None:
        raise Refused("not_held", name=names(desk)[order.seat])
    return Outcome((Said("would_release", {"name": names(desk)[order.seat]}),))


def _release(desk: Desk, order: Release) -> Outcome:
    """His time goes on, and what stood still of it is given back."""
    _would_release(desk, order)
    outage = held(desk, order.seat)
    if outage is not None:
        outage.ended_at = max(desk.now, outage.began_at)
        desk.game.look_at = desk.now
        give_back(desk.office, desk.session, outage)
    said = (Said("released", {"name": names(desk)[order.seat]}),)
    return Outcome(said)


_UNITS: Final = (
    Choice("hours", words("heures|heure|h", "hours|hour|h")),
    Choice("days", words("jours|jour|j", "days|day|d")),
)

register(Action("preview", one(Form(words("APERÇU", "PREVIEW"), Look, about=words(
    "Montrer qui n'a pas répondu et recevrait le choix par défaut.",
    "Show who has not answered and would get the default."))), look, look, looks=True))  # fmt: skip
register(Action("process", _process_forms, _would_process, _process, dangerous=True, second=True))
register(Action("extend", one(Form(words("PROLONGER", "EXTEND"), Extend, (
    Slot("many", "number", words("durée", "length"), low=1, high=2160),
    Slot("unit", "unit", words("unité", "unit"), _UNITS, optional=True, unsaid="hours"),
), about=words("Donner plus de temps à tous.", "Give everybody more time."))), _would_extend, _extend))  # fmt: skip
register(Action("deadline", one(Form(words("ÉCHÉANCE", "DEADLINE"), Deadline, (
    text_slot("moment", words("jour et heure", "day and time")),
), about=words("Fixer l'échéance, dans votre fuseau horaire.", "Set the deadline, in your time zone."))),
    _would_deadline, _deadline))  # fmt: skip
register(Action("pause", one(Form(words("PAUSE|SUSPENDRE", "PAUSE"), Pause, (
    text_slot("reason", words("raison", "reason"), optional=True),
), about=words(
    "Arrêter l'horloge de la table, pour un mois au plus.", "Stop the table's clock, for a month at most."))),
    _would_pause, _pause))  # fmt: skip
register(Action("resume", one(Form(words("REPRENDRE", "RESUME"), Resume, about=words(
    "Faire repartir l'horloge.", "Start the clock again."))), _would_resume, _resume))  # fmt: skip
register(Action("hold", of_seat(words("RETENIR|BLOQUER", "HOLD"), Hold, words(
    "Arrêter l'horloge d'une seule place.", "Stop the clock of one seat.")), _would_hold, _hold))  # fmt: skip
register(Action("release", of_seat(words("LIBÉRER|RELÂCHER", "RELEASE"), Release, words(
    "Faire repartir l'horloge d'une place.", "Start the clock of one seat again.")),
    _would_release, _release))  # fmt: skip

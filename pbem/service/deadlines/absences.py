"""Absences announced ahead: time away is not counted in any question put after it was announced.

The deadline that runs when an absence is announced never moves.
"""

import re
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from pbem.service.base.calendar import DAY_MS, Span
from pbem.service.base.services import Services
from pbem.store.models import Absence, User

MAX_PENDING = 3
MAX_DAYS = 30
MAX_DAYS_AHEAD = 400


class InvalidAbsence(Exception):
    """An absence that cannot stand; `code`: past, backwards, too_long, too_far, too_many, overlaps."""

    def __init__(self, code: str) -> None:
        """`code` names the reason."""
        super().__init__(code)
        self.code = code


def add_absence(services: Services, user_id: int, since: int, until: int) -> None:
    """Announce that a person will be away from one moment to another; raises NotAnAbsence, and then nothing changes."""
    with services.db.transaction() as session:
        add_absence_in_zone(services, session, user_id, since, until)


def add_absence_in_zone(services: Services, session: Session, user_id: int, since: int, until: int) -> None:
    """The same within a transaction.  One that has begun already is away from now on."""
    now = services.now()
    session.scalars(select(User).where(User.id == user_id).with_for_update()).one()
    since = max(since, now) if until > now else since
    pending = list(session.scalars(select(Absence).where(Absence.user_id == user_id, Absence.until > now)))
    wrong = {
        "past": until <= now,
        "backwards": until <= since,
        "too_long": until - since > MAX_DAYS * DAY_MS,
        "too_far": until > now + MAX_DAYS_AHEAD * DAY_MS,
        "too_many": len(pending) >= MAX_PENDING,
        "overlaps": any(since < other.until and until > other.since for other in pending),
    }
    code = next((code for code, is_so in wrong.items() if is_so), None)
    if code is not None:
        raise InvalidAbsence(code)
    session.add(Absence(user_id=user_id, since=since, until=until, made_at=now))


def cancel(services: Services, user_id: int, absence: int) -> bool:
    """Take an announced absence back; False if there is none.  Deadlines that it has set stay as they are."""
    with services.db.transaction() as session:
        gone = delete(Absence).where(Absence.id == absence, Absence.user_id == user_id).returning(Absence.id)
        return session.execute(gone).one_or_none() is not None


def periods(session: Session, user_id: int | None, now: int) -> Sequence[Span]:
    """When a person is away, from now on."""
    if user_id is None:
        return ()
    rows = select(Absence.since, Absence.until).where(Absence.user_id == user_id, Absence.until > now)
    return [(since, until) for since, until in session.execute(rows.order_by(Absence.since))]


def list_upcoming(services: Services, user_id: int) -> tuple[tuple[int, int, int], ...]:
    """A person's absences to come: number, from, until (milliseconds)."""
    with services.db.snapshot() as session:
        rows = select(Absence.id, Absence.since, Absence.until).where(
            Absence.user_id == user_id, Absence.until > services.now()
        )
        return tuple((a, b, c) for a, b, c in session.execute(rows.order_by(Absence.since)))


# --- by letter

_DAY = re.compile(r"\b(\d{4})-(\d{1,2})-(\d{1,2})\b|\b(\d{1,2})[/.](\d{1,2})[/.](\d{4})\b")


def parse_command(services: Services, session: Session, user: User, text: str, *, dry: bool = False) -> str:
    """ABSENT and two days (2027-07-01 or 1/7/2027, day before month), both included, by the player's own clocks.

    `done`, or `refused`, and then nothing changes.
    """
    days = [_parse_day(found) for found in _DAY.finditer(text)]
    known = [day for day in days if day is not None]
    if len(days) != 2 or len(known) != 2:
        return "refused"
    first, last = _midnight_ms(known[0], user.zone), _midnight_ms(known[1] + timedelta(days=1), user.zone)
    if dry:
        return "done" if services.now() < last and first < last else "refused"
    try:
        add_absence_in_zone(services, session, user.id, first, last)
    except InvalidAbsence:
        return "refused"
    return "done"


def _parse_day(found: re.Match[str]) -> date | None:
    """A day as it was written; None for one that no calendar has."""
    iso = [int(part) for part in found.groups()[:3] if part]
    numbers = iso or [int(part) for part in reversed(found.groups()[3:]) if part]
    try:
        return date(*numbers)
    except ValueError:
        return None


def _midnight_ms(day: date, zone: str) -> int:
    """When a day begins by a zone's clocks."""
    return int(datetime.combine(day, time(), ZoneInfo(zone)).timestamp()) * 1000

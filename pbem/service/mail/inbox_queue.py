"""Whose inbound emails are read next: work is owed to people, not to emails.

Those who sent emails take turns, and the emails of each are read in their order, by one worker at a time.  Of the first
emails of all senders those come first whose sender's emails took the least CPU time within this hour, then the small
ones; then the second ones.  Long ones are read alone, when nothing else waits.  A sender whose emails took more than
allowed waits for the next hour.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from time import thread_time
from typing import Final, cast

from sqlalchemy import BigInteger, Integer, Table, bindparam, func, select, update
from sqlalchemy.orm import Session

from pbem.common.states import InboundState
from pbem.service.base import limits
from pbem.service.base.services import Services
from pbem.service.mail.outbox import BATCH
from pbem.store.models import InboundEmail

PATIENCE_MS = 5_000
"""How long the sweep lets an email lie before it takes it for forgotten; each failure makes that four times longer."""


LOOKED_AT: Final = 3
"""So many times as many are looked at: other workers may be at those of the first senders."""

LONG_BYTES: Final = 16_000
"""An email of more than that takes long to read."""
LONG_SHARE: Final = 10
"""So do those of a sender whose emails took a tenth of what is allowed."""

CLAIM_S: Final = 15
"""How long a worker that died keeps the emails of a sender from the others."""


_CPU: Final = "email_cpu_ms"
_LETTERS = cast(Table, InboundEmail.__table__)
_OLDEST_FIRST = _LETTERS.c.received_at, _LETTERS.c.id
_TURNS = (
    select(
        _LETTERS.c.id,
        _LETTERS.c.payer,
        _LETTERS.c.size,
        _LETTERS.c.received_at,
        func.row_number().over(partition_by=_LETTERS.c.payer, order_by=_OLDEST_FIRST).label("turn"),
    )
    .where(_LETTERS.c.state == InboundState.RECEIVED, _LETTERS.c.due_at <= bindparam("now", type_=BigInteger))
    .subquery()
)
_WAITING = (
    select(_TURNS.c.id, _TURNS.c.payer, _TURNS.c.turn, _TURNS.c.size)
    .order_by(_TURNS.c.turn, _TURNS.c.received_at, _TURNS.c.id)
    .limit(bindparam("most", type_=Integer))
)


@dataclass(frozen=True)
class WaitingEmail:
    """An email that can be read now; `is_long`: it takes long to read."""

    id: str
    payer: str
    is_long: bool


def list_waiting(services: Services, most: int) -> Sequence[WaitingEmail]:
    """Emails that can be read now, by turns."""
    with services.db.read() as look:
        rows = look.execute(_WAITING, {"now": services.now(), "most": most}).all()
    payers = {row.payer for row in rows}
    spent = {one: limits.hit(services, _CPU, one, limits.HOUR_S, 0) if len(payers) > 1 else 0 for one in payers}
    much = limits.allowed(services, _CPU) // LONG_SHARE
    long = {row.id for row in rows if row.size > LONG_BYTES or spent[row.payer] > much}
    rows = sorted(rows, key=lambda row: (row.turn, row.id in long, spent[row.payer], row.size))
    return [WaitingEmail(row.id, row.payer, row.id in long) for row in rows]


def list_forgotten(services: Services, limit: int = BATCH) -> list[str]:
    """Emails that could have been read for a while, oldest first; one that failed is left alone longer each time."""
    forgotten = InboundEmail.state == InboundState.RECEIVED, InboundEmail.due_at < services.now() - PATIENCE_MS
    with services.db.snapshot() as session:
        found = select(InboundEmail.id).where(*forgotten).order_by(InboundEmail.received_at).limit(limit)
        return list(session.scalars(found))


class Turns:
    """The senders whose emails one worker reads, until it ends.

    `payers`: by email, in the order in which they were taken.  `spent`: seconds of CPU time by payer.
    """

    def __init__(self, services: Services) -> None:
        self.services = services
        self.payers: dict[str, str] = {}
        self.spent: dict[str, float] = {}
        self._passed: set[str] = set()

    def take(self, letter: str, payer: str) -> bool:
        """Take an email in hand, one of each sender; False if another worker is at those of its sender.

        It only spares work that would be done twice: whoever writes first has answered an email.
        """
        count = self.services.rate_counter
        if payer in self._passed or payer in self.spent:
            return False
        if count(_key(payer), CLAIM_S) > 1:
            count(_key(payer), CLAIM_S, -1)
            self._passed.add(payer)
            return False
        self.spent[payer] = 0.0
        self.payers[letter] = payer
        return True

    def is_over_budget(self, payer: str) -> bool:
        """Return True if the emails of a sender took more work within this hour than allowed."""
        return limits.excess(self.services, _CPU, payer, amount=0) > 0

    def postpone(self, session: Session, payer: str) -> None:
        """Let all emails of a sender that wait now wait for the next hour."""
        now = self.services.now()
        later = now + limits.retry_after_seconds(self.services, limits.HOUR_S) * 1000
        theirs = InboundEmail.payer == payer, InboundEmail.state == InboundState.RECEIVED, InboundEmail.due_at <= now
        session.execute(update(InboundEmail).where(*theirs).values(due_at=later))

    @contextmanager
    def charge(self, letter: str) -> Iterator[None]:
        """Count the CPU time that the block takes as that of the email's sender."""
        began = thread_time()
        try:
            yield
        finally:
            self.spent[self.payers[letter]] += thread_time() - began

    def end(self) -> None:
        """Let other workers at the emails of these senders, and count what they took."""
        for payer, seconds in self.spent.items():
            self.services.rate_counter(_key(payer), CLAIM_S, -1)
            limits.hit(self.services, _CPU, payer, limits.HOUR_S, max(1, round(1000 * seconds)))


def _key(payer: str) -> str:
    """Under what it is counted who reads the emails of a sender."""
    return f"reading/{payer}"

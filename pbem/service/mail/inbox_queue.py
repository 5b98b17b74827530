"""The queue of inbound emails: sealed and stored before they are accepted, and whose are read next.

Work is owed to people, not to emails. Those who sent emails take turns, and the emails of each are read in their order,
by one worker at a time.  Of the first emails of all senders those come first whose sender's emails took the least CPU
time within this hour, then the small ones; then the second ones.  Long ones are read alone, when nothing else waits.
A sender whose emails took more than allowed waits for the next hour.
"""

import hashlib
import logging
import re
import secrets
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import takewhile
from time import thread_time
from typing import Any, Final, Protocol, Self, cast

from sqlalchemy import BigInteger, Integer, Table, bindparam, func, insert, select, update
from sqlalchemy.orm import Session

from pbem.common.states import InboundState
from pbem.crypto import EmailContext, NonExportable
from pbem.crypto.encoding import Reader, encode_tuple, round_up
from pbem.crypto.keys import PAD_STEP
from pbem.service.base import limits
from pbem.service.base.services import Services
from pbem.service.mail import daily_keys
from pbem.service.mail.outbox import BATCH
from pbem.store.models import InboundEmail, InboundEmailBody

_LOG = logging.getLogger(__name__)
_NOBODY: Mapping[str, str] = {}

_BODY, _LONGEST_HEAD = re.compile(rb"\r?\n\r?\n"), 64_000


@dataclass(frozen=True, repr=False)
class RawMessage(NonExportable):
    """What the smtp process took in: the address that the envelope named, and the bytes.  Prints nothing.

    The address is sealed with the bytes: it lets anybody who knows it write in a player's or a master's name.
    """

    recipient: str
    raw: bytes

    def to_bytes(self) -> bytes:
        """What is sealed."""
        return encode_tuple("pbem letter in 1", self.recipient.encode("utf-8", "surrogateescape"), self.raw)

    def head(self) -> Self:
        """The same without its body."""
        return replace(self, raw=_BODY.split(self.raw, maxsplit=1)[0][:_LONGEST_HEAD])

    @classmethod
    def from_bytes(cls, blob: bytes) -> Self:
        """Read what `to_bytes` wrote; `TamperedError` if it is something else."""
        reader = Reader("letter taken in", "pbem letter in 1", blob)
        made = cls(reader.blob().decode("utf-8", "surrogateescape"), reader.blob())
        reader.expect_end()
        return made


class PendingEmail(Protocol):
    """An inbound email as it lies there."""

    @property
    def id(self) -> str: ...
    @property
    def null_sender(self) -> bool: ...
    @property
    def content_ciphertext(self) -> bytes | None: ...


def unseal_message(services: Services, row: PendingEmail, pairs: daily_keys.KeyPairs | None = None) -> RawMessage:
    """Open an email as the smtp process took it in; raises DecryptionError where its seal does not fit."""
    return RawMessage.from_bytes(
        daily_keys.unseal(services, EmailContext(row.id, daily_keys.ADDRESSED), row.content_ciphertext or b"", pairs)
    )


_EMAILS: Final = cast(Table, InboundEmail.__table__)
_INSERT = insert(_EMAILS)
_INSERT_BODY = insert(cast(Table, InboundEmailBody.__table__))


def store_message(
    services: Services,
    recipients: tuple[str, ...],
    raw: bytes,
    null_sender: bool = False,
    *,
    mark: str = "",
    payers: Mapping[str, str] = _NOBODY,
) -> tuple[str, ...]:
    """Store an email for each recipient; only then may it be accepted.  Returns the rows' ids.

    Emails that come at one moment are stored by one transaction.  `mark`: what was stored under it is not stored again;
    it must not be guessable.  `payers`: whose turn the email takes, by recipient.  Raises NoMailKey where there is
    nothing to seal it to yet: the other side comes again.
    """
    if services.smtp is None:
        raise LookupError("only the smtp process takes emails in")
    own = mark or secrets.token_hex(16)
    ids = {_next_id(own, one): one for one in dict.fromkeys(recipients)}
    inside = {letter: RawMessage(one, raw).to_bytes() for letter, one in ids.items()}
    with services.db.read() as connection:
        if mark:
            for letter in connection.scalars(select(InboundEmail.id).where(InboundEmail.id.in_(list(inside)))):
                del inside[letter]
        key = daily_keys.current_for_intake(services, connection) if inside else None
    sealed = (
        {one: key.seal(services, EmailContext(one, daily_keys.ADDRESSED), inside[one]) for one in inside} if key else {}
    )
    size, now = round_up(len(raw), PAD_STEP), services.now()
    common = {
        "received_at": now,
        "due_at": now,
        "null_sender": null_sender,
        "size": size,
        "state": InboundState.RECEIVED,
    }
    rows = [
        {"id": letter, "payer": payers.get(ids[letter], ""), "content_ciphertext": content, "daily_key_id": day}
        | common
        for letter, (content, day) in sealed.items()
    ]
    if rows:
        services.db.group_commit.write(rows, partial(_store, services))
    services.fault_point("intake.after_commit")
    for letter in inside:
        _LOG.info("a letter was taken in", extra={"letter": letter})
        services.enqueue("process_inbound_emails", "")
    services.fault_point("intake.enqueued")
    return tuple(inside)


def _next_id(mark: str, recipient: str) -> str:
    """The number of an email to one recipient: nobody who does not know the mark can tell to whom it is."""
    return hashlib.sha256(f"{mark} {recipient}".encode("utf-8", "surrogateescape")).hexdigest()[:32]


def _store(services: Services, rows: Sequence[dict[str, Any]]) -> None:
    contents = [
        {
            "email_key": row["id"],
            "content_ciphertext": row["content_ciphertext"],
            "daily_key_id": row["daily_key_id"],
        }
        for row in rows
    ]
    letters = [
        {name: value for name, value in row.items() if name not in ("content_ciphertext", "daily_key_id")}
        for row in rows
    ]
    with services.db.append_durably() as connection:
        connection.execute(_INSERT, letters)
        connection.execute(_INSERT_BODY, contents)
        services.fault_point("intake.before_commit")


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
_OLDEST_FIRST = _EMAILS.c.received_at, _EMAILS.c.id
_TURNS = (
    select(
        _EMAILS.c.id,
        _EMAILS.c.payer,
        _EMAILS.c.size,
        _EMAILS.c.received_at,
        func.row_number().over(partition_by=_EMAILS.c.payer, order_by=_OLDEST_FIRST).label("turn"),
    )
    .where(_EMAILS.c.state == InboundState.RECEIVED, _EMAILS.c.due_at <= bindparam("now", type_=BigInteger))
    .subquery()
)
_WAITING = (
    select(_TURNS.c.id, _TURNS.c.payer, _TURNS.c.turn, _TURNS.c.size)
    .order_by(_TURNS.c.turn, _TURNS.c.received_at, _TURNS.c.id)
    .limit(bindparam("most", type_=Integer))
)


@dataclass(frozen=True)
class WaitingEmail:
    """An email that can be read now.

    `is_long`: it takes long to read.  `is_over_budget`: its sender's took more work within this hour than allowed.
    """

    id: str
    payer: str
    is_long: bool
    is_over_budget: bool


def list_waiting(services: Services, most: int) -> Sequence[WaitingEmail]:
    """Emails that can be read now, by turns."""
    with services.db.read() as connection:
        rows = connection.execute(_WAITING, {"now": services.now(), "most": most}).all()
    spent = limits.count_hits(services, _CPU, sorted({row.payer for row in rows}), limits.HOUR_S)
    allowed = limits.allowed(services, _CPU)
    long = {row.id for row in rows if row.size > LONG_BYTES or spent[row.payer] > allowed // LONG_SHARE}
    rows = sorted(rows, key=lambda row: (row.turn, row.id in long, spent[row.payer], row.size))
    return [WaitingEmail(row.id, row.payer, row.id in long, spent[row.payer] > allowed) for row in rows]


def list_forgotten(services: Services) -> list[str]:
    """Emails that could have been read for a while, oldest first; one that failed is left alone longer each time."""
    forgotten = InboundEmail.state == InboundState.RECEIVED, InboundEmail.due_at < services.now() - PATIENCE_MS
    with services.db.snapshot() as session:
        found = select(InboundEmail.id).where(*forgotten).order_by(InboundEmail.received_at).limit(BATCH)
        return list(session.scalars(found))


class Turns:
    """The senders whose emails one worker reads, until it ends.

    `payers`: by email, in the order in which they were taken.  `spent`: seconds of CPU time by payer.
    """

    def __init__(self, services: Services) -> None:
        self.services = services
        self.payers: dict[str, str] = {}
        self.spent: dict[str, float] = {}

    def take(self, waiting: Sequence[WaitingEmail], most: int) -> list[WaitingEmail]:
        """Take emails in hand, one of each sender whose emails no other worker is at, or the first alone if it is long.

        It only spares work that would be done twice: whoever writes first has answered an email.
        """
        turns: dict[str, WaitingEmail] = {}
        for letter in waiting:
            turns.setdefault(letter.payer, letter)
        firsts, taken = list(turns.values()), list[WaitingEmail]()
        while firsts and len(taken) < most and not (taken and firsts[0].is_long):
            short = list(takewhile(lambda letter: not letter.is_long, firsts[: most - len(taken)]))
            asked = short or firsts[:1]
            del firsts[: len(asked)]
            counts = self.services.rate_counter.count_all([(_key(letter.payer), CLAIM_S, 1) for letter in asked])
            ours = [letter for letter, count in zip(asked, counts, strict=True) if count <= 1]
            others = [(_key(letter.payer), CLAIM_S, -1) for letter in asked if letter not in ours]
            self.services.rate_counter.count_all(others)
            taken += ours
        self.payers |= {letter.id: letter.payer for letter in taken}
        self.spent |= dict.fromkeys(self.payers.values(), 0.0)
        return taken

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

    def release(self, letters: Collection[str]) -> None:
        """Let other workers at the senders of these emails, and count what theirs took."""
        spent = {payer: self.spent.pop(payer) for payer in map(self.payers.pop, letters)}
        took = [
            limits.count_of(self.services, _CPU, payer, limits.HOUR_S, max(1, round(1000 * seconds)))
            for payer, seconds in spent.items()
            if seconds
        ]
        self.services.rate_counter.count_all([*((_key(payer), CLAIM_S, -1) for payer in spent), *took])

    def end(self) -> None:
        """Let other workers at all of them."""
        self.release(list(self.payers))


def _key(payer: str) -> str:
    """Under what it is counted who reads the emails of a sender."""
    return f"reading/{payer}"

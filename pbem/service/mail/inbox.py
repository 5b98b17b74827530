"""The inbox: emails taken in, claimed, answered, shunted; emails rendered once and sent until they are taken.

An inbound email is stored before it is accepted and its bytes are gone once it is done; an outbound email is one row
under one key, so however often a task runs there is one email, with one Message-ID and the same bytes.
"""

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Generic, Protocol, TypeVar, cast

from sqlalchemy import Integer, Table, bindparam, delete, or_, select, update
from sqlalchemy.orm import Session

from pbem.common.cpu_budget import BudgetExceeded
from pbem.common.states import InboundState
from pbem.crypto import CryptoError, DecryptionError, EmailContext, seal_quarantined
from pbem.service.base.database_access import retry_on_conflict
from pbem.service.base.services import ParsedEmail, RenderedEmail, Services
from pbem.service.mail import daily_keys
from pbem.service.mail.intake import PendingEmail, RawMessage, unseal_message
from pbem.service.mail.outbox import BATCH, defer_sealing
from pbem.store.identity_cache import cached
from pbem.store.models import InboundEmail, InboundEmailBody, OutboundEmail
from pbem.store.optimistic import SnapshotSession, WriteSet
from pbem.store.versions import ConflictError

Found = TypeVar("Found")

_LOG = logging.getLogger(__name__)

PATIENCE_MS = 5_000
"""How long the sweep lets an email lie before it takes it for forgotten; each failure makes that four times longer."""


MOST_TRIES = 5
"""After so many failures an inbound email is quarantined: it waits, sealed to the resolver, for a human to see it."""


MOST_SPENT = 2
"""Likewise after so many times that took too much work: a machine that stood still for a while looks the same."""


BATCH_SIZE = 8
"""Inbound emails that are read with the one that a task is for: they, too, are answered in one batch."""

LOOKED_AT = 3
"""So many times as many are looked at: other workers may have begun with the first of them."""


_ITS_OWN = InboundEmail.id == bindparam("letter")
_LETTERS = cast(Table, InboundEmail.__table__)
_STATE = select(_LETTERS.c.state).where(_LETTERS.c.id == bindparam("letter"))
_WITH_CONTENT = select(
    InboundEmail.id, InboundEmail.null_sender, InboundEmail.state, InboundEmailBody.content_ciphertext
).outerjoin(InboundEmailBody, InboundEmailBody.email_key == InboundEmail.id)
_LYING = (
    _WITH_CONTENT.where(InboundEmail.state == InboundState.RECEIVED, or_(_ITS_OWN, InboundEmail.attempts == 0))
    .order_by(_ITS_OWN.desc(), InboundEmail.received_at)
    .limit(bindparam("most", type_=Integer))
)


_DELIVER, _INGEST = ("send_outbound_emails", ""), ("process_inbound_email", "")


class EmailHandler(Protocol[Found]):
    """What understands emails and acts on them."""

    def known_addresses(self, services: Services, session: Session, recipients: Collection[str]) -> Collection[str]:
        """Those of these addresses that somebody has been given."""
        ...

    def parse(self, services: Services, taken_in: RawMessage, *, null_sender: bool, expected: bool) -> ParsedEmail:
        """Understand an email, outside of any transaction; raises BudgetExceeded for one that takes too much work."""
        ...

    def prefetch(self, session: Session, letters: Mapping[str, ParsedEmail]) -> None:
        """Read together what several emails are about."""
        ...

    def analyze(self, services: Services, session: Session, letter: ParsedEmail) -> Found:
        """Find out what an email comes to, on a look at one moment; raises BudgetExceeded."""
        ...

    def is_orders_only(self, found: Found) -> bool:
        """Return True if all that an email comes to is orders to be filed and a receipt: rows, and nothing else."""
        ...

    def handle(
        self,
        services: Services,
        session: Session,
        row: InboundEmail,
        letter: ParsedEmail,
        found: Found,
        *,
        last: bool = False,
    ) -> Sequence[tuple[str, str]]:
        """Act on an email within its transaction; returns whom to wake after it.

        If the email is `quarantined`, this only apologizes.  Raises ConflictError if what was found is outdated, except
        for the `last` time.
        """
        ...


class EmailSender(Protocol):
    """What finishes emails as they are laid out, and sends them."""

    def render(
        self, services: Services, session: Session, laid: Sequence[tuple[OutboundEmail, Any]], stamp: int
    ) -> list[tuple[str, RenderedEmail]]:
        """Finish emails, or seal them as they are; those that are finished, to be sent once that is written."""
        ...

    def send(self, services: Services, ready: Sequence[tuple[str, RenderedEmail]], stamp: int) -> bool:
        """Send them; False where some are left to a later task."""
        ...


def process_batch(services: Services, letter_id: str, reader: EmailHandler[Found], sender: EmailSender) -> bool:
    """Read an email and a few others; those alone where that one is done, or is read by another worker.

    One message stands for all emails that came while it lay there; False when there was nothing to do.
    """
    named = bool(letter_id) and process_email(services, letter_id, reader, BATCH_SIZE, sender)
    return named or process_email(services, "", reader, BATCH_SIZE, sender)


def process_email(
    services: Services,
    letter_id: str,
    reader: EmailHandler[Found],
    beside: int = 0,
    sender: EmailSender | None = None,
) -> bool:
    """Read one email, and act on it, once; False when there was nothing to do.  Without a number any that lies there.

    `beside`: so many others that lie there are read as well; where there are as many, more are asked for.  Those that
    bring orders and nothing else are filed and answered in one transaction, each other one in its own; a game or task
    that several of them wake is woken once.  What cannot be handled is tried again and then shunted; it never stops
    another email.  `sender`: finishes the receipts of those that are answered together, which go out at once.
    """
    batch = InboxBatch(services, reader, sender)
    try:
        lying = _list_pending(services, letter_id, beside + 1, reader)
        if len(lying[0]) > beside > 0:
            batch.wakes[_INGEST] = None
        _parse_all(batch, *lying)
        _answer_batch(batch)
        for letter in list(batch.left):
            _try_one(batch, letter, partial(_answer_locked, batch, letter))
    finally:
        for task, subject in batch.wakes:
            services.enqueue(task, subject)
    if sender is not None and batch.ready and not sender.send(services, batch.ready, batch.stamp):
        services.enqueue("send_outbound_emails", "")
    own = letter_id or next(iter(batch.failed), "")
    if own in batch.failed:
        raise batch.failed[own]
    if batch.done:
        services.fault_point("inbox.enqueued")
    return letter_id in batch.done if letter_id else bool(batch.done)


@dataclass
class InboxBatch(Generic[Found]):
    """Emails that are read together.

    `left`: those that were read and are not answered yet, the oldest first.  `found`: what was found of them.  `done`:
    those that this worker has answered.  `failed`: what those met that could not be handled.  `ready`: receipts that
    were kept finished, at `stamp`, and are to be sent.
    """

    services: Services
    reader: EmailHandler[Found]
    sender: EmailSender | None
    left: dict[str, ParsedEmail] = field(default_factory=dict)
    found: dict[str, Found] = field(default_factory=dict)
    done: set[str] = field(default_factory=set)
    failed: dict[str, Exception] = field(default_factory=dict)
    wakes: dict[tuple[str, str], None] = field(default_factory=dict)
    ready: Sequence[tuple[str, RenderedEmail]] = ()
    stamp: int = 0


def _try_one(batch: InboxBatch[Found], letter: str, work: Callable[[], None]) -> None:
    """Do something for one email; its failure is counted, and stops no other."""
    try:
        work()
    except Exception as error:  # noqa: BLE001 - told by its class, and raised again by the task of its email
        batch.left.pop(letter, None)
        batch.failed[letter] = error
        _record_failure(batch.services, letter, error, batch.reader)


def _list_pending(
    services: Services, letter_id: str, most: int, reader: EmailHandler[Found]
) -> tuple[Sequence[PendingEmail], Mapping[str, RawMessage | Exception], Collection[str]]:
    """An email that waits to be read, and others that nobody has read yet; what is in them; addresses that exist.

    Nothing where that one is done already.
    """
    opened, pairs = dict[str, RawMessage | Exception](), daily_keys.KeyPairs()
    if letter_id and not _is_pending(services, letter_id):
        return (), {}, ()
    with services.db.snapshot() as session:
        span = {"letter": letter_id, "most": most * LOOKED_AT if most > 1 else most}
        rows: Sequence[PendingEmail] = session.execute(_LYING, span).all()
        mine = bool(rows) and letter_id in ("", rows[0].id)
        if mine and most > 1:
            rows = _list_unclaimed(services, rows, letter_id, most)
        if not mine or not rows:
            return (), {}, ()
        for row in rows:
            try:
                opened[row.id] = unseal_message(services, row, pairs)
            except Exception as error:  # noqa: BLE001 - counted with its email
                opened[row.id] = error
        recipients = {one.recipient for one in opened.values() if isinstance(one, RawMessage)}
        return rows, opened, reader.known_addresses(services, session, recipients)


def _is_pending(services: Services, letter_id: str) -> bool:
    """Return True if nobody has answered it yet: often one task has answered the email of another."""
    with services.db.read() as look:
        return look.scalar(_STATE, {"letter": letter_id}) == InboundState.RECEIVED


def _list_unclaimed(services: Services, lying: Sequence[PendingEmail], letter_id: str, most: int) -> list[PendingEmail]:
    """So many emails that no other worker has begun to read just now; none where one has begun with the named one.

    It only spares work that would be done twice: whoever writes first has answered an email, whatever is counted here.
    """
    found = list[PendingEmail]()
    for row in lying:
        if services.rate_counter(f"reading/{row.id}", PATIENCE_MS // 1000) <= 1:
            found.append(row)
        elif row.id == letter_id:
            return []
        if len(found) == most:
            break
    return found


def _parse_all(
    batch: InboxBatch[Found],
    rows: Sequence[PendingEmail],
    opened: Mapping[str, RawMessage | Exception],
    expected: Collection[str],
) -> None:
    """Understand emails, each within a budget of its own."""

    def read(row: PendingEmail) -> None:
        inside = opened[row.id]
        if isinstance(inside, Exception):
            raise inside
        batch.services.fault_point("inbox.unsealed")
        known = inside.recipient in expected
        batch.left[row.id] = batch.reader.parse(batch.services, inside, null_sender=row.null_sender, expected=known)

    for row in rows:
        _try_one(batch, row.id, partial(read, row))


def _answer_batch(batch: InboxBatch[Found]) -> None:
    """File and answer all that bring orders and nothing else: on a snapshot, and written at once.

    Where that cannot be, or anything that was read has changed meanwhile, each is answered in its own transaction.  Of
    several emails to one address the first is looked at here: whether another one is the same, its answer shows.
    """
    services, reader = batch.services, batch.reader
    letters = {letter.token or number: number for number, letter in reversed(batch.left.items())}
    firsts = {number: batch.left[number] for number in reversed(letters.values())}
    if not firsts:
        return
    with services.db.prepare() as look:
        with suppress(DecryptionError):  # who is not believed is looked for alone
            reader.prefetch(look, firsts)
        for number, letter in firsts.items():
            _try_one(batch, number, partial(_analyze, batch, look, number, letter))
        together = [number for number, found in batch.found.items() if reader.is_orders_only(found)]
        answered = _answer_on_snapshot(batch, look, together)
    if answered is None:
        return
    try:
        with services.db.transaction() as session:
            _lock_pending(session, together)
            answered.prepared.apply(session)
            session.execute(delete(InboundEmailBody).where(InboundEmailBody.email_key.in_(together)))
            services.fault_point("inbox.before_commit")
    except ConflictError:
        return
    batch.ready, batch.stamp = answered.ready, answered.stamp
    _mark_processed(batch, together, answered.wakes)


def _analyze(batch: InboxBatch[Found], look: Session, number: str, letter: ParsedEmail) -> None:
    """What an email comes to; whatever goes wrong here with the look that it shares is seen again alone."""
    try:
        batch.found[number] = batch.reader.analyze(batch.services, look, letter)
    except BudgetExceeded:
        raise
    except Exception:  # noqa: BLE001 - of this look; it is looked at once more
        return


@dataclass(frozen=True)
class PreparedAnswer:
    """Emails that were answered on a look: what is to be written; whom to wake, and what to send, once it is."""

    prepared: WriteSet
    wakes: Sequence[tuple[str, str]]
    ready: Sequence[tuple[str, RenderedEmail]]
    stamp: int


def _answer_on_snapshot(
    batch: InboxBatch[Found], look: SnapshotSession, numbers: Sequence[str]
) -> PreparedAnswer | None:
    """Answer emails on a look; None where this cannot be."""
    if not numbers:
        return None
    services, sender, stamp = batch.services, batch.sender, batch.services.now()
    try:
        _prefetch_batch(look, numbers)
        laid = defer_sealing(look) if sender is not None else []
        woken = [_answer(batch, look, number, batch.found[number]) for number in numbers]
        ready = sender.render(services, look, laid, stamp) if sender is not None else []
        wakes = dict.fromkeys(wake for wakes in woken for wake in wakes or ())
        if len(ready) == len(laid) > 0:
            wakes.pop(_DELIVER, None)
        return PreparedAnswer(look.to_write_set(), list(wakes), ready, stamp) if None not in woken else None
    except Exception:  # noqa: BLE001 - whatever it is, it comes again in the transaction of the email that it is about
        return None


def _answer_locked(batch: InboxBatch[Found], number: str) -> None:
    """Answer an inbound email a transaction of its own; it is judged before that begins."""
    services, reader, letter = batch.services, batch.reader, batch.left[number]

    def answered(session: Session, found: Found, last: bool) -> Sequence[tuple[str, str]] | None:
        wakes = _answer(batch, session, number, found, last=last)
        if wakes is not None:
            session.execute(delete(InboundEmailBody).where(InboundEmailBody.email_key == number))
        services.fault_point("inbox.before_commit")
        return wakes

    consider = partial(reader.analyze, services, letter=letter)
    wakes = retry_on_conflict(services.db, consider, answered, batch.found.pop(number, None))
    if wakes is not None:
        _mark_processed(batch, [number], wakes)


def _answer(
    batch: InboxBatch[Found], session: Session, number: str, found: Found, *, last: bool = False
) -> Sequence[tuple[str, str]] | None:
    """Whom to wake when an email is answered; None where another worker was faster.  What was in it goes after that."""
    services = batch.services
    claimed = _claim(session, number)
    if claimed is None:
        return None
    services.fault_point("inbox.claimed")
    wakes = batch.reader.handle(services, session, claimed, batch.left[number], found, last=last)
    services.fault_point("inbox.answered")
    claimed.state = InboundState.PROCESSED
    return wakes


def _mark_processed(batch: InboxBatch[Found], numbers: Sequence[str], wakes: Sequence[tuple[str, str]]) -> None:
    """Emails are answered, and that is written."""
    batch.services.fault_point("inbox.after_commit")
    batch.done.update(numbers)
    batch.wakes.update(dict.fromkeys(wakes))
    for number in numbers:
        batch.left.pop(number, None)
        _LOG.info("a letter was dealt with", extra={"letter": number})


_ONE_WITH_CONTENT = _WITH_CONTENT.where(_ITS_OWN)
_LOCKED = select(InboundEmail).where(_ITS_OWN).with_for_update()
_THESE = InboundEmail.id.in_(bindparam("letters", expanding=True))
_ALL = select(InboundEmail).where(_THESE)
_ALL_PENDING = select(InboundEmail.id).where(_THESE, InboundEmail.state == InboundState.RECEIVED).with_for_update()


def _prefetch_batch(look: SnapshotSession, numbers: Sequence[str]) -> None:
    """Have several emails at hand; `_lock_pending` claims them in the transaction that answers them."""
    rows = {row.id: row for row in look.scalars(_ALL, {"letters": numbers})}
    for number in numbers:
        cached(look, InboundEmail, ("locked", number), partial(rows.get, number))


def _lock_pending(session: Session, numbers: Sequence[str]) -> None:
    """Lock emails that wait to be answered; raises ConflictError where another worker has answered one of them."""
    if len(session.scalars(_ALL_PENDING, {"letters": numbers}).all()) != len(numbers):
        raise ConflictError


def _claim(session: Session, letter_id: str) -> InboundEmail | None:
    """An email that waits to be answered, locked; None where another worker was faster."""

    def read() -> InboundEmail | None:
        return session.scalars(_LOCKED, {"letter": letter_id}).one_or_none()

    row = cached(session, InboundEmail, ("locked", letter_id), read)
    return row if row is not None and row.state == InboundState.RECEIVED else None


def _record_failure(services: Services, letter_id: str, error: Exception, reader: EmailHandler[Found]) -> None:
    """Count a failure; an email that failed for the last time is put aside."""
    with services.db.transaction() as session:
        row = _claim(session, letter_id)
        if row is None:
            return
        row.attempts += 1
        row.error, row.claimed_at = type(error).__name__[:80], services.now()
        last = row.attempts >= (MOST_SPENT if isinstance(error, BudgetExceeded) else MOST_TRIES)
    if last:
        _LOG.error("a letter was put aside (%s)", type(error).__name__, extra={"letter": letter_id})
        _quarantine(services, letter_id, reader)
    services.enqueue("send_outbound_emails", "")


def _quarantine(services: Services, letter_id: str, reader: EmailHandler[Found]) -> None:
    """Seal an email anew, so that the mailer can no longer read it, and tell its sender to send it again if we can."""
    with services.db.snapshot() as session:
        lying = session.execute(_ONE_WITH_CONTENT, {"letter": letter_id}).one_or_none()
    if lying is None or lying.state != InboundState.RECEIVED:
        return
    content, known = _reseal_for_resolver(services, lying, reader)
    with services.db.transaction() as session:
        claimed = _claim(session, letter_id)
        if claimed is None:
            return
        claimed.state = InboundState.QUARANTINED
        its = InboundEmailBody.email_key == letter_id
        session.execute(
            update(InboundEmailBody).where(its).values(content_ciphertext=content, daily_key_id=None)
            if content
            else delete(InboundEmailBody).where(its)
        )
        if known is not None:
            with suppress(Exception), session.begin_nested():
                reader.handle(services, session, claimed, *known)


def _reseal_for_resolver(
    services: Services, row: PendingEmail, reader: EmailHandler[Found]
) -> tuple[bytes, tuple[ParsedEmail, Found] | None]:
    """An email sealed to the resolver, and what its headers alone say and come to, by which its sender is told.

    Nothing of one that no role of ours wrote: there is nothing in it that anybody could read.
    """
    keys = services.mailer_keys
    try:
        taken_in = unseal_message(services, row)
    except CryptoError:
        return b"", None
    sealed = seal_quarantined(keys.resolver, keys.signing, EmailContext(row.id, "shunt"), taken_in.to_bytes())
    try:
        with services.db.snapshot() as session:
            expected = bool(reader.known_addresses(services, session, [taken_in.recipient]))
        whole = reader.parse(services, taken_in.head(), null_sender=row.null_sender, expected=expected)
        letter = replace(whole, lines=(), signature=(), body=())
        with services.db.snapshot() as session:
            return sealed, (letter, reader.analyze(services, session, letter))
    except Exception:  # noqa: BLE001 - not even its headers can be read: it is put aside in silence
        return sealed, None


def list_forgotten(services: Services, limit: int = BATCH) -> list[str]:
    """Emails taken in and forgotten, oldest first; one that failed is left alone longer each time."""
    now = services.now()
    with services.db.snapshot() as session:
        rows = session.execute(
            select(InboundEmail.id, InboundEmail.received_at, InboundEmail.claimed_at, InboundEmail.attempts)
            .where(InboundEmail.state == InboundState.RECEIVED, InboundEmail.received_at < now - PATIENCE_MS)
            .order_by(InboundEmail.received_at)
            .limit(20 * limit)
        )
        due = [row.id for row in rows if (row.claimed_at or row.received_at) < now - PATIENCE_MS * 4**row.attempts]
        return due[:limit]

"""The inbox: emails taken in, claimed, answered, quarantined; emails rendered once and sent until they are taken.

An inbound email is stored before it is accepted and its bytes are gone once it is done; an outbound email is one row
under one key, so however often a task runs there is one email, with one Message-ID and the same bytes.
"""

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

from sqlalchemy import bindparam, delete, select, update
from sqlalchemy.orm import Session

from pbem.common.cpu_budget import BudgetExceeded
from pbem.common.states import InboundState
from pbem.crypto import CryptoError, DecryptionError, EmailContext, seal_quarantined
from pbem.service.base.database_access import retry_on_conflict
from pbem.service.base.services import ParsedEmail, RenderedEmail, Services
from pbem.service.mail import daily_keys
from pbem.service.mail.inbox_queue import (
    LOOKED_AT,
    PATIENCE_MS,
    PendingEmail,
    RawMessage,
    Turns,
    list_waiting,
    unseal_message,
)
from pbem.service.mail.outbox import defer_sealing
from pbem.store.models import InboundEmail, InboundEmailBody, OutboundEmail
from pbem.store.optimistic import SnapshotSession, WriteSet
from pbem.store.query_cache import cached
from pbem.store.versions import ConflictError

Found = TypeVar("Found")

_LOG = logging.getLogger(__name__)

MOST_TRIES = 5
"""After so many failures an inbound email is quarantined: it waits, sealed to the resolver, for a human to see it."""


MOST_SPENT = 2
"""Likewise after so many times that took too much work: a machine that stood still for a while looks the same."""


BATCH_SIZE = 16
"""Inbound emails that are read together at most: they are answered in one batch."""

BATCH_S = 0.25
"""Seconds of CPU time after which no other email is read with those before it, so that others need not wait long."""

_ITS_OWN = InboundEmail.id == bindparam("letter")
_WITH_CONTENT = select(
    InboundEmail.id, InboundEmail.null_sender, InboundEmail.state, InboundEmailBody.content_ciphertext
).outerjoin(InboundEmailBody, InboundEmailBody.email_key == InboundEmail.id)
_DELIVER, _INGEST = ("send_outbound_emails", ""), ("process_inbound_emails", "")


class EmailHandler(Protocol[Found]):
    """What understands emails and acts on them."""

    def notify_postponed(self, services: Services, session: Session, recipient: str) -> None:
        """Tell who writes to an address, once in an hour, that their emails wait for the next."""
        ...

    def known_addresses(self, services: Services, session: Session, recipients: Collection[str]) -> Collection[str]:
        """Those of these addresses that somebody has been given."""
        ...

    def parse(self, services: Services, taken_in: RawMessage, *, null_sender: bool, expected: bool) -> ParsedEmail:
        """Understand an email, outside of any transaction; raises BudgetExceeded for one that takes too much work."""
        ...

    def prefetch(self, services: Services, session: Session, letters: Mapping[str, ParsedEmail]) -> None:
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
        self, services: Services, session: Session, drafts: Sequence[tuple[OutboundEmail, Any]], stamp: int
    ) -> list[tuple[str, RenderedEmail]]:
        """Finish emails, or seal them as they are; those that are finished, to be sent once that is written."""
        ...

    def send(self, services: Services, ready: Sequence[tuple[str, RenderedEmail]], stamp: int) -> bool:
        """Send them; False where some are left to a later task."""
        ...


def process_batch(
    services: Services, reader: EmailHandler[Found], sender: EmailSender | None = None, most: int = BATCH_SIZE
) -> bool:
    """Read some of the emails that wait, and act on each once; False when there was nothing to do.

    Those that bring orders and nothing else are filed and answered in one transaction, each other one in its own; a
    game or task that several of them wake is woken once.  Then another look is asked for.  What cannot be handled is
    tried again and then quarantined; it never stops another email, and the first failure is raised in the end.
    `sender`: finishes the receipts of those that are answered together, which go out at once.
    """
    batch = InboxBatch(services, reader, sender)
    try:
        _read_waiting(batch, most)
        _answer_batch(batch)
        for letter in list(batch.left):
            _try_one(batch, letter, partial(_answer_locked, batch, letter))
    finally:
        batch.turns.end()
        for task, subject in batch.wakes:
            services.enqueue(task, subject)
    if sender is not None and batch.ready and not sender.send(services, batch.ready, batch.stamp):
        services.enqueue("send_outbound_emails", "")
    if batch.failed:
        raise next(iter(batch.failed.values()))
    if batch.done:
        services.fault_point("inbox.enqueued")
    return bool(batch.done)


@dataclass
class InboxBatch(Generic[Found]):
    """Emails that are read together.

    `turns`: whose emails they are.  `left`: those that were read and are not answered yet, in this order.  `found`:
    what was found of them.  `done`: those that this worker has answered.  `failed`: what those met that could not be
    handled.  `ready`: receipts that were kept finished, at `stamp`, and are to be sent.
    """

    services: Services
    reader: EmailHandler[Found]
    sender: EmailSender | None
    turns: Turns = field(init=False)
    left: dict[str, ParsedEmail] = field(default_factory=dict)
    found: dict[str, Found] = field(default_factory=dict)
    done: set[str] = field(default_factory=set)
    failed: dict[str, Exception] = field(default_factory=dict)
    wakes: dict[tuple[str, str], None] = field(default_factory=dict)
    ready: Sequence[tuple[str, RenderedEmail]] = ()
    stamp: int = 0

    def __post_init__(self) -> None:
        self.turns = Turns(self.services)


def _try_one(batch: InboxBatch[Found], letter: str, work: Callable[[], None]) -> None:
    """Do something for one email; its failure is counted, and stops no other."""
    try:
        with batch.turns.charge(letter):
            work()
    except Exception as error:  # noqa: BLE001 - told by its class, and raised again by the task of its email
        batch.left.pop(letter, None)
        batch.failed[letter] = error
        _record_failure(batch.services, letter, error, batch.reader)


def _read_waiting(batch: InboxBatch[Found], most: int) -> None:
    """Understand emails that wait, by turns of their senders, each within a budget of its own.

    What takes long is read alone: nobody's receipt waits for it.
    """
    services, turns, pairs = batch.services, batch.turns, daily_keys.KeyPairs()
    waiting = list_waiting(services, most * LOOKED_AT)
    taken = turns.take(waiting, most)
    if not taken:
        return
    batch.wakes[_INGEST] = None
    if len(waiting) > 1:
        services.enqueue(*_INGEST)  # another worker can begin with those of others at once
    for letter in taken:
        if letter.is_over_budget:
            _postpone(batch, letter.id, pairs)
    _read(batch, [letter.id for letter in taken if not letter.is_over_budget], pairs)


OpenedEmail = tuple[PendingEmail, RawMessage]


def _read(batch: InboxBatch[Found], letters: Sequence[str], pairs: daily_keys.KeyPairs) -> None:
    """Understand emails, as far as it comes in a while; not those that another worker has answered meanwhile."""
    services, reader, opened = batch.services, batch.reader, dict[str, OpenedEmail]()
    with services.db.snapshot() as session:
        for row in session.execute(_WITH_CONTENT.where(_THESE), {"letters": letters}) if letters else ():
            if row.state == InboundState.RECEIVED:
                _try_one(batch, row.id, partial(_open, services, row, pairs, opened))
        expected = reader.known_addresses(services, session, {inside.recipient for _, inside in opened.values()})
        services.fault_point("inbox.unsealed")
        for place, number in enumerate(letters):
            if batch.left and sum(batch.turns.spent.values()) > BATCH_S:
                batch.turns.release(letters[place:])
                break
            if number in opened:
                _try_one(batch, number, partial(_understand, batch, *opened[number], expected))


def _open(services: Services, row: PendingEmail, pairs: daily_keys.KeyPairs, opened: dict[str, OpenedEmail]) -> None:
    opened[row.id] = row, unseal_message(services, row, pairs)


def _understand(batch: InboxBatch[Found], row: PendingEmail, inside: RawMessage, expected: Collection[str]) -> None:
    batch.left[row.id] = batch.reader.parse(
        batch.services, inside, null_sender=row.null_sender, expected=inside.recipient in expected
    )


def _postpone(batch: InboxBatch[Found], letter: str, pairs: daily_keys.KeyPairs) -> None:
    """Let the emails of a sender wait for the next hour; who it is is told once, if they are known."""
    services, recipient = batch.services, ""
    with services.db.snapshot() as snapshot, suppress(CryptoError):
        row = snapshot.execute(_ONE_WITH_CONTENT, {"letter": letter}).one_or_none()
        recipient = unseal_message(services, row, pairs).recipient if row is not None else ""
    with services.db.transaction() as session:
        batch.turns.postpone(session, batch.turns.payers[letter])
        batch.reader.notify_postponed(services, session, recipient)
    batch.wakes[_DELIVER] = None


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
    with services.db.prepare() as snapshot:
        with suppress(DecryptionError):  # who is not believed is looked for alone
            reader.prefetch(services, snapshot, firsts)
        for number, letter in firsts.items():
            _try_one(batch, number, partial(_analyze, batch, snapshot, number, letter))
        together = [number for number, found in batch.found.items() if reader.is_orders_only(found)]
        answered = _answer_on_snapshot(batch, snapshot, together)
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


def _analyze(batch: InboxBatch[Found], snapshot: Session, number: str, letter: ParsedEmail) -> None:
    """What an email comes to; whatever goes wrong here with the look that it shares is seen again alone."""
    try:
        batch.found[number] = batch.reader.analyze(batch.services, snapshot, letter)
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
    batch: InboxBatch[Found], snapshot: SnapshotSession, numbers: Sequence[str]
) -> PreparedAnswer | None:
    """Answer emails on a look; None where this cannot be."""
    if not numbers:
        return None
    services, sender, stamp = batch.services, batch.sender, batch.services.now()
    try:
        _prefetch_batch(snapshot, numbers)
        drafts = defer_sealing(snapshot) if sender is not None else []
        wakes: dict[tuple[str, str], None] = {}
        for number in numbers:
            woken = _answer(batch, snapshot, number, batch.found[number])
            if woken is None:
                return None
            wakes.update(dict.fromkeys(woken))
        ready = sender.render(services, snapshot, drafts, stamp) if sender is not None else []
        if len(ready) == len(drafts) > 0:
            wakes.pop(_DELIVER, None)
        return PreparedAnswer(snapshot.to_write_set(), list(wakes), ready, stamp)
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
    wakes = batch.reader.handle(services, session, claimed, found, last=last)
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


def _prefetch_batch(snapshot: SnapshotSession, numbers: Sequence[str]) -> None:
    """Have several emails at hand; `_lock_pending` claims them in the transaction that answers them."""
    rows = {row.id: row for row in snapshot.scalars(_ALL, {"letters": numbers})}
    for number in numbers:
        cached(snapshot, InboundEmail, ("locked", number), partial(rows.get, number))


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
        row.error, row.due_at = type(error).__name__[:80], services.now() + PATIENCE_MS * 4**row.attempts
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
    content, analyses = _reseal_for_resolver(services, lying, reader)
    with services.db.transaction() as session:
        claimed = _claim(session, letter_id)
        if claimed is None:
            return
        claimed.state = InboundState.QUARANTINED
        its = InboundEmailBody.email_key == letter_id
        if content:
            session.execute(update(InboundEmailBody).where(its).values(content_ciphertext=content, daily_key_id=None))
        else:
            session.execute(delete(InboundEmailBody).where(its))
        for found in analyses:
            with suppress(Exception), session.begin_nested():
                reader.handle(services, session, claimed, found)


def _reseal_for_resolver(
    services: Services, row: PendingEmail, reader: EmailHandler[Found]
) -> tuple[bytes, tuple[Found, ...]]:
    """An email sealed to the resolver, and what its headers come to, by which its sender is told, if they can be read.

    Nothing of one that no role of ours wrote: there is nothing in it that anybody could read.
    """
    keys = services.mailer_keys
    try:
        taken_in = unseal_message(services, row)
    except CryptoError:
        return b"", ()
    sealed = seal_quarantined(keys.resolver, keys.signing, EmailContext(row.id, "quarantined"), taken_in.to_bytes())
    try:
        with services.db.snapshot() as session:
            expected = bool(reader.known_addresses(services, session, [taken_in.recipient]))
        whole = reader.parse(services, taken_in.head(), null_sender=row.null_sender, expected=expected)
        letter = replace(whole, lines=(), signature=(), body=())
        with services.db.snapshot() as session:
            return sealed, (reader.analyze(services, session, letter),)
    except Exception:  # noqa: BLE001 - not even its headers can be read: it is put aside in silence
        return sealed, ()

"""The post: letters taken in, claimed, answered, shunted; letters rendered once and sent until they are taken.

A letter in is stored before it is accepted and its bytes are gone once it is done; a letter out is one row under one
key, so however often a task runs there is one letter, with one Message-ID and the same bytes.
"""

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Generic, Protocol, TypeVar, cast

from sqlalchemy import Integer, Table, bindparam, delete, or_, select, update
from sqlalchemy.orm import Session

from pbem.service.base.races import raced
from pbem.service.base.services import Arrived, Outgoing, Services
from pbem.service.post import day_keys
from pbem.service.post.outbox import BATCH, leave_unsealed
from pbem.service.post.taking_in import KIND, TakenIn
from pbem.states import LetterInState
from pbem.store.columns import Among, columns
from pbem.store.models import LetterIn, LetterInContent, LetterOut
from pbem.store.once import once
from pbem.store.preparing import Prepared, Preparing
from pbem.vault import LetterContext, Unopenable, VaultError, seal_shunt
from pbem.work import Overspent

Found = TypeVar("Found")

_LOG = logging.getLogger(__name__)

PATIENCE_MS = 5_000
"""How long the sweep lets a letter lie before it takes it for forgotten; each failure makes that four times longer."""


MOST_TRIES = 5
"""After so many failures a letter in is shunted: it waits, sealed to play, for a human to see that it is there."""


MOST_SPENT = 2
"""Likewise after so many times that took too much work: a machine that stood still for a while looks the same."""


BESIDE = 8
"""Letters in that are read with the one that a task is for: they, too, are answered in one batch."""

LOOKED_AT = 3
"""So many times as many are looked at: other workers may have begun with the first of them."""


_ITS_OWN = LetterIn.id == bindparam("letter")
_LETTERS = cast(Table, LetterIn.__table__)
_STATE = select(_LETTERS.c.state).where(_LETTERS.c.id == bindparam("letter"))
_WITH_CONTENT = select(LetterIn.id, LetterIn.null_sender, LetterIn.state, LetterInContent.content_sealed).outerjoin(
    LetterInContent, LetterInContent.letter == LetterIn.id
)
_LYING = (
    _WITH_CONTENT.where(LetterIn.state == LetterInState.STORED, or_(_ITS_OWN, LetterIn.tries == 0))
    .order_by(_ITS_OWN.desc(), LetterIn.received_at)
    .limit(bindparam("most", type_=Integer))
)


_DELIVER, _INGEST = ("deliver", ""), ("ingest", "")


class Lying(Protocol):
    """A letter in as it lies there."""

    @property
    def id(self) -> str: ...
    @property
    def null_sender(self) -> bool: ...
    @property
    def content_sealed(self) -> bytes | None: ...


class LetterReader(Protocol[Found]):
    """What understands letters and acts on them."""

    def expected(self, services: Services, session: Session, recipients: Collection[str]) -> Collection[str]:
        """Those of these addresses that somebody has been given."""
        ...

    def read(self, services: Services, taken_in: TakenIn, *, null_sender: bool, expected: bool) -> Arrived:
        """Understand a letter, outside of any transaction; raises Overspent for one that takes too much work."""
        ...

    def at_hand(self, session: Session, letters: Mapping[str, Arrived]) -> None:
        """Read together what several letters are about."""
        ...

    def consider(self, services: Services, session: Session, letter: Arrived) -> Found:
        """Find out what a letter comes to, on a look at one moment; raises Overspent."""
        ...

    def files_orders(self, found: Found) -> bool:
        """Return True if all that a letter comes to is orders to be filed and a receipt: rows, and nothing else."""
        ...

    def answer(
        self, services: Services, session: Session, row: LetterIn, letter: Arrived, found: Found, *, last: bool = False
    ) -> Sequence[tuple[str, str]]:
        """Act on a letter within its transaction; returns whom to wake after it.

        Once the letter's state is `shunted` this only says sorry.  Raises Outrun where what was found does not fit any
        more, but for the `last` time.
        """
        ...


class LetterSender(Protocol):
    """What finishes letters as they are laid out, and sends them."""

    def finish(
        self, services: Services, session: Session, laid: Sequence[tuple[LetterOut, Any]], stamp: int
    ) -> list[tuple[str, Outgoing]]:
        """Finish letters, or seal them as they are; those that are finished, to be sent once that is written."""
        ...

    def send(self, services: Services, ready: Sequence[tuple[str, Outgoing]], stamp: int) -> bool:
        """Send them; False where some are left to a later task."""
        ...


def ingest_any(services: Services, letter_id: str, reader: LetterReader[Found], sender: LetterSender) -> bool:
    """Read a letter and a few others; those alone where that one is done, or is read by another worker.

    One message stands for all letters that came while it lay there; False when there was nothing to do.
    """
    named = bool(letter_id) and ingest(services, letter_id, reader, BESIDE, sender)
    return named or ingest(services, "", reader, BESIDE, sender)


def ingest(
    services: Services,
    letter_id: str,
    reader: LetterReader[Found],
    beside: int = 0,
    sender: LetterSender | None = None,
) -> bool:
    """Read one letter, and act on it, once; False when there was nothing to do.  Without a number any that lies there.

    `beside`: so many others that lie there are read as well; where there are as many, more are asked for.  Those that
    bring orders and nothing else are filed and answered in one transaction, each other one in its own; a game or task
    that several of them wake is woken once.  What cannot be handled is tried again and then shunted; it never stops
    another letter.  `sender`: finishes the receipts of those that are answered together, which go out at once.
    """
    batch = _Batch(services, reader, sender)
    try:
        lying = _lying_there(services, letter_id, beside + 1, reader)
        if len(lying[0]) > beside > 0:
            batch.wakes[_INGEST] = None
        _read(batch, *lying)
        _answered_together(batch)
        for letter in list(batch.left):
            _tried(batch, letter, partial(_answered_alone, batch, letter))
    finally:
        for task, subject in batch.wakes:
            services.wake(task, subject)
    if sender is not None and batch.ready and not sender.send(services, batch.ready, batch.stamp):
        services.wake("deliver", "")
    own = letter_id or next(iter(batch.failed), "")
    if own in batch.failed:
        raise batch.failed[own]
    if batch.done:
        services.point("ingest.woken")
    return letter_id in batch.done if letter_id else bool(batch.done)


@dataclass
class _Batch(Generic[Found]):
    """Letters that are read together.

    `left`: those that were read and are not answered yet, the oldest first.  `found`: what was found of them.  `done`:
    those that this worker has answered.  `failed`: what those met that could not be handled.  `ready`: receipts that
    were kept finished, at `stamp`, and are to be sent.
    """

    services: Services
    reader: LetterReader[Found]
    sender: LetterSender | None
    left: dict[str, Arrived] = field(default_factory=dict)
    found: dict[str, Found] = field(default_factory=dict)
    done: set[str] = field(default_factory=set)
    failed: dict[str, Exception] = field(default_factory=dict)
    wakes: dict[tuple[str, str], None] = field(default_factory=dict)
    ready: Sequence[tuple[str, Outgoing]] = ()
    stamp: int = 0


def _tried(batch: _Batch[Found], letter: str, work: Callable[[], None]) -> None:
    """Do something for one letter; its failure is counted, and stops no other."""
    try:
        work()
    except Exception as error:  # noqa: BLE001 - told by its class, and raised again by the task of its letter
        batch.left.pop(letter, None)
        batch.failed[letter] = error
        _failed(batch.services, letter, error, batch.reader)


def _lying_there(
    services: Services, letter_id: str, most: int, reader: LetterReader[Found]
) -> tuple[Sequence[Lying], Mapping[str, TakenIn | Exception], Collection[str]]:
    """A letter that waits to be read, and others that nobody has read yet; what is in them; addresses that exist.

    Nothing where that one is done already.
    """
    opened, pairs = dict[str, TakenIn | Exception](), day_keys.Pairs()
    if letter_id and not _lies(services, letter_id):
        return (), {}, ()
    with services.db.reading() as session:
        span = {"letter": letter_id, "most": most * LOOKED_AT if most > 1 else most}
        rows: Sequence[Lying] = columns(session, _LYING, span)
        mine = bool(rows) and letter_id in ("", rows[0].id)
        if mine and most > 1:
            rows = _free(services, rows, letter_id, most)
        if not mine or not rows:
            return (), {}, ()
        for row in rows:
            try:
                opened[row.id] = _opened(services, row, pairs)
            except Exception as error:  # noqa: BLE001 - counted with its letter
                opened[row.id] = error
        recipients = {one.recipient for one in opened.values() if isinstance(one, TakenIn)}
        return rows, opened, reader.expected(services, session, recipients)


def _lies(services: Services, letter_id: str) -> bool:
    """Return True if nobody has answered it yet: often one task has answered the letter of another."""
    with services.db.looking() as look:
        return look.scalar(_STATE, {"letter": letter_id}) == LetterInState.STORED


def _free(services: Services, lying: Sequence[Lying], letter_id: str, most: int) -> list[Lying]:
    """So many letters that no other worker has begun to read just now; none where one has begun with the named one.

    It only spares work that would be done twice: whoever writes first has answered a letter, whatever is counted here.
    """
    found = list[Lying]()
    for row in lying:
        if services.count(f"reading/{row.id}", PATIENCE_MS // 1000) <= 1:
            found.append(row)
        elif row.id == letter_id:
            return []
        if len(found) == most:
            break
    return found


def _read(
    batch: _Batch[Found],
    rows: Sequence[Lying],
    opened: Mapping[str, TakenIn | Exception],
    expected: Collection[str],
) -> None:
    """Understand letters, each within a budget of its own."""

    def read(row: Lying) -> None:
        inside = opened[row.id]
        if isinstance(inside, Exception):
            raise inside
        batch.services.point("ingest.opened")
        known = inside.recipient in expected
        batch.left[row.id] = batch.reader.read(batch.services, inside, null_sender=row.null_sender, expected=known)

    for row in rows:
        _tried(batch, row.id, partial(read, row))


def _answered_together(batch: _Batch[Found]) -> None:
    """File and answer all that bring orders and nothing else: on a look, and written at once.

    Where that cannot be, or anything that was read has changed meanwhile, each is answered in its own transaction.  Of
    several letters to one address the first is looked at here: whether another one is the same, its answer shows.
    """
    services, reader = batch.services, batch.reader
    letters = {letter.token or number: number for number, letter in reversed(batch.left.items())}
    firsts = {number: batch.left[number] for number in reversed(letters.values())}
    if not firsts:
        return
    with services.db.preparing() as look:
        with suppress(Unopenable):  # who is not believed is looked for alone
            reader.at_hand(look, firsts)
        for number, letter in firsts.items():
            _tried(batch, number, partial(_considered, batch, look, number, letter))
        together = [number for number, found in batch.found.items() if reader.files_orders(found)]
        answered = _answered_on(batch, look, together)
    if answered is None:
        return
    with services.db.writing() as session:
        if not answered.prepared.write(session):
            return
        services.point("ingest.before_commit")
    batch.ready, batch.stamp = answered.ready, answered.stamp
    _is_done(batch, together, answered.wakes)


def _considered(batch: _Batch[Found], look: Session, number: str, letter: Arrived) -> None:
    """What a letter comes to; whatever goes wrong here with the look that it shares is seen again alone."""
    try:
        batch.found[number] = batch.reader.consider(batch.services, look, letter)
    except Overspent:
        raise
    except Exception:  # noqa: BLE001 - of this look; it is looked at once more
        return


@dataclass(frozen=True)
class _Answered:
    """Letters that were answered on a look: what is to be written; whom to wake, and what to send, once it is."""

    prepared: Prepared
    wakes: Sequence[tuple[str, str]]
    ready: Sequence[tuple[str, Outgoing]]
    stamp: int


def _answered_on(batch: _Batch[Found], look: Preparing, numbers: Sequence[str]) -> _Answered | None:
    """Answer letters on a look; None where this cannot be."""
    if not numbers:
        return None
    services, sender, stamp = batch.services, batch.sender, batch.services.now()
    try:
        _claimed_together(look, numbers)
        laid = leave_unsealed(look) if sender is not None else []
        woken = [_answered(batch, look, number, batch.found[number]) for number in numbers]
        look.execute(*_EMPTIED.of(numbers))
        ready = sender.finish(services, look, laid, stamp) if sender is not None else []
        wakes = dict.fromkeys(wake for wakes in woken for wake in wakes or ())
        if len(ready) == len(laid) > 0:
            wakes.pop(_DELIVER, None)
        return _Answered(look.prepared(), list(wakes), ready, stamp) if None not in woken else None
    except Exception:  # noqa: BLE001 - whatever it is, it comes again in the transaction of the letter that it is about
        return None


def _answered_alone(batch: _Batch[Found], number: str) -> None:
    """Answer a letter in a transaction of its own; it is judged before that begins."""
    services, reader, letter = batch.services, batch.reader, batch.left[number]

    def answered(session: Session, found: Found, last: bool) -> Sequence[tuple[str, str]] | None:
        wakes = _answered(batch, session, number, found, last=last)
        if wakes is not None:
            session.execute(*_EMPTIED.of([number]))
        services.point("ingest.before_commit")
        return wakes

    consider = partial(reader.consider, services, letter=letter)
    wakes = raced(services.db, consider, answered, batch.found.pop(number, None))
    if wakes is not None:
        _is_done(batch, [number], wakes)


def _answered(
    batch: _Batch[Found], session: Session, number: str, found: Found, *, last: bool = False
) -> Sequence[tuple[str, str]] | None:
    """Whom to wake when a letter is answered; None where another worker was faster.  What was in it goes after that."""
    services = batch.services
    claimed = _claimed(session, number)
    if claimed is None:
        return None
    services.point("ingest.claimed")
    wakes = batch.reader.answer(services, session, claimed, batch.left[number], found, last=last)
    services.point("ingest.answered")
    claimed.state = LetterInState.DONE
    return wakes


def _is_done(batch: _Batch[Found], numbers: Sequence[str], wakes: Sequence[tuple[str, str]]) -> None:
    """Letters are answered, and that is written."""
    batch.services.point("ingest.after_commit")
    batch.done.update(numbers)
    batch.wakes.update(dict.fromkeys(wakes))
    for number in numbers:
        batch.left.pop(number, None)
        _LOG.info("a letter was dealt with", extra={"letter": number})


_EMPTIED = Among(LetterInContent.letter, lambda these: delete(LetterInContent).where(these))
_ONE_WITH_CONTENT = _WITH_CONTENT.where(_ITS_OWN)
_LOCKED = select(LetterIn).where(_ITS_OWN).with_for_update()
_ALL_LOCKED = Among(LetterIn.id, lambda these: select(LetterIn).where(these).with_for_update())


def _claimed_together(session: Session, numbers: Sequence[str]) -> None:
    """Have several letters at hand, locked."""
    rows = {row.id: row for row in session.scalars(*_ALL_LOCKED.of(numbers))}
    for number in numbers:
        once(session, LetterIn, ("locked", number), partial(rows.get, number))


def _claimed(session: Session, letter_id: str) -> LetterIn | None:
    """A letter that waits to be answered, locked; None where another worker was faster."""

    def read() -> LetterIn | None:
        return session.scalars(_LOCKED, {"letter": letter_id}).one_or_none()

    row = once(session, LetterIn, ("locked", letter_id), read)
    return row if row is not None and row.state == LetterInState.STORED else None


def _opened(services: Services, row: Lying, pairs: day_keys.Pairs | None = None) -> TakenIn:
    """Open a letter as the door took it in; raises VaultError where its seal does not fit."""
    return TakenIn.from_bytes(day_keys.opened(services, LetterContext(row.id, KIND), row.content_sealed or b"", pairs))


def _failed(services: Services, letter_id: str, error: Exception, reader: LetterReader[Found]) -> None:
    """Count a failure; a letter that failed for the last time is put aside."""
    with services.db.writing() as session:
        row = _claimed(session, letter_id)
        if row is None:
            return
        row.tries += 1
        row.error, row.claimed_at = type(error).__name__[:80], services.now()
        last = row.tries >= (MOST_SPENT if isinstance(error, Overspent) else MOST_TRIES)
    if last:
        _LOG.error("a letter was put aside (%s)", type(error).__name__, extra={"letter": letter_id})
        _put_aside(services, letter_id, reader)
    services.wake("deliver", "")


def _put_aside(services: Services, letter_id: str, reader: LetterReader[Found]) -> None:
    """Seal a letter anew, so that post can no longer read it, and tell its sender to send it again if we can."""
    with services.db.reading() as session:
        lying = columns(session, _ONE_WITH_CONTENT, {"letter": letter_id})
    if not lying or lying[0].state != LetterInState.STORED:
        return
    content, known = _for_later(services, lying[0], reader)
    with services.db.writing() as session:
        claimed = _claimed(session, letter_id)
        if claimed is None:
            return
        claimed.state = LetterInState.SHUNTED
        its = LetterInContent.letter == letter_id
        session.execute(
            update(LetterInContent).where(its).values(content_sealed=content, day=None)
            if content
            else delete(LetterInContent).where(its)
        )
        if known is not None:
            with suppress(Exception), session.begin_nested():
                reader.answer(services, session, claimed, *known)


def _for_later(
    services: Services, row: Lying, reader: LetterReader[Found]
) -> tuple[bytes, tuple[Arrived, Found] | None]:
    """A letter sealed to play, and what its headers alone say and come to, by which its sender is told.

    Nothing of one that no role of ours wrote: there is nothing in it that anybody could read.
    """
    keys = services.posting
    try:
        taken_in = _opened(services, row)
    except VaultError:
        return b"", None
    sealed = seal_shunt(keys.play, keys.signing, LetterContext(row.id, "shunt"), taken_in.to_bytes())
    try:
        with services.db.reading() as session:
            expected = bool(reader.expected(services, session, [taken_in.recipient]))
        whole = reader.read(services, taken_in.head(), null_sender=row.null_sender, expected=expected)
        letter = replace(whole, lines=(), uncovered=(), signature=())
        with services.db.reading() as session:
            return sealed, (letter, reader.consider(services, session, letter))
    except Exception:  # noqa: BLE001 - not even its headers can be read: it is put aside in silence
        return sealed, None


def waiting(services: Services, limit: int = BATCH) -> list[str]:
    """Letters taken in and forgotten, oldest first; one that failed is left alone longer each time."""
    now = services.now()
    with services.db.reading() as session:
        rows = session.execute(
            select(LetterIn.id, LetterIn.received_at, LetterIn.claimed_at, LetterIn.tries)
            .where(LetterIn.state == LetterInState.STORED, LetterIn.received_at < now - PATIENCE_MS)
            .order_by(LetterIn.received_at)
            .limit(20 * limit)
        )
        due = [row.id for row in rows if (row.claimed_at or row.received_at) < now - PATIENCE_MS * 4**row.tries]
        return due[:limit]


# --- letters out

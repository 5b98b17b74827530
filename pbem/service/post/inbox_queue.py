"""The post: letters taken in, claimed, answered, shunted; letters rendered once and sent until they are taken.

A letter in is stored before it is accepted and its bytes are gone once it is done; a letter out is one row under one
key, so however often a task runs there is one letter, with one Message-ID and the same bytes.
"""

import re
import secrets
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Protocol, Self, TypeVar, cast

from sqlalchemy import Integer, Table, bindparam, delete, insert, select, update
from sqlalchemy.orm import Session

from pbem.service.base.races import raced_ahead
from pbem.service.base.services import Arrived, Services
from pbem.service.post import day_keys
from pbem.service.post.outbox import BATCH
from pbem.states import LetterInState
from pbem.store.models import LetterIn, LetterInContent
from pbem.vault import Guarded, LetterContext, VaultError, seal_shunt
from pbem.vault.fields import Reader, in_steps, pack
from pbem.vault.keys import PAD_STEP
from pbem.work import Overspent

Found = TypeVar("Found")

PATIENCE_MS = 5_000
"""How long the sweep lets a letter lie before it takes it for forgotten; each failure makes that four times longer."""


MOST_TRIES = 5
"""After so many failures a letter in is shunted: it waits, sealed to play, for a human to see that it is there."""


MOST_SPENT = 2
"""Likewise after so many times that took too much work: a machine that stood still for a while looks the same."""


ADDRESSED, UNADDRESSED = "addressed", "raw"
"""What is sealed of a letter in: its address and its bytes; of one that an earlier version took in, its bytes alone."""


BESIDE = 8
"""Letters in that are read with the one that a task is for: they, too, are answered in one batch."""


_UNREAD = (
    select(LetterIn.id)
    .where(LetterIn.state == LetterInState.STORED, LetterIn.tries == 0)
    .order_by(LetterIn.received_at)
    .limit(bindparam("most", type_=Integer))
)


_BODY, _LONGEST_HEAD = re.compile(rb"\r?\n\r?\n"), 64_000


@dataclass(frozen=True, repr=False)
class TakenIn(Guarded):
    """What the door took in: the address that the envelope named, and the bytes.  Prints nothing.

    The address is sealed with the bytes: it lets anybody who knows it write in a player's or a master's name.
    """

    recipient: str
    raw: bytes

    def to_bytes(self) -> bytes:
        """What is sealed."""
        return pack("pbem letter in 1", self.recipient.encode("utf-8", "surrogateescape"), self.raw)

    def head(self) -> Self:
        """The same without its body."""
        return replace(self, raw=_BODY.split(self.raw, maxsplit=1)[0][:_LONGEST_HEAD])

    @classmethod
    def from_bytes(cls, blob: bytes) -> Self:
        """Read what `to_bytes` wrote; `Tampered` if it is something else."""
        reader = Reader("letter taken in", "pbem letter in 1", blob)
        made = cls(reader.blob().decode("utf-8", "surrogateescape"), reader.blob())
        reader.done()
        return made


class LetterReader(Protocol[Found]):
    """What understands letters and acts on them."""

    def read(self, services: Services, taken_in: TakenIn, *, null_sender: bool) -> Arrived:
        """Understand a letter, outside of any transaction; raises Overspent for one that takes too much work."""
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


_TAKE_IN = insert(cast(Table, LetterIn.__table__))
_TAKE_CONTENT_IN = insert(cast(Table, LetterInContent.__table__))


def take_in(services: Services, recipients: tuple[str, ...], raw: bytes, null_sender: bool = False) -> tuple[str, ...]:
    """Store a letter for each recipient; only then may the door answer that it was taken.  Returns the rows' ids.

    Raises NoKey where there is nothing to seal it to yet: the other side comes again.
    """
    if services.door is None:
        raise LookupError("only the door takes letters in")
    inside = {secrets.token_hex(16): TakenIn(recipient, raw).to_bytes() for recipient in dict.fromkeys(recipients)}
    with services.db.reading() as session:  # sealed before the lock is taken
        sealed = {letter: _sealed(services, session, letter, content) for letter, content in inside.items()}
    size, now = in_steps(len(raw), PAD_STEP), services.now()
    common = {"received_at": now, "null_sender": null_sender, "size": size, "state": LetterInState.STORED}
    contents = [{"letter": letter, "content_sealed": bytes_, "day": day} for letter, (bytes_, day) in sealed.items()]
    with services.db.writing() as session:
        session.connection().execute(_TAKE_IN, [{"id": letter} | common for letter in sealed])
        session.connection().execute(_TAKE_CONTENT_IN, contents)
        services.point("door.before_commit")
    services.point("door.after_commit")
    for letter in inside:
        services.wake("ingest", letter)
    services.point("door.woken")
    return tuple(inside)


def _sealed(services: Services, session: Session, letter: str, content: bytes) -> tuple[bytes, int]:
    return day_keys.sealed(services, session, LetterContext(letter, ADDRESSED), content)


def ingest(services: Services, letter_id: str, reader: LetterReader[Found], beside: int = 0) -> bool:
    """Read one letter, and act on it, once, in one transaction; False when there was nothing to do.

    `beside`: so many others that lie there are read as well, each in its own transaction, and a game or task that
    several of them wake is woken once.  What cannot be handled is tried again and then shunted; it never stops another
    letter.
    """
    wakes: dict[tuple[str, str], None] = {}
    try:
        done = _tried(services, letter_id, reader, wakes)
        for other in _unread(services, beside) if done and beside else ():
            with suppress(Exception):  # counted, and left to its own task or the sweep
                _tried(services, other, reader, wakes)
    finally:
        for task, subject in wakes:
            services.wake(task, subject)
    if done:
        services.point("ingest.woken")
    return done


def _unread(services: Services, most: int) -> list[str]:
    """Letters that nobody has read yet, oldest first."""
    with services.db.reading() as session:
        return list(session.scalars(_UNREAD, {"most": most}))


def _tried(services: Services, letter_id: str, reader: LetterReader[Found], wakes: dict[tuple[str, str], None]) -> bool:
    try:
        found = _ingest(services, letter_id, reader)
    except Exception as error:
        _failed(services, letter_id, error, reader)
        raise
    wakes.update(dict.fromkeys(found or ()))
    return found is not None


def _ingest(services: Services, letter_id: str, reader: LetterReader[Found]) -> Sequence[tuple[str, str]] | None:
    """Whom to wake now that a letter is done; None when there was nothing to do.

    It is opened, read and judged before the transaction begins, and orders are filed and answered then: nobody waits
    for that.
    """
    lying = _lying(services, letter_id)
    if lying is None:
        return None
    row, sealed = lying
    taken_in = _opened(services, row, sealed)
    services.point("ingest.opened")
    letter = reader.read(services, taken_in, null_sender=row.null_sender)

    def answered(session: Session, found: Found, last: bool) -> Sequence[tuple[str, str]] | None:
        claimed = _claimed(session, letter_id)
        if claimed is None:
            return None
        services.point("ingest.claimed")
        wakes = reader.answer(services, session, claimed, letter, found, last=last)
        services.point("ingest.answered")
        claimed.state, claimed.recipient = LetterInState.DONE, ""
        session.execute(delete(LetterInContent).where(LetterInContent.letter == letter_id))
        return wakes

    wakes = raced_ahead(
        services.db,
        lambda session: reader.consider(services, session, letter),
        answered,
        reader.files_orders,
        lambda: services.point("ingest.before_commit"),
    )
    if wakes is not None:
        services.point("ingest.after_commit")
    return wakes


_ROW = select(LetterIn).where(LetterIn.id == bindparam("letter"))
_LYING = _ROW.outerjoin(LetterInContent, LetterInContent.letter == LetterIn.id).add_columns(
    LetterInContent.content_sealed
)


def _lying(services: Services, letter_id: str) -> tuple[LetterIn, bytes] | None:
    """A letter that waits to be read, and what is in it, sealed."""
    with services.db.reading() as session:
        found = session.execute(_LYING, {"letter": letter_id}).one_or_none()
    if found is None or found[0].state != LetterInState.STORED:
        return None
    return found[0], found[1] or b""


_LOCKED = _ROW.with_for_update()


def _claimed(session: Session, letter_id: str) -> LetterIn | None:
    """The same, locked; None where another worker was faster."""
    row = session.scalars(_LOCKED, {"letter": letter_id}).one_or_none()
    return row if row is not None and row.state == LetterInState.STORED else None


def _opened(services: Services, row: LetterIn, sealed: bytes) -> TakenIn:
    """What was taken in; a letter of an earlier version has its address beside it."""
    kind = UNADDRESSED if row.recipient else ADDRESSED
    inside = day_keys.opened(services, LetterContext(row.id, kind), sealed)
    return TakenIn(row.recipient, inside) if row.recipient else TakenIn.from_bytes(inside)


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
        _put_aside(services, letter_id, reader)
    services.wake("deliver", "")


def _put_aside(services: Services, letter_id: str, reader: LetterReader[Found]) -> None:
    """Seal a letter anew, so that post can no longer read it, and tell its sender to send it again if we can."""
    lying = _lying(services, letter_id)
    if lying is None:
        return
    content, known = _for_later(services, *lying, reader)
    with services.db.writing() as session:
        claimed = _claimed(session, letter_id)
        if claimed is None:
            return
        claimed.state, claimed.recipient = LetterInState.SHUNTED, ""
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
    services: Services, row: LetterIn, content: bytes, reader: LetterReader[Found]
) -> tuple[bytes, tuple[Arrived, Found] | None]:
    """A letter sealed to play, and what its headers alone say and come to, by which its sender is told.

    Nothing of one that no role of ours wrote: there is nothing in it that anybody could read.
    """
    keys = services.posting
    try:
        taken_in = _opened(services, row, content)
    except VaultError:
        return b"", None
    sealed = seal_shunt(keys.play, keys.signing, LetterContext(row.id, "shunt"), taken_in.to_bytes())
    try:
        whole = reader.read(services, taken_in.head(), null_sender=row.null_sender)
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

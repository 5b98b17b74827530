"""The post: letters taken in, claimed, answered, shunted; letters rendered once and sent until they are taken.

A letter in is stored before it is accepted and its bytes are gone once it is done; a letter out is one row under one
key, so however often a task runs there is one letter, with one Message-ID and the same bytes.
"""

import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Self

from sqlalchemy import Integer, bindparam, select
from sqlalchemy.orm import Session

from pbem.service.base.services import Services
from pbem.service.post.outbox import BATCH
from pbem.states import LetterInState
from pbem.store.models import LetterIn
from pbem.vault import Guarded, LetterContext, VaultError, open_letter, seal_letter, seal_shunt
from pbem.vault.fields import Reader, in_steps, pack
from pbem.vault.keys import PAD_STEP

PATIENCE_MS = 5_000
"""How long the sweep lets a letter lie before it takes it for forgotten; each failure makes that four times longer."""


MOST_TRIES = 5
"""After so many failures a letter in is shunted: it waits, sealed to play, for a human to see that it is there."""


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

    @classmethod
    def from_bytes(cls, blob: bytes) -> Self:
        """Read what `to_bytes` wrote; `Tampered` if it is something else."""
        reader = Reader("letter taken in", "pbem letter in 1", blob)
        made = cls(reader.blob().decode("utf-8", "surrogateescape"), reader.blob())
        reader.done()
        return made


Answer = Callable[[Services, Session, LetterIn, TakenIn], Sequence[tuple[str, str]]]
"""Acts on an opened letter within its transaction; returns what to wake after it.

Once the letter's state is `shunted` it only says sorry.
"""


def take_in(services: Services, recipients: tuple[str, ...], raw: bytes, null_sender: bool = False) -> tuple[str, ...]:
    """Store a letter for each recipient; only then may the door answer that it was taken.  Returns the rows' ids."""
    if services.door is None:
        raise LookupError("only the door takes letters in")
    made = []
    with services.db.writing() as session:
        for recipient in dict.fromkeys(recipients):
            letter = secrets.token_hex(16)
            context, inside = LetterContext(letter, ADDRESSED), TakenIn(recipient, raw).to_bytes()
            session.add(
                LetterIn(
                    id=letter,
                    received_at=services.now(),
                    null_sender=null_sender,
                    size=in_steps(len(raw), PAD_STEP),
                    state=LetterInState.STORED,
                    content_sealed=seal_letter(services.door.post, services.door.signing, context, inside),
                )
            )
            made.append(letter)
        services.point("door.before_commit")
    services.point("door.after_commit")
    for letter in made:
        services.wake("ingest", letter)
    services.point("door.woken")
    return tuple(made)


def ingest(services: Services, letter_id: str, answer: Answer, beside: int = 0) -> bool:
    """Read one letter and act on it, once, in one transaction; False when there was nothing to do.

    `beside`: so many others that lie there are read as well, each in its own transaction, and a game or task that
    several of them wake is woken once.  What cannot be handled is tried again and then shunted; it never stops another
    letter.
    """
    wakes: dict[tuple[str, str], None] = {}
    try:
        done = _tried(services, letter_id, answer, wakes)
        for other in _unread(services, beside) if done and beside else ():
            with suppress(Exception):  # counted, and left to its own task or the sweep
                _tried(services, other, answer, wakes)
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


def _tried(services: Services, letter_id: str, answer: Answer, wakes: dict[tuple[str, str], None]) -> bool:
    try:
        found = _ingest(services, letter_id, answer)
    except Exception as error:
        _failed(services, letter_id, type(error).__name__, answer)
        raise
    wakes.update(dict.fromkeys(found or ()))
    return found is not None


def _ingest(services: Services, letter_id: str, answer: Answer) -> Sequence[tuple[str, str]] | None:
    """Whom to wake now that a letter is done; None when there was nothing to do."""
    with services.db.writing() as session:
        row = session.scalars(select(LetterIn).where(LetterIn.id == letter_id).with_for_update()).one_or_none()
        if row is None or row.state != LetterInState.STORED:
            return None
        services.point("ingest.claimed")
        taken_in = _opened(services, row)
        services.point("ingest.opened")
        wakes = answer(services, session, row, taken_in)
        services.point("ingest.answered")
        row.state, row.content_sealed, row.recipient = LetterInState.DONE, b"", ""
        services.point("ingest.before_commit")
    services.point("ingest.after_commit")
    return wakes


def _opened(services: Services, row: LetterIn) -> TakenIn:
    """What was taken in; a letter of an earlier version has its address beside it."""
    keys = services.posting
    kind = UNADDRESSED if row.recipient else ADDRESSED
    inside = open_letter(keys.opening, keys.verify, LetterContext(row.id, kind), row.content_sealed).content
    return TakenIn(row.recipient, inside) if row.recipient else TakenIn.from_bytes(inside)


def _failed(services: Services, letter_id: str, error: str, answer: Answer) -> None:
    """Count a failure; after the last one, seal the letter anew so that post can no longer read it."""
    with services.db.writing() as session:
        row = session.get(LetterIn, letter_id)
        if row is None or row.state != LetterInState.STORED:
            return
        row.tries += 1
        row.error, row.claimed_at = error[:80], services.now()
        if row.tries >= MOST_TRIES:
            _shunt(services, session, row, answer)
    services.wake("deliver", "")


def _shunt(services: Services, session: Session, row: LetterIn, answer: Answer) -> None:
    """Put a letter aside, and tell its sender to send it again if even that can be found out."""
    keys = services.posting
    try:
        taken_in = _opened(services, row)
    except VaultError:  # no role of ours wrote it: there is nothing in it that anybody could read
        row.state, row.content_sealed, row.recipient = LetterInState.SHUNTED, b"", ""
        return
    row.content_sealed = seal_shunt(keys.play, keys.signing, LetterContext(row.id, "shunt"), taken_in.to_bytes())
    row.state, row.recipient = LetterInState.SHUNTED, ""
    with suppress(Exception), session.begin_nested():
        answer(services, session, row, taken_in)


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

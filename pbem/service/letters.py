"""The post: letters taken in, claimed, answered, shunted; letters rendered once and sent until they are taken.

A letter in is stored before it is accepted and its bytes are gone once it is done; a letter out is one row under one
key, so however often a task runs there is one letter, with one Message-ID and the same bytes.
"""

import hashlib
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from sqlalchemy import or_, select, update
from sqlalchemy.orm import Session

from engine.kernel.codec import dump, load
from pbem.service import reports
from pbem.service.office import Addressed, Office, Outgoing
from pbem.store.models import Game, LetterIn, LetterOut, User
from pbem.vault import LetterContext, VaultError, open_letter, seal_letter, seal_shunt

CLAIM_MS = 120_000
"""How long a claim holds: a worker that died with a letter in hand loses it after this."""

PATIENCE_MS = 5_000
"""How long the sweep lets a letter lie before it takes it for forgotten; each failure makes that four times longer."""

GIVEN_UP_MS = 5 * 24 * 3_600_000
"""After this long a letter that no relay would take is no longer tried (RFC 5321 §4.5.4.1)."""

UNWANTED: frozenset[str] = frozenset({"report", "started", "reminder", "joined"})
"""What somebody who muted his letters is not sent: all but answers to what he does, links, and the end of a game."""

MOST_TRIES = 5
"""After so many failures a letter in is shunted: it waits, sealed to play, for a human to see that it is there."""

BATCH = 50
"""Letters claimed at a time."""

Answer = Callable[[Office, Session, LetterIn, bytes], Sequence[tuple[str, str]]]
"""Acts on an opened letter within its transaction; returns what to wake after it.

Once the letter's state is `shunted` it only says sorry.
"""


def take_in(office: Office, recipients: tuple[str, ...], raw: bytes, null_sender: bool = False) -> tuple[str, ...]:
    """Store a letter for each recipient; only then may the door answer that it was taken.  Returns the rows' ids."""
    if office.door is None:
        raise LookupError("only the door takes letters in")
    made = []
    with office.db.writing() as session:
        for recipient in dict.fromkeys(recipients):
            letter = secrets.token_hex(16)
            context = LetterContext(letter, "raw")
            session.add(
                LetterIn(
                    id=letter,
                    received_at=office.now(),
                    recipient=recipient,
                    null_sender=null_sender,
                    size=len(raw),
                    state="stored",
                    content_sealed=seal_letter(office.door.post, office.door.signing, context, raw),
                )
            )
            made.append(letter)
        office.point("door.before_commit")
    office.point("door.after_commit")
    for letter in made:
        office.wake("ingest", letter)
    office.point("door.woken")
    return tuple(made)


def ingest(office: Office, letter_id: str, answer: Answer) -> bool:
    """Read one letter and act on it, once, in one transaction; False when there was nothing to do.

    What cannot be handled is tried again and then shunted; it never stops another letter.
    """
    try:
        return _ingest(office, letter_id, answer)
    except Exception as error:
        _failed(office, letter_id, type(error).__name__, answer)
        raise


def _ingest(office: Office, letter_id: str, answer: Answer) -> bool:
    with office.db.writing() as session:
        row = session.scalars(select(LetterIn).where(LetterIn.id == letter_id).with_for_update()).one_or_none()
        if row is None or row.state != "stored":
            return False
        office.point("ingest.claimed")
        raw = _opened(office, row)
        office.point("ingest.opened")
        wakes = answer(office, session, row, raw)
        office.point("ingest.answered")
        row.state, row.content_sealed = "done", b""
        office.point("ingest.before_commit")
    office.point("ingest.after_commit")
    for task, subject in wakes:
        office.wake(task, subject)
    office.point("ingest.woken")
    return True


def _opened(office: Office, row: LetterIn) -> bytes:
    keys = office.posting
    return open_letter(keys.opening, keys.verify, LetterContext(row.id, "raw"), row.content_sealed).content


def _failed(office: Office, letter_id: str, error: str, answer: Answer) -> None:
    """Count a failure; after the last one, seal the letter anew so that post can no longer read it."""
    with office.db.writing() as session:
        row = session.get(LetterIn, letter_id)
        if row is None or row.state != "stored":
            return
        row.tries += 1
        row.error, row.claimed_at = error[:80], office.now()
        if row.tries >= MOST_TRIES:
            _shunt(office, session, row, answer)
    office.wake("deliver", "")


def _shunt(office: Office, session: Session, row: LetterIn, answer: Answer) -> None:
    """Put a letter aside, and tell its sender to send it again if even that can be found out."""
    keys = office.posting
    try:
        raw = _opened(office, row)
    except VaultError:  # no office of ours wrote it: there is nothing in it that anybody could read
        row.state, row.content_sealed = "shunted", b""
        return
    row.content_sealed = seal_shunt(keys.play, keys.signing, LetterContext(row.id, "shunt"), raw)
    row.state = "shunted"
    with suppress(Exception), session.begin_nested():
        answer(office, session, row, raw)


def waiting(office: Office, limit: int = BATCH) -> list[str]:
    """Letters taken in and forgotten, oldest first; one that failed is left alone longer each time."""
    now = office.now()
    with office.db.reading() as session:
        rows = session.execute(
            select(LetterIn.id, LetterIn.received_at, LetterIn.claimed_at, LetterIn.tries)
            .where(LetterIn.state == "stored", LetterIn.received_at < now - PATIENCE_MS)
            .order_by(LetterIn.received_at)
            .limit(20 * limit)
        )
        due = [row.id for row in rows if (row.claimed_at or row.received_at) < now - PATIENCE_MS * 4**row.tries]
        return due[:limit]


# --- letters out


def draft(
    office: Office,
    session: Session,
    *,
    key: str,
    kind: str,
    facts: Any,
    user_id: int | None,
    game_id: str | None = None,
    seat: str | None = None,
    entry: int | None = None,
    since: int | None = None,
) -> None:
    """Lay a letter out, once under its key: a second call with the same key changes nothing."""
    if session.get(LetterOut, key) is not None:
        return
    keys = office.post or office.web or office.play
    if keys is None:
        raise LookupError("this process writes no letters")
    content = seal_letter(keys.post, keys.signing, LetterContext(key, "draft"), dump(facts).encode())
    now = office.now()
    session.add(
        LetterOut(
            key=key,
            kind=kind,
            game_id=game_id,
            seat=seat,
            user_id=user_id,
            entry=entry,
            since=since,
            state="draft",
            content_sealed=content,
            made_at=now,
            due_at=now,
        )
    )


def deliver(office: Office, limit: int = BATCH) -> int:
    """Render and send what is due; returns how many were dealt with.  A letter that fails waits longer each time."""
    keys, stamp = _claim(office, limit)
    office.point("deliver.claimed")
    for key in keys:
        try:
            _deliver(office, key, stamp)
        except Exception as error:  # noqa: BLE001 - whatever is wrong with one letter must not stop the others
            _later(office, key, type(error).__name__, final=False)
    return len(keys)


def _claim(office: Office, limit: int) -> tuple[list[str], int]:
    """Take letters in hand by a conditional update: two workers never hold the same one."""
    now = office.now()
    free = or_(LetterOut.claimed_at.is_(None), LetterOut.claimed_at < now - CLAIM_MS)
    with office.db.writing() as session:
        keys = list(
            session.scalars(
                select(LetterOut.key)
                .where(LetterOut.state.in_(("draft", "wire")), LetterOut.due_at <= now, free)
                .order_by(LetterOut.due_at)
                .limit(limit)
                .with_for_update(skip_locked=True)
            )
        )
        if keys:
            session.execute(update(LetterOut).where(LetterOut.key.in_(keys)).values(claimed_at=now))
    return keys, now


def _deliver(office: Office, key: str, stamp: int) -> None:
    message = _finished(office, key, stamp)
    if message is None or office.send is None:
        return
    office.point("deliver.kept")
    refused = office.send(message)
    office.point("deliver.sent")
    if refused is None:
        _sent(office, key)
        office.point("deliver.marked")
    else:
        _later(office, key, refused[1], final=refused[0])


def _finished(office: Office, key: str, stamp: int) -> Outgoing | None:
    """The finished message: rendered once, kept sealed, read again by every later try.

    None: it is not to be sent, or no longer ours, for the batch took so long that another worker has it in hand.
    Rendering holds no lock; what was rendered counts only if it could be kept.
    """
    keys = office.posting
    with office.db.reading() as session:
        row = session.get(LetterOut, key)
        if row is None or row.claimed_at != stamp or row.state not in ("draft", "wire") or office.write is None:
            return None
        content = open_letter(keys.opening, keys.verify, LetterContext(key, row.state), row.content_sealed).content
        if row.state == "draft":
            muted = row.kind in UNWANTED and _is_muted(session, row)
            message = None if muted else office.write(*_put_together(office, session, row, load(content)))
        else:
            kept: dict[str, Any] = load(content)
            message = Outgoing(kept["wire"], kept["sender"], kept["recipient"])
    office.point("deliver.rendered")
    return message if _kept(office, key, stamp, message) else None


def _is_muted(session: Session, row: LetterOut) -> bool:
    user = session.get(User, row.user_id) if row.user_id else None
    return user is not None and user.muted_at is not None


def _kept(office: Office, key: str, stamp: int, message: Outgoing | None) -> bool:
    """Keep the finished bytes, if the letter is still in our hands; from here on it is in them for a full claim."""
    keys = office.posting
    if message is None:
        values: dict[str, Any] = {"state": "muted", "content_sealed": b"", "claimed_at": None}
    else:
        kept = {"wire": message.wire, "sender": message.sender, "recipient": message.recipient}
        sealed = seal_letter(keys.post, keys.signing, LetterContext(key, "wire"), dump(kept).encode())
        values = {"state": "wire", "content_sealed": sealed, "claimed_at": office.now()}
    ours = (LetterOut.key == key, LetterOut.claimed_at == stamp, LetterOut.state.in_(("draft", "wire")))
    with office.db.writing() as session:
        found = session.execute(update(LetterOut).where(*ours).values(**values).returning(LetterOut.key))
        return found.one_or_none() is not None


def _put_together(office: Office, session: Session, row: LetterOut, content: Any) -> tuple[Any, Addressed]:
    """A letter's facts, and where it goes: the address of record, as it is now."""
    game = session.get(Game, row.game_id) if row.game_id else None
    user = session.get(User, row.user_id) if row.user_id else None
    token = None
    if isinstance(content, reports.ReportDraft) and game is not None and user is not None:
        token = content.token
        content = reports.report_facts(office, session, row, game, user, content)
    return content, _addressed(office, row, game, user, token, content)


def _addressed(
    office: Office, row: LetterOut, game: Game | None, user: User | None, token: str | None, facts: Any
) -> Addressed:
    reader = facts.frame.reader
    answer = str(facts.frame.links.answer)
    return Addressed(
        key=row.key,
        kind=row.kind,
        made_at=row.made_at,
        to_address=user.address if user else "",
        to_name=reader.name,
        language=reader.language,
        zone=reader.zone,
        game=game.id if game else None,
        table=game.name if game else None,
        title=game.title if game else None,
        seat=row.seat,
        token=token or (answer.partition("@")[0].partition("+")[2] or None),
        thread=f"{game.id}.thread" if game else None,
    )


def _sent(office: Office, key: str) -> None:
    """The relay has it: nothing of it stays here but that it went."""
    with office.db.writing() as session:
        session.execute(
            update(LetterOut)
            .where(LetterOut.key == key)
            .values(state="sent", sent_at=office.now(), content_sealed=b"", claimed_at=None, error=None)
        )


def _later(office: Office, key: str, error: str, *, final: bool) -> None:
    """Try again later, each time later; a final refusal ends it."""
    with office.db.writing() as session:
        row = session.get(LetterOut, key)
        if row is None or row.state == "sent":
            return
        row.tries += 1
        row.error, row.claimed_at = error[:80], None
        row.due_at = office.now() + min(1000 * 2 ** min(row.tries, 12), 3_600_000)
        if final or row.made_at < office.now() - GIVEN_UP_MS:
            row.state, row.content_sealed = "failed", b""
        user = session.get(User, row.user_id) if final and row.user_id else None
        if user is not None:
            user.bounced_at = office.now()


def fingerprint(token: str, message_id: str) -> str:
    """What makes a letter the same letter: its token and Message-ID, never anything of its text."""
    return hashlib.sha256(f"{token.lower()}\0{message_id}".encode("utf-8", "surrogatepass")).hexdigest()

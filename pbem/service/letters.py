"""The post: letters taken in, claimed, answered, shunted; letters rendered once and sent until they are taken.

A letter in is stored before it is accepted and its bytes are gone once it is done; a letter out is one row under one
key, so however often a task runs there is one letter, with one Message-ID and the same bytes.
"""

import hashlib
import secrets
from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import or_, select, update
from sqlalchemy.orm import Session

from engine.kernel.codec import dump, load
from pbem.service import reports
from pbem.service.office import Addressed, Office, Outgoing
from pbem.store.models import Game, LetterIn, LetterOut, User
from pbem.vault import LetterContext, open_letter, seal_letter, seal_shunt

CLAIM_MS = 120_000
"""How long a claim holds: a worker that died with a letter in hand loses it after this."""

MOST_TRIES = 5
"""After so many failures a letter in is shunted: it waits, sealed to play, for a human to see that it is there."""

BATCH = 50

Answer = Callable[[Office, Session, LetterIn, bytes], Sequence[tuple[str, str]]]
"""Acts on an opened letter within its transaction; returns what to wake after it."""

"""Letters claimed at a time."""


def take_in(office: Office, recipients: tuple[str, ...], raw: bytes, null_sender: bool = False) -> tuple[str, ...]:
    """Store a letter for each recipient; only then may the door answer that it was taken.  Returns the rows' ids."""
    if office.door is None:
        raise LookupError("only the door takes letters in")
    made = []
    with office.db.writing() as session:
        for recipient in recipients:
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
    return tuple(made)


def ingest(office: Office, letter_id: str, answer: Answer) -> bool:
    """Read one letter and act on it, once, in one transaction; False when there was nothing to do.

    What cannot be handled is tried again and then shunted; it never stops another letter.
    """
    try:
        return _ingest(office, letter_id, answer)
    except Exception as error:
        _failed(office, letter_id, type(error).__name__)
        raise


def _ingest(office: Office, letter_id: str, answer: Answer) -> bool:
    with office.db.writing() as session:
        row = session.scalars(select(LetterIn).where(LetterIn.id == letter_id).with_for_update()).one_or_none()
        if row is None or row.state != "stored":
            return False
        keys = office.posting
        raw = open_letter(keys.opening, keys.verify, LetterContext(row.id, "raw"), row.content_sealed).content
        office.point("ingest.opened")
        wakes = answer(office, session, row, raw)
        row.state, row.content_sealed = "done", b""
        office.point("ingest.before_commit")
    office.point("ingest.after_commit")
    for task, subject in wakes:
        office.wake(task, subject)
    return True


def _failed(office: Office, letter_id: str, error: str) -> None:
    """Count a failure; after the last one, seal the letter anew so that post can no longer read it."""
    with office.db.writing() as session:
        row = session.get(LetterIn, letter_id)
        if row is None or row.state != "stored":
            return
        row.tries += 1
        row.error = error
        if row.tries >= MOST_TRIES:
            _shunt(office, row)


def _shunt(office: Office, row: LetterIn) -> None:
    keys = office.posting
    raw = open_letter(keys.opening, keys.verify, LetterContext(row.id, "raw"), row.content_sealed).content
    row.content_sealed = seal_shunt(keys.play, keys.signing, LetterContext(row.id, "shunt"), raw)
    row.state = "shunted"


def waiting(office: Office, limit: int = BATCH) -> list[str]:
    """Letters taken in and not yet handled, oldest first: what the sweep finds when a task was lost."""
    with office.db.reading() as session:
        rows = session.scalars(
            select(LetterIn.id).where(LetterIn.state == "stored").order_by(LetterIn.received_at).limit(limit)
        )
        return list(rows)


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
            state="draft",
            content_sealed=content,
            made_at=now,
            due_at=now,
        )
    )


def deliver(office: Office, limit: int = BATCH) -> int:
    """Render and send what is due; returns how many were dealt with.  A letter that fails waits longer each time."""
    keys = _claim(office, limit)
    for key in keys:
        try:
            _deliver(office, key)
        except Exception as error:  # noqa: BLE001 - whatever is wrong with one letter must not stop the others
            _later(office, key, type(error).__name__, final=False)
    return len(keys)


def _claim(office: Office, limit: int) -> list[str]:
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
    return keys


def _deliver(office: Office, key: str) -> None:
    message = _rendered(office, key)
    office.point("deliver.rendered")
    if message is None or office.send is None:
        return
    refused = office.send(message)
    office.point("deliver.sent")
    if refused is None:
        _sent(office, key)
    else:
        _later(office, key, refused[1], final=refused[0])


def _rendered(office: Office, key: str) -> Outgoing | None:
    """The finished message: rendered once, kept sealed, read again by every later try."""
    keys = office.posting
    with office.db.writing() as session:
        row = session.get(LetterOut, key)
        if row is None or row.state not in ("draft", "wire") or office.write is None:
            return None
        content = open_letter(keys.opening, keys.verify, LetterContext(key, row.state), row.content_sealed).content
        if row.state == "wire":
            saved_message: dict[str, Any] = load(content)
            return Outgoing(saved_message["wire"], saved_message["sender"], saved_message["recipient"])
        facts, address = _put_together(office, session, row, load(content))
        message = office.write(facts, address)
        kept = {"wire": message.wire, "sender": message.sender, "recipient": message.recipient}
        row.content_sealed = seal_letter(keys.post, keys.signing, LetterContext(key, "wire"), dump(kept).encode())
        row.state = "wire"
    return message


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
        if final:
            row.state, row.content_sealed = "failed", b""


def fingerprint(token: str, message_id: str) -> str:
    """What makes a letter the same letter: its token and Message-ID, never anything of its text."""
    return hashlib.sha256(f"{token.lower()}\0{message_id}".encode("utf-8", "surrogatepass")).hexdigest()

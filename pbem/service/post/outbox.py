"""The outbox: a letter is one row under one key, laid out once."""

import hashlib
from typing import Any

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from engine.kernel.codec import dump
from pbem.addresses import takes_letters
from pbem.service.base.services import Services
from pbem.service.post import day_keys
from pbem.states import READY, LetterOutState
from pbem.store.models import LetterOut, User
from pbem.vault import LetterContext, seal_shunt

CLAIM_MS = 120_000
"""How long a claim holds: a worker that died with a letter in hand loses it after this."""


BATCH = 24
"""Letters claimed at a time."""


_UNSENT = LetterOut.state.in_(READY)


def draft(
    services: Services,
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
    waits: bool = False,
    hold_ms: int = 0,
) -> None:
    """Lay a letter out, once under its key: a second call with the same key changes nothing.  Raises NoKey.

    To who has no address it is a row without content, which says what they were told.

    `waits`: it is sealed to play, which completes it.  `hold_ms`: it goes out no earlier than after this time.
    """
    if _is_laid_out(session, key):
        return
    now = services.now()
    user = session.get(User, user_id) if user_id is not None else None
    if user is not None and not takes_letters(user.address):
        its = {"key": key, "kind": kind, "game_id": game_id, "seat": seat, "user_id": user_id, "entry": entry}
        silent = {"since": since, "state": LetterOutState.MUTED, "content_sealed": b"", "made_at": now, "due_at": now}
        session.add(LetterOut(**its, **silent))
        return
    content = dump(facts).encode()
    if waits:
        sealed, day = _sealed_to_play(services, key, content), None
    else:
        sealed, day = day_keys.sealed(services, session, LetterContext(key, LetterOutState.DRAFT), content)
    session.add(
        LetterOut(
            key=key,
            kind=kind,
            game_id=game_id,
            seat=seat,
            user_id=user_id,
            entry=entry,
            since=since,
            state=LetterOutState.WAITS if waits else LetterOutState.DRAFT,
            content_sealed=sealed,
            day=day,
            made_at=now,
            due_at=now + hold_ms,
        )
    )


_LAID_OUT = select(LetterOut).where(LetterOut.key == bindparam("key"))


def _is_laid_out(session: Session, key: str) -> bool:
    """Return True if a letter of this key is there; those that this transaction laid out are written at its end."""
    if any(isinstance(row, LetterOut) and row.key == key for row in session.new):
        return True
    with session.no_autoflush:
        return session.scalars(_LAID_OUT, {"key": key}).one_or_none() is not None


def _sealed_to_play(services: Services, key: str, content: bytes) -> bytes:
    keys = services.accepting
    return seal_shunt(keys.play, keys.signing, LetterContext(key, "waits"), content)


def fingerprint(token: str, message_id: str) -> str:
    """What makes a letter the same letter: its token and Message-ID, never anything of its text."""
    return hashlib.sha256(f"{token.lower()}\0{message_id}".encode("utf-8", "surrogatepass")).hexdigest()


def sent_as(session: Session, message_id: str, domain: str) -> LetterOut | None:
    """Our letter of this Message-ID; None for any other."""
    key, _, where = message_id.strip("<>").rpartition("@")
    if where.lower() != domain.lower() or not key:
        return None
    shorter = key.rpartition(".")[0]  # without what sets it apart from those of a copy that was put back
    return session.get(LetterOut, key) or (session.get(LetterOut, shorter) if shorter else None)

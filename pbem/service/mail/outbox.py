"""The outbox: an email is one row under one key, laid out once.

Also when an email that was not taken is sent again.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import ColumnElement, bindparam, delete, select, update
from sqlalchemy.orm import Session

from engine.kernel.codec import dump
from pbem.common.addresses import can_receive_email
from pbem.common.states import READY, UNSENT, OutboundState
from pbem.crypto import EmailContext, seal_quarantined
from pbem.service.base.calendar import HOUR_MS
from pbem.service.base.services import DeliveryFailure, Services
from pbem.service.mail import daily_keys
from pbem.store.models import OutboundEmail, OutboundEmailBody, User

CLAIM_MS = 120_000
"""How long a claim holds: a worker that died with an email in hand loses it after this."""


BATCH = 24
"""Emails claimed at a time."""


_UNSENT = OutboundEmail.state.in_(READY)


def enqueue(
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
    """Lay an outbound email, once under its key: a second call with the same key changes nothing.  Raises NoMailKey.

    To who has no address it is a row without content, which says what they were told.

    `waits`: it is sealed to the resolver, which completes it.  `hold_ms`: it goes out no earlier than after this time.
    """
    if _is_enqueued(session, key):
        return
    now = services.now()
    user = session.get(User, user_id) if user_id is not None else None
    state = OutboundState.HELD if waits else OutboundState.QUEUED
    if user is not None and not can_receive_email(user.email):
        state = OutboundState.SUPPRESSED
    row = OutboundEmail(
        key=key,
        kind=kind,
        game_id=game_id,
        seat=seat,
        user_id=user_id,
        entry=entry,
        from_entry=since,
        state=state,
        created_at=now,
        due_at=now + hold_ms,
    )
    unsealed = session.info.get(_UNSEALED)
    if state == OutboundState.HELD:
        sealed = _seal_for_resolver(services, key, dump(facts).encode())
        session.add(OutboundEmailBody(email_key=key, content_ciphertext=sealed))
    elif state == OutboundState.QUEUED and unsealed is not None and not hold_ms:
        unsealed.append((row, facts))
    elif state == OutboundState.QUEUED:
        seal(services, session, row, facts)
    session.add(row)
    session.info.get(_PREFETCHED, {}).pop(key, None)


def seal(services: Services, session: Session, row: OutboundEmail, facts: Any) -> None:
    """Seal what an email that is laid out holds, to the mailer's key of today."""
    context = EmailContext(row.key, OutboundState.QUEUED)
    sealed, day = daily_keys.seal_for_mailer(services, session, context, dump(facts).encode())
    session.add(OutboundEmailBody(email_key=row.key, content_ciphertext=sealed, daily_key_id=day))


_UNSEALED: Final = "letters not sealed yet"


def defer_sealing(session: Session) -> list[tuple[OutboundEmail, Any]]:
    """Emails laid out from now on, with their facts: it is for the caller to seal them, finished or as they are."""
    found: list[tuple[OutboundEmail, Any]] = session.info.setdefault(_UNSEALED, [])
    return found


_ENQUEUED = select(OutboundEmail).where(OutboundEmail.key == bindparam("key"))
_ANY = select(OutboundEmail.key).where(OutboundEmail.key.in_(bindparam("keys", expanding=True)))
_PREFETCHED: Final = "letters looked for"
"""Where a session has which keys were looked for together, and whether an email lay there."""


def prefetch_existing(session: Session, keys: Collection[str]) -> None:
    """See in one statement which emails lie there already, of several that may be laid out now."""
    with session.no_autoflush:
        there = set(session.scalars(_ANY, {"keys": list(keys)}))
    session.info.setdefault(_PREFETCHED, {}).update({key: key in there for key in keys})


def _is_enqueued(session: Session, key: str) -> bool:
    """Return True if an email of this key is there; those that this transaction laid out are written at its end."""
    looked_for: Mapping[str, bool] = session.info.get(_PREFETCHED, {})
    if key in looked_for:
        return looked_for[key]
    if any(isinstance(row, OutboundEmail) and row.key == key for row in session.new):
        return True
    with session.no_autoflush:
        return session.scalars(_ENQUEUED, {"key": key}).one_or_none() is not None


def _seal_for_resolver(services: Services, key: str, content: bytes) -> bytes:
    keys = services.order_keys
    return seal_quarantined(keys.resolver, keys.signing, EmailContext(key, "held"), content)


_CONTENTS = select(OutboundEmailBody.email_key, OutboundEmailBody.content_ciphertext).where(
    OutboundEmailBody.email_key.in_(bindparam("keys", expanding=True))
)


def load_bodies(session: Session, keys: Sequence[str]) -> Mapping[str, bytes]:
    """What is in emails, sealed, by their keys; nothing of those that are done."""
    rows: Sequence[Any] = session.execute(_CONTENTS, {"keys": list(keys)}).all() if keys else ()
    return dict(rows)


def suppress(session: Session, *letters: ColumnElement[bool], states: Sequence[OutboundState] = UNSENT) -> None:
    """Let emails in these states not go out; `letters`: which ones, by what stays as it is."""
    silent = {"state": OutboundState.SUPPRESSED, "claimed_at": None}
    session.execute(update(OutboundEmail).where(*letters, OutboundEmail.state.in_(states)).values(silent))
    muted = select(OutboundEmail.key).where(*letters, OutboundEmail.state == OutboundState.SUPPRESSED)
    session.execute(delete(OutboundEmailBody).where(OutboundEmailBody.email_key.in_(muted)))


def find_by_message_id(session: Session, message_id: str, domain: str) -> OutboundEmail | None:
    """Our email of this Message-ID; None for any other."""
    key, _, where = message_id.strip("<>").rpartition("@")
    if where.lower() != domain.lower() or not key:
        return None
    shorter = key.rpartition(".")[0]  # without what sets it apart from those of a copy that was put back
    return session.get(OutboundEmail, key) or (session.get(OutboundEmail, shorter) if shorter else None)


def backoff_seconds(tries: int) -> int:
    """How long an email waits after so many tries."""
    return min(1000 << min(tries, 12), 3_600_000)


LONE_TRIES: Final = 10
"""So often, for half an hour, an email is tried that is refused for a plain reason while nobody else is sent any."""
STRETCH_MS: Final = HOUR_MS
"""Refusals of several people within this time are the fault of the relay, if it takes no others."""


def is_recipient_specific(session: Session, row: OutboundEmail, refused: DeliveryFailure) -> bool:
    """Return True if a refusal is about its recipient alone; a relay at fault names the same reason to everybody.

    It is, where the relay took an email to somebody else since it refused this one for the same reason.  Where nobody
    else is written to, a plain reason is believed after a while.
    """
    if row.attempts == 0 or row.error != refused.reason:
        return False
    since = row.due_at - backoff_seconds(row.attempts)
    others = OutboundEmail.user_id.is_distinct_from(row.user_id)
    if session.scalar(select(OutboundEmail.key).where(others, OutboundEmail.sent_at > since).limit(1)) is not None:
        return True
    turned_away = OutboundEmail.state.in_((*READY, OutboundState.REFUSED)), OutboundEmail.error == refused.reason
    lately = OutboundEmail.due_at > since - STRETCH_MS
    alone = session.scalar(select(OutboundEmail.key).where(others, *turned_away, lately).limit(1)) is None
    return refused.is_permanent and alone and row.attempts >= LONE_TRIES


def retry_refused(session: Session, now: int) -> int:
    """Send what was refused before, at once instead of at its next time; how many emails that is."""
    refused = OutboundEmail.state.in_(READY), OutboundEmail.error.is_not(None)
    due = update(OutboundEmail).where(*refused).values(due_at=now, attempts=0).returning(OutboundEmail.key)
    return len(session.scalars(due).all())

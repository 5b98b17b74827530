"""What emails are sealed to: the newest of the mailer's keys, which live a day.

The public half is a row that the mailer signs, the private half a file that only it reads (`pbem.crypto.daily_keys`).

An email refers to its key's row, so the database keeps that as long as an email needs it, and refuses one that is
sealed as its
key goes.

A new key is made each day, emails that wait are sealed anew to it, and the old one is destroyed with its last email.
Each step may be cut short: a private half without a row is destroyed at the next turn, and a row never goes before its
last email.  One worker at a time does this.
"""

import logging
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, cast

from sqlalchemy import Connection, Row, Table, delete, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pbem.common.outage_log import OutageLog
from pbem.crypto import (
    DecryptionError,
    EmailContext,
    KeyFileError,
    MailerKey,
    MailerPublicKey,
    TamperedError,
    seal_email,
    unseal_email,
)
from pbem.crypto.keys import recipient_key_id
from pbem.service.base.calendar import DAY_MS, MINUTE_MS
from pbem.service.base.services import NoMailKey, Services
from pbem.service.game.clock_state import RESTORED
from pbem.store.models import DailyKey, Heartbeat, InboundEmailBody, OutboundEmail, OutboundEmailBody
from pbem.store.query_cache import cached
from pbem.store.row_signatures import SIGNER_KEY, RowSigner

_KEYS, _BEATS = cast(Table, DailyKey.__table__), cast(Table, Heartbeat.__table__)
_MARK = select(_BEATS.c.beat_at).where(_BEATS.c.name == RESTORED)
_NEWEST = select(_KEYS, _MARK.scalar_subquery().label("put_back")).order_by(_KEYS.c.id.desc()).limit(1)

ADDRESSED: Final = "addressed"
"""The kind of an inbound email, in the context of its seal: its address and its bytes."""


@dataclass(frozen=True)
class Key:
    """The public half of a key pair of the mailer, the number of its row, and when it was made."""

    id: int
    public: bytes
    created_at: int

    def seal(self, services: Services, context: EmailContext, content: bytes) -> tuple[bytes, int]:
        """An email sealed to this key, and the key's number, for the email's row."""
        return seal_email(MailerPublicKey(self.public), services.signing_key, context, content), self.id


def current(session: Session) -> Key | None:
    """The key of today; None where the mailer has made none yet, or none since a copy of the database was put back."""
    return cached(session, DailyKey, "newest", lambda: _load_newest(session))


def _load_newest(session: Session) -> Key | None:
    return _verify(session.info.get(SIGNER_KEY), _load_last(session))


def _load_last(session: Session) -> Row[Any] | None:
    """The last key with the mark of a copy that was put back: whoever asks for one of them asks for the other, too."""

    def read() -> Row[Any] | None:
        row = session.connection().execute(_NEWEST).one_or_none()
        if row is not None:
            cached(session, Heartbeat, RESTORED, lambda: row.put_back)
        return row

    return cached(session, DailyKey, "last", read)


def _verify(keys: RowSigner | None, row: Row[Any] | None) -> Key | None:
    if row is None:
        return None
    if keys is not None:
        keys.verify_row(DailyKey, row)
    return Key(row.id, row.public_key, row.created_at) if row.restored_at == (row.put_back or 0) else None


def restored_at(session: Session) -> int:
    """When a copy of the database was put back; 0 if none was.  The copy's keys may be destroyed by then."""
    _load_last(session)
    return cached(session, Heartbeat, RESTORED, lambda: session.connection().scalar(_MARK)) or 0


def seal_for_mailer(services: Services, session: Session, context: EmailContext, content: bytes) -> tuple[bytes, int]:
    """An email sealed to the key of today, and that key's number, for its row; raises NoMailKey."""
    return _require(current(session)).seal(services, context, content)


def current_for_intake(services: Services, connection: Connection) -> Key:
    """The key of today for who takes emails in and looks at nothing else; raises NoMailKey."""
    return _require(_verify(services.db.keys, connection.execute(_NEWEST).one_or_none()))


def has_foreign_signature(services: Services) -> bool:
    """Return True if none of the keys that this process knows signed the last key: it has those of another server."""
    with services.db.snapshot() as session:
        try:
            _verify(services.db.keys, session.connection().execute(_NEWEST).one_or_none())
        except TamperedError:
            return True
    return False


def _require(key: Key | None) -> Key:
    if key is None:
        raise NoMailKey("the mailer has made no key to seal emails to")
    return key


KeyPairs = dict[bytes, MailerKey]
"""Pairs that were read from their files, by their names; whoever holds them lets them go with the work in hand."""


def unseal(services: Services, context: EmailContext, ciphertext: bytes, pairs: KeyPairs | None = None) -> bytes:
    """What is in an email; raises TamperedError, or UnknownKey where its key is destroyed.

    `pairs`: those that were read for emails of the same batch.
    """
    keys, name = services.mailer_keys, recipient_key_id("letter", ciphertext)
    pair = pairs.get(name) if pairs is not None else None
    if pair is None:
        pair = keys.opening_keys_for(ciphertext)
        if pairs is not None:
            pairs[name] = pair
    return unseal_email(pair, keys.verify, context, ciphertext).content


GRACE_MS: Final = 10 * MINUTE_MS
"""So long the key before is kept: who seals an email looks for the newest key, and soon refers to it."""

_FOLDER: Final = OutageLog("the folder of day keys", logging.getLogger(__name__))


def rotate_if_due(services: Services) -> None:
    """Do what is due; a folder that cannot be used is told, and emails are sealed to the last key meanwhile."""
    try:
        rotate(services)
    except (OSError, KeyFileError) as error:
        _FOLDER.start(type(error).__name__)
    else:
        _FOLDER.end()


def rotate(services: Services) -> None:
    """Do what is due, unless another worker does; raises MissingKeyError elsewhere than in the mailer."""
    with services.mailer_keys.days.exclusive() as ours:
        if ours:
            current = _load_current(services)
            old = _load_older(services, current)
            if old:
                _reseal_pending(services, current)
            if services.now() - current.created_at >= GRACE_MS:
                _delete_unused_rows(services, old)
                _destroy(services)


def _load_current(services: Services) -> Key:
    """The key of today, by UTC; a new one if the last is of another day, or is not here."""
    days, now = services.mailer_keys.days, services.now()
    with services.db.snapshot() as session:
        key = current(session)
        restored = restored_at(session)
    if key is not None and key.created_at // DAY_MS == now // DAY_MS:
        if days.has(MailerPublicKey(key.public)):
            return key
        if days.shares_chain():  # a pair of our own would be one that no other machine has
            raise KeyFileError(
                f"The key of today is none of the chain in {days.folder}: copy this folder from a machine whose mailer "
                "runs, by a way that leaves no copy, and start this one again."
            )
    public = days.create()
    services.fault_point("daily_keys.created")
    with services.db.transaction() as session:
        row = DailyKey(public_key=public.raw, created_at=now, restored_at=restored)
        session.add(row)
    services.fault_point("daily_keys.stored")
    return Key(row.id, row.public_key, row.created_at)


def _load_older(services: Services, current: Key) -> Sequence[int]:
    with services.db.snapshot() as session:
        return session.scalars(select(DailyKey.id).where(DailyKey.id < current.id)).all()


# --- emails that wait


def _reseal_pending(services: Services, current: Key) -> None:
    """Seal every email that waits under an older key to the newest; one that nobody can open is left to its task."""
    with services.db.snapshot() as session:
        waiting = [*_pending_inbound(session, current), *_pending_outbound(session, current)]
    for row, context in waiting:
        try:
            content = unseal(services, context, row.content_ciphertext)
        except DecryptionError:
            continue
        with services.db.snapshot() as session:
            again, day = seal_for_mailer(services, session, context, content)
        services.fault_point("daily_keys.resealed")
        table = type(row)
        same = table.email_key == row.email_key, table.content_ciphertext == row.content_ciphertext
        with services.db.transaction() as session:
            session.execute(update(table).where(*same).values(content_ciphertext=again, daily_key_id=day))


PendingRows = tuple[InboundEmailBody | OutboundEmailBody, EmailContext]


def _pending_inbound(session: Session, current: Key) -> Iterator[PendingRows]:
    for row in session.scalars(select(InboundEmailBody).where(InboundEmailBody.daily_key_id < current.id)):
        yield row, EmailContext(row.email_key, ADDRESSED)


def _pending_outbound(session: Session, current: Key) -> Iterator[PendingRows]:
    of_letters = select(OutboundEmailBody, OutboundEmail.state).join(
        OutboundEmail, OutboundEmail.key == OutboundEmailBody.email_key
    )
    for row, state in session.execute(of_letters.where(OutboundEmailBody.daily_key_id < current.id)):
        yield row, EmailContext(row.email_key, state)


# --- keys that no email needs


def _delete_unused_rows(services: Services, old: Sequence[int]) -> None:
    """Delete the rows of keys under which no email waits any more."""
    for day in old:
        with suppress(IntegrityError), services.db.transaction() as session:  # an email has just come to refer to it
            contents = InboundEmailBody, OutboundEmailBody
            if not any(
                session.scalar(select(one.daily_key_id).where(one.daily_key_id == day).limit(1)) for one in contents
            ):
                session.execute(delete(DailyKey).where(DailyKey.id == day))
        services.fault_point("daily_keys.deleted")


def _destroy(services: Services) -> None:
    """Destroy each private half without a row."""
    with services.db.snapshot() as session:
        known = [MailerPublicKey(key.public_key).name for key in session.scalars(select(DailyKey))]
    services.mailer_keys.days.destroy_except(known)

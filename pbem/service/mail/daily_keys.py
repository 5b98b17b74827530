"""What letters are sealed to: the newest of post's keys that live a day.

The public half is a row that post signs; the private half a file of post's alone (`pbem.crypto.daily_keys`).

A letter refers to its key's row, so the database keeps that as long as a letter needs it, and refuses one that is
sealed as its key
goes.
"""

from dataclasses import dataclass
from typing import Any, cast

from sqlalchemy import Connection, Row, Table, select
from sqlalchemy.orm import Session

from pbem.crypto import EmailContext, MailerKey, MailerPublicKey, seal_email, unseal_email
from pbem.crypto.keys import recipient_key_id
from pbem.service.base.services import NoMailKey, Services
from pbem.service.game.clock_state import RESTORED
from pbem.store.identity_cache import cached
from pbem.store.models import DailyKey, Heartbeat
from pbem.store.row_signatures import SIGNER_KEY, RowSigner

_KEYS, _BEATS = cast(Table, DailyKey.__table__), cast(Table, Heartbeat.__table__)
_MARK = select(_BEATS.c.at).where(_BEATS.c.name == RESTORED)
_NEWEST = select(_KEYS, _MARK.scalar_subquery().label("put_back")).order_by(_KEYS.c.id.desc()).limit(1)


@dataclass(frozen=True)
class Key:
    """The public half of a pair of post, the number of its row, and when it was made."""

    id: int
    public: bytes
    made_at: int

    def seal(self, services: Services, context: EmailContext, content: bytes) -> tuple[bytes, int]:
        """A letter sealed to this key, and the key's number, for the letter's row."""
        return seal_email(MailerPublicKey(self.public), services.signing_key, context, content), self.id


def current(session: Session) -> Key | None:
    """The key of today; None where post has made none yet, or none since a copy of the database was put back."""
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
        keys.verify_cached(DailyKey, row._mapping)
    return Key(row.id, row.public, row.made_at) if row.restored_at == (row.put_back or 0) else None


def restored_at(session: Session) -> int:
    """When a copy of the database was put back; 0 if none was.  The copy's keys may be destroyed by then."""
    _load_last(session)
    return cached(session, Heartbeat, RESTORED, lambda: session.connection().scalar(_MARK)) or 0


def seal_for_mailer(services: Services, session: Session, context: EmailContext, content: bytes) -> tuple[bytes, int]:
    """A letter sealed to the key of today, and that key's number, for its row; raises NoKey."""
    return _require(current(session)).seal(services, context, content)


def current_for_intake(services: Services, look: Connection) -> Key:
    """The key of today for who takes letters in and looks at nothing else; raises NoKey."""
    return _require(_verify(services.db.keys, look.execute(_NEWEST).one_or_none()))


def _require(key: Key | None) -> Key:
    if key is None:
        raise NoMailKey("post has made no key to seal letters to")
    return key


KeyPairs = dict[bytes, MailerKey]
"""Pairs that were read from their files, by their names; whoever holds them lets them go with the work in hand."""


def unseal(services: Services, context: EmailContext, parcel: bytes, pairs: KeyPairs | None = None) -> bytes:
    """What is in a letter; raises Tampered, or UnknownKey where its key is destroyed.

    `pairs`: those that were read for letters of the same batch.
    """
    keys, name = services.mailer_keys, recipient_key_id("letter", parcel)
    pair = pairs.get(name) if pairs is not None else None
    if pair is None:
        pair = keys.opening_keys_for(parcel)
        if pairs is not None:
            pairs[name] = pair
    return unseal_email(pair, keys.verify, context, parcel).content

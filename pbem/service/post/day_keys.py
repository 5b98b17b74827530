"""What letters are sealed to: the newest of post's keys that live a day.

The public half is a row that post signs; the private half a file of post's alone (`pbem.vault.days`).  A letter refers
to its key's row, so the database keeps that as long as a letter needs it, and refuses one that is sealed as its key
goes.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any, cast

from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem.service.base.services import NoKey, Services
from pbem.service.game.standstill import RESTORED
from pbem.store.models import Beat, DayKey
from pbem.store.once import once
from pbem.vault import LetterContext, PostKey, PostPublic, open_letter, seal_letter
from pbem.vault.keys import parcel_key

_NEWEST = select(DayKey, Beat).outerjoin(Beat, Beat.name == RESTORED).order_by(DayKey.id.desc()).limit(1)


def newest(session: Session) -> DayKey | None:
    """The key of today; None where post has made none yet, or none since a copy of the database was put back."""
    return once(session, DayKey, "newest", lambda: _newest(session))


def _newest(session: Session) -> DayKey | None:
    """The last key and the mark of a copy that was put back, in one look."""
    rows: Sequence[Any] = session.execute(_NEWEST).all()
    for key, mark in rows:
        once(session, Beat, RESTORED, partial(_same, mark))
        restored = mark.at if mark is not None else 0
        return cast(DayKey, key) if key.restored_at == restored else None
    return None


def _same(mark: Beat | None) -> Beat | None:
    return mark


def restored_at(session: Session) -> int:
    """When a copy of the database was put back; 0 if none was.  The copy's keys may be destroyed by then."""
    mark = once(session, Beat, RESTORED, lambda: session.get(Beat, RESTORED))
    return mark.at if mark is not None else 0


def sealed(services: Services, session: Session, context: LetterContext, content: bytes) -> tuple[bytes, int]:
    """A letter sealed to the key of today, and that key's number, for its row; raises NoKey."""
    key = newest(session)
    if key is None:
        raise NoKey("post has made no key to seal letters to")
    return seal_letter(PostPublic(key.public), services.signing, context, content), key.id


Pairs = dict[bytes, PostKey]
"""Pairs that were read from their files, by their names; whoever holds them lets them go with the work in hand."""


def opened(services: Services, context: LetterContext, parcel: bytes, pairs: Pairs | None = None) -> bytes:
    """What is in a letter; raises Tampered, or UnknownKey where its key is destroyed.

    `pairs`: those that were read for letters of the same batch.
    """
    keys, name = services.posting, parcel_key("letter", parcel)
    pair = pairs.get(name) if pairs is not None else None
    if pair is None:
        pair = keys.opening_of(parcel)
        if pairs is not None:
            pairs[name] = pair
    return open_letter(pair, keys.verify, context, parcel).content

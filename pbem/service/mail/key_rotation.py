"""A new key each day, letters that wait sealed anew to it, and the old one destroyed with its last letter.  Post only.

Each step may be cut short: a private half without a row is destroyed at the next turn, and a row never goes before its
last letter.  One worker at a time does this.
"""

import logging
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Final

from sqlalchemy import delete, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from pbem.common.outage_log import OutageLog
from pbem.crypto import DecryptionError, EmailContext, KeyFileError, MailerPublicKey
from pbem.service.base.calendar import DAY_MS, MINUTE_MS
from pbem.service.base.services import Services
from pbem.service.mail import daily_keys
from pbem.service.mail.daily_keys import Key
from pbem.service.mail.intake import KIND
from pbem.store.models import DailyKey, InboundEmailBody, OutboundEmail, OutboundEmailBody

GRACE_MS: Final = 10 * MINUTE_MS
"""So long the key before is kept: who seals a letter looks for the newest key, and soon refers to it."""

_FOLDER: Final = OutageLog("the folder of day keys", logging.getLogger(__name__))


def rotate_if_due(services: Services) -> None:
    """Do what is due; a folder that cannot be used is told, and letters are sealed to the last key meanwhile."""
    try:
        rotate(services)
    except (OSError, KeyFileError) as error:
        _FOLDER.began(type(error).__name__)
    else:
        _FOLDER.ended()


def rotate(services: Services) -> None:
    """Do what is due, unless another worker does; raises NotOurs elsewhere than in post."""
    with services.mailer_keys.days.alone() as ours:
        if ours:
            current = _load_current(services)
            old = _load_older(services, current)
            if old:
                _reseal_pending(services, current)
            if services.now() - current.made_at >= GRACE_MS:
                _delete_unused_rows(services, old)
                _destroy(services)


def _load_current(services: Services) -> Key:
    """The key of today, by UTC; a new one if the last is of another day, or is not here."""
    days, now = services.mailer_keys.days, services.now()
    with services.db.snapshot() as session:
        key = daily_keys.current(session)
        restored = daily_keys.restored_at(session)
    if key is not None and key.made_at // DAY_MS == now // DAY_MS:
        if days.holds(MailerPublicKey(key.public)):
            return key
        if days.shared():  # a pair of our own would be one that no other machine has
            raise KeyFileError("the key of today is none of this machine's chain")
    public = days.fresh()
    services.fault_point("days.made")
    with services.db.transaction() as session:
        row = DailyKey(public=public.raw, made_at=now, restored_at=restored)
        session.add(row)
    services.fault_point("days.known")
    return Key(row.id, row.public, row.made_at)


def _load_older(services: Services, current: Key) -> Sequence[int]:
    with services.db.snapshot() as session:
        return session.scalars(select(DailyKey.id).where(DailyKey.id < current.id)).all()


# --- letters that wait


def _reseal_pending(services: Services, current: Key) -> None:
    """Seal every letter that waits under an older key to the newest; one that nobody can open is left to its task."""
    with services.db.snapshot() as session:
        waiting = [*_pending_inbound(session, current), *_pending_outbound(session, current)]
    for row, context in waiting:
        try:
            content = daily_keys.unseal(services, context, row.content_sealed)
        except DecryptionError:
            continue
        with services.db.snapshot() as session:
            again, day = daily_keys.seal_for_mailer(services, session, context, content)
        services.fault_point("days.sealed")
        table = type(row)
        same = table.letter == row.letter, table.content_sealed == row.content_sealed
        with services.db.transaction() as session:
            session.execute(update(table).where(*same).values(content_sealed=again, day=day))


PendingRows = tuple[InboundEmailBody | OutboundEmailBody, EmailContext]


def _pending_inbound(session: Session, current: Key) -> Iterator[PendingRows]:
    for row in session.scalars(select(InboundEmailBody).where(InboundEmailBody.day < current.id)):
        yield row, EmailContext(row.letter, KIND)


def _pending_outbound(session: Session, current: Key) -> Iterator[PendingRows]:
    of_letters = select(OutboundEmailBody, OutboundEmail.state).join(
        OutboundEmail, OutboundEmail.key == OutboundEmailBody.letter
    )
    for row, state in session.execute(of_letters.where(OutboundEmailBody.day < current.id)):
        yield row, EmailContext(row.letter, state)


# --- keys that no letter needs


def _delete_unused_rows(services: Services, old: Sequence[int]) -> None:
    """Delete the rows of keys under which no letter waits any more."""
    for day in old:
        with suppress(IntegrityError), services.db.transaction() as session:  # a letter has just come to refer to it
            contents = InboundEmailBody, OutboundEmailBody
            if not any(session.scalar(select(one.day).where(one.day == day).limit(1)) for one in contents):
                session.execute(delete(DailyKey).where(DailyKey.id == day))
        services.fault_point("days.forgotten")


def _destroy(services: Services) -> None:
    """Destroy each private half without a row."""
    with services.db.snapshot() as session:
        known = [MailerPublicKey(key.public).name for key in session.scalars(select(DailyKey))]
    services.mailer_keys.days.destroy_except(known)

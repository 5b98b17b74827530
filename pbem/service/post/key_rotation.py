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

from pbem.service.base.calendar import DAY_MS, MINUTE_MS
from pbem.service.base.services import Services
from pbem.service.post import day_keys
from pbem.service.post.day_keys import Key
from pbem.service.post.taking_in import KIND
from pbem.store.models import DayKey, LetterInContent, LetterOut, LetterOutContent
from pbem.trouble import Trouble
from pbem.vault import KeyFileProblem, LetterContext, PostPublic, Unopenable

GRACE_MS: Final = 10 * MINUTE_MS
"""So long the key before is kept: who seals a letter looks for the newest key, and soon refers to it."""

_FOLDER: Final = Trouble("the folder of day keys", logging.getLogger(__name__))


def look(services: Services) -> None:
    """Do what is due; a folder that cannot be used is told, and letters are sealed to the last key meanwhile."""
    try:
        turn(services)
    except (OSError, KeyFileProblem) as error:
        _FOLDER.began(type(error).__name__)
    else:
        _FOLDER.ended()


def turn(services: Services) -> None:
    """Do what is due, unless another worker does; raises NotOurs elsewhere than in post."""
    with services.posting.days.alone() as ours:
        if ours:
            current = _current(services)
            old = _older(services, current)
            if old:
                _seal_anew(services, current)
            if services.now() - current.made_at >= GRACE_MS:
                _forget(services, old)
                _destroy(services)


def _current(services: Services) -> Key:
    """The key of today, by UTC; a new one if the last is of another day, or is not here."""
    days, now = services.posting.days, services.now()
    with services.db.reading() as session:
        key = day_keys.newest(session)
        restored = day_keys.restored_at(session)
    if key is not None and key.made_at // DAY_MS == now // DAY_MS:
        if days.holds(PostPublic(key.public)):
            return key
        if days.shared():  # a pair of our own would be one that no other machine has
            raise KeyFileProblem("the key of today is none of this machine's chain")
    public = days.fresh()
    services.point("days.made")
    with services.db.writing() as session:
        row = DayKey(public=public.raw, made_at=now, restored_at=restored)
        session.add(row)
    services.point("days.known")
    return Key(row.id, row.public, row.made_at)


def _older(services: Services, current: Key) -> Sequence[int]:
    with services.db.reading() as session:
        return session.scalars(select(DayKey.id).where(DayKey.id < current.id)).all()


# --- letters that wait


def _seal_anew(services: Services, current: Key) -> None:
    """Seal every letter that waits under an older key to the newest; one that nobody can open is left to its task."""
    with services.db.reading() as session:
        waiting = [*_letters_in(session, current), *_letters_out(session, current)]
    for row, context in waiting:
        try:
            content = day_keys.opened(services, context, row.content_sealed)
        except Unopenable:
            continue
        with services.db.reading() as session:
            again, day = day_keys.sealed(services, session, context, content)
        services.point("days.sealed")
        table = type(row)
        same = table.letter == row.letter, table.content_sealed == row.content_sealed
        with services.db.writing() as session:
            session.execute(update(table).where(*same).values(content_sealed=again, day=day))


Waiting = tuple[LetterInContent | LetterOutContent, LetterContext]


def _letters_in(session: Session, current: Key) -> Iterator[Waiting]:
    for row in session.scalars(select(LetterInContent).where(LetterInContent.day < current.id)):
        yield row, LetterContext(row.letter, KIND)


def _letters_out(session: Session, current: Key) -> Iterator[Waiting]:
    of_letters = select(LetterOutContent, LetterOut.state).join(LetterOut, LetterOut.key == LetterOutContent.letter)
    for row, state in session.execute(of_letters.where(LetterOutContent.day < current.id)):
        yield row, LetterContext(row.letter, state)


# --- keys that no letter needs


def _forget(services: Services, old: Sequence[int]) -> None:
    """Delete the rows of keys under which no letter waits any more."""
    for day in old:
        with suppress(IntegrityError), services.db.writing() as session:  # a letter has just come to refer to it
            contents = LetterInContent, LetterOutContent
            if not any(session.scalar(select(one.day).where(one.day == day).limit(1)) for one in contents):
                session.execute(delete(DayKey).where(DayKey.id == day))
        services.point("days.forgotten")


def _destroy(services: Services) -> None:
    """Destroy each private half without a row."""
    with services.db.reading() as session:
        known = [PostPublic(key.public).name for key in session.scalars(select(DayKey))]
    services.posting.days.destroy_but(known)

"""Work that is done before a transaction, and what happens when the world has moved on meanwhile."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from sqlalchemy.orm import Session

from pbem.store.database import Database
from pbem.store.preparing import LockNeeded, Prepared, Preparing

P = TypeVar("P")
S = TypeVar("S", bound=Session)
T = TypeVar("T")

LOSSES: Final = 3
"""So often what was prepared may be overtaken before it is prepared under the lock."""


class Outrun(Exception):
    """What was prepared does not fit any more: somebody else wrote first."""


@dataclass(frozen=True)
class Done(Generic[T]):
    """What was done on a look: what is to be written, and what came of it."""

    prepared: Prepared
    result: T


def raced_ahead(
    db: Database,
    prepare: Callable[[Session], P],
    act: Callable[[Session, P, bool], T],
    ahead: Callable[[P], bool],
    before_commit: Callable[[], None],
) -> T:
    """The same as `raced`; where `ahead` says so, `act` is done on the look too, and the transaction only writes.

    Where anything that was read has changed, or that cannot be, the transaction acts.  `ahead` may say so of what only
    reads and writes rows: it is done again then.
    """

    def looked(look: Preparing) -> tuple[P, Done[T] | None]:
        found = prepare(look)
        if not ahead(found):
            return found, None
        try:
            result = act(look, found, False)
            return found, Done(look.prepared(), result)
        except (LockNeeded, Outrun):
            return found, None

    def wrote(session: Session, found: tuple[P, Done[T] | None], last: bool) -> T:
        done = found[1]
        written = done is not None and done.prepared.write(session)
        result = done.result if done is not None and written else act(session, found[0], last)
        before_commit()
        return result

    return _raced(db.preparing, db, looked, wrote)


def raced(db: Database, prepare: Callable[[Session], P], act: Callable[[Session, P, bool], T]) -> T:
    """Prepare on a look at one moment, then act in a transaction, which raises Outrun where the moment has passed.

    `act` is told whether it is the last attempt: then it prepares anew, `under_the_lock`.
    """
    return _raced(db.reading, db, prepare, act)


def _raced(
    look: Callable[[], AbstractContextManager[S]],
    db: Database,
    prepare: Callable[[S], P],
    act: Callable[[Session, P, bool], T],
) -> T:
    losses = 0
    while True:
        with look() as session:
            prepared = prepare(session)
        try:
            with db.writing() as writing:
                return act(writing, prepared, losses == LOSSES)
        except Outrun:
            losses += 1


def under_the_lock(work: Callable[[], T]) -> T:
    """Do in the transaction itself what was overtaken too often."""
    return work()

"""Work that is done before a transaction, and what happens when the world has moved on meanwhile."""

from collections.abc import Callable
from typing import Final, TypeVar

from sqlalchemy.orm import Session

from pbem.store.database import Database

P = TypeVar("P")
T = TypeVar("T")

MAX_RETRIES: Final = 3
"""So often what was prepared may be overtaken before it is prepared under the lock."""


class ConflictError(Exception):
    """What was prepared does not fit any more: somebody else wrote first."""


def retry_on_conflict(
    db: Database, prepare: Callable[[Session], P], act: Callable[[Session, P, bool], T], first: P | None = None
) -> T:
    """Prepare on a look at one moment, then act in a transaction, which raises Outrun where the moment has passed.

    `act` is told whether it is the last attempt: then it prepares anew, `run_locked`.  `first`: what was prepared
    for the first attempt already.
    """
    losses, prepared = 0, first
    while True:
        if prepared is None:
            with db.snapshot() as session:
                prepared = prepare(session)
        try:
            with db.transaction() as writing:
                return act(writing, prepared, losses == MAX_RETRIES)
        except ConflictError:
            losses, prepared = losses + 1, None


def run_locked(work: Callable[[], T]) -> T:
    """Do in the transaction itself what was overtaken too often."""
    return work()

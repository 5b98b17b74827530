"""Work that is done before a transaction, and what happens when the world has moved on meanwhile."""

from collections.abc import Callable
from typing import Final, TypeVar

from sqlalchemy.orm import Session

from pbem.store.database import Database

P = TypeVar("P")
T = TypeVar("T")

LOSSES: Final = 3
"""So often what was prepared may be overtaken before it is prepared under the lock."""


class Outrun(Exception):
    """What was prepared does not fit any more: somebody else wrote first."""


def raced(
    db: Database, prepare: Callable[[Session], P], act: Callable[[Session, P, bool], T], first: P | None = None
) -> T:
    """Prepare on a look at one moment, then act in a transaction, which raises Outrun where the moment has passed.

    `act` is told whether it is the last attempt: then it prepares anew, `under_the_lock`.  `first`: what was prepared
    for the first attempt already.
    """
    losses, prepared = 0, first
    while True:
        if prepared is None:
            with db.reading() as session:
                prepared = prepare(session)
        try:
            with db.writing() as writing:
                return act(writing, prepared, losses == LOSSES)
        except Outrun:
            losses, prepared = losses + 1, None


def under_the_lock(work: Callable[[], T]) -> T:
    """Do in the transaction itself what was overtaken too often."""
    return work()

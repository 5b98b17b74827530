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


def raced(db: Database, prepare: Callable[[Session], P], act: Callable[[Session, P, bool], T]) -> T:
    """Prepare on a look at one moment, then act in a transaction, which raises Outrun where the moment has passed.

    `act` is told whether it is the last attempt: what does not fit then, it prepares anew under the lock.
    """
    losses = 0
    while True:
        with db.reading() as session:
            prepared = prepare(session)
        try:
            with db.writing() as session:
                return act(session, prepared, losses == LOSSES)
        except Outrun:
            losses += 1

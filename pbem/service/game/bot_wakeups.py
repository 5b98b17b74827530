"""When bots look at what they owe: a mark in the transaction that tells them something, as people are sent a letter."""

from collections.abc import Mapping
from typing import Final

from sqlalchemy.orm import Session

from pbem.common.addresses import is_bot
from pbem.service.base.calendar import HOUR_MS
from pbem.store.models import Bot, User

PACES: Final[Mapping[str, int]] = {"now": 0, "hour": HOUR_MS, "half": 12 * HOUR_MS}
"""How long a bot may think, by the name of the pace."""

_SCHEDULED: Final = "a bot is to look"


def schedule(session: Session, user: User, now: int) -> None:
    """Have a bot look what it owes after its time to think; nothing of anybody else."""
    row = session.get(Bot, user.id) if is_bot(user.address) else None
    if row is not None:
        row.due_at = now + PACES[row.pace]
        session.info[_SCHEDULED] = True


def is_scheduled(session: Session) -> bool:
    """Return True if a bot is to look what it owes by what was told in this session."""
    return _SCHEDULED in session.info

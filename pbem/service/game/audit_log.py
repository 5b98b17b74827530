"""The audit of a game: what reports tell of it, and what its file keeps."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from pbem.narration.facts import Message
from pbem.store.columns import select_columns
from pbem.store.identity_cache import cached
from pbem.store.models import AuditEntry

_UNANNOUNCED = (
    select(AuditEntry.action, AuditEntry.name, AuditEntry.line)
    .where(AuditEntry.game_id == bindparam("game"), AuditEntry.outcome == "done", AuditEntry.told_at.is_(None))
    .where(AuditEntry.entry >= bindparam("since"), AuditEntry.entry < bindparam("until"))
    .order_by(AuditEntry.id)
)


def load_unannounced(session: Session, game_id: str, since: int, until: int) -> tuple[Message, ...]:
    """What masters did between two reports that no letter of its own has told."""
    asked = {"game": game_id, "since": since, "until": until}
    rows = cached(session, AuditEntry, (game_id, since, until), lambda: select_columns(session, _UNANNOUNCED, asked))
    return tuple(Message("acted", {"name": row.name, "line": row.line}) for row in rows)


def load_lines(session: Session, game_id: str) -> tuple[dict[str, Any], ...]:
    """All acts of a game's masters, in order."""
    rows = session.scalars(select(AuditEntry).where(AuditEntry.game_id == game_id).order_by(AuditEntry.id))
    return tuple(
        {
            "at": row.at,
            "entry": row.entry,
            "name": row.name,
            "door": row.door,
            "action": row.action,
            "line": row.line,
            "outcome": row.outcome,
            "reason": row.reason,
        }
        for row in rows
    )


def import_lines(session: Session, game_id: str, audit: Iterable[Mapping[str, Any]]) -> None:
    """Take the acts of a file in; here their authors are but names.  All of the acts were told already."""
    for line in audit:
        session.add(AuditEntry(game_id=game_id, user_id=None, told_at=line["at"], **line))


_ADDRESS: Final = re.compile(r'(?<![^\s@"])([^\s@"])[^\s@"]*+(@[^\s@"]+)')


def mask_addresses(line: str) -> str:
    """A line as everybody may read it: of an address only its beginning and its server."""
    return _ADDRESS.sub(r"\1…\2", line)[:400]

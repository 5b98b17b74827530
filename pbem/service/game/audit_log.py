"""The audit of a game: what reports tell of it, and what its file keeps."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from pbem.narration.facts import Said
from pbem.store.columns import columns
from pbem.store.models import Audit
from pbem.store.once import once

_UNTOLD = (
    select(Audit.action, Audit.name, Audit.line)
    .where(Audit.game_id == bindparam("game"), Audit.outcome == "done", Audit.told_at.is_(None))
    .where(Audit.entry >= bindparam("since"), Audit.entry < bindparam("until"))
    .order_by(Audit.id)
)


def untold(session: Session, game_id: str, since: int, until: int) -> tuple[Said, ...]:
    """What masters did between two reports that no letter of its own has told."""
    asked = {"game": game_id, "since": since, "until": until}
    rows = once(session, Audit, (game_id, since, until), lambda: columns(session, _UNTOLD, asked))
    return tuple(Said("acted", {"name": row.name, "line": row.line}) for row in rows)


def audit_lines(session: Session, game_id: str) -> tuple[dict[str, Any], ...]:
    """All acts of a game's masters, in order."""
    rows = session.scalars(select(Audit).where(Audit.game_id == game_id).order_by(Audit.id))
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


def bring_in(session: Session, game_id: str, audit: Iterable[Mapping[str, Any]]) -> None:
    """Take the acts of a file in; here their authors are but names.  All of the acts were told already."""
    for line in audit:
        session.add(Audit(game_id=game_id, user_id=None, told_at=line["at"], **line))


_ADDRESS: Final = re.compile(r'(?<![^\s@"])([^\s@"])[^\s@"]*+(@[^\s@"]+)')


def masked(line: str) -> str:
    """A line as everybody may read it: of an address only its beginning and its server."""
    return _ADDRESS.sub(r"\1…\2", line)[:400]

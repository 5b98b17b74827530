"""The audit of a game in its file: lines that everybody may read, as the server had them."""

from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem.store.models_master import Audit


def lines(session: Session, game_id: str) -> tuple[dict[str, Any], ...]:
    """All acts of a game's masters, in order."""
    rows = session.scalars(select(Audit).where(Audit.game_id == game_id).order_by(Audit.id))
    return tuple(
        {"at": row.at, "entry": row.entry, "name": row.name, "door": row.door, "action": row.action, "line": row.line,
         "outcome": row.outcome, "reason": row.reason}
        for row in rows
    )  # fmt: skip


def bring_in(session: Session, game_id: str, audit: Iterable[Mapping[str, Any]]) -> None:
    """Take the acts of a file in; whoever they were, here they are but names.  All of them were told already."""
    for line in audit:
        session.add(Audit(game_id=game_id, user_id=None, told_at=line["at"], **line))

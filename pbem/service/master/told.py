"""What a report tells of the acts of masters that no letter of its own has told."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem.narration.facts import Said
from pbem.store.models_master import Audit


def untold(session: Session, game_id: str, since: int, until: int) -> tuple[Said, ...]:
    """What masters did between two reports that no letter of its own has told."""
    rows = session.scalars(
        select(Audit)
        .where(
            Audit.game_id == game_id, Audit.outcome == "done", Audit.told_at.is_(None), Audit.entry >= since,
            Audit.entry < until,
        )
        .order_by(Audit.id)
    )  # fmt: skip
    return tuple(Said("acted", {"name": row.name, "line": row.line}) for row in rows)

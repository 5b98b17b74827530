"""The audit of a table: every act of a master, for all to read; and how its players are told of it."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from engine.kernel.names import Seat
from engine.kernel.position import Position
from pbem.narration.facts import ToldFacts
from pbem.service.access import masters
from pbem.service.base.services import Office
from pbem.service.game import frames, views
from pbem.service.game.audit_log import masked
from pbem.service.masters.registry import Act, Desk, Outcome
from pbem.service.post.notifications import frame_for
from pbem.service.post.outbox import draft
from pbem.store.games import seated
from pbem.store.models import Game, User
from pbem.store.models_master import Audit


@dataclass(frozen=True)
class Entry:
    """One act as everybody may read it; `at` in seconds. `outcome`: `done`, `asked`, `waits`, `refused`.

    What became of an offered seat stands beside the act that offered it: `accepted`, `declined`, `over`.
    """

    number: int
    at: int
    entry: int
    name: str
    door: str
    action: str
    line: str
    outcome: str
    reason: str


def note(desk: Desk, one: Act, outcome: str) -> Audit:
    """Write an act down, with its line as we write it; what belongs to it (orders of a seat) is never written here."""
    row = Audit(
        game_id=desk.game.id, at=desk.now, entry=desk.game.entry, user_id=desk.user.id, name=desk.user.name[:80],
        door=desk.door, action=one.action.name, line=masked(one.line), outcome=outcome, reason="",
    )  # fmt: skip
    desk.session.add(row)
    desk.session.flush()
    return row


def entries(office: Office, game_id: str) -> tuple[Entry, ...]:
    """All acts at a table, the newest first."""
    with office.db.reading() as session:
        return tuple(reversed(entries_in(session, game_id)))


def entries_in(session: Session, game_id: str) -> tuple[Entry, ...]:
    """All acts at a table, in order."""
    rows = session.scalars(select(Audit).where(Audit.game_id == game_id).order_by(Audit.id))
    return tuple(
        Entry(n, row.at // 1000, row.entry, row.name, row.door, row.action, row.line, row.outcome, row.reason)
        for n, row in enumerate(rows, 1)
    )


# --- telling


def players(session: Session, game: Game) -> tuple[User, ...]:
    """Whoever sits at the table."""
    return tuple(user for _, user in seated(session, game.id))


def tell(desk: Desk, outcome: Outcome, view: "Position[Any] | None") -> None:
    """One letter to every seat, and to every other master who has none."""
    sitting = seated(desk.session, desk.game.id)
    for row, user in sitting:
        if row.seat == outcome.but or user.id == desk.user.id:
            continue
        seen = views.last_view(desk.office, desk.session, desk.game, Seat(row.seat)) if view is not None else None
        owed = frames.owed_by(desk.session, desk.game.id, row.seat, seen.core.open) if seen is not None else ()
        facts = ToldFacts(
            frame_for(desk.office, desk.session, desk.game, row, user),
            desk.user.name,
            outcome.tells,
            outcome.reason,
            outcome.events,
            seen,
            owed,
        )
        draft(desk.office, desk.session, key=f"{desk.game.id}.{row.seat}.{desk.mark}.told", kind="told", facts=facts,
              user_id=user.id, game_id=desk.game.id, seat=row.seat, entry=desk.game.entry)  # fmt: skip
    fresh = {row.user_id for row in masters.rows_of(desk.session, desk.game, desk.now) if row.since == desk.now}
    here = {user.id for _, user in sitting} | {desk.user.id} | fresh
    for user in masters.masters_of(desk.session, desk.game):
        if user.id not in here:
            frame = frames.frame_of(desk.office, desk.session, desk.game, "", user, "", desk.now)
            facts = ToldFacts(frame, desk.user.name, outcome.tells, outcome.reason, outcome.events, view)
            draft(desk.office, desk.session, key=f"{desk.game.id}.{user.id}.{desk.mark}.told", kind="told",
                  facts=facts, user_id=user.id, game_id=desk.game.id, entry=desk.game.entry)  # fmt: skip

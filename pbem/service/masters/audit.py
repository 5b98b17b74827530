"""The audit of a table: every act of a master, for all to read; and how its players are told of it."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from engine.kernel.names import Seat
from engine.kernel.position import Position
from pbem.narration.facts import ToldFacts
from pbem.service.access import masters
from pbem.service.base.services import Services
from pbem.service.game import frames, views
from pbem.service.game.audit_log import masked
from pbem.service.masters.registry import Act, ActContext, Outcome
from pbem.service.post.notifications import frame_for
from pbem.service.post.outbox import draft
from pbem.store.games import seated
from pbem.store.models import Audit, Game, User


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


def note(context: ActContext, one: Act, outcome: str) -> Audit:
    """Write an act down, with its line as we write it; what belongs to it (orders of a seat) is never written here."""
    row = Audit(
        game_id=context.game.id,
        at=context.now,
        entry=context.game.entry,
        user_id=context.user.id,
        name=context.user.name[:80],
        door=context.door,
        action=one.action.name,
        line=masked(one.line),
        outcome=outcome,
        reason="",
    )
    context.session.add(row)
    context.session.flush()
    return row


def entries(services: Services, game_id: str) -> tuple[Entry, ...]:
    """All acts at a table, the newest first."""
    with services.db.reading() as session:
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
    """The players at the table."""
    return tuple(user for _, user in seated(session, game.id))


def announce(context: ActContext, outcome: Outcome, view: "Position[Any] | None") -> None:
    """One letter to every seat, and to every other master who has none."""
    sitting = seated(context.session, context.game.id)
    for row, user in sitting:
        if row.seat == outcome.but or user.id == context.user.id:
            continue
        seen = (
            views.last_view(context.services, context.session, context.game, Seat(row.seat))
            if view is not None
            else None
        )
        owed = frames.owed_by(context.session, context.game.id, row.seat, seen.core.open) if seen is not None else ()
        facts = ToldFacts(
            frame_for(context.services, context.session, context.game, row, user),
            context.user.name,
            outcome.tells,
            outcome.reason,
            outcome.events,
            seen,
            owed,
        )
        draft(
            context.services,
            context.session,
            key=f"{context.game.id}.{row.seat}.{context.mark}.told",
            kind="told",
            facts=facts,
            user_id=user.id,
            game_id=context.game.id,
            seat=row.seat,
            entry=context.game.entry,
        )
    fresh = {
        row.user_id for row in masters.rows_of(context.session, context.game, context.now) if row.since == context.now
    }
    here = {user.id for _, user in sitting} | {context.user.id} | fresh
    for user in masters.masters_of(context.session, context.game):
        if user.id not in here:
            frame = frames.frame_of(context.services, context.session, context.game, "", user, "", context.now)
            facts = ToldFacts(frame, context.user.name, outcome.tells, outcome.reason, outcome.events, view)
            draft(
                context.services,
                context.session,
                key=f"{context.game.id}.{user.id}.{context.mark}.told",
                kind="told",
                facts=facts,
                user_id=user.id,
                game_id=context.game.id,
                entry=context.game.entry,
            )

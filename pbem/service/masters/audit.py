"""The audit of a table: every act of a master, for all to read; and how its players are told of it."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from engine.kernel.position import Position
from engine.kernel.viewers import Seat
from pbem.narration.facts import AnnouncementFacts
from pbem.service.access import permissions
from pbem.service.base.services import Services
from pbem.service.game import email_context, seat_views
from pbem.service.game.journal import mask_addresses
from pbem.service.mail.notifications import seat_context
from pbem.service.mail.outbox import enqueue
from pbem.service.masters.registry import CommandContext, CommandResult, ParsedCommand
from pbem.store.games import occupied_seats
from pbem.store.models import AuditEntry, Game, User


@dataclass(frozen=True)
class AuditLine:
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


def record(context: CommandContext, one: ParsedCommand, outcome: str) -> AuditEntry:
    """Write an act down, with its line as we write it; what belongs to it (orders of a seat) is never written here."""
    row = AuditEntry(
        game_id=context.game.id,
        at=context.now,
        entry=context.game.entry,
        user_id=context.user.id,
        name=context.user.name[:80],
        door=context.door,
        action=one.action.name,
        line=mask_addresses(one.line),
        outcome=outcome,
        reason="",
    )
    context.session.add(row)
    context.session.flush()
    return row


def load_entries(services: Services, game_id: str) -> tuple[AuditLine, ...]:
    """All acts at a table, the newest first."""
    with services.db.snapshot() as session:
        return tuple(reversed(load_entries_of(session, game_id)))


def load_entries_of(session: Session, game_id: str) -> tuple[AuditLine, ...]:
    """All acts at a table, in order."""
    rows = session.scalars(select(AuditEntry).where(AuditEntry.game_id == game_id).order_by(AuditEntry.id))
    return tuple(
        AuditLine(n, row.at // 1000, row.entry, row.name, row.door, row.action, row.line, row.outcome, row.reason)
        for n, row in enumerate(rows, 1)
    )


# --- telling


def load_players(session: Session, game: Game) -> tuple[User, ...]:
    """The players at the table."""
    return tuple(user for _, user in occupied_seats(session, game.id))


def announce_to_players(context: CommandContext, outcome: CommandResult, view: "Position[Any] | None") -> None:
    """One letter to every seat, and to every other master who has none."""
    sitting = occupied_seats(context.session, context.game.id)
    for row, user in sitting:
        if row.seat == outcome.except_seats or user.id == context.user.id:
            continue
        seen = (
            seat_views.last_view(context.services, context.session, context.game, Seat(row.seat))
            if view is not None
            else None
        )
        owed = (
            email_context.open_questions(context.session, context.game.id, row.seat, seen.core.open)
            if seen is not None
            else ()
        )
        facts = AnnouncementFacts(
            seat_context(context.services, context.session, context.game, row, user),
            context.user.name,
            outcome.announce,
            outcome.reason,
            outcome.events,
            seen,
            owed,
        )
        enqueue(
            context.services,
            context.session,
            key=f"{context.game.id}.{row.seat}.{context.dedup_key}.told",
            kind="told",
            facts=facts,
            user_id=user.id,
            game_id=context.game.id,
            seat=row.seat,
            entry=context.game.entry,
        )
    fresh = {
        row.user_id
        for row in permissions.load_masters(context.session, context.game, context.now)
        if row.since == context.now
    }
    here = {user.id for _, user in sitting} | {context.user.id} | fresh
    for user in permissions.masters_of(context.session, context.game):
        if user.id not in here:
            frame = email_context.build_context(
                context.services, context.session, context.game, "", user, "", context.now
            )
            facts = AnnouncementFacts(frame, context.user.name, outcome.announce, outcome.reason, outcome.events, view)
            enqueue(
                context.services,
                context.session,
                key=f"{context.game.id}.{user.id}.{context.dedup_key}.told",
                kind="told",
                facts=facts,
                user_id=user.id,
                game_id=context.game.id,
                entry=context.game.entry,
            )

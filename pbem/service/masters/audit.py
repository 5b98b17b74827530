"""The audit of a game: every command of a master, for all to read; and its announcement to players and masters."""

from collections.abc import Set
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from engine.kernel.events import Event
from engine.kernel.position import Position
from engine.kernel.viewers import Seat
from pbem.narration.facts import AnnouncementFacts, Message
from pbem.service.access import permissions
from pbem.service.base.services import Services
from pbem.service.game import seat_views
from pbem.service.game.journal import mask_addresses
from pbem.service.mail import assembly
from pbem.service.mail.notifications import seat_context
from pbem.service.mail.outbox import enqueue
from pbem.service.masters.registry import CommandContext, CommandResult, ParsedCommand
from pbem.store.games import hides_names, occupied_seats
from pbem.store.models import AuditEntry, Game


@dataclass(frozen=True)
class AuditLine:
    """One command as everybody may read it; `at` in seconds. `outcome`: `done`, `asked`, `waits`, `refused`.

    The answer to an offered seat has the line of its command again: `accepted`, `declined`, `over`.
    """

    number: int
    at: int
    entry: int
    name: str
    channel: str
    action: str
    line: str
    outcome: str
    reason: str


def record(context: CommandContext, command: ParsedCommand, outcome: str) -> AuditEntry:
    """Store a command with its canonical line; its body (orders of a seat) is never stored here."""
    row = AuditEntry(
        game_id=context.game.id,
        created_at=context.now,
        entry=context.game.entry,
        user_id=context.user.id,
        name=context.author[:80],
        channel=context.channel,
        action=command.order.name,
        line=_public_line(context, command),
        outcome=outcome,
        reason="",
    )
    context.session.add(row)
    context.session.flush()
    return row


def _public_line(context: CommandContext, command: ParsedCommand) -> str:
    """The line as everybody may read it; where names are hidden it names nobody whom a seat is given to."""
    hidden, person = hides_names(context.game), getattr(command.order, "address", "")
    line = command.line.replace(person, "…") if hidden and person else command.line
    return mask_addresses(line, whole=hidden)


def load_entries(session: Session, game_id: str) -> tuple[AuditLine, ...]:
    """Return all commands of a game, the newest first."""
    rows = session.scalars(select(AuditEntry).where(AuditEntry.game_id == game_id).order_by(AuditEntry.id))
    lines = [
        AuditLine(
            n, row.created_at // 1000, row.entry, row.name, row.channel, row.action, row.line, row.outcome, row.reason
        )
        for n, row in enumerate(rows, 1)
    ]
    return tuple(reversed(lines))


# --- announcements


def announce_to_players(context: CommandContext, result: CommandResult, view: Position[Any] | None) -> None:
    """Enqueue one email to every seat, and to every other master. `view`: the public position, once there is one."""
    services, session, game = context.services, context.session, context.game
    sitting = occupied_seats(session, game.id)
    for row, user in sitting:
        if user.id == context.user.id:
            continue
        seat_view = seat_views.last_view(services, session, game, Seat(row.seat)) if view is not None else None
        questions = (
            assembly.open_questions(session, game.id, row.seat, seat_view.core.questions)
            if seat_view is not None
            else ()
        )
        facts = AnnouncementFacts(
            seat_context(services, session, game, row, user),
            context.author,
            result.announce,
            result.reason,
            result.events,
            seat_view,
            questions,
        )
        enqueue(
            services,
            session,
            key=f"{game.id}.{row.seat}.{context.dedup_key}.announcement",
            kind="announcement",
            facts=facts,
            user_id=user.id,
            game_id=game.id,
            seat=row.seat,
            entry=game.entry,
        )
    masters = permissions.load_masters(session, game)
    appointed_now = {row.user_id for row in masters if row.starts_at == context.now}
    announce_to_masters(
        services,
        session,
        game,
        f"{context.dedup_key}.announcement",
        AnnouncementText(context.author, result.announce, result.reason, result.events, view),
        excluded={user.id for _, user in sitting} | {context.user.id} | appointed_now,
    )


@dataclass(frozen=True)
class AnnouncementText:
    """What masters read of a command: its author, messages, reason and public events, and the public position."""

    author: str
    messages: tuple[Message, ...]
    reason: str
    events: tuple[Event, ...]
    view: Position[Any] | None


def announce_to_masters(
    services: Services, session: Session, game: Game, key: str, text: AnnouncementText, excluded: Set[int]
) -> None:
    """Enqueue an email to every master of the game but those who are excluded, by their numbers."""
    for user in permissions.masters_of(session, game):
        if user.id in excluded:
            continue
        frame = assembly.build_context(services, session, game, "", user, "", services.now())
        enqueue(
            services,
            session,
            key=f"{game.id}.{user.id}.{key}",
            kind="announcement",
            facts=AnnouncementFacts(frame, text.author, text.messages, text.reason, text.events, text.view),
            user_id=user.id,
            game_id=game.id,
            entry=game.entry,
        )

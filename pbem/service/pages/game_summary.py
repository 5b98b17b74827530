"""A table in a few lines, and the view of one viewer, for callers that come often: few statements, nothing rendered."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy.orm import Session

from engine.kernel.position import Position
from engine.kernel.rules import Meta, View
from engine.kernel.secrets import seen_by
from engine.kernel.viewers import PUBLIC, Seat
from pbem.common.states import BEGUN, GameState
from pbem.narration.facts import EmailContext, Links, OpenQuestion, Reader
from pbem.service.base.services import Services
from pbem.service.game import email_context, seat_views
from pbem.store.games import load_seats
from pbem.store.models import Game, SeatRow, User


@dataclass(frozen=True)
class GameSummary:
    """A table: `frame` is the reader's, `seen` what they see (None: it has not begun), `players` by seat.

    `awaited`: who still owes an answer; `owed`: the reader's own questions.
    """

    frame: EmailContext
    meta: Meta
    state: GameState
    options: dict[str, str]
    players: tuple[tuple[str, str | None], ...]
    seen: Position[Any] | None
    awaited: tuple[Seat, ...]
    owed: tuple[OpenQuestion, ...]


@dataclass(frozen=True)
class ViewAt:
    """The table after an entry, as one viewer sees it."""

    entry: int
    view: View


def load_summary(services: Services, user_id: int, game_id: str, seat: str | None) -> GameSummary:
    """A table for a person who may see it; `seat`: their own, if they have one."""
    with services.db.snapshot() as session:
        game, user = session.get_one(Game, game_id), session.get_one(User, user_id)
        rows = load_seats(session, game_id)
        begun = game.state in BEGUN
        position = seat_views.last_view(services, session, game, seat or PUBLIC) if begun else None
        owed = (
            email_context.open_questions(session, game_id, seat, position.core.open)
            if position is not None and seat
            else ()
        )
        return GameSummary(
            _context(services, session, game, user, seat or ""),
            services.rules(game.rules).meta,
            game.state,
            dict(game.options),
            tuple((row.seat, _to_player(session, row)) for row in rows),
            position,
            email_context.pending_seats(session, game_id) if game.state == GameState.RUNNING else (),
            owed,
        )


def _to_player(session: Session, row: SeatRow) -> str | None:
    user = session.get(User, row.user_id) if row.user_id is not None else None
    return user.name if user is not None else None


def _context(services: Services, session: Session, game: Game, user: User, seat: str) -> EmailContext:
    """A frame without capabilities: it goes to programs."""
    return EmailContext(
        Reader(user.name, user.language, user.zone, Seat(seat)),
        email_context.load_table_facts(session, game),
        Links(page=f"{services.public_url}/games/{game.id}"),
        services.now() // 1000,
        game.entry,
        email_context.digest_of_entry(session, game.id, game.entry),
    )


def load_entry_number(services: Services, game_id: str) -> int:
    """The last entry of a game's journal."""
    with services.db.snapshot() as session:
        return session.get_one(Game, game_id).entry


def load_view(services: Services, game_id: str, viewer: str) -> ViewAt:
    """What a viewer sees now; the caller has checked that they may."""
    with services.db.snapshot() as session:
        game = session.get_one(Game, game_id)
        position = seat_views.last_view(services, session, game, viewer)
        with seen_by(Seat(viewer)):
            return ViewAt(game.entry, services.rules(game.rules).present(position, Seat(viewer)))

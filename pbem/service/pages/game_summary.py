"""A table in a few lines, and the view of one viewer, for callers that come often: few statements, nothing rendered.

Also how far a game is, and its deadlines.
"""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from engine.kernel.position import Position
from engine.kernel.rules import Meta, View
from engine.kernel.secrets import seen_by
from engine.kernel.viewers import PUBLIC, Seat
from pbem.common.states import BEGUN, GameState
from pbem.narration.facts import EmailContext, OpenQuestion
from pbem.service.access import users
from pbem.service.base.calendar import DeadlinePolicy
from pbem.service.base.services import Services
from pbem.service.deadlines import gate_timing, interruptions
from pbem.service.game import seat_views
from pbem.service.game.seat_views import last_view
from pbem.service.mail import assembly
from pbem.service.pages.game_pages import reader_context
from pbem.store.games import hides_names, load_seats, name_of_seat, names_of_seats, occupied_seats
from pbem.store.models import DeadlineExtension, Game, InboundEmail, Outage, OutboundEmail, SeatRow, SeatTenure, User


@dataclass(frozen=True)
class GameSummary:
    """A table: `frame` is the reader's, `seen` what they see (None: it has not begun), `players` by seat.

    `pending`: who still owes an answer; `questions`: the reader's own questions.
    """

    frame: EmailContext
    meta: Meta
    state: GameState
    options: dict[str, str]
    players: tuple[tuple[str, str | None], ...]
    seen: Position[Any] | None
    pending: tuple[Seat, ...]
    questions: tuple[OpenQuestion, ...]


@dataclass(frozen=True)
class ViewAt:
    """The table after an entry, as one viewer sees it."""

    entry: int
    view: View


def load_summary(services: Services, user_id: int, game_id: str, seat: str | None) -> GameSummary:
    """Load a game for a user who may see it. `seat`: their own, if they have one."""
    with services.db.snapshot() as session:
        game, user = session.get_one(Game, game_id), session.get_one(User, user_id)
        rows = load_seats(session, game_id)
        begun = game.state in BEGUN
        position = seat_views.last_view(services, session, game, seat or PUBLIC) if begun else None
        owed = (
            assembly.open_questions(session, game_id, seat, position.core.questions)
            if position is not None and seat
            else ()
        )
        return GameSummary(
            reader_context(services, session, game, user, seat or ""),
            services.rules(game.rules).meta,
            game.state,
            dict(game.options),
            tuple((row.seat, _to_player(session, row)) for row in rows),
            position,
            assembly.pending_seats(session, game_id) if game.state == GameState.RUNNING else (),
            owed,
        )


def _to_player(session: Session, row: SeatRow) -> str | None:
    return name_of_seat(session, row) if row.user_id is not None else None


def load_entry_number(services: Services, game_id: str) -> int:
    """Return the last entry of a game's journal."""
    with services.db.snapshot() as session:
        return session.get_one(Game, game_id).entry


def load_view(services: Services, game_id: str, viewer: str) -> ViewAt:
    """Load what a viewer sees now; the caller has checked permissions."""
    with services.db.snapshot() as session:
        game = session.get_one(Game, game_id)
        position = seat_views.last_view(services, session, game, viewer)
        with seen_by(Seat(viewer)):
            return ViewAt(game.entry, services.rules(game.rules).present_view(position, Seat(viewer)))


@dataclass(frozen=True)
class Progress:
    """Turn and entry of a game, and how many emails went each way."""

    state: GameState
    turn: int
    entry: int
    letters_in: int
    receipts: int
    reports: int
    failure: str

    @property
    def is_over(self) -> bool:
        """Return True if the game has ended."""
        return self.state == GameState.OVER


def load_progress(services: Services, game_id: str) -> Progress:
    """Load the turn, entry and email counts of a game. Raises LookupError if there is none."""
    with services.db.snapshot() as session:
        game = session.get(Game, game_id)
        if game is None:
            raise LookupError(f"there is no game {game_id}")
        turn = 0
        if game.entry:
            position = last_view(services, session, game, PUBLIC)
            with seen_by(PUBLIC):
                turn = services.rules(game.rules).turn(position)
        kinds = dict(
            session.execute(
                select(OutboundEmail.kind, func.count())
                .where(OutboundEmail.game_id == game_id)
                .group_by(OutboundEmail.kind)
            ).all()
        )
        received = session.scalar(select(func.count()).select_from(InboundEmail)) or 0
        reports = sum(kinds.get(kind, 0) for kind in ("report", "started", "game_over"))
        return Progress(game.state, turn, game.entry, received, kinds.get("receipt", 0), reports, game.failure or "")


@dataclass(frozen=True)
class SeatPunctuality:
    """A player of the table: how reliable everywhere, misses in a row here, whether the seat looks for a player.

    Where names are hidden, zeros stand for how reliable they are: that would tell who it is.
    """

    seat: str
    name: str
    turns: int
    on_time: int
    started: int
    finished: int
    missed: int
    is_open: bool
    pause_request: str


@dataclass(frozen=True)
class Extension:
    """Time given back: of whose question, how many minutes were lost, and why; moments in seconds."""

    name: str
    cause: str
    minutes: int
    after: int
    created_at: int


@dataclass(frozen=True)
class DeadlineOverview:
    """Everything about a table's time."""

    schedule: DeadlinePolicy
    seats: tuple[SeatPunctuality, ...]
    extensions: tuple[Extension, ...]
    paused: str
    paused_since: int | None
    predecessor: bool


def load_deadlines(services: Services, game_id: str, seat: str) -> DeadlineOverview:
    """Load the deadlines, punctuality and extensions of a game, for one of its players."""
    with services.db.snapshot() as session:
        game = session.get_one(Game, game_id)
        sitting = occupied_seats(session, game_id)
        names = names_of_seats(session, game)
        players = tuple(
            SeatPunctuality(
                row.seat,
                names[row.seat],
                *(users.reliability(user) if not hides_names(game) else (0, 0, 0, 0)),
                row.missed,
                row.open_since is not None,
                row.pause_request,
            )
            for row, user in sitting
        )
        rows = session.execute(
            select(DeadlineExtension, Outage.cause)
            .join(Outage, Outage.id == DeadlineExtension.outage_id)
            .where(DeadlineExtension.game_id == game_id)
            .order_by(DeadlineExtension.id.desc())
            .limit(60)
        )
        extensions = tuple(
            Extension(
                names.get(extension.seat, extension.seat),
                cause,
                extension.lost_ms // 60_000,
                extension.due_after // 1000,
                extension.created_at // 1000,
            )
            for extension, cause in rows
        )
        pause = interruptions.find_pause(session, game_id)
        former = select(SeatTenure.id).where(
            SeatTenure.game_id == game_id, SeatTenure.seat == seat, SeatTenure.ends_at.is_not(None)
        )
        return DeadlineOverview(
            gate_timing.load_schedule(game),
            players,
            extensions,
            pause.cause if pause is not None else "",
            pause.started_at // 1000 if pause is not None else None,
            session.scalar(former) is not None,
        )

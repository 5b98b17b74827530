"""What a table that forms shows before it begins."""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy.orm import Session

from engine.kernel.rules import Meta
from pbem.common.addresses import is_bot
from pbem.common.states import GameState
from pbem.service.access import users as people
from pbem.service.base.services import Services
from pbem.service.game import email_context
from pbem.service.seats import rematch_invitations
from pbem.store.games import load_seats, occupied_seats
from pbem.store.models import Game, SeatRow, User


@dataclass(frozen=True)
class LobbySeat:
    """A seat of a table that has not begun: who sits there; whom the host invited is shown to the host alone.

    `record`: how reliable the player is: turns, those on time, games begun, games finished.
    """

    name: str
    invited: str
    taken: bool
    record: tuple[int, int, int, int] | None = None
    seat: str = ""
    bot: bool = False


@dataclass(frozen=True)
class Lobby:
    """A table that has not begun.  `waits`: the number of the round that its deal waits for."""

    game: str
    title: str
    state: GameState
    meta: Meta
    options: dict[str, str]
    host: str
    chairs: tuple[LobbySeat, ...]
    seed_digest: str
    hours: int | None
    waits: int | None

    @property
    def taken(self) -> int:
        """Seats on which somebody sits."""
        return sum(1 for chair in self.chairs if chair.taken)

    @property
    def free(self) -> int:
        """Seats for which nobody was invited yet."""
        return sum(1 for chair in self.chairs if not chair.taken and not chair.invited)


def _player_record(user: User) -> tuple[int, int, int, int] | None:
    return None if is_bot(user.address) else people.reliability(user)


def _invited_seats(row: SeatRow, again: Mapping[str, str]) -> str:
    """Whom a host has invited: by address, as they wrote it, or by the name that they know from an earlier table."""
    return again.get(row.seat, row.invited or "")


def load_lobby(services: Services, session: Session, game: Game, *, host: bool) -> Lobby:
    """A table that has not begun, as its host or as anybody else is shown it."""
    again = rematch_invitations.load_names(session, game.id) if host else {}
    users = {row.seat: user for row, user in occupied_seats(session, game.id)}
    chairs = tuple(
        LobbySeat(
            user.name,
            _invited_seats(row, again) if host else "",
            True,
            _player_record(user),
            row.seat,
            is_bot(user.address),
        )
        if (user := users.get(row.seat)) is not None
        else LobbySeat("", _invited_seats(row, again) if host else "", row.user_id is not None, seat=row.seat)
        for row in load_seats(session, game.id)
    )
    owner, waits = session.get(User, game.host_id), email_context.pending_round(session, game)
    return Lobby(
        game.id,
        game.title,
        game.state,
        services.rules(game.rules).meta,
        dict(game.options),
        owner.name if owner else "",
        chairs,
        game.seed_digest or "",
        game.deadline_hours,
        waits.round if waits is not None else None,
    )

"""Who may see and do what at a table: the one table of it, for pages, programs, letters, commands and chat.

Every door asks `find_membership`; a service that has the game's transaction open asks `has_permission`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from sqlalchemy.orm import Session

from pbem.common.states import GATHERING, GameState
from pbem.service.access import acting_deputies, masters
from pbem.service.base.game_availability import rules_state
from pbem.service.base.services import Services
from pbem.store.games import find_seat_of_user, load_game, load_seats
from pbem.store.models import Game, SeatRow, Spectator, User


class Permission(Enum):
    """The people whom something is for."""

    ANYBODY = "anybody"
    BEARER = "anybody who has the link"
    USER = "everybody who is signed in"
    OPERATOR = "operators, who are named in the environment"
    TABLE = "everybody with a part in the table, invited guests included"
    INVITED = "guests who have not answered their invitation"
    HOST = "the person who made the table"
    SEAT = "players"
    ANSWERS = "players and acting deputies"
    SPEAKS = "players and game masters"
    SEES = "players, acting deputies, the host, game masters and spectators"
    MASTERS = "game masters"
    RECORD = "readers of a finished game"


@dataclass(frozen=True)
class Membership:
    """How a person stands to a table: their seat, whether they made it, whether they are invited and have not answered.

    `deputy`: the seat is not their own, they answer for it while its player is away.  `master`: looked up for those
    without a seat of their own, and where it decides.  `entry`: up to which entry the game has come.  `title`: what
    the table is called.
    """

    game: str
    state: GameState
    seat: str | None
    host: bool
    invited: bool
    deputy: bool = False
    is_spectator: bool = False
    master: bool = False
    entry: int = 0
    title: str = ""

    @property
    def plays(self) -> bool:
        """Return True if the seat is their own."""
        return self.seat is not None and not self.deputy

    @property
    def can_see(self) -> bool:
        """Return True if they see the table as everybody there does."""
        return self.seat is not None or self.host or self.is_spectator or self.master


REQUIREMENTS: Final[Mapping[Permission, Callable[[Membership], bool]]] = {
    Permission.TABLE: lambda place: place.can_see or place.invited,
    Permission.INVITED: lambda place: place.invited,
    Permission.HOST: lambda place: place.host,
    Permission.SEAT: lambda place: place.plays,
    Permission.ANSWERS: lambda place: place.seat is not None,
    Permission.SPEAKS: lambda place: place.plays or place.master,
    Permission.SEES: lambda place: place.can_see,
    Permission.MASTERS: lambda place: place.master,
    Permission.RECORD: lambda place: (
        place.state == GameState.ARCHIVED or (place.state == GameState.OVER and (place.plays or place.host))
    ),
}
"""Whom each thing at a table is for.  What is not of a table (`ANYBODY`, `BEARER`, `USER`, `OPERATOR`) has no row."""


_OF_MASTERS: Final = (Permission.MASTERS, Permission.SPEAKS)


def load_membership(
    session: Session, game: Game, user_id: int, now: int, who: Permission = Permission.TABLE
) -> Membership:
    """How a person stands to a table, strangers included, as far as it decides whether they are among `who`."""
    rows = load_seats(session, game.id)
    held = find_seat_of_user(session, game.id, user_id)
    mine = held.seat if held is not None else None
    stands = (
        acting_deputies.find_acting_seat(session, game.id, user_id, now)
        if mine is None and game.state == GameState.RUNNING
        else None
    )
    return Membership(
        game.id,
        game.state,
        stands.seat if stands is not None else mine,
        game.host_id == user_id,
        mine is None and game.state in GATHERING and _is_invited(session, rows, user_id),
        deputy=stands is not None,
        is_spectator=mine is None and session.get(Spectator, (game.id, user_id)) is not None,
        master=(mine is None or who in _OF_MASTERS) and masters.is_master(session, game, user_id),
        entry=game.entry,
        title=game.title,
    )


def _is_invited(session: Session, rows: list[SeatRow], user_id: int) -> bool:
    user = session.get(User, user_id)
    return user is not None and any(row.user_id is None and row.invited == user.address for row in rows)


def has_permission(session: Session, game: Game | None, user_id: int, now: int, who: Permission) -> bool:
    """Return True if something at a table is for this person; nothing is at a table that does not exist."""
    return game is not None and REQUIREMENTS[who](load_membership(session, game, user_id, now, who))


def find_membership(
    services: Services, user_id: int, game_id: str, who: Permission = Permission.TABLE
) -> Membership | None:
    """How a person stands to a table that they may see so; None otherwise, whether there is such a table or not."""
    with services.db.snapshot() as session:
        game = load_game(session, game_id)
        if game is None or (who is Permission.RECORD and game.rules not in services.installed):
            return None
        place = load_membership(session, game, user_id, services.now(), who)
        return replace(place, state=rules_state(services, game)) if REQUIREMENTS[who](place) else None

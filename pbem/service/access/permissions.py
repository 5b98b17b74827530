"""Who may see and do what at a table: the one table of it, for pages, programs, letters, commands and chat.

Every door asks `let_in`; a service that has the game's transaction open asks `may`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from sqlalchemy.orm import Session

from pbem.service.access import acting_deputies, masters
from pbem.service.base.installed import state
from pbem.service.base.services import Services
from pbem.states import GATHERING, GameState
from pbem.store.games import seat_held_by, seats, table
from pbem.store.models import Game, SeatRow, User, Watcher


class Who(Enum):
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
class Place:
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
    watches: bool = False
    master: bool = False
    entry: int = 0
    title: str = ""

    @property
    def plays(self) -> bool:
        """Return True if the seat is their own."""
        return self.seat is not None and not self.deputy

    @property
    def sees(self) -> bool:
        """Return True if they see the table as everybody there does."""
        return self.seat is not None or self.host or self.watches or self.master


MAY: Final[Mapping[Who, Callable[[Place], bool]]] = {
    Who.TABLE: lambda place: place.sees or place.invited,
    Who.INVITED: lambda place: place.invited,
    Who.HOST: lambda place: place.host,
    Who.SEAT: lambda place: place.plays,
    Who.ANSWERS: lambda place: place.seat is not None,
    Who.SPEAKS: lambda place: place.plays or place.master,
    Who.SEES: lambda place: place.sees,
    Who.MASTERS: lambda place: place.master,
    Who.RECORD: lambda place: (
        place.state == GameState.ARCHIVED or (place.state == GameState.OVER and (place.plays or place.host))
    ),
}
"""Whom each thing at a table is for.  What is not of a table (`ANYBODY`, `BEARER`, `USER`, `OPERATOR`) has no row."""


_OF_MASTERS: Final = (Who.MASTERS, Who.SPEAKS)


def place_of(session: Session, game: Game, user_id: int, now: int, who: Who = Who.TABLE) -> Place:
    """How a person stands to a table, strangers included, as far as it decides whether they are among `who`."""
    rows = seats(session, game.id)
    held = seat_held_by(session, game.id, user_id)
    mine = held.seat if held is not None else None
    stands = (
        acting_deputies.acting(session, game.id, user_id, now)
        if mine is None and game.state == GameState.RUNNING
        else None
    )
    return Place(
        game.id,
        game.state,
        stands.seat if stands is not None else mine,
        game.host_id == user_id,
        mine is None and game.state in GATHERING and _invited(session, rows, user_id),
        deputy=stands is not None,
        watches=mine is None and session.get(Watcher, (game.id, user_id)) is not None,
        master=(mine is None or who in _OF_MASTERS) and masters.is_master(session, game, user_id),
        entry=game.entry,
        title=game.title,
    )


def _invited(session: Session, rows: list[SeatRow], user_id: int) -> bool:
    user = session.get(User, user_id)
    return user is not None and any(row.user_id is None and row.invited == user.address for row in rows)


def may(session: Session, game: Game | None, user_id: int, now: int, who: Who) -> bool:
    """Return True if something at a table is for this person; nothing is at a table that does not exist."""
    return game is not None and MAY[who](place_of(session, game, user_id, now, who))


def let_in(services: Services, user_id: int, game_id: str, who: Who = Who.TABLE) -> Place | None:
    """How a person stands to a table that they may see so; None otherwise, whether there is such a table or not."""
    with services.db.reading() as session:
        game = table(session, game_id)
        if game is None or (who is Who.RECORD and game.rules not in services.installed):
            return None
        place = place_of(session, game, user_id, services.now(), who)
        return replace(place, state=state(services, game)) if MAY[who](place) else None

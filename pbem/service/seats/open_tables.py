"""Tables that look for players: their hosts open them to everybody here, and any person signed in takes a free seat.

Where the table wants to approve, they ask for it instead, and its master says yes or no.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from sqlalchemy import Select, exists, func, select
from sqlalchemy.orm import Session

from pbem.service.access import masters
from pbem.service.base.believing import parted
from pbem.service.base.parts import FIRST, Found, Part
from pbem.service.base.services import Refused, Services
from pbem.service.seats import applications, forming, tables
from pbem.states import GATHERING, GameState
from pbem.store.games import locked, seats
from pbem.store.models import Game, Listed, SeatRow, User
from pbem.text import one_line
from pbem.trouble import passing_over


@dataclass(frozen=True)
class Open:
    """A table with so many free seats.  `approves`: its master is asked first; `asked`: the reader has asked."""

    table: forming.Forming
    free: int
    approves: bool
    asked: bool


def offers(services: Services, user_id: int, part: Part = FIRST) -> Found[Open]:
    """Return the open tables with a free seat at which a person does not sit, the newest first; none not believed."""
    with services.db.reading() as session:
        return part.of(session, _open_to(user_id), partial(_offered_at, services, session, user_id))


def _open_to(user_id: int) -> Select[str]:
    its = SeatRow.game_id == Game.id
    free = exists().where(its, SeatRow.user_id.is_(None), func.coalesce(SeatRow.invited, "") == "")
    sits = exists().where(its, SeatRow.user_id == user_id)
    query = select(Game.id).join(Listed, Listed.game_id == Game.id).where(Game.state == GameState.FORMING)
    return query.where(free, ~sits).order_by(Listed.since.desc(), Game.id)


def _offered_at(services: Services, session: Session, user_id: int, ids: Sequence[str]) -> Sequence[Open]:
    listed, _ = parted(session, Listed, ids)
    games, _ = parted(session, Game, [row.game_id for row in listed])
    found: list[Open] = []
    for game in games:
        with passing_over():
            found += _offered(services, session, game, user_id)
    return found


def _offered(services: Services, session: Session, game: Game, user_id: int) -> list[Open]:
    """The table, if it has a free seat."""
    free = sum(row.user_id is None and not row.invited for row in seats(session, game.id))
    if not free:
        return []
    approves = masters.wants_approval(session, game.id)
    asked = applications.asks(session, game.id, user_id) is not None
    return [Open(forming.forming_of(services, session, game, host=False), free, approves, asked)]


def is_open(services: Services, game_id: str) -> bool:
    """Return True if a table is open to everybody."""
    with services.db.reading() as session:
        return session.get(Listed, game_id) is not None


def settle(services: Services, game_id: str, on: bool) -> None:
    """Open a table that waits for players to everybody, or keep it for those who are invited."""
    with services.db.writing() as session:
        game, row = locked(session, game_id), session.get(Listed, game_id)
        if on and row is None and game is not None and game.state in GATHERING:
            session.add(Listed(game_id=game_id, since=services.now()))
        elif not on and row is not None:
            session.delete(row)


def join(services: Services, user_id: int, game_id: str, words: str = "") -> bool:
    """Take a free seat of an open table; False where its master is asked first.  Raises Refused."""
    often = applications.too_often(services, user_id)
    with services.db.writing() as session:
        game = locked(session, game_id)
        if game is None or game.state != GameState.FORMING or session.get(Listed, game_id) is None:
            raise Refused("no_such_offer")
        rows = seats(session, game_id)
        if any(row.user_id == user_id for row in rows):
            raise Refused("already_seated")
        seat = next((row for row in rows if row.user_id is None and not row.invited), None)
        if seat is None:
            raise Refused("no_such_offer")
        user, approves = session.get_one(User, user_id), masters.wants_approval(session, game_id)
        if approves:
            applications.ask(services, session, game, applications.ANY, user, one_line(words, 200), often=often)
        else:
            tables.sit_down(services, session, game, seat, user, words)
    services.wake("play", game_id)
    services.wake("deliver", "")
    return not approves

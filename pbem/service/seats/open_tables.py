"""Tables that look for players: their hosts open them to everybody here, and any person signed in takes a free seat.

Where the table wants to approve, they ask for it instead, and its master says yes or no.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from sqlalchemy import Select, exists, func, select
from sqlalchemy.orm import Session

from pbem.common.outage_log import skip_unreadable
from pbem.common.states import GATHERING, GameState
from pbem.common.text import to_one_line
from pbem.service.access import masters
from pbem.service.base.pagination import FIRST_PAGE, Page, PageWindow
from pbem.service.base.services import RequestRefused, Services
from pbem.service.base.verified_rows import split_verified
from pbem.service.seats import applications, lobby, tables
from pbem.store.games import load_seats, lock_game
from pbem.store.models import Game, OpenTable, SeatRow, User


@dataclass(frozen=True)
class ListedTable:
    """A table with so many free seats.  `approves`: its master is asked first; `asked`: the reader has asked."""

    table: lobby.Lobby
    free: int
    approves: bool
    asked: bool


def list_open(services: Services, user_id: int, part: PageWindow = FIRST_PAGE) -> Page[ListedTable]:
    """Return the open tables with a free seat at which a person does not sit, the newest first; none not believed."""
    with services.db.snapshot() as session:
        return part.of(session, _is_open_to(user_id), partial(_listed_at, services, session, user_id))


def _is_open_to(user_id: int) -> Select[str]:
    its = SeatRow.game_id == Game.id
    free = exists().where(its, SeatRow.user_id.is_(None), func.coalesce(SeatRow.invited, "") == "")
    sits = exists().where(its, SeatRow.user_id == user_id)
    query = select(Game.id).join(OpenTable, OpenTable.game_id == Game.id).where(Game.state == GameState.FORMING)
    return query.where(free, ~sits).order_by(OpenTable.since.desc(), Game.id)


def _listed_at(services: Services, session: Session, user_id: int, ids: Sequence[str]) -> Sequence[ListedTable]:
    listed, _ = split_verified(session, OpenTable, ids)
    games, _ = split_verified(session, Game, [row.game_id for row in listed])
    found: list[ListedTable] = []
    for game in games:
        with skip_unreadable():
            found += _to_open_table(services, session, game, user_id)
    return found


def _to_open_table(services: Services, session: Session, game: Game, user_id: int) -> list[ListedTable]:
    """The table, if it has a free seat."""
    free = sum(row.user_id is None and not row.invited for row in load_seats(session, game.id))
    if not free:
        return []
    approves = masters.requires_approval(session, game.id)
    asked = applications.find_pending(session, game.id, user_id) is not None
    return [ListedTable(lobby.load_lobby(services, session, game, host=False), free, approves, asked)]


def is_open(services: Services, game_id: str) -> bool:
    """Return True if a table is open to everybody."""
    with services.db.snapshot() as session:
        return session.get(OpenTable, game_id) is not None


def set_open(services: Services, game_id: str, on: bool) -> None:
    """Open a table that waits for players to everybody, or keep it for those who are invited."""
    with services.db.transaction() as session:
        game, row = lock_game(session, game_id), session.get(OpenTable, game_id)
        if on and row is None and game is not None and game.state in GATHERING:
            session.add(OpenTable(game_id=game_id, since=services.now()))
        elif not on and row is not None:
            session.delete(row)


def join_table(services: Services, user_id: int, game_id: str, words: str = "") -> bool:
    """Take a free seat of an open table; False where its master is asked first.  Raises Refused."""
    often = applications.is_rate_limited(services, user_id)
    with services.db.transaction() as session:
        game = lock_game(session, game_id)
        if game is None or game.state != GameState.FORMING or session.get(OpenTable, game_id) is None:
            raise RequestRefused("no_such_offer")
        rows = load_seats(session, game_id)
        if any(row.user_id == user_id for row in rows):
            raise RequestRefused("already_seated")
        seat = next((row for row in rows if row.user_id is None and not row.invited), None)
        if seat is None:
            raise RequestRefused("no_such_offer")
        user, approves = session.get_one(User, user_id), masters.requires_approval(session, game_id)
        if approves:
            applications.apply(services, session, game, applications.ANY, user, to_one_line(words, 200), often=often)
        else:
            tables.take_seat(services, session, game, seat, user, words)
    services.enqueue("resolve_game", game_id)
    services.enqueue("send_outbound_emails", "")
    return not approves

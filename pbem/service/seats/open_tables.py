"""Tables that look for players: their hosts open them to everybody here, and any person signed in takes a free seat.

Where the table wants to approve, they ask for it instead, and its master says yes or no.

Also the links by which a person joins a table.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from sqlalchemy import Select, delete, exists, func, select
from sqlalchemy.orm import Session

from engine.kernel.languages import Language
from pbem.common.addresses import UNVERIFIED, is_address, normalize
from pbem.common.confusables import skeleton
from pbem.common.outage_log import skip_unreadable
from pbem.common.states import GATHERING, GameState
from pbem.common.text import has_web_address, to_name, to_one_line
from pbem.service.access import permissions, users
from pbem.service.access.capabilities import create_capability, find_capability, revoke_capabilities
from pbem.service.base import limits
from pbem.service.base.database_access import FIRST_PAGE, Page, PageWindow
from pbem.service.base.services import RequestRefused, Services
from pbem.service.seats import lobby, sign_in, tables
from pbem.service.seats.lobby import Lobby, load_lobby
from pbem.store.games import find_seat_of_user, load_seats, lock_game
from pbem.store.models import Capability, Game, JoinLink, OpenTable, SeatRow, User
from pbem.store.row_signatures import split_verified


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
        return part.run_query(session, _select_open_to(user_id), partial(_load_listed, services, session, user_id))


def _select_open_to(user_id: int) -> Select[str]:
    its = SeatRow.game_id == Game.id
    free = exists().where(its, SeatRow.user_id.is_(None), func.coalesce(SeatRow.invited_email, "") == "")
    sits = exists().where(its, SeatRow.user_id == user_id)
    query = select(Game.id).join(OpenTable, OpenTable.game_id == Game.id).where(Game.state == GameState.OPEN)
    return query.where(free, ~sits).order_by(OpenTable.opened_at.desc(), Game.id)


def _load_listed(services: Services, session: Session, user_id: int, ids: Sequence[str]) -> Sequence[ListedTable]:
    listed, _ = split_verified(session, OpenTable, ids)
    games, _ = split_verified(session, Game, [row.game_id for row in listed])
    listings: list[ListedTable] = []
    for game in games:
        with skip_unreadable():
            listings += _to_open_table(services, session, game, user_id)
    return listings


def _to_open_table(services: Services, session: Session, game: Game, user_id: int) -> list[ListedTable]:
    """The table, if it has a free seat."""
    free = sum(row.user_id is None and not row.invited_email for row in load_seats(session, game.id))
    if not free:
        return []
    approves = permissions.requires_approval(session, game.id)
    applied = lobby.find_application(session, game.id, user_id) is not None
    return [ListedTable(lobby.load_lobby(services, session, game, host=False), free, approves, applied)]


def is_open(services: Services, game_id: str) -> bool:
    """Return True if a table is open to everybody."""
    with services.db.snapshot() as session:
        return session.get(OpenTable, game_id) is not None


def set_open(services: Services, game_id: str, on: bool) -> None:
    """Open a table that waits for players to everybody, or keep it for those who are invited."""
    with services.db.transaction() as session:
        game, row = lock_game(session, game_id), session.get(OpenTable, game_id)
        if on and row is None and game is not None and game.state in GATHERING:
            session.add(OpenTable(game_id=game_id, opened_at=services.now()))
        elif not on and row is not None:
            session.delete(row)


def join_table(services: Services, user_id: int, game_id: str, words: str = "") -> bool:
    """Take a free seat of an open table; False where its master is asked first. Raises RequestRefused."""
    often = lobby.is_application_limited(services, user_id)
    with services.db.transaction() as session:
        game = lock_game(session, game_id)
        if game is None or game.state != GameState.OPEN or session.get(OpenTable, game_id) is None:
            raise RequestRefused("no_such_offer")
        rows = load_seats(session, game_id)
        if any(row.user_id == user_id for row in rows):
            raise RequestRefused("already_seated")
        seat = next((row for row in rows if row.user_id is None and not row.invited_email), None)
        if seat is None:
            raise RequestRefused("no_such_offer")
        user, approves = session.get_one(User, user_id), permissions.requires_approval(session, game_id)
        if approves:
            lobby.apply_for_seat(services, session, game, lobby.ANY_SEAT, user, to_one_line(words, 200), often=often)
        else:
            tables.take_seat(services, session, game, seat, user, words)
    lobby.enqueue_jobs(services, game_id)
    return not approves


TABLE: Final = "table"
"""The purpose of the token."""


def create_link(services: Services, game_id: str, host_id: int) -> None:
    """Create a link to a game; the previous one is revoked. Raises RequestRefused."""
    now = services.now()
    with services.db.transaction() as session:
        game = tables.load_hosted(services, session, lock_game(session, game_id), host_id)
        _revoke_link(services, session, game_id)
        token = create_capability(session, TABLE, now, game_id=game.id)
        sealed = services.view_keys.view.encrypt(TABLE, game_id.encode(), token.encode())
        session.add(JoinLink(game_id=game_id, ciphertext=sealed, created_at=now))


def revoke_link(services: Services, game_id: str, host_id: int) -> None:
    """Revoke the link to a table. Raises RequestRefused."""
    with services.db.transaction() as session:
        tables.load_hosted(services, session, lock_game(session, game_id), host_id)
        _revoke_link(services, session, game_id)


def _revoke_link(services: Services, session: Session, game_id: str) -> None:
    revoke_capabilities(session, services.now(), Capability.purpose == TABLE, Capability.game_id == game_id)
    session.execute(delete(JoinLink).where(JoinLink.game_id == game_id))


def get_link(services: Services, game_id: str) -> str:
    """Return the link to a game, for its host; empty if there is none."""
    with services.db.snapshot() as session:
        row = session.get(JoinLink, game_id)
        if row is None:
            return ""
        token = services.view_keys.view.decrypt(TABLE, game_id.encode(), row.ciphertext).decode()
        return f"{services.public_url}/join-link/{token}"


# --- who follows it


def find_game_by_link(services: Services, token: str) -> Lobby | None:
    """Find the game of a link. None if the link is not valid."""
    with services.db.snapshot() as session:
        game = _find_game(services, session, token)
        return load_lobby(services, session, game, host=False) if game is not None else None


def _find_game(services: Services, session: Session, token: str) -> Game | None:
    row = find_capability(session, TABLE, token, services.now())
    game = session.get(Game, row.game_id) if row is not None and row.game_id is not None else None
    return game if game is not None and game.state in GATHERING else None


def join_by_link(services: Services, token: str, user_id: int, words: str = "") -> str:
    """Take a free seat; the game's id.  Who sits there already stays. Raises RequestRefused."""
    with services.db.transaction() as session:
        game = _load_open_table(services, session, token)
        _take_seat(services, session, game, session.get_one(User, user_id), words)
    lobby.enqueue_jobs(services, game.id)
    return game.id


def join_as_guest(
    services: Services,
    token: str,
    address: str,
    name: str,
    words: str,
    language: Language,
    line: str,
    zone: str = "",
) -> tuple[str, int]:
    """Take a free seat for a visitor who is not signed in. Return the game's id and the guest's. Raises RequestRefused.

    The address gets an email whose link passes the seat to its owner. Whether the address is known here changes
    nothing that the visitor sees: until then they are a guest at this one table. `line`: the client's network address.
    `zone`: the time zone of their browser.
    """
    if services.sign_up == "closed":
        raise RequestRefused("sign_up_closed")
    if not is_address(address):
        raise RequestRefused("address_wanted", address=to_one_line(address, 80))
    short_name = to_name(name, users.LONGEST_NAME)
    if not skeleton(short_name):
        short_name = users.name_of_new_user(services, normalize(address), "")
    if has_web_address(short_name):
        raise RequestRefused("web_address")
    if limits.is_exceeded(services, "joins_from", line, limits.DAY_S):
        raise limits.rate_limit_error(services, limits.DAY_S)
    with services.db.transaction() as session:
        game = _load_open_table(services, session, token)
        guest = users.create_guest(services, session, UNVERIFIED, short_name, language, zone)
        users.rename_user(services, session, guest, short_name, coming_to=game)
        _take_seat(services, session, game, guest, words)
        game_id, guest_id = game.id, guest.id
    lobby.enqueue_jobs(services, game_id)
    sign_in.request_sign_in(services, address, language, sign_in.Asker(line, guest=guest_id))
    return game_id, guest_id


def find_game_of_guest(services: Services, user_id: int, *, finished: bool = True) -> str | None:
    """Find the one game of a guest. None if it is gone, or over and not asked for as `finished`."""
    query = select(Game.id).join(SeatRow, SeatRow.game_id == Game.id).where(SeatRow.user_id == user_id)
    with services.db.snapshot() as session:
        return session.scalar(query if finished else query.where(Game.state != GameState.OVER))


def _load_open_table(services: Services, session: Session, token: str) -> Game:
    found = _find_game(services, session, token)
    game = lock_game(session, found.id) if found is not None else None
    if game is None or game.state not in GATHERING:
        raise RequestRefused("invitation_over")
    return game


def _take_seat(services: Services, session: Session, game: Game, user: User, words: str) -> None:
    if find_seat_of_user(session, game.id, user.id) is not None:
        return
    free = lobby.free_seats(services, session, game)
    if not free:
        raise RequestRefused("no_free_seat")
    if permissions.has_inspected(session, game.id, user.id):
        raise RequestRefused("already_seated")
    tables.take_seat(services, session, game, free[0], user, words)

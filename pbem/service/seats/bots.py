"""Seats for bots: whoever made a table may give its free seats to some, and a master the seat of a player who is lost.

A bot is a person without an address, at one table; its name says what it is, wherever it is told.
"""

import secrets
from typing import Final

from sqlalchemy.orm import Session

from engine.kernel.languages import DEFAULT
from pbem.common.addresses import BOTS, is_bot
from pbem.common.confusables import find_confusable, make_distinct
from pbem.service.access import display_names
from pbem.service.base.services import RequestRefused, Services
from pbem.service.game.bot_wakeups import PACES, schedule
from pbem.service.seats import substitutes, tables
from pbem.store.games import load_seat, load_seats, lock_game
from pbem.store.models import Bot, Game, SeatRow, User

NAMES: Final = ("Ada", "Bruno", "Clara", "Dario", "Elsa", "Fosco", "Greta", "Hugo")


def seat_bots(services: Services, game_id: str, host_id: int, pace: str, count: int = 1) -> None:
    """Give so many free seats of a table that forms to bots; with the last seat the game begins.  Raises Refused."""
    with services.db.transaction() as session:
        game = tables.load_hosted(services, session, lock_game(session, game_id), host_id)
        seat_bot(services, session, game, pace, count)
    services.enqueue("resolve_game", game_id)


def seat_bot(services: Services, session: Session, game: Game, pace: str, count: int) -> None:
    """The same where the caller has locked or made the table."""
    if pace not in PACES:
        raise RequestRefused("no_such_option")
    free = [row for row in load_seats(session, game.id) if row.user_id is None and not row.invited]
    if not 1 <= count <= len(free):
        raise RequestRefused("table_full", free=len(free))
    for row in free[:count]:
        user = _create_bot(services, session, game, pace)
        tables.take_seat(services, session, game, row, user, "")


def remove_bot(services: Services, game_id: str, host_id: int, seat: str) -> None:
    """Free the seat of a bot again, before the game begins; nothing happens where none sits there.  Raises Refused."""
    with services.db.transaction() as session:
        game = tables.load_hosted(services, session, lock_game(session, game_id), host_id)
        row = load_seat(session, game.id, seat)
        user = session.get(User, row.user_id) if row is not None and row.user_id is not None else None
        if row is not None and user is not None and is_bot(user.address):
            row.user_id, row.joined_at, row.nonce = None, None, None


def replace_with_bot(services: Services, session: Session, game: Game, row: SeatRow, pace: str) -> User:
    """Give the seat of a player to a bot, in a game under way; what they had filed is destroyed unread."""
    user = _create_bot(services, session, game, pace)
    substitutes.replace_player(services, session, game, row, user, "replaced")
    schedule(session, user, services.now())
    return user


def _create_bot(services: Services, session: Session, game: Game, pace: str) -> User:
    """A new bot for a table, with a name that nobody there has."""
    here = list(display_names.names_in_game(session, game).values())
    names = [display_names.bot_name(name) for name in NAMES]
    name = next(
        (n for n in names if find_confusable(n, here) is None), make_distinct(names[0], here, display_names.LONGEST)
    )
    now = services.now()
    address = f"{secrets.token_hex(12)}@{BOTS}"
    user = User(address=address, name=name, language=DEFAULT, zone=services.zone, created_at=now)
    session.add(user)
    session.flush()
    session.add(Bot(user_id=user.id, game_id=game.id, pace=pace, seed=services.chance(16)))
    return user

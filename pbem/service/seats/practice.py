"""Practice tables: a guest against bots, without an address and without letters, of which nothing stays after a day."""

import secrets
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from engine.kernel.rules import Meta
from pbem.common.addresses import GUESTS, is_bot, is_guest
from pbem.service.base import limits
from pbem.service.base.calendar import DAY_MS
from pbem.service.base.services import RequestRefused, Services
from pbem.service.seats import bots, tables
from pbem.store.erasure import delete_games_and_users
from pbem.store.games import lock_game, occupied_seats
from pbem.store.models import Bot, Game, PracticeGame, User

AT_ONCE: Final = 20
"""Practice tables that one look removes."""


def seat_count(meta: Meta) -> int:
    """How many sit at a practice table: as few as make a game against others."""
    return min((number for number in meta.seats if number > 1), default=max(meta.seats))


def start(services: Services, title: str, name: str, table: str, language: str, line: str) -> tuple[int, str]:
    """A table of this game for a guest, who is called `name`; their number and the table's.  Raises Refused.

    `line`: where the request comes from, which has so many of them within a day.
    """
    if title not in services.installed:
        raise RequestRefused("no_such_game", title=title)
    if limits.is_exceeded(services, "practice_from", line, limits.DAY_S) or limits.is_exceeded(
        services, "practice", "all"
    ):
        raise limits.rate_limit_error(services)
    now, count = services.now(), seat_count(services.rules(title).meta)
    came: list[int] = []

    def guest(session: Session) -> int:
        address = f"{secrets.token_hex(12)}@{GUESTS}"
        user = User(address=address, name=name, language=language, zone=services.zone, created_at=now)
        session.add(user)
        session.flush()
        came.append(user.id)
        return user.id

    def others(session: Session, game: Game) -> None:
        session.add(PracticeGame(game_id=game.id, user_id=game.host_id, until=now + DAY_MS))
        bots.seat_bot(services, session, game, "now", count - 1)

    game_id = tables.create(services, guest, title, table, count, {}, also=others)
    return came[-1], game_id


def find_game(services: Services, user_id: int) -> str | None:
    """The practice table of a guest; None where its day is over."""
    with services.db.snapshot() as session:
        return session.scalar(select(PracticeGame.game_id).where(PracticeGame.user_id == user_id))


def delete_expired(services: Services) -> int:
    """Remove the tables whose day is over, with their guests and bots, rows and all; returns how many."""
    with services.db.snapshot() as session:
        over = (
            select(PracticeGame.game_id)
            .where(PracticeGame.until <= services.now())
            .order_by(PracticeGame.until)
            .limit(AT_ONCE)
        )
        games = session.scalars(over).all()
    return sum(_delete_expired(services, game_id) for game_id in games)


def _delete_expired(services: Services, game_id: str) -> bool:
    """Remove one, if those who sit there are a guest and bots: nobody with an address ever vanishes so."""
    with services.db.transaction() as session:
        game = lock_game(session, game_id)
        if game is None:
            return False
        here = [user for _, user in occupied_seats(session, game_id)]
        host = session.get_one(User, game.host_id)
        if not is_guest(host.address) or not all(is_bot(user.address) or user.id == host.id for user in here):
            return False
        made = session.scalars(select(Bot.user_id).where(Bot.game_id == game_id)).all()
        session.expunge_all()
        delete_games_and_users(session, [game_id], [host.id, *made])
        return True

"""Seats for bots: whoever made a table may give its free seats to some, and a master the seat of a player who is lost.

A bot is a person without an address, at one table; its name says what it is, wherever it is told.

Also games for practice, against bots only.
"""

from dataclasses import dataclass
from typing import Final

from sqlalchemy import exists, select
from sqlalchemy.orm import Session

from engine.kernel.languages import DEFAULT
from engine.kernel.pictures import DrawsBoard
from engine.kernel.rules import Meta
from engine.kernel.zones import HasZones
from pbem.common.addresses import BOTS, GUESTS, is_bot, is_guest
from pbem.common.confusables import find_confusable, make_distinct
from pbem.common.states import GameState
from pbem.service.access import users
from pbem.service.base import limits
from pbem.service.base.calendar import DAY_MS
from pbem.service.base.game_states import is_installed
from pbem.service.base.services import RequestRefused, Services
from pbem.service.game.clock_state import BOT_PACES, schedule_bot
from pbem.service.seats import substitutes, tables
from pbem.store.erasure import delete_games_and_users
from pbem.store.games import load_game, load_seat, load_seats, lock_game, occupied_seats
from pbem.store.models import Bot, Game, PracticeGame, SeatRow, User

NAMES: Final = ("Ada", "Bruno", "Clara", "Dario", "Elsa", "Fosco", "Greta", "Hugo")


def seat_bots(services: Services, game_id: str, host_id: int, pace: str, count: int = 1) -> None:
    """Give free seats to bots before a game begins; with the last seat it begins. Raises RequestRefused."""
    with services.db.transaction() as session:
        game = tables.load_hosted(services, session, lock_game(session, game_id), host_id)
        seat_bot(services, session, game, pace, count)
    services.enqueue("resolve_game", game_id)


def seat_bot(services: Services, session: Session, game: Game, pace: str, count: int) -> None:
    """Do the same in a transaction that has locked or created the game."""
    if pace not in BOT_PACES:
        raise RequestRefused("no_such_option")
    free = [row for row in load_seats(session, game.id) if row.user_id is None and not row.invited_email]
    if not 1 <= count <= len(free):
        raise RequestRefused("table_full", free=len(free))
    for row in free[:count]:
        user = create_bot(services, session, game, pace)
        tables.take_seat(services, session, game, row, user, "")


def remove_bot(services: Services, game_id: str, host_id: int, seat: str) -> None:
    """Free the seat of a bot before a game begins, if there is one. Raises RequestRefused."""
    with services.db.transaction() as session:
        game = tables.load_hosted(services, session, lock_game(session, game_id), host_id)
        row = load_seat(session, game.id, seat)
        user = session.get(User, row.user_id) if row is not None and row.user_id is not None else None
        if row is not None and user is not None and is_bot(user.email):
            tables.free_seat(row)


def replace_with_bot(services: Services, session: Session, game: Game, row: SeatRow, pace: str) -> User:
    """Give the seat of a player to a bot, in a game under way; what they had filed is destroyed unread."""
    user = create_bot(services, session, game, pace)
    substitutes.replace_player(services, session, game, row, user, "replaced")
    schedule_bot(session, user, services.now())
    return user


def create_bot(services: Services, session: Session, game: Game, pace: str, wanted: str = "") -> User:
    """A new bot for a table, with a name that nobody there has.  `wanted`: the name of a bot that it goes on for."""
    here = list(users.names_in_game(session, game).values())
    names = [*([wanted] if users.is_bot_name(wanted) else []), *(users.bot_name(name) for name in NAMES)]
    name = next(
        (n for n in names if find_confusable(n, here) is None), make_distinct(names[0], here, users.LONGEST_NAME)
    )
    user = users.create_guest(services, session, BOTS, name, DEFAULT)
    session.add(Bot(user_id=user.id, game_id=game.id, pace=pace, seed=services.random_bytes(16)))
    return user


SHOW_PACE: Final = "hour"
"""How long bots think that play for people who look on."""
AT_ONCE: Final = 20
"""Practice tables that one look removes."""


def seat_count(meta: Meta) -> int:
    """Return the seats of a practice game: the fewest with an opponent."""
    return min((number for number in meta.seats if number > 1), default=max(meta.seats))


def start_practice(
    services: Services, title: str, name: str, table: str, language: str, line: str, zone: str = ""
) -> tuple[int, str]:
    """Create a practice game for a guest. Return the guest's number and the game's id. Raises RequestRefused.

    `line`: the client's network address, for the rate limit. `zone`: the time zone of their browser.
    """
    if services.sign_up != "open":
        raise RequestRefused("practice_closed")
    if title not in services.installed:
        raise RequestRefused("no_such_game", title=title)
    if limits.is_exceeded(services, "practice_from", line, limits.DAY_S):
        raise limits.rate_limit_error(services, limits.DAY_S)
    if limits.is_exceeded(services, "practice", "all"):
        raise limits.rate_limit_error(services)
    now, count = services.now(), seat_count(services.rules(title).meta)
    came: list[int] = []

    def guest(session: Session) -> int:
        came.append(users.create_guest(services, session, GUESTS, name, language, zone).id)
        return came[-1]

    def others(session: Session, game: Game) -> None:
        session.add(PracticeGame(game_id=game.id, user_id=game.host_id, expires_at=now + DAY_MS))
        seat_bot(services, session, game, "now", count - 1)

    game_id = tables.create(services, guest, title, table, count, {}, also=others)
    return came[-1], game_id


@dataclass(frozen=True)
class ShowGame:
    """A game that bots play by themselves, for people who look on; its host is a guest without a seat."""

    game: str
    host_id: int
    rules: str
    entry: int


def find_show_game(services: Services) -> ShowGame | None:
    """Find the game that anybody may watch, if one is under way."""
    with services.db.snapshot() as session:
        sits = exists().where(SeatRow.game_id == Game.id, SeatRow.user_id == PracticeGame.user_id)
        query = select(Game.id).join(PracticeGame, PracticeGame.game_id == Game.id)
        query = query.where(Game.state == GameState.RUNNING, ~sits, is_installed(services))
        found = session.scalar(query.order_by(PracticeGame.expires_at.desc(), Game.id).limit(1))
        game = load_game(session, found) if found is not None else None
        if game is None or not all(is_bot(user.email) for _, user in occupied_seats(session, game.id)):
            return None  # nobody's table is shown, whatever the rows of practice say
        return ShowGame(game.id, game.host_id, game.rules, game.entry)


def keep_show_game(services: Services, name: str, language: str) -> None:
    """Begin a game for people who look on, unless there is one; like practice it is deleted after a day."""
    if find_show_game(services) is not None or limits.is_exceeded(services, "show", "all"):
        return
    now, installed = services.now(), services.installed
    maps = [
        title for title, rules in installed.items() if isinstance(rules, DrawsBoard) and not isinstance(rules, HasZones)
    ]
    titles = sorted(maps or installed)  # a map is understood at a glance, a board of zones is not
    title = titles[now // DAY_MS % len(titles)]
    count = seat_count(services.rules(title).meta)

    def others(session: Session, game: Game) -> None:
        session.add(PracticeGame(game_id=game.id, user_id=game.host_id, expires_at=now + DAY_MS))
        tables.free_seat(load_seats(session, game.id)[0])
        seat_bot(services, session, game, SHOW_PACE, count)

    def host(session: Session) -> int:
        return users.create_guest(services, session, GUESTS, name, language).id

    tables.create(services, host, title, name, count, {}, also=others)


def delete_expired_practice(services: Services) -> int:
    """Remove the tables whose day is over, with their guests and bots, rows and all; returns how many."""
    with services.db.snapshot() as session:
        over = (
            select(PracticeGame.game_id)
            .where(PracticeGame.expires_at <= services.now())
            .order_by(PracticeGame.expires_at)
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
        if not is_guest(host.email) or not all(is_bot(user.email) or user.id == host.id for user in here):
            return False
        bot_ids = session.scalars(select(Bot.user_id).where(Bot.game_id == game_id)).all()
        session.expunge_all()
        delete_games_and_users(session, [game_id], [host.id, *bot_ids])
        return True

"""How a game ended: the order in which its seats finished, with their points, and the figures that they had.

Also the statistics of players.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from sqlalchemy import bindparam, case, func, select
from sqlalchemy.orm import Session

from engine.kernel.events import Ended, Event
from engine.kernel.secrets import seen_by
from engine.kernel.viewers import PUBLIC, Seat
from pbem.common.addresses import is_bot
from pbem.service.archive import library
from pbem.service.base.database_access import ALL_ROWS, PageWindow
from pbem.service.base.services import Services
from pbem.service.game import seat_views
from pbem.service.pages.game_pages import PublicPage
from pbem.store.games import display_name, load_game, occupied_seats
from pbem.store.models import GameResult, User


@dataclass(frozen=True)
class Placement:
    """A seat at the end: its place (those that share one have the same), its points, and who played it."""

    place: int
    seat: Seat
    name: str
    points: int | None
    is_bot: bool


@dataclass(frozen=True)
class Ending:
    """The last page of a game.  `page`: what everybody was shown last; `counted`: what its last entries told."""

    page: PublicPage
    placed: tuple[Placement, ...]
    counted: tuple[Event, ...]


MAX_HIGHLIGHTS = 40
"""Facts of the final count that are told: those of the last entry, at most so many from its end."""


def load_ending(services: Services, user_id: int, game_id: str) -> Ending | None:
    """Load how a game ended. Return None if its end was never shown.

    The caller has asked `permissions.find_membership`.
    """
    with services.db.snapshot() as session:
        game = load_game(session, game_id)
        entries = library.load_entries(session, game_id, PUBLIC) if game is not None else ()
        if game is None or not entries:
            return None
        user = session.get_one(User, user_id)
        with seen_by(PUBLIC):
            page = library.load_page(services, session, game, user, PUBLIC, entries[-1], entries)
        events = seat_views.load_events(services, session, game_id, PUBLIC, 0, game.entry)
        last = next((event for event in reversed(events) if isinstance(event, Ended)), None)
        players = _players(session, game_id)
        counted = tuple(event for event in page.events if not isinstance(event, Ended))[-MAX_HIGHLIGHTS:]
        placed = _placements(last, players) if last is not None else ()
        return Ending(page, placed, counted)


def _players(session: Session, game_id: str) -> Mapping[str, User]:
    return {row.seat: user for row, user in occupied_seats(session, game_id)}


def _placements(last: Ended, players: Mapping[str, User]) -> tuple[Placement, ...]:
    """Who came where; nobody is first where nobody has won."""
    placements: list[Placement] = []
    for group in last.ranking:
        place = len(placements) + (1 if last.has_winner else 2)
        for seat in sorted(group, key=lambda seat: -last.points.get(seat, 0)):
            user = players.get(seat)
            bot = user is not None and is_bot(user.email)
            name = display_name(user, seat) if user is not None else seat
            placements.append(Placement(place, seat, name, last.points.get(seat), bot))
    return tuple(placements)


@dataclass(frozen=True)
class PlayerStats:
    """One row, of one game: whose, how many, how often first (alone or shared), the mean place and points, in tenths.

    `turns`, `on_time`: of all games of a player, also those that are not over; 0 for a power.
    """

    name: str
    rules: str
    games: int
    firsts: int
    place: int
    points: int
    turns: int = 0
    on_time: int = 0

    @property
    def share(self) -> int | None:
        """Turns on time, in per cent; None before the first."""
        return 100 * self.on_time // self.turns if self.turns else None


@dataclass(frozen=True)
class Statistics:
    """Rows of players and of powers, those of a game together.  `next_offset`: as of a list in parts."""

    players: tuple[PlayerStats, ...]
    powers: tuple[PlayerStats, ...]
    next_offset: int = 0


def load_statistics(services: Services, user_id: int, part: PageWindow = ALL_ROWS) -> Statistics:
    """Load the figures of players, from games that the user may read, and of powers.

    `part`: a page of the players; by default all.
    """
    with services.db.snapshot() as session:
        query = _PLAYERS.where(GameResult.game_id.in_(library.accessible_ids(services, user_id)))
        players = part.run_row_query(session, query, partial(_load_players, session))
        return Statistics(
            players.rows, _load_powers(services, session) if part.offset == 0 else (), players.next_offset
        )


_PLACES = 10 * GameResult.place + 5 * (GameResult.tied_with - 1)
"""A shared place counts as the middle of the places that are shared, in tenths."""
_SUMS = (
    func.count(),
    func.sum(case((GameResult.place == 1, 1), else_=0)),
    func.sum(_PLACES),
    func.sum(10 * GameResult.points),
)
_PLAYERS = (
    select(GameResult.user_id, GameResult.rules, *_SUMS)
    .join(User, GameResult.user_id == User.id)
    .where(~User.email.endswith(".invalid"))
    .group_by(GameResult.rules, GameResult.user_id, User.name)
    .order_by(
        GameResult.rules,
        func.count().desc(),
        func.sum(_PLACES) / func.count(),
        func.lower(User.name),
        GameResult.user_id,
    )
)
"""Points and places of different games have nothing to do with each other: no row sums them up.

A person who is known here by an address; in a game that was brought here there are names alone."""
_POWERS = (
    select(GameResult.power, GameResult.rules, *_SUMS)
    .where(GameResult.power != "", GameResult.rules.in_(bindparam("rules", expanding=True)))
    .group_by(GameResult.rules, GameResult.power)
)


def _load_players(session: Session, rows: Sequence[Any]) -> Sequence[PlayerStats]:
    """Summed up by the database; those who are named are read whole."""
    users = {user.id: user for user in session.scalars(select(User).where(User.id.in_([row[0] for row in rows])))}
    return [_to_player_stats(users[number], *sums) for number, *sums in rows]


def _to_player_stats(user: User, rules: str, games: int, first: int, places: int, points: int) -> PlayerStats:
    return PlayerStats(
        user.name,
        rules,
        games,
        first,
        rounded_mean(places, games),
        rounded_mean(points, games),
        user.turns_asked,
        user.turns_on_time,
    )


def rounded_mean(total: int, games: int) -> int:
    """Return the mean, rounded to the nearest whole number, halves up."""
    return (2 * int(total) + games) // (2 * games)


def _load_powers(services: Services, session: Session) -> tuple[PlayerStats, ...]:
    """Summed up by the database: there are as many rows as seats of all games that ended here."""
    rows = session.execute(_POWERS, {"rules": list(services.installed)})
    lines = [
        PlayerStats(name, rules, games, first, rounded_mean(places, games), rounded_mean(points, games))
        for name, rules, games, first, places, points in rows
    ]
    return tuple(sorted(lines, key=lambda line: (line.rules, -line.games, line.place, line.name)))

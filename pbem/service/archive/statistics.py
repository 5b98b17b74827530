"""Figures over finished games: of players in the games that one may look at, and of powers in all that ended here.

What keeping each seat's earlier views costs (`stored_bytes`), with whole games of six bots and their seven viewers,
were every entry shown: 2.5 MB for 98 entries of Age of Renaissance (1.5 of positions, 1.0 of facts), 3.6 MB for 153
entries of Renaissance; 3.5 to 3.9 kB for a viewer and an entry.  That is less than a photograph a game, so they are
kept.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from sqlalchemy import bindparam, case, func, select
from sqlalchemy.orm import Session

from pbem.service.archive import library
from pbem.service.base.pagination import ALL_ROWS, PageWindow
from pbem.service.base.services import Services
from pbem.store.models import GameResult, SeatView, User


@dataclass(frozen=True)
class PlayerStats:
    """One row: whose, how many games, how often first (alone or with others), the mean place and points, in tenths.

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
    """Rows of players by name, and of powers by title and name.  `onward`: as of a list in parts."""

    players: tuple[PlayerStats, ...]
    powers: tuple[PlayerStats, ...]
    onward: int = 0


def load_statistics(services: Services, user_id: int, part: PageWindow = ALL_ROWS) -> Statistics:
    """The figures for one reader.  Names of players come from games that they may look at; powers have none.

    `part`: of the players; what is no page has all of them.
    """
    with services.db.snapshot() as session:
        asked = _PLAYERS.where(GameResult.game_id.in_(library.accessible_ids(services, user_id)))
        players = part.run_row_query(session, asked, partial(_load_players, session))
        return Statistics(players.rows, _load_powers(services, session) if part.first == 0 else (), players.onward)


_PLACES = 10 * GameResult.place + 5 * (GameResult.shared - 1)
"""A shared place counts as the middle of the places that are shared, in tenths."""
_SUMS = (
    func.count(),
    func.sum(case((GameResult.place == 1, 1), else_=0)),
    func.sum(_PLACES),
    func.sum(10 * GameResult.points),
)
_PLAYERS = (
    select(GameResult.user_id, *_SUMS)
    .join(User, GameResult.user_id == User.id)
    .where(~User.address.endswith(".invalid"))
    .group_by(GameResult.user_id, User.name)
    .order_by(func.count().desc(), func.sum(_PLACES) / func.count(), func.lower(User.name), GameResult.user_id)
)
"""A person who is known here by an address; in a game that was brought here there are names alone."""
_POWERS = (
    select(GameResult.power, GameResult.rules, *_SUMS)
    .where(GameResult.power != "", GameResult.rules.in_(bindparam("rules", expanding=True)))
    .group_by(GameResult.rules, GameResult.power)
)


def _load_players(session: Session, rows: Sequence[Any]) -> Sequence[PlayerStats]:
    """Summed up by the database; those who are named are read whole."""
    users = {user.id: user for user in session.scalars(select(User).where(User.id.in_([row[0] for row in rows])))}
    return [_to_player_stats(users[number], *sums) for number, *sums in rows]


def _to_player_stats(user: User, games: int, first: int, at: int, made: int) -> PlayerStats:
    return PlayerStats(
        user.name, "", games, first, rounded_mean(at, games), rounded_mean(made, games), user.turns, user.turns_on_time
    )


def rounded_mean(total: int, games: int) -> int:
    """The nearest whole number to a mean; a half goes up."""
    return (2 * int(total) + games) // (2 * games)


def _load_powers(services: Services, session: Session) -> tuple[PlayerStats, ...]:
    """Summed up by the database: there are as many rows as seats of all games that ended here."""
    rows = session.execute(_POWERS, {"rules": list(services.installed)})
    lines = [
        PlayerStats(name, rules, games, first, rounded_mean(at, games), rounded_mean(made, games))
        for name, rules, games, first, at, made in rows
    ]
    return tuple(sorted(lines, key=lambda line: (line.rules, -line.games, line.place, line.name)))


def stored_bytes(services: Services, game_id: str) -> tuple[int, int]:
    """How many views and lists of facts a game keeps for its viewers, and how many bytes they take."""
    with services.db.snapshot() as session:
        mine = SeatView.game_id == game_id, SeatView.kind.in_(("view", "events"))
        count, size = session.execute(select(func.count(), func.sum(func.length(SeatView.sealed))).where(*mine)).one()
        return count, size or 0

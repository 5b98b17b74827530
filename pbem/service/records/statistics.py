"""Figures over finished games: of players in the games that one may look at, and of powers in all that ended here.

What keeping each seat's earlier views costs (`kept_bytes`), with whole games of six bots and their seven viewers, were
every entry shown: 2.5 MB for 98 entries of Age of Renaissance (1.5 of positions, 1.0 of facts), 3.6 MB for 153 entries
of Renaissance; 3.5 to 3.9 kB for a viewer and an entry.  That is less than a photograph a game, so they are kept.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from sqlalchemy import bindparam, case, func, select
from sqlalchemy.orm import Session

from pbem.service.base.parts import WHOLE, Part
from pbem.service.base.services import Services
from pbem.service.records import finished_games
from pbem.store.models import ResultRow, User, ViewRow


@dataclass(frozen=True)
class Line:
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
class Figures:
    """Rows of players by name, and of powers by title and name.  `onward`: as of a list in parts."""

    players: tuple[Line, ...]
    powers: tuple[Line, ...]
    onward: int = 0


def figures(services: Services, user_id: int, part: Part = WHOLE) -> Figures:
    """The figures for one reader.  Names of players come from games that they may look at; powers have none.

    `part`: of the players; what is no page has all of them.
    """
    with services.db.reading() as session:
        asked = _PLAYERS.where(ResultRow.game_id.in_(finished_games.open_to(services, user_id)))
        players = part.of_rows(session, asked, partial(_players, session))
        return Figures(players.rows, _powers(services, session) if part.first == 0 else (), players.onward)


_PLACES = 10 * ResultRow.place + 5 * (ResultRow.shared - 1)
"""A shared place counts as the middle of the places that are shared, in tenths."""
_SUMS = (
    func.count(),
    func.sum(case((ResultRow.place == 1, 1), else_=0)),
    func.sum(_PLACES),
    func.sum(10 * ResultRow.points),
)
_PLAYERS = (
    select(ResultRow.user_id, *_SUMS)
    .join(User, ResultRow.user_id == User.id)
    .where(~User.address.endswith(".invalid"))
    .group_by(ResultRow.user_id, User.name)
    .order_by(func.count().desc(), func.sum(_PLACES) / func.count(), func.lower(User.name), ResultRow.user_id)
)
"""A person who is known here by an address; in a game that was brought here there are names alone."""
_POWERS = (
    select(ResultRow.power, ResultRow.rules, *_SUMS)
    .where(ResultRow.power != "", ResultRow.rules.in_(bindparam("rules", expanding=True)))
    .group_by(ResultRow.rules, ResultRow.power)
)


def _players(session: Session, rows: Sequence[Any]) -> Sequence[Line]:
    """Summed up by the database; those who are named are read whole."""
    users = {user.id: user for user in session.scalars(select(User).where(User.id.in_([row[0] for row in rows])))}
    return [_player(users[number], *sums) for number, *sums in rows]


def _player(user: User, games: int, first: int, at: int, made: int) -> Line:
    return Line(user.name, "", games, first, mean(at, games), mean(made, games), user.turns, user.turns_on_time)


def mean(total: int, games: int) -> int:
    """The nearest whole number to a mean; a half goes up."""
    return (2 * int(total) + games) // (2 * games)


def _powers(services: Services, session: Session) -> tuple[Line, ...]:
    """Summed up by the database: there are as many rows as seats of all games that ended here."""
    rows = session.execute(_POWERS, {"rules": list(services.installed)})
    lines = [
        Line(name, rules, games, first, mean(at, games), mean(made, games))
        for name, rules, games, first, at, made in rows
    ]
    return tuple(sorted(lines, key=lambda line: (line.rules, -line.games, line.place, line.name)))


def kept_bytes(services: Services, game_id: str) -> tuple[int, int]:
    """How many views and lists of facts a game keeps for its viewers, and how many bytes they take."""
    with services.db.reading() as session:
        mine = ViewRow.game_id == game_id, ViewRow.kind.in_(("view", "events"))
        count, size = session.execute(select(func.count(), func.sum(func.length(ViewRow.sealed))).where(*mine)).one()
        return count, size or 0

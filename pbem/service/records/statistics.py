"""Figures over finished games: of players in the games that one may look at, and of powers in all that ended here.

What keeping each seat's earlier views costs (`kept_bytes`), with whole games of six bots and their seven viewers, were
every entry shown: 2.5 MB for 98 entries of Age of Renaissance (1.5 of positions, 1.0 of facts), 3.6 MB for 153 entries
of Renaissance; 3.5 to 3.9 kB for a viewer and an entry.  That is less than a photograph a game, so they are kept.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import bindparam, case, func, select
from sqlalchemy.orm import Session

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
    """All rows: players by name, powers by title and name."""

    players: tuple[Line, ...]
    powers: tuple[Line, ...]


def figures(services: Services, user_id: int) -> Figures:
    """The figures for one reader.  Names of players come from games that they may look at; powers have none."""
    mine = [game.game for game in finished_games.finished(services, user_id)]
    with services.db.reading() as session:
        own = session.scalars(select(ResultRow).where(ResultRow.game_id.in_(mine))).all()
        return Figures(_players(session, own), _powers(services, session))


def _players(session: Session, rows: Iterable[ResultRow]) -> tuple[Line, ...]:
    """A person who is known here by an address; in a game that was brought here there are names alone."""
    by_user: dict[int, list[ResultRow]] = {}
    for row in rows:
        if row.user_id is not None:
            by_user.setdefault(row.user_id, []).append(row)
    users = session.scalars(select(User).where(User.id.in_(by_user)))
    lines = [
        _line(user.name, "", by_user[user.id], user.turns, user.turns_on_time)
        for user in users
        if not user.address.endswith(".invalid")
    ]
    return tuple(sorted(lines, key=lambda line: (-line.games, line.place, line.name.casefold())))


_PLACES = 10 * ResultRow.place + 5 * (ResultRow.shared - 1)
"""A shared place counts as the middle of the places that are shared, in tenths."""
_POWERS = (
    select(
        ResultRow.power,
        ResultRow.rules,
        func.count(),
        func.sum(case((ResultRow.place == 1, 1), else_=0)),
        func.sum(_PLACES),
        func.sum(10 * ResultRow.points),
    )
    .where(ResultRow.power != "", ResultRow.rules.in_(bindparam("rules", expanding=True)))
    .group_by(ResultRow.rules, ResultRow.power)
)


def _powers(services: Services, session: Session) -> tuple[Line, ...]:
    """Summed up by the database: there are as many rows as seats of all games that ended here."""
    rows = session.execute(_POWERS, {"rules": list(services.installed)})
    lines = [
        Line(name, rules, games, first, at // games, made // games) for name, rules, games, first, at, made in rows
    ]
    return tuple(sorted(lines, key=lambda line: (line.rules, -line.games, line.place, line.name)))


def _line(name: str, title: str, rows: list[ResultRow], turns: int, on_time: int) -> Line:
    places = sum(10 * row.place + 5 * (row.shared - 1) for row in rows)  # as in `_PLACES`
    points = sum(10 * row.points for row in rows)
    firsts = sum(1 for row in rows if row.place == 1)
    return Line(name, title, len(rows), firsts, places // len(rows), points // len(rows), turns, on_time)


def kept_bytes(services: Services, game_id: str) -> tuple[int, int]:
    """How many views and lists of facts a game keeps for its viewers, and how many bytes they take."""
    with services.db.reading() as session:
        mine = ViewRow.game_id == game_id, ViewRow.kind.in_(("view", "events"))
        count, size = session.execute(select(func.count(), func.sum(func.length(ViewRow.sealed))).where(*mine)).one()
        return count, size or 0

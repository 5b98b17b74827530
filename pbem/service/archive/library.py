"""Games that are over, to look at: who may, which there are, and each entry as every seat saw it then.

A finished game is open to those who sat at its table; a file that was brought to this server, to everybody here.

Also the history of a game under way, how a game ended, and the statistics of players.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Final

from sqlalchemy import Select, bindparam, case, func, select, union
from sqlalchemy.orm import Session

from engine.kernel.events import Ended, Event
from engine.kernel.gates import Gate
from engine.kernel.position import Position
from engine.kernel.rules import Rules, View
from engine.kernel.secrets import seen_by
from engine.kernel.viewers import PUBLIC, Seat, Viewer
from pbem.common.addresses import is_bot
from pbem.common.states import BEGUN, GameState
from pbem.narration.facts import EmailContext
from pbem.service.base.database_access import ALL_ROWS, Page, PageWindow
from pbem.service.base.services import Services
from pbem.service.game import seat_views
from pbem.service.pages import game_pages
from pbem.service.pages.game_pages import PublicPage
from pbem.store.games import load_game, load_seats, names_of_seats, occupied_seats, prefetch_games
from pbem.store.models import Game, GameResult, JournalEntry, SeatRow, SeatView, User

NEWEST: Final = (Game.ended_at.desc(), Game.id)
"""In which order finished games are listed."""


@dataclass(frozen=True)
class ArchivedGame:
    """A game in the list: what was played, by whom, and when it ended (seconds)."""

    game: str
    rules: str
    title: str
    players: tuple[str, ...]
    entries: int
    ended: int | None
    archived: bool


@dataclass(frozen=True)
class EntryPage:
    """One entry of a finished game as one viewer saw it.  `earlier`, `later`: the entries beside it.

    `gates`: what each entry of the journal resolved, by its number.
    """

    page: PublicPage
    viewer: str
    viewers: tuple[str, ...]
    entry: int
    entries: tuple[int, ...]
    gates: Mapping[int, Gate]

    @property
    def step(self) -> int:
        """Where the entry stands among all that the viewer has, counted from 1."""
        return self.entries.index(self.entry) + 1

    @property
    def earlier(self) -> int | None:
        """The entry before, if there is one."""
        return next((entry for entry in reversed(self.entries) if entry < self.entry), None)

    @property
    def later(self) -> int | None:
        """The entry after, if there is one."""
        return next((entry for entry in self.entries if entry > self.entry), None)


def list_games(services: Services, user_id: int, part: PageWindow, only: str = "") -> Page[ArchivedGame]:
    """List the finished games that a user may read, the newest first, a page at a time. `only`: one game."""
    query = accessible_ids(services, user_id).order_by(*NEWEST)
    with services.db.snapshot() as session:
        return part.run_query(session, query.where(Game.id == only) if only else query, partial(load_finished, session))


def accessible_ids(services: Services, user_id: int) -> Select[str]:
    """Select the ids of the finished games that a user may read: played, hosted, or imported."""
    sat = select(Game.id).join(SeatRow).where(SeatRow.user_id == user_id, Game.state == GameState.OVER)
    hosted = select(Game.id).where(Game.host_id == user_id, Game.state == GameState.OVER)
    brought = select(Game.id).where(Game.state == GameState.ARCHIVED)
    return select(Game.id).where(Game.id.in_(union(sat, hosted, brought)), Game.rules.in_(services.installed))


def load_finished(session: Session, ids: Sequence[str]) -> Sequence[ArchivedGame]:
    """Load finished games by their ids, in that order."""
    games = {game.id: game for game in session.scalars(select(Game).where(Game.id.in_(ids)))}
    prefetch_games(session, ids)
    return [_to_archived_game(session, games[number]) for number in ids]


def _to_archived_game(session: Session, game: Game) -> ArchivedGame:
    players = tuple(names_of_seats(session, game).values())
    ended = game.ended_at // 1000 if game.ended_at is not None else None
    return ArchivedGame(game.id, game.rules, game.title, players, game.entry, ended, game.state == GameState.ARCHIVED)


def load_entry(
    services: Services, user_id: int, game_id: str, viewer: str = PUBLIC, entry: int | None = None
) -> EntryPage | None:
    """Load an entry of a finished game as a viewer saw it; without a number, the last. Return None if there is no view.

    The caller has asked `permissions.find_membership`.
    """
    with services.db.snapshot() as session:
        game, user = load_game(session, game_id), session.get_one(User, user_id)
        if game is None:
            return None
        entries = load_entries(session, game_id, viewer)
        wanted = entries[-1] if entry is None and entries else entry
        if wanted not in entries:
            return None
        viewers = (PUBLIC, *(row.seat for row in load_seats(session, game_id)))
        page = load_page(services, session, game, user, viewer, wanted, entries)
        return EntryPage(page, viewer, viewers, wanted, entries, list_gates(session, game_id))


def next_visible_entry(services: Services, game_id: str, entry: int) -> int | None:
    """Return the first entry from a number on that has a public view, or None."""
    with services.db.snapshot() as session:
        return next((shown for shown in load_entries(session, game_id, PUBLIC) if shown >= entry), None)


def load_entries(session: Session, game_id: str, viewer: str) -> tuple[int, ...]:
    """Return the entries that have a view for a viewer, in order."""
    query = select(SeatView.entry).where(
        SeatView.game_id == game_id, SeatView.viewer == viewer, SeatView.kind == "view"
    )
    return tuple(session.scalars(query.order_by(SeatView.entry)))


def list_gates(session: Session, game_id: str) -> Mapping[int, Gate]:
    """Return the gate that each entry of a game resolved, in order: two short columns for each."""
    query = select(JournalEntry.number, JournalEntry.gate).where(JournalEntry.game_id == game_id)
    return {number: Gate.parse(gate) for number, gate in session.execute(query.order_by(JournalEntry.number))}


def load_page(
    services: Services,
    session: Session,
    game: Game,
    user: User,
    viewer: str,
    entry: int,
    entries: Sequence[int],
    first: int = 0,
) -> PublicPage:
    """Load the page of one of these entries, as a viewer saw it. `first`: the reader knows of nothing before it."""
    rules, position = services.rules(game.rules), seat_views.load_view(services, session, game.id, viewer, entry)
    if position is None:
        raise LookupError(f"no view of entry {entry} was stored")
    before = max((e for e in entries if e < entry), default=first)
    with seen_by(Seat(viewer)):
        view = rules.present_view(position, Seat(viewer))
    seat = "" if viewer == PUBLIC else viewer
    frame = game_pages.reader_context(services, session, game, user, seat, entry=entry, folder="records")
    events = seat_views.load_events(services, session, game.id, viewer, before, entry)
    return PublicPage(frame, rules.meta, position, view, events, ())


@dataclass(frozen=True)
class BoardAt:
    """How the board stood after an entry, as one viewer was shown it, and how it stood at their last email but one.

    `since`: that entry; 0 where there is nothing to compare with.
    """

    rules: Rules[Any]
    viewer: Viewer
    entry: int
    seen: Position[Any]
    since: int
    earlier: Position[Any] | None

    @cached_property
    def view(self) -> View:
        """The board."""
        return self._build_view(self.seen)

    @cached_property
    def before(self) -> View | None:
        """The board as it had stood."""
        return self._build_view(self.earlier) if self.earlier is not None else None

    def _build_view(self, position: Position[Any]) -> View:
        with seen_by(self.viewer):
            return self.rules.present_view(position, self.viewer)


def load_board(services: Services, user_id: int, game_id: str, seat: str, entry: int | None = None) -> BoardAt | None:
    """Load the board as a seat saw it last, up to an entry if one is given. Return None if the user may not see it."""
    with services.db.snapshot() as session:
        game = load_game(session, game_id)
        if game is None:
            return None
        last = game.entry if entry is None else min(entry, game.entry)
        first = _first_visible(services, session, user_id, game_id, seat)
        if last < first or last < 1:
            return None
        position = seat_views.load_view_at(services, session, game_id, seat, last)
        reports = game_pages.list_reports(session, game_id, seat, last=last >= game.entry)
        since = next((since for since, until in reports if until <= last and since >= first), 0)
        earlier = seat_views.load_view_at(services, session, game_id, seat, since) if since else None
        return BoardAt(services.rules(game.rules), Seat(seat), last, position, since, earlier)


def load_seat_entry(services: Services, user_id: int, game_id: str, seat: str, entry: int) -> EntryPage | None:
    """Load the last entry, up to a number, of which the seat was shown something. Return None if there is none.

    A substitute or deputy sees nothing of what the seat was shown before their time.
    """
    with services.db.snapshot() as session:
        game = load_game(session, game_id)
        if game is None:
            return None
        first = _first_visible(services, session, user_id, game_id, seat)
        entries = _visible_entries(session, game_id, seat, first)
        wanted = max((e for e in entries if e <= entry), default=None)
        if wanted is None:
            return None
        user = session.get_one(User, user_id)
        page = load_page(services, session, game, user, seat, wanted, entries, first)
        return EntryPage(page, seat, (seat,), wanted, entries, list_gates(session, game_id))


@dataclass(frozen=True)
class EntrySteps:
    """What one viewer was told of an entry. `before`: None for the first that the reader may know."""

    frame: EmailContext
    before: Position[Any] | None
    after: Position[Any]
    events: tuple[Event, ...]


_EARLIER = select(func.max(SeatView.entry)).where(
    SeatView.game_id == bindparam("game"),
    SeatView.viewer == bindparam("viewer"),
    SeatView.kind == "view",
    SeatView.entry < bindparam("entry"),
)


def load_steps(
    services: Services, user_id: int, game_id: str, viewer: str, entry: int, *, own: bool = False
) -> EntrySteps | None:
    """Load an entry as a viewer was shown it; however long the game is. Return None if they were shown nothing then.

    `own`: the viewer is the user's seat, of which they know what it was shown in their time. The caller has asked
    `permissions.find_membership`.
    """
    with services.db.snapshot() as session:
        game = load_game(session, game_id)
        first = _first_visible(services, session, user_id, game_id, viewer) if own else 0
        after = seat_views.load_view(services, session, game_id, viewer, entry)
        if game is None or after is None or entry < first:
            return None
        earlier = session.scalar(_EARLIER, {"game": game_id, "viewer": viewer, "entry": entry}) or 0
        before = seat_views.load_view(services, session, game_id, viewer, earlier) if earlier >= max(first, 1) else None
        events = seat_views.load_events(services, session, game_id, viewer, max(earlier, first), entry)
        user, seat = session.get_one(User, user_id), "" if viewer == PUBLIC else viewer
        frame = game_pages.reader_context(services, session, game, user, seat, entry=entry)
        return EntrySteps(frame, before, after, events)


def list_entries(services: Services, user_id: int, game_id: str, seat: str, before: int, limit: int) -> tuple[int, ...]:
    """List the entries that a seat was shown and the user may see, the newest first, at most `limit`.

    `before`: only earlier ones (0: all).
    """
    with services.db.snapshot() as session:
        entries = _visible_entries(session, game_id, seat, _first_visible(services, session, user_id, game_id, seat))
        return tuple([entry for entry in reversed(entries) if not before or entry < before][:limit])


def entry_at_step(services: Services, user_id: int, game_id: str, viewer: str, step: int, *, own: bool = False) -> int:
    """Return the entry at a place, counted from 1, of those that a viewer was shown; else the nearest, or 0.

    `own`: as `load_steps` has it.
    """
    with services.db.snapshot() as session:
        known = _first_visible(services, session, user_id, game_id, viewer) if own else 0
        entries = _visible_entries(session, game_id, viewer, known)
        return entries[min(max(step, 1), len(entries)) - 1] if entries else 0


def _first_visible(services: Services, session: Session, user_id: int, game_id: str, seat: str) -> int:
    """Return the first entry of which a reader may know what the seat was shown."""
    return max(
        seat_views.first_visible_entry(session, game_id, seat),
        game_pages.visible_from(services, session, game_id, user_id),
    )


def _visible_entries(session: Session, game_id: str, viewer: str, first: int) -> tuple[int, ...]:
    """The entries from one on after which a viewer was shown something, in order."""
    return tuple(entry for entry in load_entries(session, game_id, viewer) if entry >= first)


def public_board(services: Services, game_id: str, entry: int | None = None) -> BoardAt | None:
    """Load the public board, as it was shown last up to an entry. Return None unless the game is running or over."""
    with services.db.snapshot() as session:
        game = load_game(session, game_id)
        if game is None or game.state not in BEGUN or not game.entry:
            return None
        at = game.entry if entry is None else min(max(entry, 1), game.entry)
        position = seat_views.load_view_at(services, session, game_id, PUBLIC, at)
        return BoardAt(services.rules(game.rules), PUBLIC, at, position, 0, None)


def archived_board(services: Services, game_id: str, viewer: str, entry: int) -> BoardAt | None:
    """Load the board of a finished game after an entry, as a viewer saw it, and as they saw it before.

    Return None if they saw nothing then. The caller has asked `permissions.find_membership`.
    """
    with services.db.snapshot() as session:
        entries = load_entries(session, game_id, viewer)
        position = seat_views.load_view(services, session, game_id, viewer, entry)
        if position is None:
            return None
        since = max((e for e in entries if e < entry), default=0)
        earlier = seat_views.load_view(services, session, game_id, viewer, since) if since else None
        return BoardAt(
            services.rules(session.get_one(Game, game_id).rules), Seat(viewer), entry, position, since, earlier
        )


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
        entries = load_entries(session, game_id, PUBLIC) if game is not None else ()
        if game is None or not entries:
            return None
        user = session.get_one(User, user_id)
        with seen_by(PUBLIC):
            page = load_page(services, session, game, user, PUBLIC, entries[-1], entries)
        events = seat_views.load_events(services, session, game_id, PUBLIC, 0, game.entry)
        last = next((event for event in reversed(events) if isinstance(event, Ended)), None)
        players = {row.seat: user for row, user in occupied_seats(session, game_id)}
        counted = tuple(event for event in page.events if not isinstance(event, Ended))[-MAX_HIGHLIGHTS:]
        placed = _placements(last, players, names_of_seats(session, game)) if last is not None else ()
        return Ending(page, placed, counted)


def _placements(last: Ended, players: Mapping[str, User], names: Mapping[str, str]) -> tuple[Placement, ...]:
    """Who came where; nobody is first where nobody has won."""
    placements: list[Placement] = []
    for group in last.ranking:
        place = len(placements) + (1 if last.has_winner else 2)
        for seat in sorted(group, key=lambda seat: -last.points.get(seat, 0)):
            user = players.get(seat)
            bot = user is not None and is_bot(user.email)
            placements.append(Placement(place, seat, names.get(seat, seat), last.points.get(seat), bot))
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
        query = _PLAYERS.where(GameResult.game_id.in_(accessible_ids(services, user_id)))
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

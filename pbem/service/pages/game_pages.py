"""What the pages show: to a person who is signed in what they may see, and nothing else.

Everything returned is a frozen copy; positions and events are those that the resolver stored for that very viewer.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from sqlalchemy import Select, and_, bindparam, case, func, select
from sqlalchemy.orm import Session

from engine.kernel.events import Event
from engine.kernel.gates import Gate
from engine.kernel.grammar import Grammar, build_grammar
from engine.kernel.options import DRAWS
from engine.kernel.position import Position
from engine.kernel.rules import Meta, Rules, View
from engine.kernel.secrets import seen_by
from engine.kernel.viewers import PUBLIC, Seat
from pbem.common.states import GATHERING, GameState
from pbem.crypto import is_token, token_hash
from pbem.narration.facts import EmailContext, Links, OpenQuestion, Reader
from pbem.service.access import permissions
from pbem.service.access.capabilities import is_valid
from pbem.service.base.database_access import ALL_ROWS, PageWindow
from pbem.service.base.game_states import is_installed, rules_state
from pbem.service.base.services import Services
from pbem.service.game import seat_views
from pbem.service.mail import assembly
from pbem.service.seats.lobby import JOIN, Lobby, load_lobby
from pbem.store.games import find_seat_of_user, load_game, load_open_questions, load_seat, load_seats, prefetch_games
from pbem.store.models import Capability, Game, OutboundEmail, QuestionRow, SeatRow, SeatView, User


@dataclass(frozen=True)
class DueQuestion:
    """A question that waits for an answer: until when (seconds; None: no limit), and whether one is in."""

    topic: str
    due: int | None
    is_answered: bool


@dataclass(frozen=True)
class GameCard:
    """A table in a list.  `turn`: of the game, if it counts turns.  `others`: the other players, by their seats."""

    game: str
    rules: str
    title: str
    state: GameState
    questions: tuple[DueQuestion, ...]
    missing_seats: int
    turn: int | None = None
    others: tuple[str, ...] = ()

    @property
    def is_waiting(self) -> bool:
        """Return True if the game waits for the user's answer."""
        return any(not duty.is_answered for duty in self.questions)


@dataclass(frozen=True)
class HomePage:
    """One's tables, what is owed first; and the tables to which one is invited.

    `next_offset`: as of a list in parts.
    """

    games: tuple[GameCard, ...]
    invitations: tuple[GameCard, ...]
    next_offset: int = 0


@dataclass(frozen=True)
class Invitation:
    """What the link of an invitation shows: the table, whom it is for, and whether it still holds."""

    forming: Lobby
    name: str
    language: str
    is_valid: bool
    is_taken: bool


@dataclass(frozen=True)
class StoryPart:
    """What a viewer was told of one entry, or of several that were resolved together; `entry`: the last of them."""

    entry: int
    events: tuple[Event, ...]


@dataclass(frozen=True)
class Report:
    """What a viewer was told from one entry to another, and the position after it."""

    frame: EmailContext
    seen: Position[Any]
    parts: tuple[StoryPart, ...]
    to_entry: int

    @property
    def events(self) -> tuple[Event, ...]:
        """The whole story."""
        return tuple(event for part in self.parts for event in part.events)


@dataclass(frozen=True)
class SeatStory:
    """What a viewer was told since their last report began.

    `reports`: from and to which entry each told, newest first.
    """

    frame: EmailContext
    seen: Position[Any]
    events: tuple[Event, ...]
    reports: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class SeatPage:
    """All that the page of a seat shows. `reports`: the entries of the last emails, newest first.

    `stored`: what the seat was told since its last order. `has_ordered`: an order of the seat was counted before.
    `away`: the seats for which a deputy answers, as everybody at the table was told.

    What takes time to work out is worked out when it is asked for: most pages were made before and are kept.
    """

    frame: EmailContext
    rules: Rules[Any]
    seen: Position[Any]
    questions: tuple[OpenQuestion, ...]
    pending: tuple[Seat, ...]
    away: tuple[Seat, ...]
    reports: tuple[int, ...]
    stored: tuple[seat_views.ViewRowData, ...]
    has_ordered: bool
    services: Services

    @property
    def meta(self) -> Meta:
        """The game."""
        return self.rules.meta

    @property
    def seat(self) -> Seat:
        """Whose page it is."""
        return Seat(self.frame.reader.seat)

    @cached_property
    def view(self) -> View:
        """The table as the seat is shown it."""
        with seen_by(self.seat):
            return self.rules.present_view(self.seen, self.seat)

    @cached_property
    def grammar(self) -> Grammar:
        """All that the seat may write now: not to questions whose answers are fixed."""
        gates = {one.decision.gate for one in self.questions}
        with seen_by(self.seat):
            grammar = build_grammar(self.rules, self.seen, self.seat, self.frame.reader.language)
        return grammar.without_section(
            d for d in self.seen.core.questions if d.seat == self.seat and d.gate not in gates
        )

    @cached_property
    def parts(self) -> tuple[StoryPart, ...]:
        """What the seat was told since its last order, entry by entry."""
        return _open_parts(self.services, self.stored)

    @property
    def events(self) -> tuple[Event, ...]:
        """The same in one row."""
        return tuple(event for part in self.parts for event in part.events)


@dataclass(frozen=True)
class PublicPage:
    """A table as anybody sees it."""

    frame: EmailContext
    meta: Meta
    seen: Position[Any]
    view: View
    events: tuple[Event, ...]
    pending: tuple[Seat, ...]


def reader_context(
    services: Services,
    session: Session,
    game: Game,
    user: User,
    seat: str = "",
    *,
    entry: int | None = None,
    folder: str = "games",
) -> EmailContext:
    """Return the context of a page or feed, without capabilities. `entry`: as of which; `folder`: of its link."""
    number = game.entry if entry is None else entry
    return EmailContext(
        Reader(user.name, user.language, user.time_zone, Seat(seat)),
        assembly.load_table_facts(session, game),
        Links(page=f"{services.public_url}/{folder}/{game.id}"),
        services.now() // 1000,
        number,
        assembly.digest_of_entry(session, game.id, number),
    )


# --- who is who


def visible_from(services: Services, session: Session, game_id: str, user_id: int) -> int:
    """Return the entry from which a deputy may see what the seat was told; 0 for its own player.

    What a predecessor was told is kept from a player by `first_visible_entry`.
    """
    own = find_seat_of_user(session, game_id, user_id) is not None
    deputy = None if own else permissions.find_acting_seat(session, game_id, user_id, services.now())
    return deputy.visible_from_entry if deputy is not None else 0


def load_home(services: Services, user_id: int, part: PageWindow = ALL_ROWS) -> HomePage:
    """Load a user's games, a page at a time: those that wait for them first, by deadline; and their invitations."""
    with services.db.snapshot() as session:
        user = session.get_one(User, user_id)
        own_games = select(SeatRow.game_id).where(SeatRow.user_id == user_id)
        page = part.run_query(
            session, _select_games(services, session, user_id), lambda ids: _to_cards(services, session, ids, user_id)
        )
        invited = select(SeatRow.game_id).where(SeatRow.invited_email == user.email, SeatRow.user_id.is_(None))
        asking = select(Game).where(Game.id.in_(invited), Game.id.not_in(own_games)).order_by(Game.created_at, Game.id)
        games = [game for game in session.scalars(asking) if game.state in GATHERING]
        cards = _to_cards(services, session, [game.id for game in games], user_id)
        return HomePage(page.rows, tuple(cards), page.next_offset)


NO_LIMIT: Final = 1 << 60


def _select_games(services: Services, session: Session, user_id: int) -> Select[str]:
    """The numbers of one's tables in order: by what waits for oneself, by state, by title."""
    plays = (Game.state == GameState.RUNNING) & is_installed(services)
    waiting = (
        select(func.min(func.coalesce(QuestionRow.due_at, NO_LIMIT)))
        .join(SeatRow, and_(SeatRow.game_id == QuestionRow.game_id, SeatRow.seat == QuestionRow.seat))
        .where(
            QuestionRow.game_id == Game.id,
            SeatRow.user_id == user_id,
            QuestionRow.is_blocking,
            QuestionRow.answered_at.is_(None),
            QuestionRow.answers_fixed.is_(False),
        )
        .scalar_subquery()
    )
    due = case((plays, waiting)).label("due")
    rank = case((plays, 1), (Game.state == GameState.OVER, 3), else_=2)
    own_games = select(SeatRow.game_id).where(SeatRow.user_id == user_id)
    any_way = (
        Game.id.in_(own_games) | (Game.host_id == user_id) | Game.id.in_(permissions.games_of_master(session, user_id))
    )
    ranked = select(Game.id, Game.title, due, rank.label("rank")).where(any_way).subquery()
    return select(ranked.c.id).order_by(
        ranked.c.due.is_(None), ranked.c.due, ranked.c.rank, ranked.c.title, ranked.c.id
    )


def _to_cards(services: Services, session: Session, ids: Sequence[str], user_id: int) -> Sequence[GameCard]:
    """The tables of these numbers in a list, each row of them read whole, in three statements."""
    games = {game.id: game for game in session.scalars(select(Game).where(Game.id.in_(ids)))} if ids else {}
    if ids:
        prefetch_games(session, ids)
    return [_to_card(services, session, games[number], user_id) for number in ids]


def _to_card(services: Services, session: Session, game: Game, user_id: int) -> GameCard:
    rows = load_seats(session, game.id)
    own_seat = next((row.seat for row in rows if row.user_id == user_id), None)
    state = rules_state(services, game)
    questions = load_open_questions(session, game.id, own_seat) if own_seat is not None and state == "running" else ()
    duties = tuple(
        DueQuestion(row.topic, row.due_at // 1000 if row.due_at is not None else None, row.answered_at is not None)
        for row in questions
        if row.is_blocking
    )
    missing = sum(1 for row in rows if row.user_id is None)
    turns = (Gate.parse(row.gate).turn for row in load_open_questions(session, game.id))
    turn = next((turn for turn in turns if turn is not None), None) if state == "running" else None
    names = assembly.load_names(session, game)
    others = tuple(name for seat, name in names.items() if seat != own_seat)
    return GameCard(game.id, game.rules, game.title, state, duties, missing, turn, others)


# --- before the game


def load_lobby_page(services: Services, user_id: int, game_id: str) -> Lobby:
    """Load a game that has not begun; only its host sees who is invited."""
    with services.db.snapshot() as session:
        game = session.get_one(Game, game_id)
        return load_lobby(services, session, game, host=game.host_id == user_id)


def load_invitation_page(services: Services, token: str) -> Invitation | None:
    """Load what an invitation link shows. Return None if it never existed."""
    with services.db.snapshot() as session:
        row = session.get(Capability, token_hash(JOIN, token)) if is_token(token) else None
        if row is None or row.game_id is None or row.user_id is None:
            return None
        game, user = session.get(Game, row.game_id), session.get(User, row.user_id)
        seat = load_seat(session, row.game_id, row.seat)
        if game is None or user is None or seat is None:
            return None
        good = is_valid(row, services.now()) and seat.user_id is None and game.state in GATHERING
        lobby = load_lobby(services, session, game, host=False)
        return Invitation(lobby, user.name, user.language, good, seat.user_id == user.id)


# --- the game


def load_seat_page(services: Services, user_id: int, game_id: str, seat: str) -> SeatPage:
    """Load the page of a user's seat."""
    with services.db.snapshot() as session:
        game = load_game(session, game_id)
        if game is None:
            raise LookupError("there is no such table")
        first = visible_from(services, session, game_id, user_id)
        reports, counted = _recent_reports(session, game_id, seat)
        letters = [(since, entry) for since, entry in reports if since >= first]
        since = max(letters[-1][0], min(letters[0][0], (counted or NO_LIMIT) - 1)) if letters else first
        position, stored = seat_views.load_since(services, session, game, seat, since)
        return SeatPage(
            assembly.build_context(services, session, game, seat, session.get_one(User, user_id), "", services.now()),
            services.rules(game.rules),
            position,
            assembly.open_questions(session, game_id, seat, position.core.questions),
            assembly.pending_seats(session, game_id, seat),
            permissions.seats_with_deputy(session, game_id, services.now()) if game.state == GameState.RUNNING else (),
            tuple(entry for _, entry in letters),
            stored,
            counted > 0,
            services,
        )


MOST_LETTERS = 8
"""How many earlier reports the page of a seat names and tells again; the history has them all."""

_LAST_COUNTED = (
    select(func.max(SeatView.entry))
    .where(
        SeatView.game_id == bindparam("game"),
        SeatView.viewer == bindparam("seat"),
        SeatView.kind == seat_views.COUNTED,
        SeatView.entry >= bindparam("known"),
    )
    .scalar_subquery()
)
"""The last entry at which an order of a seat counted."""

_LETTERS = (
    select(func.max(OutboundEmail.from_entry), OutboundEmail.entry, _LAST_COUNTED)
    .where(
        OutboundEmail.game_id == bindparam("game"),
        OutboundEmail.seat == bindparam("seat"),
        OutboundEmail.kind.in_(("started", "report", "game_over")),
        OutboundEmail.from_entry.is_not(None),
        OutboundEmail.entry >= bindparam("known"),
    )
    .group_by(OutboundEmail.entry)
    .order_by(OutboundEmail.entry.desc())
)
_LAST_LETTERS = _LETTERS.limit(MOST_LETTERS)


def list_reports(session: Session, game_id: str, seat: str, *, last: bool = False) -> list[tuple[int, int]]:
    """List the first and last entry of each report to a seat, the newest first; resent reports count once.

    `last`: only as many as the page of a seat shows.
    """
    first = seat_views.first_visible_entry(session, game_id, seat)
    parameters = {"game": game_id, "seat": seat, "known": first}
    rows = session.execute(_LAST_LETTERS if last else _LETTERS, parameters)
    return [(since or 0, entry or 0) for since, entry, _ in rows]


def _recent_reports(session: Session, game_id: str, seat: str) -> tuple[list[tuple[int, int]], int]:
    """List the last reports to a seat, and return the entry at which its last order counted, 0 for none."""
    first = seat_views.first_visible_entry(session, game_id, seat)
    rows = session.execute(_LAST_LETTERS, {"game": game_id, "seat": seat, "known": first}).all()
    return [(since or 0, entry or 0) for since, entry, _ in rows], next((counted or 0 for *_, counted in rows), 0)


_NEXT = (
    select(Game.id, Game.title)
    .join(SeatRow, SeatRow.game_id == Game.id)
    .join(QuestionRow, and_(QuestionRow.game_id == Game.id, QuestionRow.seat == SeatRow.seat))
    .where(
        SeatRow.user_id == bindparam("user"),
        Game.id != bindparam("but"),
        Game.state == GameState.RUNNING,
        QuestionRow.is_blocking,
        QuestionRow.answered_at.is_(None),
        QuestionRow.answers_fixed.is_(False),
    )
    .order_by(QuestionRow.due_at.is_(None), QuestionRow.due_at, Game.id)
    .limit(1)
)


def next_due_game(services: Services, user_id: int, but: str) -> tuple[str, str] | None:
    """Return the id and title of the next game, but one, that waits for a user, or None."""
    with services.db.snapshot() as session:
        row = session.execute(_NEXT, {"user": user_id, "but": but}).first()
        return (row[0], row[1]) if row is not None else None


def pending_seats_of(services: Services, game_id: str) -> tuple[tuple[Seat, ...], tuple[Seat, ...]]:
    """Return the seats that owe an answer, and those whose deputies answer."""
    with services.db.snapshot() as session:
        return assembly.pending_seats(session, game_id), permissions.seats_with_deputy(session, game_id, services.now())


def load_seat_story(services: Services, user_id: int, game_id: str, seat: str) -> SeatStory:
    """Load what a seat was told: its reports, and the events since the last one began."""
    with services.db.snapshot() as session:
        game, user = session.get_one(Game, game_id), session.get_one(User, user_id)
        first = visible_from(services, session, game_id, user_id)
        reports = [(since, entry) for since, entry in list_reports(session, game_id, seat) if since >= first]
        return SeatStory(
            assembly.build_context(services, session, game, seat, user, "", services.now()),
            seat_views.last_view(services, session, game, seat),
            seat_views.load_history(services, session, game_id, seat, reports[0][0] if reports else first, game.entry),
            tuple(reports),
        )


def load_report(services: Services, user_id: int, game_id: str, seat: str, entry: int) -> Report | None:
    """Load what a seat was told by the report that ended with an entry. Return None if there was none."""
    with services.db.snapshot() as session:
        game, user = session.get_one(Game, game_id), session.get_one(User, user_id)
        since = next((s for s, until in list_reports(session, game_id, seat) if until == entry), None)
        position = seat_views.load_view(services, session, game_id, seat, entry)
        if since is None or position is None or since < visible_from(services, session, game_id, user_id):
            return None
        rows = seat_views.load_rows(session, game_id, seat, since, entry)
        frame = assembly.build_context(services, session, game, seat, user, "", services.now())
        return Report(frame, position, _open_parts(services, rows), entry)


def _open_parts(services: Services, stored: Sequence[seat_views.ViewRowData]) -> tuple[StoryPart, ...]:
    """What was stored for a viewer of some entries, without those of which they were told nothing."""
    told = (StoryPart(row.entry, seat_views.decode_events(services, (row,))) for row in stored)
    return tuple(part for part in told if part.events)


def load_public_page(services: Services, user_id: int, game_id: str, seat: str) -> PublicPage:
    """Load the public position, with the public events since the user's last report began."""
    with services.db.snapshot() as session:
        game, user = session.get_one(Game, game_id), session.get_one(User, user_id)
        rules = services.rules(game.rules)
        position = seat_views.last_view(services, session, game, PUBLIC)
        with seen_by(PUBLIC):
            view = rules.present_view(position, PUBLIC)
        reports = list_reports(session, game_id, seat)
        frame = reader_context(services, session, game, user)
        events = seat_views.load_events(services, session, game_id, PUBLIC, reports[0][0] if reports else 0, game.entry)
        return PublicPage(frame, rules.meta, position, view, events, assembly.pending_seats(session, game_id))


def list_games(services: Services) -> Sequence[Meta]:
    """List the game types that can be played here, with the options that this server offers."""
    return tuple(_offered_options(services, rules.meta) for rules in services.installed.values())


def _offered_options(services: Services, meta: Meta) -> Meta:
    """Without the choice of how draws are made where the server asks no beacon."""
    if services.beacon:
        return meta
    return replace(meta, options=tuple(option for option in meta.options if option.name != DRAWS.name))

"""Finding and locking games, and what a transaction needs of one over and over."""

from collections import defaultdict
from collections.abc import Sequence
from functools import partial
from typing import Any, Final, TypeVar

from sqlalchemy import BindParameter, and_, bindparam, select
from sqlalchemy.orm import Session

from engine.kernel.options import HIDDEN, NAMES
from pbem.common.states import GATHERING, OPENED
from pbem.store.models import Base, Game, JournalEntry, OrderRevision, QuestionRow, SealedOrdersRow, SeatRow, User
from pbem.store.optimistic import SnapshotSession
from pbem.store.query_cache import cached, clear, replace_cached

Row = TypeVar("Row", bound=Base)

_GAME_ID: BindParameter[str] = bindparam("game")
_LOCKED = select(Game).where(Game.id == _GAME_ID).with_for_update().execution_options(populate_existing=True)
_SEATS = (
    select(SeatRow, User)
    .outerjoin(User, SeatRow.user_id == User.id)
    .where(SeatRow.game_id == _GAME_ID)
    .order_by(SeatRow.id)
)
_TABLE = (
    select(Game, JournalEntry.chain_link, JournalEntry.created_at, SeatRow, User)
    .outerjoin(JournalEntry, and_(JournalEntry.game_id == Game.id, JournalEntry.number == Game.entry))
    .outerjoin(SeatRow, SeatRow.game_id == Game.id)
    .outerjoin(User, SeatRow.user_id == User.id)
    .where(Game.id == _GAME_ID)
    .order_by(SeatRow.id)
)
_ENTRY_TIME = select(JournalEntry.created_at).where(
    JournalEntry.game_id == bindparam("game"), JournalEntry.number == bindparam("number")
)
_LINK = select(JournalEntry.chain_link).where(
    JournalEntry.game_id == _GAME_ID, JournalEntry.number == bindparam("number")
)
_LINKS = (
    select(JournalEntry.game_id, JournalEntry.chain_link)
    .join(Game, and_(JournalEntry.game_id == Game.id, JournalEntry.number == Game.entry))
    .where(Game.id.in_(bindparam("games", expanding=True)))
)
_QUESTIONS = select(QuestionRow).where(QuestionRow.game_id == _GAME_ID).order_by(QuestionRow.id)
_ORDERS = (
    select(SealedOrdersRow)
    .where(SealedOrdersRow.game_id == _GAME_ID)
    .order_by(SealedOrdersRow.gate, SealedOrdersRow.revision, SealedOrdersRow.id)
)


_REVISIONS = select(OrderRevision).where(OrderRevision.game_id == _GAME_ID, OrderRevision.gate == bindparam("gate"))


def lock_game(session: Session, game_id: str) -> Game | None:
    """The game's row, locked until the transaction ends, and read anew whatever was read of it before.

    SQLite locks all that is written when a transaction begins, so the whole table may be read at once; PostgreSQL
    waits here, and what lies beside the game is read behind the lock.  A look at one moment shows all as it was.
    """
    if isinstance(session, SnapshotSession):
        return load_game(session, game_id)
    clear(session)
    if sees_one_moment(session):
        return load_game(session, game_id)
    return session.scalars(_LOCKED, {"game": game_id}).one_or_none()


def reload(session: Session, row: Row) -> Row:
    """The same row as it stands now that the lock is held: it may have been read before."""
    if not sees_one_moment(session):
        session.refresh(row)
    return row


def sees_one_moment(session: Session) -> bool:
    """Return True if a session sees nothing that others write: a snapshot, or SQLite, whose one writer holds it all."""
    return isinstance(session, SnapshotSession) or session.get_bind().dialect.name == "sqlite"


def _with_users(session: Session, game_id: str) -> list[tuple[SeatRow, User | None]]:
    """The seats with who sat there when they were read: those users need not be looked up again."""

    def read() -> list[tuple[SeatRow, User | None]]:
        return [(seat, user) for seat, user in session.execute(_SEATS, {"game": game_id})]

    return cached(session, SeatRow, game_id, read)


def load_game(session: Session, game_id: str) -> Game | None:
    """A game with its seats, who sits there, and the link and time of its last entry, in one statement, or None."""

    def read() -> Game | None:
        rows: Sequence[Any] = session.execute(_TABLE, {"game": game_id}).all()
        if not rows:
            return None
        game: Game = rows[0][0]
        cached(session, SeatRow, game_id, lambda: [(seat, user) for *_, seat, user in rows if seat is not None])
        cached(session, JournalEntry, (game_id, game.entry), lambda: rows[0][1])
        cached(session, JournalEntry, (game_id, game.entry, "time"), lambda: rows[0][2])
        return game

    return cached(session, Game, game_id, read)


def prefetch_games(session: Session, game_ids: Sequence[str]) -> None:
    """Have the seats and open questions of many games at hand, in two statements."""
    rows = session.execute(
        select(SeatRow, User)
        .outerjoin(User, SeatRow.user_id == User.id)
        .where(SeatRow.game_id.in_(game_ids))
        .order_by(SeatRow.id)
    ).all()
    questions = session.scalars(
        select(QuestionRow).where(QuestionRow.game_id.in_(game_ids)).order_by(QuestionRow.id)
    ).all()
    sitting: defaultdict[str, list[tuple[SeatRow, User | None]]] = defaultdict(list)
    asked: defaultdict[str, list[QuestionRow]] = defaultdict(list)
    for seat, user in rows:
        sitting[seat.game_id].append((seat, user))
    for question in questions:
        asked[question.game_id].append(question)
    for game_id in game_ids:
        cached(session, SeatRow, game_id, partial(sitting.__getitem__, game_id))
        cached(session, QuestionRow, game_id, partial(asked.__getitem__, game_id))


def append_row(session: Session, row: JournalEntry) -> None:
    """Add an entry to the journal, whose link need not be read again."""
    replace_cached(session, JournalEntry, (row.game_id, row.number), row.chain_link, added=[row])


def load_link(session: Session, game_id: str, entry: int) -> bytes | None:
    """The link of an entry of the journal; None before the first."""
    found = {"game": game_id, "number": entry}
    return cached(session, JournalEntry, (game_id, entry), lambda: session.scalar(_LINK, found))


def load_entry_time(session: Session, game_id: str, entry: int) -> int:
    """When an entry of the journal was made (milliseconds); 0 before the first."""
    found = {"game": game_id, "number": entry}
    time = cached(session, JournalEntry, (game_id, entry, "time"), lambda: session.scalar(_ENTRY_TIME, found))
    return time or 0


def prefetch_links(session: Session, games: Sequence[Game]) -> None:
    """Have the links of the last entries of many games at hand, in one statement."""
    rows: Sequence[Any] = session.execute(_LINKS, {"games": [game.id for game in games]}).all()
    found = dict[str, bytes](rows)
    for game in games:
        cached(session, JournalEntry, (game.id, game.entry), partial(found.get, game.id))


def load_seats(session: Session, game_id: str) -> list[SeatRow]:
    """The seats of a game, in the order of the table."""
    return [seat for seat, _ in _with_users(session, game_id)]


def load_seat(session: Session, game_id: str, seat: str | None) -> SeatRow | None:
    """The seat of this name; None where the game has none."""
    return next((row for row in load_seats(session, game_id) if row.seat == seat), None)


def find_seat_of_user(session: Session, game_id: str, user_id: int) -> SeatRow | None:
    """The seat that a person has in a game; None where they have none."""
    return next((row for row in load_seats(session, game_id) if row.user_id == user_id), None)


CALLED: Final = "Alpha Bravo Charlie Delta Echo Foxtrot Golf Hotel India Juliett Kilo Lima".split()
"""What the seats of a table with hidden names are called, in order; further ones by their numbers."""


def hides_names(game: Game) -> bool:
    """True if nobody may learn from this server who plays which seat: from the deal until the game is over."""
    return wants_hidden_names(game) and game.state not in (*GATHERING, *OPENED)


def wants_hidden_names(game: Game) -> bool:
    """True if a table was made for names that are hidden while the game goes on."""
    return game.options.get(NAMES.name) == HIDDEN


def display_name(user: User | None, row: SeatRow, game: Game) -> str:
    """How others call who sits there: by their name, or the seat's own where names are hidden.

    Of one who was forgotten, and of an empty seat, it is the seat's number.
    """
    if hides_names(game):
        place = int(row.seat[1:]) - 1
        return CALLED[place] if place < len(CALLED) else row.seat
    return (user.name if user is not None else "") or row.seat


def name_of_seat(session: Session, row: SeatRow) -> str:
    """The same, of whoever sits there."""
    user = session.get(User, row.user_id) if row.user_id is not None else None
    return display_name(user, row, session.get_one(Game, row.game_id))


def names_of_seats(session: Session, game: Game) -> dict[str, str]:
    """The same of all seats that somebody sits on."""
    return {row.seat: display_name(user, row, game) for row, user in occupied_seats(session, game.id)}


def name_at_table(session: Session, game: Game, user: User) -> str:
    """How others at a table call a person who is known there by what they do for all, as a master does.

    Where names are hidden it is that of the seat, for a player who is not the host: of the host all know the name,
    and nobody the seat.
    """
    row = find_seat_of_user(session, game.id, user.id) if hides_names(game) and user.id != game.host_id else None
    return display_name(user, row, game) if row is not None else user.name


def occupied_seats(session: Session, game_id: str) -> list[tuple[SeatRow, User]]:
    """The seats of a game that somebody sits on, with who it is."""
    taken = [(seat, user) for seat, user in _with_users(session, game_id) if seat.user_id is not None]
    return [
        (seat, user if user is not None and user.id == seat.user_id else session.get_one(User, seat.user_id))
        for seat, user in taken
    ]


def load_open_questions(session: Session, game_id: str, seat: str | None = None) -> list[QuestionRow]:
    """The open questions of a game, or of one of its seats, in the order in which they were put.

    Those whose answers are fixed and wait for a round of the beacon are open no more.
    """
    return [row for row in load_questions(session, game_id) if seat in (None, row.seat) and not row.answers_fixed]


def load_questions(session: Session, game_id: str) -> list[QuestionRow]:
    """The same with those whose answers are fixed: for a resolver."""
    return cached(session, QuestionRow, game_id, lambda: list(session.scalars(_QUESTIONS, {"game": game_id})))


def replace_questions(
    session: Session, game_id: str, gone: Sequence[QuestionRow], asked: Sequence[QuestionRow]
) -> None:
    """Take questions out of a game and put others, which need not be read again for it."""
    stay = [row for row in load_questions(session, game_id) if row not in gone]
    replace_cached(session, QuestionRow, game_id, [*stay, *asked], added=asked, removed=gone)


def insert_orders(session: Session, row: SealedOrdersRow) -> None:
    """Add sealed orders, the newest of their place, to those of their game, which need not be read again for it."""
    earlier = load_all_orders(session, row.game_id)
    replace_cached(session, SealedOrdersRow, row.game_id, [*earlier, row], added=[row])


def load_orders(session: Session, game_id: str, seat: str, kind: str) -> list[SealedOrdersRow]:
    """All sealed orders of a seat, valid or not, those of one place by revision."""
    return [row for row in load_all_orders(session, game_id) if row.seat == seat and row.kind == kind]


def load_all_orders(session: Session, game_id: str) -> list[SealedOrdersRow]:
    """All sealed orders of a game, valid or not, those of one place by revision."""
    return cached(session, SealedOrdersRow, game_id, lambda: list(session.scalars(_ORDERS, {"game": game_id})))


def delete_orders(session: Session, game_id: str, gone: Sequence[SealedOrdersRow]) -> None:
    """Take sealed orders out of a game; the others need not be read again for it."""
    if gone:
        stay = [row for row in load_all_orders(session, game_id) if row not in gone]
        replace_cached(session, SealedOrdersRow, game_id, stay, removed=gone)


def count_revisions(session: Session, game_id: str, gate: str) -> list[OrderRevision]:
    """How many sealed orders each place of a gate has had."""
    asked = {"game": game_id, "gate": gate}
    return cached(session, OrderRevision, (game_id, gate), lambda: list(session.scalars(_REVISIONS, asked)))


def start_revision(session: Session, row: OrderRevision) -> None:
    """Begin to count the sealed orders of a place; those of its gate need not be read again for it."""
    earlier = count_revisions(session, row.game_id, row.gate)
    replace_cached(session, OrderRevision, (row.game_id, row.gate), [*earlier, row], added=[row])

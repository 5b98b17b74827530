"""Finding and locking games, and what a transaction needs of one over and over."""

from collections import defaultdict
from collections.abc import Sequence
from functools import partial
from typing import Any, TypeVar

from sqlalchemy import BindParameter, and_, bindparam, delete, select
from sqlalchemy.orm import Session

from pbem.store.columns import Among
from pbem.store.models import BallotRow, Base, DecisionRow, EntryRow, Game, RevisionRow, SeatRow, User
from pbem.store.once import forget, known, once
from pbem.store.preparing import Preparing

Row = TypeVar("Row", bound=Base)

_OF_GAME: BindParameter[str] = bindparam("game")
_LOCKED = select(Game).where(Game.id == _OF_GAME).with_for_update().execution_options(populate_existing=True)
_HELD = select(Game.id).where(Game.id == _OF_GAME).with_for_update()
_SEATS = (
    select(SeatRow, User)
    .outerjoin(User, SeatRow.user_id == User.id)
    .where(SeatRow.game_id == _OF_GAME)
    .order_by(SeatRow.id)
)
_TABLE = (
    select(Game, EntryRow.link, SeatRow, User)
    .outerjoin(EntryRow, and_(EntryRow.game_id == Game.id, EntryRow.number == Game.entry))
    .outerjoin(SeatRow, SeatRow.game_id == Game.id)
    .outerjoin(User, SeatRow.user_id == User.id)
    .where(Game.id == _OF_GAME)
    .order_by(SeatRow.id)
)
_LINK = select(EntryRow.link).where(EntryRow.game_id == _OF_GAME, EntryRow.number == bindparam("number"))
_LINKS = (
    select(EntryRow.game_id, EntryRow.link)
    .join(Game, and_(EntryRow.game_id == Game.id, EntryRow.number == Game.entry))
    .where(Game.id.in_(bindparam("games", expanding=True)))
)
_DECISIONS = select(DecisionRow).where(DecisionRow.game_id == _OF_GAME).order_by(DecisionRow.id)
_BALLOTS = (
    select(BallotRow).where(BallotRow.game_id == _OF_GAME).order_by(BallotRow.gate, BallotRow.revision, BallotRow.id)
)


_REMOVED = Among(BallotRow.id, lambda these: delete(BallotRow).where(these))
_REVISIONS = select(RevisionRow).where(RevisionRow.game_id == _OF_GAME, RevisionRow.gate == bindparam("gate"))


def locked(session: Session, game_id: str) -> Game | None:
    """The game's row, locked until the transaction ends, and read anew whatever was read of it before.

    SQLite locks all that is written when a transaction begins, so the whole table may be read at once; PostgreSQL
    waits here, and what lies beside the game is read behind the lock.  A look at one moment shows all as it was.
    """
    if isinstance(session, Preparing):
        hold(session, game_id)
        return table(session, game_id)
    forget(session)
    if _locked_from_the_start(session):
        return table(session, game_id)
    return session.scalars(_LOCKED, {"game": game_id}).one_or_none()


def hold(session: Session, game_id: str) -> None:
    """Lock a game's row until the transaction ends, and read nothing of it."""
    if not _locked_from_the_start(session):
        session.execute(_HELD, {"game": game_id})


def fresh(session: Session, row: Row) -> Row:
    """The same row as it stands now that the lock is held: it may have been read before."""
    if not _locked_from_the_start(session):
        session.refresh(row)
    return row


def _locked_from_the_start(session: Session) -> bool:
    """Return True if nobody else can have written since this transaction began."""
    return session.get_bind().dialect.name == "sqlite"


def _with_users(session: Session, game_id: str) -> list[tuple[SeatRow, User | None]]:
    """The seats with who sat there when they were read: those users need not be looked up again."""

    def read() -> list[tuple[SeatRow, User | None]]:
        return [(seat, user) for seat, user in session.execute(_SEATS, {"game": game_id})]

    return once(session, SeatRow, game_id, read)


def table(session: Session, game_id: str) -> Game | None:
    """A game with its seats, who sits there and the link of its last entry, in one statement; None if there is none."""

    def read() -> Game | None:
        rows: Sequence[Any] = session.execute(_TABLE, {"game": game_id}).all()
        if not rows:
            return None
        game: Game = rows[0][0]
        once(session, SeatRow, game_id, lambda: [(seat, user) for _, _, seat, user in rows if seat is not None])
        once(session, EntryRow, (game_id, game.entry), lambda: rows[0][1])
        return game

    return once(session, Game, game_id, read)


def several(session: Session, game_ids: Sequence[str]) -> None:
    """Have the seats and open questions of many games at hand, in two statements."""
    rows = session.execute(
        select(SeatRow, User)
        .outerjoin(User, SeatRow.user_id == User.id)
        .where(SeatRow.game_id.in_(game_ids))
        .order_by(SeatRow.id)
    ).all()
    questions = session.scalars(
        select(DecisionRow).where(DecisionRow.game_id.in_(game_ids)).order_by(DecisionRow.id)
    ).all()
    sitting: defaultdict[str, list[tuple[SeatRow, User | None]]] = defaultdict(list)
    asked: defaultdict[str, list[DecisionRow]] = defaultdict(list)
    for seat, user in rows:
        sitting[seat.game_id].append((seat, user))
    for question in questions:
        asked[question.game_id].append(question)
    for game_id in game_ids:
        once(session, SeatRow, game_id, partial(sitting.__getitem__, game_id))
        once(session, DecisionRow, game_id, partial(asked.__getitem__, game_id))


def append(session: Session, row: EntryRow) -> None:
    """Add an entry to the journal, whose link need not be read again."""
    session.add(row)
    known(session, EntryRow, (row.game_id, row.number), row.link)


def link(session: Session, game_id: str, entry: int) -> bytes | None:
    """The link of an entry of the journal; None before the first."""
    found = {"game": game_id, "number": entry}
    return once(session, EntryRow, (game_id, entry), lambda: session.scalar(_LINK, found))


def links(session: Session, games: Sequence[Game]) -> None:
    """Have the links of the last entries of many games at hand, in one statement."""
    rows: Sequence[Any] = session.execute(_LINKS, {"games": [game.id for game in games]}).all()
    found = dict[str, bytes](rows)
    for game in games:
        once(session, EntryRow, (game.id, game.entry), partial(found.get, game.id))


def seats(session: Session, game_id: str) -> list[SeatRow]:
    """The seats of a game, in the order of the table."""
    return [seat for seat, _ in _with_users(session, game_id)]


def seat_named(session: Session, game_id: str, seat: str | None) -> SeatRow | None:
    """The seat of this name; None where the game has none."""
    return next((row for row in seats(session, game_id) if row.seat == seat), None)


def seat_held_by(session: Session, game_id: str, user_id: int) -> SeatRow | None:
    """The seat that a person has in a game; None where they have none."""
    return next((row for row in seats(session, game_id) if row.user_id == user_id), None)


def called(user: User, seat: str) -> str:
    """The name of who sits there; of one who was forgotten it is the seat's."""
    return user.name or seat


def seated(session: Session, game_id: str) -> list[tuple[SeatRow, User]]:
    """The seats of a game that somebody sits on, with who it is."""
    taken = [(seat, user) for seat, user in _with_users(session, game_id) if seat.user_id is not None]
    return [
        (seat, user if user is not None and user.id == seat.user_id else session.get_one(User, seat.user_id))
        for seat, user in taken
    ]


def open_decisions(session: Session, game_id: str, seat: str | None = None) -> list[DecisionRow]:
    """The open questions of a game, or of one of its seats, in the order in which they were put.

    Those whose answers are fixed and wait for a round of the beacon are open no more.
    """
    return [row for row in all_decisions(session, game_id) if seat in (None, row.seat) and not row.counted]


def all_decisions(session: Session, game_id: str) -> list[DecisionRow]:
    """The same with those whose answers are fixed: for play."""
    return once(session, DecisionRow, game_id, lambda: list(session.scalars(_DECISIONS, {"game": game_id})))


def put_questions(session: Session, game_id: str, gone: Sequence[DecisionRow], asked: Sequence[DecisionRow]) -> None:
    """Take questions out of a game and put others, which need not be read again for it."""
    stay = [row for row in all_decisions(session, game_id) if row not in gone]
    for row in gone:
        session.delete(row)
    session.add_all(asked)
    known(session, DecisionRow, game_id, [*stay, *asked])


def file(session: Session, row: BallotRow) -> None:
    """Add a ballot, the newest of its place, to those that lie in its game, which need not be read again for it."""
    earlier = every_ballot(session, row.game_id)
    session.add(row)
    known(session, BallotRow, row.game_id, [*earlier, row])


def all_ballots(session: Session, game_id: str, seat: str, kind: str) -> list[BallotRow]:
    """Every ballot of a seat that lies there, whether it stands or not, those of one place by revision."""
    return [row for row in every_ballot(session, game_id) if row.seat == seat and row.kind == kind]


def every_ballot(session: Session, game_id: str) -> list[BallotRow]:
    """Every ballot that lies in a game, whether it stands or not, those of one place by revision."""
    return once(session, BallotRow, game_id, lambda: list(session.scalars(_BALLOTS, {"game": game_id})))


def remove_ballots(session: Session, game_id: str, gone: Sequence[BallotRow]) -> None:
    """Take ballots out of a game; the others need not be read again for it."""
    if not gone:
        return
    stay = [row for row in every_ballot(session, game_id) if row not in gone]
    session.execute(*_REMOVED.of([row.id for row in gone]))
    known(session, BallotRow, game_id, stay)


def revisions(session: Session, game_id: str, gate: str) -> list[RevisionRow]:
    """How many ballots each place of a gate has had."""
    asked = {"game": game_id, "gate": gate}
    return once(session, RevisionRow, (game_id, gate), lambda: list(session.scalars(_REVISIONS, asked)))


def number(session: Session, row: RevisionRow) -> None:
    """Begin to count the ballots of a place; those of its gate need not be read again for it."""
    earlier = revisions(session, row.game_id, row.gate)
    session.add(row)
    known(session, RevisionRow, (row.game_id, row.gate), [*earlier, row])

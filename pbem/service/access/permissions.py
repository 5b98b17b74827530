"""Who may do what at a table: its masters, its players, and the deputies who answer for them.

A master is blind: they see what everybody sees.  A master who has opened more is noted, and takes no seat of that game.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from typing import Final

from sqlalchemy import bindparam, func, select
from sqlalchemy.orm import Session

from engine.kernel.viewers import Seat
from pbem.common.states import GATHERING, GameState
from pbem.service.base.calendar import Span
from pbem.service.base.game_states import rules_state
from pbem.service.base.services import Services
from pbem.store.database import in_transaction
from pbem.store.games import find_seat_of_user, load_game, load_seat, load_seats
from pbem.store.models import Deputy, Game, Master, MasterSettings, OutboundEmail, SeatRow, SeatTenure, Spectator, User
from pbem.store.query_cache import cached


@dataclass(frozen=True)
class Authority:
    """What a person is to a table: whether they are one of its masters, and their seat."""

    master: bool
    seat: str | None

    @property
    def any(self) -> bool:
        """Return True if the person is a master or a player of the table."""
        return self.master or self.seat is not None


def load_masters(session: Session, game: Game) -> Sequence[Master]:
    """Load the masters of a game, the longest first; its host is one from the beginning, by a row like any other."""
    rows = session.scalars(select(Master).where(Master.game_id == game.id).order_by(Master.id)).all()
    return [row for row in rows if row.ends_at is None]


def masters_of(session: Session, game: Game) -> tuple[User, ...]:
    """Return the users who master a game, the longest first."""
    return tuple(session.get_one(User, row.user_id) for row in load_masters(session, game))


def is_master(session: Session, game: Game, user_id: int) -> bool:
    """Return True if a person is a master of a game now."""
    return any(row.user_id == user_id for row in load_masters(session, game))


def authority_of(session: Session, game: Game, user_id: int) -> Authority:
    """Return what a user is in a game: master, player, both or neither."""
    seat = find_seat_of_user(session, game.id, user_id)
    return Authority(is_master(session, game, user_id), seat.seat if seat is not None else None)


def games_of_master(session: Session, user_id: int) -> frozenset[str]:
    """Return the games that a user masters."""
    query = select(Master).where(Master.user_id == user_id, Master.ends_at.is_(None))
    return frozenset(row.game_id for row in session.scalars(query))


def load_master_settings(session: Session, game: Game) -> MasterSettings:
    """Load the settings of a game about its masters; within a write transaction they can be changed."""
    row = session.get(MasterSettings, game.id)
    if row is None:
        row = MasterSettings(game_id=game.id, requires_second_master=False, approval=False, absence_days=7)
        if in_transaction():
            session.add(row)
            session.flush()
    return row


def requires_approval(session: Session, game_id: str) -> bool:
    """Return True if people who want a seat of this table must be approved."""
    row = session.get(MasterSettings, game_id)
    return row is not None and row.approval


def record_master_activity(services: Services, session: Session, game: Game, user_id: int) -> None:
    """Record that a master is active."""
    for row in load_masters(session, game):
        if row.user_id == user_id:
            row.seen_at = max(row.seen_at, services.now())


def appoint_master(services: Services, session: Session, game: Game, user: User) -> None:
    """Appoint a person as master of the game, beside those who are."""
    now = services.now()
    if all(row.user_id != user.id for row in load_masters(session, game)):
        add_master(session, game, user.id, now)


def add_master(session: Session, game: Game, user_id: int, now: int) -> None:
    """Add the row of a person who is no master of the game yet."""
    session.add(Master(game_id=game.id, user_id=user_id, starts_at=now, seen_at=now))
    session.flush()


def dismiss_master(services: Services, session: Session, game: Game, user_id: int) -> None:
    """End a person's time as master of the game."""
    for row in load_masters(session, game):
        if row.user_id == user_id:
            row.ends_at = services.now()
    session.flush()


def last_master_activity(session: Session, game: Game, row: Master) -> int:
    """Return when a master was last active: a command, a visit to their page, or an email as a player."""
    played = select(func.max(OutboundEmail.created_at)).where(
        OutboundEmail.game_id == game.id, OutboundEmail.user_id == row.user_id, OutboundEmail.kind == "receipt"
    )
    return max(row.seen_at, row.starts_at, session.scalar(played) or 0)


def has_inspected(session: Session, game_id: str, user_id: int) -> bool:
    """Return True if a person has seen more than everybody sees, as a master of this game."""
    looked = Master.game_id == game_id, Master.user_id == user_id, ~Master.blind
    return session.scalar(select(Master.id).where(*looked).limit(1)) is not None


def has_played(session: Session, game_id: str, user_id: int) -> bool:
    """Return True if a person holds or held a seat of a game, or has inspected it as its master."""
    tenure = select(SeatTenure.id).where(SeatTenure.game_id == game_id, SeatTenure.user_id == user_id).limit(1)
    sits = find_seat_of_user(session, game_id, user_id) is not None
    return sits or session.scalar(tenure) is not None or has_inspected(session, game_id, user_id)


DEPUTY_REPORT = "deputy_report"
"""The kind of a report to a deputy: it is none of the emails of the seat's own player."""
_ALL_BOUND = (
    select(Deputy)
    .where(Deputy.game_id.in_(bindparam("games", expanding=True)), Deputy.ended_at.is_(None))
    .order_by(Deputy.id)
)
_BOUND = select(Deputy).where(Deputy.game_id == bindparam("game"), Deputy.ended_at.is_(None)).order_by(Deputy.id)


def find_acting_seat(session: Session, game_id: str, user_id: int, now: int) -> Deputy | None:
    """Find the deputyship by which a user answers for a seat now."""
    own = Deputy.game_id == game_id, Deputy.user_id == user_id, Deputy.ended_at.is_(None)
    return session.scalars(select(Deputy).where(*own, Deputy.began_at.is_not(None), Deputy.ends_at > now)).first()


def prefetch_deputies(session: Session, game_ids: Sequence[str]) -> None:
    """Have the deputies of many games at hand, in one statement."""
    bound = defaultdict[str, list[Deputy]](list)
    for row in session.scalars(_ALL_BOUND, {"games": list(game_ids)}):
        bound[row.game_id].append(row)
    for game_id in game_ids:
        cached(session, Deputy, game_id, partial(bound.__getitem__, game_id))


def find_deputy(session: Session, game_id: str, seat: str, now: int) -> Deputy | None:
    """Find the acting deputy of a seat."""
    bound = cached(session, Deputy, game_id, lambda: list(session.scalars(_BOUND, {"game": game_id})))
    its = (row for row in bound if row.seat == seat and row.ended_at is None and row.ends_at > now)
    return next((row for row in its if row.began_at is not None), None)


def seats_with_deputy(session: Session, game_id: str, now: int) -> tuple[Seat, ...]:
    """Return the seats for which a deputy answers now."""
    return tuple(Seat(row.seat) for row in load_seats(session, game_id) if find_deputy(session, game_id, row.seat, now))


def find_answering_seat(session: Session, game_id: str, user_id: int, now: int) -> tuple[SeatRow | None, Deputy | None]:
    """Find the seat that a user may answer for: their own, or the one whose deputy they are, with the deputyship."""
    own = find_seat_of_user(session, game_id, user_id)
    if own is not None:
        return own, None
    deputy = find_acting_seat(session, game_id, user_id, now)
    if deputy is None:
        return None, None
    return load_seat(session, game_id, deputy.seat), deputy


def covered_absences(session: Session, game_id: str, seat: str, now: int) -> Sequence[Span]:
    """Return the absences for which a deputy has agreed to answer: no time is lost to the seat."""
    its = Deputy.game_id == game_id, Deputy.seat == seat, Deputy.ended_at.is_(None), Deputy.ends_at > now
    agreed = Deputy.agreed_at.is_not(None)
    return [
        (since, until) for since, until in session.execute(select(Deputy.starts_at, Deputy.ends_at).where(*its, agreed))
    ]


def find_deputized_seat(session: Session, game_id: str, user_id: int) -> str | None:
    """Find the seat for which a user answers as deputy, or has agreed to."""
    own = Deputy.game_id == game_id, Deputy.user_id == user_id, Deputy.ended_at.is_(None)
    row = session.scalars(select(Deputy).where(*own, Deputy.agreed_at.is_not(None))).first()
    return row.seat if row is not None else None


def was_deputy(session: Session, game_id: str, user_id: int) -> bool:
    """Return True if a person has answered for a seat of a game as deputy, or has agreed to: they take none there."""
    own = Deputy.game_id == game_id, Deputy.user_id == user_id
    bound = Deputy.began_at.is_not(None) | (Deputy.agreed_at.is_not(None) & Deputy.ended_at.is_(None))
    return session.scalar(select(Deputy.id).where(*own, bound).limit(1)) is not None


class Permission(Enum):
    """The people whom something is for."""

    ANYBODY = "anybody"
    BEARER = "anybody who has the link"
    USER = "everybody who is signed in"
    OPERATOR = "operators, who are named in the environment"
    TABLE = "everybody with a part in the table, invited guests included"
    INVITED = "guests who have not answered their invitation"
    HOST = "the person who made the table"
    SEAT = "players"
    ANSWERS = "players and acting deputies"
    SPEAKS = "players and game masters"
    SEES = "players, acting deputies, the host, game masters and spectators"
    MASTERS = "game masters"
    RECORD = "readers of a finished game"


@dataclass(frozen=True)
class Membership:
    """How a person stands to a table: their seat, whether they made it, whether they are invited and have not answered.

    `deputy`: the seat is not their own, they answer for it while its player is away.  `master`: looked up for those
    without a seat of their own, and where it decides.  `entry`: up to which entry the game has come.  `title`: what
    the table is called.
    """

    game: str
    state: GameState
    seat: str | None
    host: bool
    invited: bool
    deputy: bool = False
    is_spectator: bool = False
    master: bool = False
    entry: int = 0
    title: str = ""

    @property
    def is_playing(self) -> bool:
        """Return True if the seat is their own."""
        return self.seat is not None and not self.deputy

    @property
    def can_see(self) -> bool:
        """Return True if they see the table as everybody there does."""
        return self.seat is not None or self.host or self.is_spectator or self.master


REQUIREMENTS: Final[Mapping[Permission, Callable[[Membership], bool]]] = {
    Permission.TABLE: lambda place: place.can_see or place.invited,
    Permission.INVITED: lambda place: place.invited,
    Permission.HOST: lambda place: place.host,
    Permission.SEAT: lambda place: place.is_playing,
    Permission.ANSWERS: lambda place: place.seat is not None,
    Permission.SPEAKS: lambda place: place.is_playing or place.master,
    Permission.SEES: lambda place: place.can_see,
    Permission.MASTERS: lambda place: place.master,
    Permission.RECORD: lambda place: (
        place.state == GameState.ARCHIVED or (place.state == GameState.OVER and (place.is_playing or place.host))
    ),
}
"""Whom each thing at a table is for.  What is not of a table (`ANYBODY`, `BEARER`, `USER`, `OPERATOR`) has no row."""


_OF_MASTERS: Final = (Permission.MASTERS, Permission.SPEAKS)


def load_membership(
    session: Session, game: Game, user_id: int, now: int, permission: Permission = Permission.TABLE
) -> Membership:
    """Load what a user is in a game, strangers included, as far as `permission` depends on it."""
    rows = load_seats(session, game.id)
    seat_row = find_seat_of_user(session, game.id, user_id)
    own_seat = seat_row.seat if seat_row is not None else None
    deputy = None
    if own_seat is None and game.state == GameState.RUNNING:
        deputy = find_acting_seat(session, game.id, user_id, now)
    return Membership(
        game.id,
        game.state,
        deputy.seat if deputy is not None else own_seat,
        game.host_id == user_id,
        own_seat is None and game.state in GATHERING and _is_invited(session, rows, user_id),
        deputy=deputy is not None,
        is_spectator=own_seat is None and session.get(Spectator, (game.id, user_id)) is not None,
        master=(own_seat is None or permission in _OF_MASTERS) and is_master(session, game, user_id),
        entry=game.entry,
        title=game.title,
    )


def _is_invited(session: Session, rows: list[SeatRow], user_id: int) -> bool:
    user = session.get(User, user_id)
    return user is not None and any(row.user_id is None and row.invited_email == user.email for row in rows)


def has_permission(session: Session, game: Game | None, user_id: int, now: int, permission: Permission) -> bool:
    """Return True if something at a table is for this person; nothing is at a table that does not exist."""
    return game is not None and REQUIREMENTS[permission](load_membership(session, game, user_id, now, permission))


def find_membership(
    services: Services, user_id: int, game_id: str, permission: Permission = Permission.TABLE
) -> Membership | None:
    """Find what a user is in a game. None if they lack the permission, or there is no such game."""
    with services.db.snapshot() as session:
        game = load_game(session, game_id)
        if game is None or (permission is Permission.RECORD and game.rules not in services.installed):
            return None
        membership = load_membership(session, game, user_id, services.now(), permission)
        return replace(membership, state=rules_state(services, game)) if REQUIREMENTS[permission](membership) else None

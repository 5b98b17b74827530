"""Who answers for a seat now, beside its player: what the others need to know of deputies."""

from collections import defaultdict
from collections.abc import Sequence
from functools import partial

from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from engine.kernel.viewers import Seat
from pbem.service.base.calendar import Span
from pbem.store.games import find_seat_of_user, load_seat, load_seats
from pbem.store.identity_cache import cached
from pbem.store.models import Deputy, SeatRow

REPORT = "relief"
"""The kind of a report to a deputy: it is none of the letters of the seat's own player."""
_ALL_BOUND = (
    select(Deputy)
    .where(Deputy.game_id.in_(bindparam("games", expanding=True)), Deputy.ended_at.is_(None))
    .order_by(Deputy.id)
)
_BOUND = select(Deputy).where(Deputy.game_id == bindparam("game"), Deputy.ended_at.is_(None)).order_by(Deputy.id)


def find_acting_seat(session: Session, game_id: str, user_id: int, now: int) -> Deputy | None:
    """The seat for which a person answers now as its deputy."""
    theirs = Deputy.game_id == game_id, Deputy.user_id == user_id, Deputy.ended_at.is_(None)
    return session.scalars(select(Deputy).where(*theirs, Deputy.began_at.is_not(None), Deputy.until > now)).first()


def prefetch(session: Session, game_ids: Sequence[str]) -> None:
    """Have the deputies of many games at hand, in one statement."""
    bound = defaultdict[str, list[Deputy]](list)
    for row in session.scalars(_ALL_BOUND, {"games": list(game_ids)}):
        bound[row.game_id].append(row)
    for game_id in game_ids:
        cached(session, Deputy, game_id, partial(bound.__getitem__, game_id))


def find_deputy(session: Session, game_id: str, seat: str, now: int) -> Deputy | None:
    """The acting deputy of a seat, if it has one."""
    bound = cached(session, Deputy, game_id, lambda: list(session.scalars(_BOUND, {"game": game_id})))
    its = (row for row in bound if row.seat == seat and row.ended_at is None and row.until > now)
    return next((row for row in its if row.began_at is not None), None)


def seats_with_deputy(session: Session, game_id: str, now: int) -> tuple[Seat, ...]:
    """The seats for which a deputy answers now, as everybody at the table was told: their players are away."""
    return tuple(Seat(row.seat) for row in load_seats(session, game_id) if find_deputy(session, game_id, row.seat, now))


def find_seat(session: Session, game_id: str, user_id: int, now: int) -> tuple[SeatRow | None, Deputy | None]:
    """The seat that a person may answer for: their own, or the one whose deputy they are, and then as which."""
    own = find_seat_of_user(session, game_id, user_id)
    if own is not None:
        return own, None
    stands = find_acting_seat(session, game_id, user_id, now)
    if stands is None:
        return None, None
    return load_seat(session, game_id, stands.seat), stands


def covered_absences(session: Session, game_id: str, seat: str, now: int) -> Sequence[Span]:
    """Absences for which a deputy has agreed to answer: time that is not lost to the seat."""
    its = Deputy.game_id == game_id, Deputy.seat == seat, Deputy.ended_at.is_(None), Deputy.until > now
    agreed = Deputy.agreed_at.is_not(None)
    return [(since, until) for since, until in session.execute(select(Deputy.since, Deputy.until).where(*its, agreed))]


def find_deputized_seat(session: Session, game_id: str, user_id: int) -> str | None:
    """The seat for which a person answers as deputy, or has agreed to."""
    theirs = Deputy.game_id == game_id, Deputy.user_id == user_id, Deputy.ended_at.is_(None)
    row = session.scalars(select(Deputy).where(*theirs, Deputy.agreed_at.is_not(None))).first()
    return row.seat if row is not None else None


def was_deputy(session: Session, game_id: str, user_id: int) -> bool:
    """Return True if a person has answered for a seat of a game as deputy, or has agreed to: they take none there."""
    theirs = Deputy.game_id == game_id, Deputy.user_id == user_id
    bound = Deputy.began_at.is_not(None) | (Deputy.agreed_at.is_not(None) & Deputy.ended_at.is_(None))
    return session.scalar(select(Deputy.id).where(*theirs, bound).limit(1)) is not None

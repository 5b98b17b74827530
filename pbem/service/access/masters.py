"""Who masters a table: its host until it is told otherwise; more than one, if one is promoted; with a seat or without.

A master is blind: they see what everybody sees.  A master who has opened more is noted, and takes no seat of that game.
"""

from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pbem.service.access.authority import Authority
from pbem.service.base.services import Services
from pbem.store.database import in_transaction
from pbem.store.games import find_seat_of_user
from pbem.store.models import Game, Master, MasterSettings, OutboundEmail, User


def load_masters(session: Session, game: Game, now: int) -> Sequence[Master]:
    """Who masters a game now; its host is written down the first time that anybody asks."""
    known = session.scalars(select(Master).where(Master.game_id == game.id).order_by(Master.id)).all()
    if not known:
        first = Master(game_id=game.id, user_id=game.host_id, since=game.created_at, seen_at=game.created_at)
        session.add(first)
        session.flush()
        known = [first]
    return [row for row in known if row.until is None]


def masters_of(session: Session, game: Game) -> tuple[User, ...]:
    """The people who master a game now, the longest first; nothing is written."""
    known = session.scalars(select(Master).where(Master.game_id == game.id).order_by(Master.id)).all()
    ids = [row.user_id for row in known if row.until is None] if known else [game.host_id]
    return tuple(session.get_one(User, number) for number in ids)


def is_master(session: Session, game: Game, user_id: int) -> bool:
    """Return True if a person is a master of a game now."""
    known = session.scalars(select(Master).where(Master.game_id == game.id)).all()
    now = {row.user_id for row in known if row.until is None} if known else {game.host_id}
    return user_id in now


def authority_of(session: Session, game: Game, user_id: int) -> Authority:
    """What a person is to a table: master, player, both or neither."""
    mine = find_seat_of_user(session, game.id, user_id)
    return Authority(is_master(session, game, user_id), mine.seat if mine is not None else None)


def games_of(session: Session, user_id: int) -> frozenset[str]:
    """The games that a person masters by appointment; those they host are theirs besides until others are named."""
    mine = select(Master).where(Master.user_id == user_id, Master.until.is_(None))
    return frozenset(row.game_id for row in session.scalars(mine))


def load_settings(session: Session, game: Game) -> MasterSettings:
    """What the table has settled about its masters; to be written to where a transaction that writes is open."""
    row = session.get(MasterSettings, game.id)
    if row is None:
        row = MasterSettings(game_id=game.id, two=False, approval=False, gone_days=7)
        if in_transaction():
            session.add(row)
            session.flush()
    return row


def requires_approval(session: Session, game_id: str) -> bool:
    """Return True if people who want a seat of this table must be approved."""
    row = session.get(MasterSettings, game_id)
    return row is not None and row.approval


def record_activity(services: Services, session: Session, game: Game, user_id: int) -> None:
    """A master has shown up."""
    for row in load_masters(session, game, services.now()):
        if row.user_id == user_id:
            row.seen_at = max(row.seen_at, services.now())


def appoint(services: Services, session: Session, game: Game, user: User) -> None:
    """Appoint a person as master of the game, beside those who are."""
    now = services.now()
    if all(row.user_id != user.id for row in load_masters(session, game, now)):
        session.add(Master(game_id=game.id, user_id=user.id, since=now, seen_at=now))
        session.flush()


def dismiss(services: Services, session: Session, game: Game, user_id: int) -> None:
    """End a person's time as master of the game."""
    for row in load_masters(session, game, services.now()):
        if row.user_id == user_id:
            row.until = services.now()
    session.flush()


def last_activity(session: Session, game: Game, row: Master) -> int:
    """When a master was last heard of: an act, a look at their page, or a letter of theirs as a player."""
    played = select(func.max(OutboundEmail.made_at)).where(
        OutboundEmail.game_id == game.id, OutboundEmail.user_id == row.user_id, OutboundEmail.kind == "receipt"
    )
    return max(row.seen_at, row.since, session.scalar(played) or 0)


def has_inspected(session: Session, game_id: str, user_id: int) -> bool:
    """Return True if a person has seen more than everybody sees, as a master of this game."""
    looked = Master.game_id == game_id, Master.user_id == user_id, ~Master.blind
    return session.scalar(select(Master.id).where(*looked).limit(1)) is not None

"""Seats offered to one person each: rows that hold until that person answers, or they end."""

from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem.narration.facts import NoticeFacts
from pbem.service.access.tokens import revoke
from pbem.service.base.calendar import DAY_MS
from pbem.service.base.services import Services
from pbem.service.mail import notifications
from pbem.service.mail.outbox import enqueue
from pbem.store.models import Application, Capability, Game, User

SEAT: Final = "seat"
"""The purpose of the link and address by which a person takes the seat that they were offered."""
HOLDS_MS: Final = 7 * DAY_MS
OFFERED: Final = "offered"


def load_pending(session: Session, game_id: str) -> list[tuple[Application, User]]:
    """Return the people who were offered a seat of a game and have not answered, the longest first."""
    open_ones = Application.game_id == game_id, Application.decided_at.is_(None), Application.outcome == OFFERED
    query = select(Application, User).join(User, User.id == Application.user_id).where(*open_ones)
    return [(row, user) for row, user in session.execute(query.order_by(Application.id))]


def find_offer(session: Session, game_id: str, seat: str) -> tuple[Application, User] | None:
    """Whom a seat is offered to."""
    return next(((row, user) for row, user in load_pending(session, game_id) if row.seat == seat), None)


def expires_at(row: Application) -> int:
    """How long an offer holds, in seconds."""
    return (row.made_at + HOLDS_MS) // 1000


def end_offer(session: Session, row: Application, why: str, now: int) -> None:
    """An offer is answered, or does not hold any more: its link and address open nothing."""
    row.decided_at, row.outcome = now, why
    its = Capability.purpose == SEAT, Capability.game_id == row.game_id, Capability.entry == row.id
    revoke(session, now, *its)
    session.flush()


def close_offers(services: Services, session: Session, game: Game, row: Application, user: User, why: str) -> None:
    """End an offer that was not answered, and tell the person who had it."""
    end_offer(session, row, why, services.now())
    enqueue(
        services,
        session,
        key=f"{game.id}.{row.id}.seat.{why}",
        kind="notice",
        facts=NoticeFacts(notifications.table_context(services, session, game, user), "seat_offer_over", {}),
        user_id=user.id,
        game_id=game.id,
    )


def pass_on(services: Services, session: Session, game: Game, seat: str, user: User) -> None:
    """A seat has a new player: it is no longer on offer, and no other one is offered to them."""
    for row, asked in load_pending(session, game.id):
        if row.seat == seat or asked.id == user.id:
            close_offers(services, session, game, row, asked, "over")

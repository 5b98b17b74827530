"""Asking for a seat at a table whose master wants to approve: the master is asked, and says yes or no."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem.narration.facts import Message, NoticeFacts
from pbem.service.access import display_names, masters
from pbem.service.base import limits
from pbem.service.base.services import RequestRefused, Services
from pbem.service.mail import notifications
from pbem.service.mail.master_mail import send_prompt
from pbem.service.mail.outbox import enqueue
from pbem.store.games import lock_game
from pbem.store.models import Application, Game, User

ANY = ""
"""The seat of a person who asks for any free one, at a table that forms."""


def list_pending(session: Session, game_id: str) -> list[tuple[Application, User]]:
    """Return the people who asked for a seat and have no answer yet, the longest first."""
    open_ones = Application.game_id == game_id, Application.decided_at.is_(None), Application.outcome == ""
    query = select(Application, User).join(User, User.id == Application.user_id).where(*open_ones)
    return [(row, user) for row, user in session.execute(query.order_by(Application.id))]


def find_pending(session: Session, game_id: str, user_id: int) -> Application | None:
    """What a person has asked for at a table and is still waiting for."""
    return next((row for row, user in list_pending(session, game_id) if user.id == user_id), None)


def is_rate_limited(services: Services, user_id: int) -> bool:
    """Count one more time that a person asks for a seat; True once that is more than may be in an hour."""
    return limits.is_exceeded(services, "invitations", f"asks {user_id}")


def apply(
    services: Services, session: Session, game: Game, seat: str, user: User, words: str = "", *, often: bool
) -> None:
    """Ask the masters, once, and tell the applicant to wait.  Raises Refused.

    `often`: what `is_rate_limited` said before the transaction.
    """
    if find_pending(session, game.id, user.id) is not None:
        return
    if _was_refused(session, game.id, user.id, seat):
        raise RequestRefused("not_wanted")
    if often:
        raise limits.rate_limit_error(services)
    display_names.check_unique(session, game, user, leaving=seat)
    made = Application(game_id=game.id, seat=seat, user_id=user.id, made_at=services.now(), words=words)
    session.add(made)
    session.flush()
    code = "seat_wanted" if seat else "place_wanted"
    said = (Message(code, {"name": user.name, "address": user.address, **({"seat": seat} if seat else {})}),)
    for master in masters.masters_of(session, game):
        send_prompt(services, session, game, master, f"apply.{made.id}", said)
    _notify_applicant(services, session, game, user, f"apply.{made.id}", "seat_asked")


def _was_refused(session: Session, game_id: str, user_id: int, seat: str) -> bool:
    """A player who was refused does not ask for the same again."""
    theirs = Application.game_id == game_id, Application.user_id == user_id, Application.seat == seat
    return session.scalar(select(Application.id).where(*theirs, Application.outcome == "refused").limit(1)) is not None


def withdraw(services: Services, user_id: int, game_id: str) -> None:
    """Ask no more; nothing happens where one did not."""
    with services.db.transaction() as session:
        lock_game(session, game_id)
        row = find_pending(session, game_id, user_id)
        if row is not None:
            row.decided_at, row.outcome = services.now(), "withdrawn"


def reject(services: Services, session: Session, game: Game, row: Application, user: User, mark: str) -> None:
    """Tell an applicant that they do not get the seat."""
    row.decided_at, row.outcome = services.now(), "refused"
    _notify_applicant(services, session, game, user, mark, "seat_refused")


def reject_all(services: Services, session: Session, game: Game) -> None:
    """The table is full: answer everyone who still waited."""
    for row, user in list_pending(session, game.id):
        if row.seat == ANY:
            row.decided_at, row.outcome = services.now(), "full"
            _notify_applicant(services, session, game, user, f"apply.{row.id}", "table_full")


def _notify_applicant(services: Services, session: Session, game: Game, user: User, mark: str, kind: str) -> None:
    """One to a person, and to no seat."""
    enqueue(
        services,
        session,
        key=f"{game.id}.{user.id}.{mark}.{kind}",
        kind="notice",
        facts=NoticeFacts(notifications.table_context(services, session, game, user), kind, {}),
        user_id=user.id,
        game_id=game.id,
    )

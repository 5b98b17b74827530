"""What a table that forms shows before it begins.

Who applies for a seat, to whom one is offered, and who is invited again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from engine.kernel.rules import Meta
from pbem.common.addresses import is_bot
from pbem.common.states import GameState
from pbem.narration.facts import Message
from pbem.service.access import permissions, users
from pbem.service.access.capabilities import is_valid, revoke_capabilities
from pbem.service.base import limits
from pbem.service.base.calendar import DAY_MS
from pbem.service.base.services import RequestRefused, Services
from pbem.service.mail import assembly, notifications
from pbem.service.mail.notifications import send_master_prompt
from pbem.store.games import load_seats, lock_game, occupied_seats
from pbem.store.models import Application, Capability, Game, RematchInvitation, SeatRow, User

JOIN: Final = "join"
"""The purpose of the link and address by which an invited person takes a seat."""


def enqueue_jobs(services: Services, game_id: str) -> None:
    """Wake the resolver for a game, and the mailer. Call it after the commit."""
    services.enqueue("resolve_game", game_id)
    services.enqueue("send_outbound_emails", "")


def record_rematch_invitation(session: Session, row: SeatRow, *, again: bool) -> None:
    """Note how the person was named who is invited to a seat now: as a player of an earlier table, or by address."""
    session.execute(
        delete(RematchInvitation).where(RematchInvitation.game_id == row.game_id, RematchInvitation.seat == row.seat)
    )
    if again:
        session.add(RematchInvitation(game_id=row.game_id, seat=row.seat))


def load_rematch_names(session: Session, game_id: str) -> dict[str, str]:
    """Return the names of those invited as players of an earlier game, by seat."""
    seats = set(session.scalars(select(RematchInvitation.seat).where(RematchInvitation.game_id == game_id)))
    invited = {
        row.invited_email: row.seat for row in load_seats(session, game_id) if row.seat in seats and row.invited_email
    }
    if not invited:
        return {}
    rows = session.scalars(select(User).where(User.email.in_(invited)))
    return {invited[user.email]: user.name for user in rows}


def free_seats(services: Services, session: Session, game: Game) -> list[SeatRow]:
    """Return the seats to which nobody is invited, or whose invitations have expired."""
    empty = [seat for seat in load_seats(session, game.id) if seat.user_id is None]
    return [seat for seat in empty if seat.invited_email is None or _has_expired(services, session, game, seat)]


def _has_expired(services: Services, session: Session, game: Game, seat: SeatRow) -> bool:
    """Return True if no invitation holds, also long after one did; none is sent before the seed is promised."""
    valid = any(is_valid(row, services.now()) for row in load_invitations(session, seat))
    return game.state != GameState.CREATED and not valid


def load_invitations(session: Session, seat: SeatRow) -> Sequence[Capability]:
    """All invitations that were ever sent for a seat."""
    query = select(Capability).where(
        Capability.purpose == JOIN, Capability.game_id == seat.game_id, Capability.seat == seat.seat
    )
    return session.scalars(query).all()


@dataclass(frozen=True)
class LobbySeat:
    """A seat of a table that has not begun: who sits there; whom the host invited is shown to the host alone.

    `invited_email`: as the host wrote it, or the name that they know from an earlier table.
    `is_promised`: somebody is invited to it.
    `record`: how reliable the player is: turns, those on time, games begun, games finished.
    """

    name: str
    invited_email: str
    is_taken: bool
    record: tuple[int, int, int, int] | None = None
    seat: str = ""
    is_bot: bool = False
    is_promised: bool = False


@dataclass(frozen=True)
class Lobby:
    """A table that has not begun.  `deal_round`: the number of the round that its deal waits for."""

    game: str
    title: str
    state: GameState
    meta: Meta
    options: dict[str, str]
    host: str
    seats: tuple[LobbySeat, ...]
    seed_digest: str
    hours: int | None
    deal_round: int | None

    @property
    def taken_seats(self) -> int:
        """Seats on which somebody sits."""
        return sum(1 for chair in self.seats if chair.is_taken)

    @property
    def free_seats(self) -> int:
        """Seats that nobody has and that are promised to nobody."""
        return sum(1 for chair in self.seats if not chair.is_taken and not chair.is_promised)


def load_lobby(services: Services, session: Session, game: Game, *, host: bool) -> Lobby:
    """Load a game that has not begun, as its host or anybody else sees it."""
    rematch_names = load_rematch_names(session, game.id) if host else {}
    players = {row.seat: user for row, user in occupied_seats(session, game.id)}
    free = {row.seat for row in free_seats(services, session, game)}
    seats = []
    for row in load_seats(session, game.id):
        invited = rematch_names.get(row.seat, row.invited_email or "") if host else ""
        player = players.get(row.seat)
        if player is None:
            seats.append(LobbySeat("", invited, False, seat=row.seat, is_promised=row.seat not in free))
        else:
            record = None if is_bot(player.email) else users.reliability(player)
            seats.append(LobbySeat(player.name, invited, True, record, row.seat, is_bot(player.email)))
    owner, waits = session.get(User, game.host_id), assembly.pending_round(session, game)
    return Lobby(
        game.id,
        game.title,
        game.state,
        services.rules(game.rules).meta,
        dict(game.options),
        owner.name if owner else "",
        tuple(seats),
        game.seed_digest or "",
        game.deadline_hours,
        waits.round if waits is not None else None,
    )


ANY_SEAT = ""
"""The seat of a person who asks for any free one, at a table that forms."""


def list_applications(session: Session, game_id: str) -> list[tuple[Application, User]]:
    """Return the applications for seats that are not decided, with their users, the oldest first."""
    return _load_pending(session, game_id, "")


def _load_pending(session: Session, game_id: str, outcome: str) -> list[tuple[Application, User]]:
    pending = Application.game_id == game_id, Application.decided_at.is_(None), Application.outcome == outcome
    query = select(Application, User).join(User, User.id == Application.user_id).where(*pending)
    return [(row, user) for row, user in session.execute(query.order_by(Application.id))]


def find_application(session: Session, game_id: str, user_id: int) -> Application | None:
    """Find the pending application of a user in a game."""
    return next((row for row, user in list_applications(session, game_id) if user.id == user_id), None)


def is_application_limited(services: Services, user_id: int) -> bool:
    """Count one more time that a person asks for a seat; True once that is more than may be in an hour."""
    return limits.is_exceeded(services, "invitations", f"asks {user_id}")


def apply_for_seat(
    services: Services, session: Session, game: Game, seat: str, user: User, words: str = "", *, often: bool
) -> None:
    """Ask the masters, once, and tell the applicant to wait. Raises RequestRefused.

    `often`: what `is_rate_limited` said before the transaction.
    """
    if find_application(session, game.id, user.id) is not None:
        return
    if _was_refused(session, game.id, user.id, seat):
        raise RequestRefused("not_wanted")
    if often:
        raise limits.rate_limit_error(services)
    users.check_unique_name(session, game, user, leaving=seat)
    application = Application(game_id=game.id, seat=seat, user_id=user.id, created_at=services.now(), seed_words=words)
    session.add(application)
    session.flush()
    code = "seat_wanted" if seat else "place_wanted"
    prompt = (Message(code, {"name": user.name, "address": user.email, **({"seat": seat} if seat else {})}),)
    for master in permissions.masters_of(session, game):
        send_master_prompt(services, session, game, master, f"apply.{application.id}", prompt)
    _notify_applicant(services, session, game, user, f"apply.{application.id}", "seat_asked")


def _was_refused(session: Session, game_id: str, user_id: int, seat: str) -> bool:
    """A player who was refused does not ask for the same again."""
    same_request = Application.game_id == game_id, Application.user_id == user_id, Application.seat == seat
    refused = select(Application.id).where(*same_request, Application.outcome == "refused").limit(1)
    return session.scalar(refused) is not None


def withdraw_application(services: Services, user_id: int, game_id: str) -> bool:
    """Withdraw a user's application for a seat; False if there is none."""
    with services.db.transaction() as session:
        lock_game(session, game_id)
        return withdraw_application_in(services, session, game_id, user_id)


def withdraw_application_in(services: Services, session: Session, game_id: str, user_id: int) -> bool:
    """Do the same in a transaction that has locked the game."""
    row = find_application(session, game_id, user_id)
    if row is not None:
        row.decided_at, row.outcome = services.now(), "withdrawn"
    return row is not None


def reject_application(
    services: Services, session: Session, game: Game, row: Application, user: User, dedup_key: str
) -> None:
    """Tell an applicant that they do not get the seat."""
    row.decided_at, row.outcome = services.now(), "refused"
    _notify_applicant(services, session, game, user, dedup_key, "seat_refused")


def reject_applications(services: Services, session: Session, game: Game) -> None:
    """Reject the pending applications for any seat: the game is full."""
    for row, user in list_applications(session, game.id):
        if row.seat == ANY_SEAT:
            row.decided_at, row.outcome = services.now(), "full"
            _notify_applicant(services, session, game, user, f"apply.{row.id}", "table_full")


def _notify_applicant(services: Services, session: Session, game: Game, user: User, dedup_key: str, kind: str) -> None:
    """One to a person, and to no seat."""
    notifications.notify_user(services, session, game, user, f"{game.id}.{user.id}.{dedup_key}.{kind}", kind)


SEAT: Final = "seat"
"""The purpose of the link and address by which a person takes the seat that they were offered."""
HOLDS_MS: Final = 7 * DAY_MS
OFFERED: Final = "offered"


def load_pending_offers(session: Session, game_id: str) -> list[tuple[Application, User]]:
    """Return the offers of seats that are not answered, with their users, the oldest first."""
    return _load_pending(session, game_id, OFFERED)


def find_offer(session: Session, game_id: str, seat: str) -> tuple[Application, User] | None:
    """Find the pending offer of a seat, with its user."""
    return next(((row, user) for row, user in load_pending_offers(session, game_id) if row.seat == seat), None)


def expires_at(row: Application) -> int:
    """Return when an offer expires, in seconds."""
    return (row.created_at + HOLDS_MS) // 1000


def end_offer(session: Session, row: Application, outcome: str, now: int) -> None:
    """Close an offer and revoke its link and address."""
    row.decided_at, row.outcome = now, outcome
    its = Capability.purpose == SEAT, Capability.game_id == row.game_id, Capability.entry == row.id
    revoke_capabilities(session, now, *its)
    session.flush()


def close_offer(services: Services, session: Session, game: Game, row: Application, user: User, outcome: str) -> None:
    """End an offer that was not answered, and tell the person who had it."""
    end_offer(session, row, outcome, services.now())
    notifications.notify_user(services, session, game, user, f"{game.id}.{row.id}.seat.{outcome}", "seat_offer_over")


def pass_on(services: Services, session: Session, game: Game, seat: str, user: User) -> None:
    """Close the offers of a seat that has a new player, and other offers to that player."""
    for row, applicant in load_pending_offers(session, game.id):
        if row.seat == seat or applicant.id == user.id:
            close_offer(services, session, game, row, applicant, "over")

"""Deputies: people whom a player names to answer for their seat while they are away, and who have agreed to it.

A deputy answers through an address of their own, in that time alone; everybody is told.  They see what the seat may see
from then on, what it has on file included.  They take no other seat of the game, neither now nor later.  When the time
is over, or the player is back, all access that they were given ends.
"""

from dataclasses import dataclass, replace

from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem.common.outage_log import skip_unreadable
from pbem.common.states import GameState
from pbem.narration.facts import DeputyFacts, ReminderFacts
from pbem.service.access import mail_preferences, permissions, users
from pbem.service.access.capabilities import create_capability, find_capability, is_valid, revoke_capabilities
from pbem.service.access.permissions import DEPUTY_REPORT, find_deputy
from pbem.service.access.users import get_or_create_invitee
from pbem.service.base.game_states import missing_rules
from pbem.service.base.services import ParsedEmail, RequestRefused, Services
from pbem.service.base.wording import parse_consent
from pbem.service.mail import notifications
from pbem.service.mail.assembly import ReportData, build_context, create_reply_token
from pbem.service.mail.outbox import enqueue, suppress
from pbem.store.games import find_seat_of_user, hides_names, load_game, load_seat, lock_game, name_of_seat
from pbem.store.models import Absence, Capability, Deputy, Game, OutboundEmail, SeatRow, User

DEPUTY = "deputy"
"""The purpose of the link and address by which a deputy agrees."""


@dataclass(frozen=True)
class DeputyRequest:
    """What the link to a deputy shows: who asks them, for which table, from when to when (seconds)."""

    game: str
    title: str
    owner: str
    name: str
    language: str
    starts_at: int
    ends_at: int
    has_agreed: bool


@dataclass(frozen=True)
class DeputyStatus:
    """A deputy of one's own seat, as one sees it."""

    number: int
    name: str
    starts_at: int
    ends_at: int
    has_agreed: bool
    has_begun: bool


# --- naming a deputy


def invite(services: Services, owner_id: int, game_id: str, address: str, absence: int) -> None:
    """Ask a person to answer for one's seat during an absence that was announced. Raises RequestRefused."""
    with services.db.snapshot() as session:
        game, _, _ = _check_period(services, session, load_game(session, game_id), owner_id, absence)
        mail_preferences.check_invitation(services, session, game, session.get_one(User, owner_id), address)
    with services.db.transaction() as session:
        game, row, away = _check_period(services, session, lock_game(session, game_id), owner_id, absence)
        owner = session.get_one(User, owner_id)
        user = get_or_create_invitee(services, session, owner, address)
        _check_user(session, game, row, user, away)
        _enqueue_request(services, session, game, row, owner, user, away)
    services.enqueue("send_outbound_emails", "")


def _check_period(
    services: Services, session: Session, game: Game | None, owner_id: int, absence: int
) -> tuple[Game, SeatRow, Absence]:
    """The table, a person's seat there, and their absence; Raises RequestRefused."""
    row = find_seat_of_user(session, game.id, owner_id) if game is not None else None
    away = session.get(Absence, absence)
    if game is None or row is None or game.state != GameState.RUNNING:
        raise RequestRefused("no_such_seat")
    if away is None or away.user_id != owner_id or away.ends_at <= services.now():
        raise RequestRefused("no_such_absence")
    return game, row, away


def _check_user(session: Session, game: Game, row: SeatRow, user: User, away: Absence) -> None:
    """Raise RequestRefused where a person cannot be the deputy of a seat, or the seat has one already."""
    if _is_barred(session, game, row.seat, user):
        raise RequestRefused("already_seated")
    deputies = select(Deputy).where(Deputy.game_id == game.id, Deputy.seat == row.seat, Deputy.ended_at.is_(None))
    if any(deputy.starts_at < away.ends_at and away.starts_at < deputy.ends_at for deputy in session.scalars(deputies)):
        raise RequestRefused("has_deputy")


def _is_barred(session: Session, game: Game, seat: str, user: User) -> bool:
    """Return True if a person has played or inspected the game, or is or was the deputy of another seat."""
    engaged = Deputy.began_at.is_not(None) | Deputy.ended_at.is_(None)
    elsewhere = Deputy.game_id == game.id, Deputy.user_id == user.id, Deputy.seat != seat
    deputizes = session.scalar(select(Deputy.id).where(*elsewhere, engaged).limit(1)) is not None
    return deputizes or permissions.has_played(session, game.id, user.id)


def _enqueue_request(
    services: Services, session: Session, game: Game, row: SeatRow, owner: User, user: User, away: Absence
) -> None:
    """Lay out the email that asks for a deputy's consent; it holds as long as the absence lasts."""
    now = services.now()
    deputy = Deputy(
        game_id=game.id,
        seat=row.seat,
        owner_id=owner.id,
        user_id=user.id,
        starts_at=away.starts_at,
        ends_at=away.ends_at,
        created_at=now,
        visible_from_entry=0,
        end_reason="",
    )
    session.add(deputy)
    session.flush()
    token = create_capability(
        session,
        DEPUTY,
        now,
        lasting_ms=away.ends_at - now,
        user_id=user.id,
        game_id=game.id,
        seat=row.seat,
        entry=deputy.id,
    )
    frame = notifications.request_context(services, session, game, user, f"{services.public_url}/deputy/{token}", token)
    facts = DeputyFacts(frame, owner.name, away.starts_at // 1000, away.ends_at // 1000)
    enqueue(
        services,
        session,
        key=f"{game.id}.{deputy.id}.deputy",
        kind="deputy",
        facts=facts,
        user_id=user.id,
        game_id=game.id,
    )


# --- consent


def load_request(services: Services, token: str) -> DeputyRequest | None:
    """Load what a deputy's link shows. Return None if it is not valid."""
    with services.db.snapshot() as session:
        row = _load_row(session, token, services.now())
        if row is None:
            return None
        game = session.get(Game, row.game_id)
        owner, user = session.get(User, row.owner_id), session.get(User, row.user_id)
        if game is None or owner is None or user is None:
            return None
        return DeputyRequest(
            game.id,
            game.title,
            owner.name,
            user.name,
            user.language,
            row.starts_at // 1000,
            row.ends_at // 1000,
            row.agreed_at is not None,
        )


def _load_row(session: Session, token: str, now: int) -> Deputy | None:
    capability = find_capability(session, DEPUTY, token, now)
    row = session.get(Deputy, capability.entry) if capability is not None else None
    return row if row is not None and row.ended_at is None else None


def answer(services: Services, token: str, *, agrees: bool) -> bool:
    """Accept or decline to be a deputy. Return False if the link is not valid. Raises RequestRefused (`name_alike`)."""
    with services.db.transaction() as session:
        row = _load_row(session, token, services.now())
        game = lock_game(session, row.game_id) if row is not None else None
        if row is None or game is None:
            return False
        _apply_answer(services, session, game, row, agrees=agrees)
    start_and_end_due(services)
    services.enqueue("send_outbound_emails", "")
    return True


def answer_by_email(services: Services, session: Session, game: Game, token: Capability, letter: ParsedEmail) -> str:
    """Accept or decline by email. Return the notice that says why nothing happened, or empty.

    Raises RequestRefused (`name_alike`).
    """
    row = session.get(Deputy, token.entry)
    if row is None or row.ended_at is not None or not is_valid(token, services.now()):
        return "revoked"
    agrees = parse_consent(letter.lines).accepts
    if agrees is None:
        return "deputy_unclear"
    _apply_answer(services, session, game, row, agrees=agrees)
    return ""


def _apply_answer(services: Services, session: Session, game: Game, row: Deputy, *, agrees: bool) -> None:
    """Let a deputy who has agreed decline, as long as they do not answer yet."""
    user, owner, now = session.get_one(User, row.user_id), session.get_one(User, row.owner_id), services.now()
    if (agrees and row.agreed_at is not None) or row.began_at is not None:
        return
    if agrees and not _is_barred(session, game, row.seat, user):
        users.make_unique_name(session, game, user)
        row.agreed_at = now
        notice = "deputy_named"
        terms = {"name": user.name, "since": row.starts_at // 1000, "until": row.ends_at // 1000}
    else:
        _close(session, row, "refused", now)
        notice, terms = "deputy_refused", {"name": user.name}
    key = f"{game.id}.{row.id}.{now}.{notice}"
    notifications.notify_user(services, session, game, owner, key, notice, terms, row.seat)


# --- the time itself


def start_and_end_due(services: Services) -> int:
    """Let those begin whose time has come, and end whose time is over; returns how many."""
    with services.db.snapshot() as session:
        rows = session.execute(select(Deputy.id, Deputy.game_id).where(Deputy.ended_at.is_(None))).all()
    changed = 0
    for row in rows:
        with skip_unreadable():
            changed += _start_or_end(services, row.game_id, row.id)
    if changed:
        services.enqueue("send_outbound_emails", "")
    return changed


def _start_or_end(services: Services, game_id: str, number: int) -> bool:
    """Do what is due for one deputy; False if nothing is."""
    now = services.now()
    with services.db.transaction() as session:
        game, row = lock_game(session, game_id), session.get(Deputy, number)
        if game is None or row is None or row.ended_at is not None or missing_rules(services, game):
            return False
        reason = _find_end_reason(session, game, row, now)
        if reason:
            end_deputy(services, session, game, row, reason)
        elif row.agreed_at is not None and row.began_at is None and row.starts_at <= now:
            _start(services, session, game, row)
        else:
            return False
    return True


def _find_end_reason(session: Session, game: Game, row: Deputy, now: int) -> str:
    """Why a deputy's time is over, if it is: its days are past, or the absence was called off."""
    if row.ends_at <= now or game.state != GameState.RUNNING:
        return "over"
    same = Absence.user_id == row.owner_id, Absence.starts_at == row.starts_at, Absence.ends_at == row.ends_at
    return "" if session.scalar(select(Absence.id).where(*same)) is not None else "back"


def _start(services: Services, session: Session, game: Game, row: Deputy) -> None:
    """From now on the deputy answers: everybody is told, and the deputy gets an address to answer to."""
    now, user = services.now(), session.get_one(User, row.user_id)
    row.began_at, row.visible_from_entry = now, game.entry
    terms = {**_names_for_all(session, game, row), "until": row.ends_at // 1000}
    notifications.notify_all_seats(services, session, game, f"d{row.id}", "deputy_began", terms)
    token = create_reply_token(session, game.id, row.seat, game.entry, now, holder=user.id)
    enqueue(
        services,
        session,
        key=f"{game.id}.{row.id}.{now}.deputy_report",
        kind=DEPUTY_REPORT,
        facts=ReportData(token),
        user_id=user.id,
        game_id=game.id,
        seat=row.seat,
        entry=game.entry,
        since=game.entry,
    )


def end_deputy(services: Services, session: Session, game: Game, row: Deputy, reason: str) -> None:
    """End a deputy's time: revoke their access, and notify everybody if they had begun."""
    now, began = services.now(), row.began_at is not None
    owner, user = session.get_one(User, row.owner_id), session.get_one(User, row.user_id)
    _close(session, row, reason, now)
    if not began or game.state != GameState.RUNNING:
        return
    if reason != "replaced":
        terms = _names_for_all(session, game, row)
        notifications.notify_all_seats(services, session, game, f"d{row.id}", "deputy_ended", terms)
    key = f"{game.id}.{row.id}.{now}.over"
    notifications.notify_user(services, session, game, user, key, "deputy_over", {"before": owner.name})


def _names_for_all(session: Session, game: Game, row: Deputy) -> dict[str, str]:
    """Whose deputy somebody is; both are called like the seat where names are hidden."""
    owner, user = session.get_one(User, row.owner_id), session.get_one(User, row.user_id)
    if not hides_names(game):
        return {"before": owner.name, "name": user.name}
    seat = load_seat(session, game.id, row.seat)
    name = name_of_seat(session, seat) if seat is not None else row.seat
    return {"before": name, "name": name}


def _close(session: Session, row: Deputy, reason: str, now: int) -> None:
    row.ended_at, row.end_reason = now, reason
    own = Capability.game_id == row.game_id, Capability.seat == row.seat, Capability.user_id == row.user_id
    revoke_capabilities(session, now, *own)
    suppress(
        session,
        OutboundEmail.game_id == row.game_id,
        OutboundEmail.seat == row.seat,
        OutboundEmail.user_id == row.user_id,
    )


def send_reminder(services: Services, session: Session, game: Game, seat: str, key: str, facts: ReminderFacts) -> None:
    """Send the reminder of a seat to its deputy as well, with an address of their own."""
    row, now = find_deputy(session, game.id, seat, services.now()), services.now()
    user = session.get(User, row.user_id) if row is not None else None
    if user is None:
        return
    token = create_reply_token(session, game.id, seat, game.entry, now, holder=user.id)
    frame = build_context(services, session, game, seat, user, token, now)
    enqueue(
        services,
        session,
        key=reminder_dedup_key(key),
        kind="reminder",
        facts=replace(facts, frame=frame),
        user_id=user.id,
        game_id=game.id,
        seat=seat,
        entry=game.entry,
    )


def reminder_dedup_key(key: str) -> str:
    """Return the key of a deputy's reminder, given that of the player's."""
    return f"{key}.deputy"


def end_for_seat(services: Services, session: Session, game: Game, seat: str) -> None:
    """End the time of a seat's deputies: it has another player."""
    its = Deputy.game_id == game.id, Deputy.seat == seat, Deputy.ended_at.is_(None)
    for row in session.scalars(select(Deputy).where(*its)).all():
        end_deputy(services, session, game, row, "replaced")


def end_for_user(services: Services, session: Session, game: Game, user: User) -> None:
    """Let a person be no deputy of anybody at a locked table any more, and decline what they were asked."""
    theirs = Deputy.game_id == game.id, Deputy.user_id == user.id, Deputy.ended_at.is_(None)
    for row in session.scalars(select(Deputy).where(*theirs)).all():
        if row.began_at is None:
            _apply_answer(services, session, game, row, agrees=False)
        else:
            end_deputy(services, session, game, row, "refused")


def cancel(services: Services, owner_id: int, game_id: str, number: int) -> None:
    """End a deputy's time at the player's request. Raises RequestRefused."""
    with services.db.transaction() as session:
        game, row = lock_game(session, game_id), session.get(Deputy, number)
        if game is None or row is None or (row.game_id, row.owner_id) != (game_id, owner_id) or row.ended_at:
            raise RequestRefused("no_such_deputy")
        end_deputy(services, session, game, row, "back" if row.began_at is not None else "withdrawn")
    services.enqueue("send_outbound_emails", "")


def list_invited(services: Services, owner_id: int, game_id: str) -> tuple[DeputyStatus, ...]:
    """List the deputies whom a player has named and whose time has not ended."""
    with services.db.snapshot() as session:
        active = Deputy.game_id == game_id, Deputy.owner_id == owner_id, Deputy.ended_at.is_(None)
        query = select(Deputy, User).join(User, User.id == Deputy.user_id).where(*active)
        rows = session.execute(query.order_by(Deputy.id))
        return tuple(
            DeputyStatus(
                row.id,
                user.name,
                row.starts_at // 1000,
                row.ends_at // 1000,
                row.agreed_at is not None,
                row.began_at is not None,
            )
            for row, user in rows
        )


def list_acting(services: Services, game_id: str) -> tuple[tuple[str, str, int], ...]:
    """List the acting deputies of a game: player, deputy, and until when (seconds)."""
    now = services.now()
    with services.db.snapshot() as session:
        acting = (
            Deputy.game_id == game_id,
            Deputy.ended_at.is_(None),
            Deputy.began_at.is_not(None),
            Deputy.ends_at > now,
        )
        deputies = session.scalars(select(Deputy).where(*acting).order_by(Deputy.id)).all()
        game = session.get_one(Game, game_id)
        called = [_names_for_all(session, game, row) for row in deputies]
        return tuple(
            (one["before"], one["name"], row.ends_at // 1000) for one, row in zip(called, deputies, strict=True)
        )

"""A seat that a master offers to one person: it is theirs when they say yes, by the email that asks, and not before.

Until then the seat stays as it is, with its player or empty; the offer can be taken back, and ends by itself.
"""

from dataclasses import dataclass

from sqlalchemy import or_, select
from sqlalchemy.orm import Session

from pbem.common.outage_log import skip_unreadable
from pbem.common.states import GameState
from pbem.narration.facts import Message, SeatOfferFacts
from pbem.service.access import permissions, users
from pbem.service.access.capabilities import create_capability, find_capability, is_valid
from pbem.service.base.game_states import is_installed
from pbem.service.base.services import ParsedEmail, RequestRefused, Services
from pbem.service.base.wording import parse_consent
from pbem.service.game.journal import mask_addresses
from pbem.service.mail import notifications
from pbem.service.mail.notifications import send_master_prompt
from pbem.service.mail.outbox import enqueue
from pbem.service.seats import lobby, substitutes
from pbem.service.seats.lobby import HOLDS_MS, OFFERED, SEAT, expires_at
from pbem.store.games import (
    display_name,
    find_seat_of_user,
    hides_names,
    load_seat,
    load_seats,
    lock_game,
    name_at_table,
    name_of_seat,
    reload,
)
from pbem.store.models import Application, AuditEntry, Capability, Game, SeatRow, User


@dataclass(frozen=True)
class SeatOffer:
    """What the link shows: the table and its game, whose seat, how far the game is, how long the offer holds."""

    game: str
    rules: str
    title: str
    previous_player: str
    name: str
    language: str
    entry: int
    expires_at: int


# --- the master


def offer_seat(
    services: Services, session: Session, game: Game, seat: SeatRow, user: User, master: User
) -> Application:
    """Ask a person whether they take a seat; nothing about the seat changes."""
    now = services.now()
    offer = Application(game_id=game.id, seat=seat.seat, user_id=user.id, created_at=now, outcome=OFFERED)
    session.add(offer)
    session.flush()
    token = create_capability(session, SEAT, now, lasting_ms=HOLDS_MS, user_id=user.id, game_id=game.id, entry=offer.id)
    frame = notifications.request_context(services, session, game, user, f"{services.public_url}/seat/{token}", token)
    facts = SeatOfferFacts(
        frame,
        name_at_table(session, game, master),
        _previous_player_name(session, seat),
        len(load_seats(session, game.id)),
        game.deadline_hours or 0,
        expires_at(offer),
    )
    enqueue(
        services, session, key=f"{game.id}.{offer.id}.seat", kind="seat", facts=facts, user_id=user.id, game_id=game.id
    )
    return offer


def _previous_player_name(session: Session, seat: SeatRow) -> str:
    return name_of_seat(session, seat) if seat.user_id is not None else ""


# --- the person who is asked


def load_offer(services: Services, token: str) -> SeatOffer | None:
    """Load what an offer's link shows. Return None if it is not valid."""
    with services.db.snapshot() as session:
        offer = _find_offer(session, token, services.now())
        if offer is None:
            return None
        game, seat, row = offer
        user = session.get_one(User, row.user_id)
        previous = _previous_player_name(session, seat) or seat.seat
        return SeatOffer(
            game.id, game.rules, game.title, previous, user.name, user.language, game.entry, expires_at(row)
        )


def _find_offer(session: Session, token: str, now: int) -> tuple[Game, SeatRow, Application] | None:
    row = find_capability(session, SEAT, token, now)
    return _offer_of(session, row) if row is not None else None


def _offer_of(session: Session, token: Capability) -> tuple[Game, SeatRow, Application] | None:
    """Return the game, seat and offer that a capability answers, while nobody has answered."""
    row = session.get(Application, token.entry)
    game = session.get(Game, row.game_id) if row is not None else None
    if row is None or game is None or row.decided_at is not None or game.state != GameState.RUNNING:
        return None
    seat = load_seat(session, game.id, row.seat)
    return (game, seat, row) if seat is not None else None


def answer(services: Services, token: str, *, takes: bool) -> str:
    """Take a seat, or decline it; the game's id, empty where the link does not hold. Raises RequestRefused."""
    with services.db.transaction() as session:
        offer = _find_offer(session, token, services.now())
        game = lock_game(session, offer[0].id) if offer is not None else None
        if offer is None or game is None or reload(session, offer[2]).decided_at is not None:
            return ""
        seat = next(row for row in load_seats(session, game.id) if row.seat == offer[2].seat)
        _apply_answer(services, session, game, seat, offer[2], "web", takes=takes)
    lobby.enqueue_jobs(services, game.id)
    return game.id


def answer_by_email(services: Services, session: Session, game: Game, token: Capability, letter: ParsedEmail) -> str:
    """Accept or decline by email. Return the notice that says why nothing happened, or empty.

    Raises RequestRefused (`name_alike`).
    """
    offer = _offer_of(session, token) if is_valid(token, services.now()) else None
    if offer is None:
        return "revoked"
    takes = parse_consent(letter.lines).accepts
    if takes is None:
        return "deputy_unclear"
    try:
        _apply_answer(services, session, game, offer[1], offer[2], "mail", takes=takes)
    except RequestRefused as refused:
        if refused.code == "name_alike":
            raise
        return "revoked"
    return ""


def decline_offers(services: Services, session: Session, game: Game, user: User) -> None:
    """Decline what a person was offered at a locked table."""
    for row, guest in lobby.load_pending_offers(session, game.id):
        seat = load_seat(session, game.id, row.seat)
        if guest.id == user.id and seat is not None:
            _apply_answer(services, session, game, seat, row, "web", takes=False)


def _apply_answer(
    services: Services, session: Session, game: Game, seat: SeatRow, row: Application, channel: str, *, takes: bool
) -> None:
    """Raise RequestRefused where the person has come to sit at this table, or to know too much of it, meanwhile."""
    user = session.get_one(User, row.user_id)
    if takes and not substitutes.can_take_seat(session, game.id, user.id):
        raise RequestRefused("already_seated")
    if takes:
        users.make_unique_name(session, game, user, leaving=seat.seat)
    previous = _previous_player_name(session, seat) or seat.seat
    outcome = "accepted" if takes else "declined"
    lobby.end_offer(session, row, outcome, services.now())
    _record_answer(services, session, game, user, seat.seat, channel, outcome)
    if takes:
        substitutes.replace_player(services, session, game, seat, user, "replaced")
    _notify_masters(services, session, game, row, f"offer_{outcome}", {"name": user.name, "seat": previous})


def _record_answer(
    services: Services, session: Session, game: Game, user: User, seat: str, channel: str, outcome: str
) -> None:
    """What became of an offer stands in the audit, beside the act that made it; all read it."""
    row = load_seat(session, game.id, seat)
    name = display_name(user, row, game) if row is not None else user.name
    session.add(
        AuditEntry(
            game_id=game.id,
            created_at=services.now(),
            entry=game.entry,
            user_id=user.id,
            name=name[:80],
            channel=channel,
            action="replace",
            line=mask_addresses(f"REPLACE {seat} BY {user.email}", whole=hides_names(game)),
            outcome=outcome,
            reason="",
            announced_at=services.now(),
        )
    )


def _notify_masters(
    services: Services, session: Session, game: Game, row: Application, code: str, terms: dict[str, object]
) -> None:
    """Tell the masters; where names are hidden, not those who play."""
    for master in permissions.masters_of(session, game):
        if not hides_names(game) or find_seat_of_user(session, game.id, master.id) is None:
            send_master_prompt(services, session, game, master, f"offer.{row.id}", (Message(code, terms),))


# --- offers that end by themselves


def expire_due(services: Services) -> int:
    """End the offers that nobody has answered in time, or whose game is over; returns how many."""
    with services.db.snapshot() as session:
        still = Application.decided_at.is_(None), Application.outcome == OFFERED
        outlived = or_(Application.created_at + HOLDS_MS <= services.now(), Game.state != GameState.RUNNING)
        rows = select(Application.id, Game.id).join(Game, Game.id == Application.game_id)
        old = session.execute(rows.where(*still, outlived, is_installed(services))).all()
    ended = 0
    for number, game_id in old:
        with skip_unreadable():
            ended += _expire(services, game_id, number)
    if ended:
        services.enqueue("send_outbound_emails", "")
    return ended


def _is_obsolete(services: Services, game: Game, row: Application) -> bool:
    return row.created_at + HOLDS_MS <= services.now() or game.state != GameState.RUNNING


def _expire(services: Services, game_id: str, number: int) -> bool:
    with services.db.transaction() as session:
        game, row = lock_game(session, game_id), session.get(Application, number)
        if game is None or row is None or row.decided_at is not None or not _is_obsolete(services, game, row):
            return False
        user = session.get_one(User, row.user_id)
        lobby.close_offer(services, session, game, row, user, "over")
        _record_answer(services, session, game, user, row.seat, "web", "over")
        if game.state == GameState.RUNNING:
            _notify_masters(services, session, game, row, "offer_over", {"name": user.name, "seat": row.seat})
    return True

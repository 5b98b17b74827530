"""What became of emails: refused by the relay, delayed or given up by a later server; and what follows for players."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import ColumnElement, and_, delete, or_, select
from sqlalchemy.orm import Session

from pbem.common.outage_log import skip_unreadable
from pbem.common.states import READY, UNDELIVERED, GameState, OutboundState
from pbem.crypto import token_hash
from pbem.service.access.permissions import masters_of
from pbem.service.base.calendar import DAY_MS
from pbem.service.base.services import ParsedEmail, Services
from pbem.service.game.clock_state import pause_for_bounce
from pbem.service.mail import notifications, outbox
from pbem.store.games import display_name, find_seat_of_user, hides_names, lock_game, occupied_seats
from pbem.store.models import Game, OutboundEmail, OutboundEmailBody, User

_LOG = logging.getLogger(__name__)

RESENT_MS: Final = 3 * DAY_MS
"""So old is the oldest report that is sent again; later its reader's clock has gone on."""

CAME_BACK: Final = "came back"
"""The error of an email that a later server gave up."""

IS_LATE: Final = or_(
    OutboundEmail.state == OutboundState.DELAYED,
    and_(OutboundEmail.state.in_(READY), OutboundEmail.error.is_not(None)),
)
"""An email that a mail server holds back, a later one or the relay."""

HAS_NOT_ARRIVED: Final = or_(IS_LATE, OutboundEmail.state.in_(UNDELIVERED))


@dataclass(frozen=True)
class EmailStatus:
    """What is known of an email out: when it was handed over, or else written (milliseconds), and what was said then.

    `state`: see `OutboundState`.  `reply`: the words of a mail server, without addresses, or else an error.
    """

    game: str
    seat: str
    kind: str
    state: str
    at: int
    reply: str

    @property
    def is_undelivered(self) -> bool:
        """Return True if it is known that it has not arrived, or has failed to leave."""
        return self.state in (OutboundState.DELAYED, *UNDELIVERED) or (self.state in READY and bool(self.reply))


def list_emails(session: Session, most: int, *which: ColumnElement[bool]) -> Sequence[EmailStatus]:
    """The emails that fit, the newest first."""
    rows = select(OutboundEmail).where(*which).order_by(OutboundEmail.created_at.desc(), OutboundEmail.key).limit(most)
    return [
        EmailStatus(
            row.game_id or "",
            row.seat or "",
            row.kind,
            row.state.value,
            row.sent_at or row.created_at,
            row.server_reply or row.error or "",
        )
        for row in session.scalars(rows)
    ]


_STATES = {
    "failed": OutboundState.GIVEN_UP,
    "delayed": OutboundState.DELAYED,
    "delivered": OutboundState.SENT,
}


def load_emails(services: Services, game_id: str, most: int, *, undelivered: bool) -> Sequence[EmailStatus]:
    """The last emails, of one game or of all, and what became of each."""
    which: list[ColumnElement[bool]] = []
    if game_id:
        which.append(OutboundEmail.game_id == game_id)
    if undelivered:
        which.append(HAS_NOT_ARRIVED)
    with services.db.snapshot() as session:
        return list_emails(session, most, *which)


def hash_address(address: str) -> bytes:
    """By what an email remembers where it went: a late bounce must not be laid to a newer address."""
    return token_hash("address", address)


def record_report(services: Services, session: Session, user: User, letter: ParsedEmail) -> None:
    """Record what a server says of an email of ours to this person; one that it gave up has not reached them.

    It counts only if it gives back an email that we sent to that person; an email that was given up stays so.
    """
    row = outbox.find_by_message_id(session, letter.returned_id, services.mail_domain)
    if row is None or row.user_id != user.id or letter.delivery not in _STATES or row.state in UNDELIVERED:
        return
    if row.state in READY:  # it comes back faster than we could write that it went
        row.sent_at, row.claimed_at = services.now(), None
        session.execute(delete(OutboundEmailBody).where(OutboundEmailBody.email_key == row.key))
    row.state, row.server_reply = _STATES[letter.delivery], letter.server_reply
    row.error = CAME_BACK if letter.delivery == "failed" else None
    if letter.delivery == "failed":
        mark_unreachable(services, session, row, user, row.address_hash)
        _clear_marks_of_relay(session, services.now() - outbox.STRETCH_MS)


def _clear_marks_of_relay(session: Session, since: int) -> None:
    """No address is at fault where all that was handed over for several people came back: the relay gives it back.

    Their clocks stand still all the same.
    """
    session.flush()
    lately = OutboundEmail.sent_at > since, OutboundEmail.user_id.is_not(None)
    back = select(OutboundEmail.user_id).where(*lately, OutboundEmail.state == OutboundState.GIVEN_UP)
    reached = select(OutboundEmail.key).where(*lately, OutboundEmail.user_id.not_in(back)).limit(1)
    if session.scalar(reached) is not None:
        return
    people = session.scalars(back.distinct()).all()
    if len(people) > 1:
        _LOG.error("the relay takes letters and gives all of them back: %s people", len(people))
        for user_id in people:
            with skip_unreadable():
                session.get_one(User, user_id).bounced_at = None


def retry_all(services: Services) -> int:
    """Send what was refused before, and the reports that were lost since; how many emails that is."""
    with services.db.transaction() as session:
        found = retry_in_session(services, session)
    if found:
        services.enqueue("send_outbound_emails", "")
    return found


def retry_in_session(services: Services, session: Session) -> int:
    """The same within a transaction; the caller wakes the mailer."""
    found = outbox.retry_refused(session, services.now())
    rows = select(OutboundEmail.game_id, OutboundEmail.seat, OutboundEmail.created_at).where(
        OutboundEmail.kind.in_(("report", "started")),
        OutboundEmail.state.in_(UNDELIVERED),
        OutboundEmail.created_at > services.now() - RESENT_MS,
    )
    for game_id, seat, created_at in sorted(session.execute(rows).all(), key=str):
        with skip_unreadable(), session.begin_nested():
            game = lock_game(session, str(game_id))
            if game is not None and game.state == GameState.RUNNING:
                notifications.resend_reports(services, session, game, f"r{created_at}", [str(seat)])
                found += 1
    return found


def mark_unreachable(
    services: Services, session: Session, row: OutboundEmail, user: User, address_hash: bytes | None
) -> None:
    """An email will never reach a person: their clock stands still for a while.

    Nothing follows for a person who has another address by now than the one that it went to.
    """
    if address_hash in (None, hash_address(user.email)):
        user.bounced_at = services.now()
        stop_clock(services, session, row, user)


def stop_clock(services: Services, session: Session, row: OutboundEmail, user: User) -> None:
    """A player's clock stands still since an email that has not reached them; who looks after the table is told."""
    game = session.get(Game, row.game_id) if row.game_id is not None else None
    if game is None:
        return
    outage = pause_for_bounce(session, game.id, user.id, row.created_at)
    if outage is None:
        return
    others = [one for one in masters_of(session, game) if one.id != user.id]
    others = others or [one for _, one in occupied_seats(session, game.id) if one.id != user.id]
    seat = find_seat_of_user(session, game.id, user.id)
    name = display_name(user, seat, game) if seat is not None else user.name
    reply = "" if hides_names(game) else row.server_reply or ""  # it may name the address
    terms = {"name": name, "state": row.state.value, "reply": reply}
    for other in others:
        key = f"{game.id}.{other.id}.o{outage.id}.undelivered"
        notifications.notify_user(services, session, game, other, key, "undelivered", terms)
    services.enqueue("send_outbound_emails", "")

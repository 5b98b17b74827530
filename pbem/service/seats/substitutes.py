"""Seats that look for another player: resigning, taking over, giving back.

A substitute gets what the seat may see, a recap of what all were told, and more time for their first answer; not a
word of their predecessor's orders or emails.  A person who holds or held a seat of a game takes no other one in it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from sqlalchemy import ColumnElement, and_, delete, or_, select, update
from sqlalchemy.orm import Session

from pbem.common.addresses import is_deleted
from pbem.common.outage_log import skip_unreadable
from pbem.common.states import AnswerState, GameState
from pbem.narration.facts import Links, NoticeFacts
from pbem.service.access import permissions, users
from pbem.service.access.capabilities import revoke_capabilities
from pbem.service.base import calendar
from pbem.service.base.database_access import FIRST_PAGE, Page, PageWindow
from pbem.service.base.game_states import ANSWERED_STATES, AnswerEvent, apply_event
from pbem.service.base.services import RequestRefused, Services
from pbem.service.base.wording import spellings
from pbem.service.deadlines import gate_timing
from pbem.service.game import sealed_orders
from pbem.service.mail import notifications
from pbem.service.mail.assembly import ReportData, create_reply_token
from pbem.service.mail.outbox import enqueue, suppress
from pbem.service.seats import deputies, lobby
from pbem.store.games import find_seat_of_user, load_seat, lock_game, name_of_seat
from pbem.store.models import (
    AccountDeletion,
    Capability,
    Game,
    Outage,
    OutboundEmail,
    QuestionRow,
    ResolverRequest,
    SeatRow,
    SeatTenure,
    User,
    Vote,
)
from pbem.store.row_signatures import split_verified

SURE = spellings("answers.sure")
OUT: Final = "out"
"""The motion of a vote to put an offered seat out of the game."""


@dataclass(frozen=True)
class OpenSeat:
    """A seat that looks for a player: whose it was, and how far the game is."""

    game: str
    rules: str
    title: str
    seat: str
    player: str
    entry: int


def list_open_seats(services: Services, part: PageWindow = FIRST_PAGE) -> Page[OpenSeat]:
    """List the seats that look for a player, the longest first."""
    looking = select(SeatRow.id).join(Game, Game.id == SeatRow.game_id).where(SeatRow.open_since.is_not(None))
    here = looking.where(Game.state == GameState.RUNNING, Game.rules.in_(services.installed))
    with services.db.snapshot() as session:
        return part.run_query(session, here.order_by(SeatRow.open_since, SeatRow.id), partial(_load_open, session))


def _load_open(session: Session, ids: Sequence[int]) -> Sequence[OpenSeat]:
    rows, _ = split_verified(session, SeatRow, ids)
    split_verified(session, Game, [row.game_id for row in rows])
    split_verified(session, User, [row.user_id for row in rows if row.user_id is not None])
    seats: list[OpenSeat] = []
    for row in rows:
        with skip_unreadable():
            seats.append(_to_open_seat(session, row))
    return seats


def _to_open_seat(session: Session, row: SeatRow) -> OpenSeat:
    game = session.get_one(Game, row.game_id)
    return OpenSeat(game.id, game.rules, game.title, row.seat, name_of_seat(session, row), game.entry)


# --- resigning


def offer_seat(services: Services, session: Session, game: Game, seat: SeatRow, word: str, *, dry: bool = False) -> str:
    """Offer one's own seat, in two steps: without the word that says so nothing happens (`unsure`).

    The rulebook's own way out of the game stays what it is: this one eliminates nobody.  The others are told
    once a day, for a seat may be offered and kept any number of times.
    """
    if word.strip(" .!").lower() not in SURE:
        return "unsure"
    if not dry and seat.open_since is None:
        seat.open_since = services.now()
        terms = {"name": name_of_seat(session, seat)}
        today = f"s{seat.id}.day{services.now() // calendar.DAY_MS}"
        notifications.notify_all_seats(services, session, game, today, "offered", terms)
    return "done"


def offer_own_seat(services: Services, user_id: int, game_id: str) -> None:
    """Offer a user's own seat, from the pages, which have confirmed it. Raises RequestRefused."""
    with services.db.transaction() as session:
        game, seat = _load_own_seat(session, game_id, user_id)
        offer_seat(services, session, game, seat, "yes")
    services.enqueue("send_outbound_emails", "")


def cancel_offer(session: Session, seat: SeatRow) -> None:
    """Cancel the offer of a seat: its player has answered, and what was voted of that offer holds no more."""
    if seat.open_since is not None:
        seat.open_since = None
        session.execute(delete(Vote).where(*_votes_against(seat)))


def _votes_against(seat: SeatRow) -> tuple[ColumnElement[bool], ...]:
    return Vote.game_id == seat.game_id, Vote.motion == OUT, Vote.target == seat.seat


def _load_own_seat(session: Session, game_id: str, user_id: int) -> tuple[Game, SeatRow]:
    game = lock_game(session, game_id)
    seat = find_seat_of_user(session, game_id, user_id)
    if game is None or seat is None or game.state != GameState.RUNNING:
        raise RequestRefused("no_such_seat")
    return game, seat


# --- taking over


def take_over(services: Services, user_id: int, game_id: str, seat: str) -> bool:
    """Take an offered seat. Return False if a master is asked first.

    Raises RequestRefused: it does not look for one, or one has sat at this table before.
    """
    often = lobby.is_application_limited(services, user_id)
    with services.db.transaction() as session:
        game = lock_game(session, game_id)
        row = load_seat(session, game_id, seat)
        user = session.get(User, user_id)
        if game is None or row is None or user is None or game.state != GameState.RUNNING or row.open_since is None:
            raise RequestRefused("no_such_offer")
        if not can_take_seat(session, game_id, user_id):
            raise RequestRefused("already_seated")
        approves = permissions.requires_approval(session, game_id)
        if approves:
            lobby.apply_for_seat(services, session, game, row.seat, user, often=often)
        else:
            replace_player(services, session, game, row, user, "replaced")
    lobby.enqueue_jobs(services, game_id)
    return not approves


def return_seat(services: Services, user_id: int, game_id: str) -> None:
    """Give one's seat back to the player who had it first.

    Raises RequestRefused: nobody had, or they were removed at any time, or have left the server or want to; or have
    inspected the game as its master since.
    """
    with services.db.transaction() as session:
        game, row = _load_own_seat(session, game_id, user_id)
        ended = session.scalars(
            select(SeatTenure)
            .where(SeatTenure.game_id == game_id, SeatTenure.seat == row.seat, SeatTenure.ends_at.is_not(None))
            .order_by(SeatTenure.id)
        ).all()
        user = session.get(User, ended[0].user_id) if ended else None
        if user is None or user.id == user_id or _has_left(session, user):
            raise RequestRefused("nobody_before")
        if any(tenure.user_id == user.id and tenure.end_reason == "ejected" for tenure in ended):
            raise RequestRefused("nobody_before")
        if permissions.has_inspected(session, game_id, user.id):
            raise RequestRefused("already_seated")
        replace_player(services, session, game, row, user, "returned")
    lobby.enqueue_jobs(services, game_id)


def _has_left(session: Session, user: User) -> bool:
    """Return True if a person was forgotten, or asked for it."""
    return is_deleted(user.email) or session.get(AccountDeletion, user.id) is not None


def can_take_seat(session: Session, game_id: str, user_id: int) -> bool:
    """Return True if a person may take a seat: they have not played, inspected or deputized in this game."""
    played = permissions.has_played(session, game_id, user_id)
    return not played and not permissions.was_deputy(session, game_id, user_id)


def remove_player(services: Services, session: Session, game: Game, row: SeatRow) -> None:
    """Remove a player: nothing of theirs stays, and the seat looks for another one."""
    now, old = services.now(), session.get(User, row.user_id) if row.user_id is not None else None
    if old is None:
        return
    _end_tenure(session, game, row, "ejected", now)
    _revoke_seat_data(services, session, game, row, now)
    row.user_id, row.open_since, row.missed, row.pause_request = None, now, 0, ""
    session.flush()
    _notify_former_player(services, session, game, row, old, now)


def replace_player(services: Services, session: Session, game: Game, row: SeatRow, user: User, reason: str) -> None:
    """Give a seat to a person.  What its player had filed is destroyed unread, and all their capabilities end.

    Raises RequestRefused (`name_alike`) before anything is done.
    """
    users.make_unique_name(session, game, user, leaving=row.seat)
    now, old = services.now(), session.get(User, row.user_id) if row.user_id is not None else None
    before = name_of_seat(session, row)
    _end_tenure(session, game, row, reason, now)
    session.add(SeatTenure(game_id=game.id, seat=row.seat, user_id=user.id, starts_at=now))
    if reason != "returned":
        for player in users.lock_for_statistics(session, [user.id]):
            player.games_begun += 1
    _revoke_seat_data(services, session, game, row, now)
    row.user_id, row.visible_from_entry, row.last_report_entry = user.id, game.entry, game.entry
    row.open_since, row.missed, row.pause_request = None, 0, ""
    _extend_deadlines(session, game, row, now)
    session.flush()
    lobby.pass_on(services, session, game, row.seat, user)
    terms = {"before": before, "name": name_of_seat(session, row)}
    notice = "returned" if reason == "returned" else "taken"
    notifications.notify_all_seats(services, session, game, f"t{row.id}.{now}", notice, terms, but=row.seat)
    if old is not None and old.id != user.id:
        _notify_former_player(services, session, game, row, old, now)
    _enqueue_welcome(services, session, game, row, user, now)
    game.resolve_requested_at = game.resolve_requested_at or now


def _end_tenure(session: Session, game: Game, row: SeatRow, reason: str, now: int) -> None:
    """Record that a seat's player holds it no more; a first player has no row yet."""
    current = SeatTenure.game_id == game.id, SeatTenure.seat == row.seat, SeatTenure.ends_at.is_(None)
    tenure = session.scalars(select(SeatTenure).where(*current)).one_or_none()
    if tenure is None and row.user_id is not None:
        tenure = SeatTenure(
            game_id=game.id, seat=row.seat, user_id=row.user_id, starts_at=row.joined_at or game.created_at
        )
        session.add(tenure)
    if tenure is not None:
        tenure.ends_at, tenure.end_reason = now, reason


def _revoke_seat_data(services: Services, session: Session, game: Game, row: SeatRow, now: int) -> None:
    """Nothing that the seat had filed, asked or been given access by outlives its player."""
    deputies.end_for_seat(services, session, game, row.seat)
    sealed_orders.discard_for_new_holder(services, session, game.id, row.seat)
    own_votes = and_(Vote.game_id == game.id, Vote.seat == row.seat)
    session.execute(delete(Vote).where(or_(own_votes, and_(*_votes_against(row)))))
    session.execute(delete(ResolverRequest).where(ResolverRequest.game_id == game.id, ResolverRequest.seat == row.seat))
    revoke_capabilities(session, now, Capability.game_id == game.id, Capability.seat == row.seat)
    suppress(session, OutboundEmail.game_id == game.id, OutboundEmail.seat == row.seat)
    bounces = Outage.game_id == game.id, Outage.user_id == row.user_id, Outage.ended_at.is_(None)
    session.execute(update(Outage).where(*bounces).values(ended_at=now, is_compensated=True))
    for question in _reset_questions(session, game, row):
        if question.state in ANSWERED_STATES or question.state == AnswerState.INVALID:
            apply_event(question, AnswerEvent.INVALIDATE, now)
        question.pace_request = ""


def _reset_questions(session: Session, game: Game, row: SeatRow) -> Sequence[QuestionRow]:
    open_questions = QuestionRow.game_id == game.id, QuestionRow.seat == row.seat, ~QuestionRow.answers_fixed
    return session.scalars(select(QuestionRow).where(*open_questions)).all()


def _extend_deadlines(session: Session, game: Game, row: SeatRow, now: int) -> None:
    """The newcomer's first answer has twice the usual time, from now on, and never less than was left."""
    for question in _reset_questions(session, game, row):
        rhythm = gate_timing.load_schedule(game).rule_for(question.topic, gate_timing.load_pace(question))
        if question.due_at is not None and rhythm is not None:
            hours = min(2 * rhythm.hours, calendar.LONGEST_H)
            longer = calendar.DeadlineRule(hours, rhythm.least, rhythm.clock, rhythm.zone, rhythm.days, rhythm.free)
            gate_timing.set_deadline(game, question, max(question.due_at, calendar.compute_deadline(longer, now)))


def _notify_former_player(services: Services, session: Session, game: Game, row: SeatRow, old: User, now: int) -> None:
    """Send a former player's last letter about the game, without links: the pages of the table are closed to them."""
    frame = replace(notifications.table_context(services, session, game, old), links=Links())
    key, facts = f"{game.id}.{row.seat}.{now}.replaced", NoticeFacts(frame, "replaced", {})
    enqueue(services, session, key=key, kind="notice", facts=facts, user_id=old.id, game_id=game.id)


def _enqueue_welcome(services: Services, session: Session, game: Game, row: SeatRow, user: User, now: int) -> None:
    """The newcomer's first email: the seat's own view, and the game so far as everybody was told it."""
    token = create_reply_token(session, game.id, row.seat, game.entry, now)
    enqueue(
        services,
        session,
        key=f"{game.id}.{game.entry}.{row.seat}.{now}.recap",
        kind="report",
        facts=ReportData(token),
        user_id=user.id,
        game_id=game.id,
        seat=row.seat,
        entry=game.entry,
        since=0,
    )

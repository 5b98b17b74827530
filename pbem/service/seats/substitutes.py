"""Seats that look for another player: resigning, taking over, giving back.

A substitute gets what the seat may see, a recap of what all were told, and more time for their first answer; not a
word of their predecessor's orders or letters.  A person who holds or held a seat of a game takes no other one in it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from pbem.narration.facts import NoticeFacts
from pbem.service.access import acting_deputies, masters, naming, people
from pbem.service.access.people import reliability
from pbem.service.access.tokens import revoke
from pbem.service.base import calendar
from pbem.service.base.answer_state import ANSWERED, Act, move
from pbem.service.base.believing import parted
from pbem.service.base.parts import FIRST, Found, Part
from pbem.service.base.services import Refused, Services
from pbem.service.base.wording import spelt
from pbem.service.game import ballots, frames
from pbem.service.game.frames import new_reply_token
from pbem.service.post import notifications
from pbem.service.post.composing import ReportDraft
from pbem.service.post.outbox import draft, mute
from pbem.service.seats import applications, deputies, offered_seats
from pbem.service.time import gate_timing
from pbem.states import AnswerState, GameState
from pbem.store.games import locked, seat_held_by, seat_named, seats
from pbem.store.models import Command, DecisionRow, Game, Holding, LetterOut, Outage, SeatRow, TokenRow, User
from pbem.trouble import passing_over

SURE = spelt("answers.sure")


@dataclass(frozen=True)
class Offer:
    """A seat that looks for a player: whose it was, and how far the game is."""

    game: str
    rules: str
    title: str
    seat: str
    player: str
    entry: int


def offers(services: Services, part: Part = FIRST) -> Found[Offer]:
    """The seats that look for a player, the longest first; none that is not believed."""
    looking = select(SeatRow.id).join(Game, Game.id == SeatRow.game_id).where(SeatRow.offered_at.is_not(None))
    here = looking.where(Game.state == GameState.RUNNING, Game.rules.in_(services.installed))
    with services.db.reading() as session:
        return part.of(session, here.order_by(SeatRow.offered_at, SeatRow.id), partial(_offered, session))


def _offered(session: Session, ids: Sequence[int]) -> Sequence[Offer]:
    rows, _ = parted(session, SeatRow, ids)
    parted(session, Game, [row.game_id for row in rows])
    parted(session, User, [row.user_id for row in rows if row.user_id is not None])
    found: list[Offer] = []
    for row in rows:
        with passing_over():
            found.append(_offer(session, row))
    return found


def _offer(session: Session, row: SeatRow) -> Offer:
    game, user = session.get_one(Game, row.game_id), session.get(User, row.user_id) if row.user_id else None
    return Offer(game.id, game.rules, game.title, row.seat, user.name if user is not None else row.seat, game.entry)


# --- resigning


def resign(services: Services, session: Session, game: Game, seat: SeatRow, word: str, *, dry: bool = False) -> str:
    """Offer one's own seat, in two steps: without the word that says so nothing happens (`unsure`).

    The rulebook's own way out of the game stays what it is: this one eliminates nobody.  The others are told
    once a day, for a seat may be offered and kept any number of times.
    """
    if word.strip(" .!").lower() not in SURE:
        return "unsure"
    if not dry and seat.offered_at is None:
        user = session.get(User, seat.user_id)
        seat.offered_at = services.now()
        terms = {"name": user.name if user is not None else seat.seat}
        today = f"s{seat.id}.day{services.now() // calendar.DAY_MS}"
        notifications.notice_to_all(services, session, game, today, "offered", terms)
    return "done"


def resign_signed_in(services: Services, user_id: int, game_id: str) -> None:
    """The same from the pages, after their own two steps.  Raises Refused."""
    with services.db.writing() as session:
        game, seat = _seat_of(session, game_id, user_id)
        resign(services, session, game, seat, "yes")
    services.wake("deliver", "")


def keep(seat: SeatRow) -> None:
    """A player who answers keeps the seat."""
    seat.offered_at = None


def _seat_of(session: Session, game_id: str, user_id: int) -> tuple[Game, SeatRow]:
    game = locked(session, game_id)
    seat = seat_held_by(session, game_id, user_id)
    if game is None or seat is None or game.state != GameState.RUNNING:
        raise Refused("no_such_seat")
    return game, seat


# --- taking over


def take_over(services: Services, user_id: int, game_id: str, seat: str) -> bool:
    """Take a seat that looks for a player; False where the table's master is asked first.

    Raises Refused: it does not look for one, or one has sat at this table before.
    """
    often = applications.too_often(services, user_id)
    with services.db.writing() as session:
        game = locked(session, game_id)
        row = seat_named(session, game_id, seat)
        user = session.get(User, user_id)
        if game is None or row is None or user is None or game.state != GameState.RUNNING or row.offered_at is None:
            raise Refused("no_such_offer")
        if not may_sit(session, game_id, user_id):
            raise Refused("already_seated")
        approves = masters.wants_approval(session, game_id)
        if approves:
            applications.ask(services, session, game, row.seat, user, often=often)
        else:
            replace_player(services, session, game, row, user, "replaced")
    _wake(services, game_id)
    return not approves


def give_back(services: Services, user_id: int, game_id: str) -> None:
    """Give one's seat back to the player who had it before.

    Raises Refused: nobody had, or they were put out, or came to know more than the seat may since, as its master.
    """
    with services.db.writing() as session:
        game, row = _seat_of(session, game_id, user_id)
        first = session.scalars(
            select(Holding)
            .where(Holding.game_id == game_id, Holding.seat == row.seat, Holding.until.is_not(None))
            .order_by(Holding.id)
        ).first()
        user = session.get(User, first.user_id) if first is not None else None
        if first is None or user is None or user.id == user_id or first.why == "ejected":
            raise Refused("nobody_before")
        if masters.has_opened(session, game_id, user.id):
            raise Refused("already_seated")
        replace_player(services, session, game, row, user, "returned")
    _wake(services, game_id)


def _wake(services: Services, game_id: str) -> None:
    services.wake("play", game_id)
    services.wake("deliver", "")


def may_sit(session: Session, game_id: str, user_id: int) -> bool:
    """Return True if a person may take a seat: they held none at this table, and opened nothing as its master."""
    held = select(Holding.id).where(Holding.game_id == game_id, Holding.user_id == user_id)
    if session.scalar(held.limit(1)) is not None or masters.has_opened(session, game_id, user_id):
        return False
    if acting_deputies.has_stood(session, game_id, user_id):
        return False
    return all(row.user_id != user_id for row in seats(session, game_id))


def eject(services: Services, session: Session, game: Game, row: SeatRow) -> None:
    """Remove a player: nothing of theirs stays, and the seat looks for another one."""
    now, old = services.now(), session.get(User, row.user_id) if row.user_id is not None else None
    if old is None:
        return
    theirs = Holding.game_id == game.id, Holding.seat == row.seat, Holding.until.is_(None)
    known = session.scalars(select(Holding).where(*theirs)).one_or_none()
    if known is None:
        known = Holding(game_id=game.id, seat=row.seat, user_id=old.id, since=row.joined_at or game.created_at)
        session.add(known)
    known.until, known.why = now, "ejected"
    _forget(services, session, game, row, now)
    row.user_id, row.offered_at, row.missed, row.wants = None, now, 0, ""
    session.flush()
    _farewell(services, session, game, row, old, now)


def replace_player(services: Services, session: Session, game: Game, row: SeatRow, user: User, why: str) -> None:
    """Give a seat to a person.  What its player had filed is destroyed unread, and all their capabilities end.

    Raises Refused (`name_alike`) before anything is done.
    """
    naming.settle_in(session, game, user, leaving=row.seat)
    now, old = services.now(), session.get(User, row.user_id) if row.user_id is not None else None
    _note(session, game, row, user, why, now)
    _forget(services, session, game, row, now)
    row.user_id, row.known_from, row.reported_entry = user.id, game.entry, game.entry
    row.offered_at, row.missed, row.wants = None, 0, ""
    _more_time(session, game, row, now)
    session.flush()
    offered_seats.passed_on(services, session, game, row.seat, user)
    terms = {"before": old.name if old is not None else row.seat, "name": user.name}
    told = "returned" if why == "returned" else "taken"
    notifications.notice_to_all(services, session, game, f"t{row.id}.{now}", told, terms, but=row.seat)
    if old is not None and old.id != user.id:
        _farewell(services, session, game, row, old, now)
    _recap(services, session, game, row, user, now)
    game.play_wanted = game.play_wanted or now


def _note(session: Session, game: Game, row: SeatRow, user: User, why: str, now: int) -> None:
    """The seat's player until now, and the one from now on."""
    theirs = Holding.game_id == game.id, Holding.seat == row.seat, Holding.until.is_(None)
    known = session.scalars(select(Holding).where(*theirs)).one_or_none()
    if known is None and row.user_id is not None:
        known = Holding(game_id=game.id, seat=row.seat, user_id=row.user_id, since=row.joined_at or game.created_at)
        session.add(known)
    if known is not None:
        known.until, known.why = now, why
    session.add(Holding(game_id=game.id, seat=row.seat, user_id=user.id, since=now))
    if why != "returned":
        for person in people.counted(session, [user.id]):
            person.games_begun += 1


def _forget(services: Services, session: Session, game: Game, row: SeatRow, now: int) -> None:
    """Nothing that the seat had filed, asked or been given access by outlives its player."""
    deputies.end_all(services, session, game, row.seat)
    ballots.pass_on(services, session, game.id, row.seat)
    session.execute(delete(Command).where(Command.game_id == game.id, Command.seat == row.seat))
    revoke(session, now, TokenRow.game_id == game.id, TokenRow.seat == row.seat)
    mute(session, LetterOut.game_id == game.id, LetterOut.seat == row.seat)
    bounces = Outage.game_id == game.id, Outage.user_id == row.user_id, Outage.ended_at.is_(None)
    session.execute(update(Outage).where(*bounces).values(ended_at=now, given=True))
    for question in _questions(session, game, row):
        if question.state in ANSWERED or question.state == AnswerState.DRAFT:
            move(question, Act.VOID, now)
        question.stance = ""


def _questions(session: Session, game: Game, row: SeatRow) -> Sequence[DecisionRow]:
    mine = DecisionRow.game_id == game.id, DecisionRow.seat == row.seat, ~DecisionRow.counted
    return session.scalars(select(DecisionRow).where(*mine)).all()


def _more_time(session: Session, game: Game, row: SeatRow, now: int) -> None:
    """The newcomer's first answer has twice the usual time, from now on, and never less than was left."""
    for question in _questions(session, game, row):
        rhythm = gate_timing.schedule_of(game).rhythm(question.asks, gate_timing.pace_of(question))
        if question.due_at is not None and rhythm is not None:
            hours = min(2 * rhythm.hours, calendar.LONGEST_H)
            longer = calendar.Rhythm(hours, rhythm.least, rhythm.clock, rhythm.zone, rhythm.days, rhythm.free)
            gate_timing.set_due(game, question, max(question.due_at, calendar.due(longer, now)))


def _farewell(services: Services, session: Session, game: Game, row: SeatRow, old: User, now: int) -> None:
    """Tell the former player, who has no address to answer to any more."""
    frame = frames.frame_of(services, session, game, "", old, "", now)
    draft(
        services,
        session,
        key=f"{game.id}.{row.seat}.{now}.replaced",
        kind="notice",
        facts=NoticeFacts(frame, "replaced", {}),
        user_id=old.id,
        game_id=game.id,
    )


def _recap(services: Services, session: Session, game: Game, row: SeatRow, user: User, now: int) -> None:
    """The newcomer's first letter: the seat's own view, and the game so far as everybody was told it."""
    token = new_reply_token(session, game.id, row.seat, game.entry, now)
    draft(
        services,
        session,
        key=f"{game.id}.{game.entry}.{row.seat}.{now}.recap",
        kind="report",
        facts=ReportDraft(token),
        user_id=user.id,
        game_id=game.id,
        seat=row.seat,
        entry=game.entry,
        since=0,
    )


def record_of(services: Services, user_id: int) -> tuple[int, int, int, int]:
    """How reliable a player is: turns, those on time, games begun, games finished."""
    with services.db.reading() as session:
        return reliability(session.get_one(User, user_id))

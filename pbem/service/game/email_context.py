"""What every email and page about a seat begins with: the table, its links, what is owed, who is awaited."""

from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from engine.kernel.gates import Gate
from engine.kernel.orders import Question
from engine.kernel.viewers import Seat
from pbem.archive.entries import BEACON
from pbem.common.states import GameState
from pbem.crypto import ChainLink, beacon
from pbem.narration.facts import (
    EmailContext,
    Links,
    OpenQuestion,
    PendingRound,
    Reader,
    TableFacts,
)
from pbem.service.access.capabilities import create_capability
from pbem.service.access.users import load_unsubscribe_token
from pbem.service.base.services import Services
from pbem.store.games import display_name, load_link, load_open_questions, load_seats, occupied_seats
from pbem.store.models import Game, JournalEntry, OutboundEmail, PendingDraw, SeatRow, SeatView, User

REPLY = "reply"


def create_reply_token(
    session: Session, game: str, seat: str, entry: int, now: int, *, holder: int | None = None
) -> str:
    """A capability for the person who sits there now to answer for a seat what stands open after an entry.

    `holder`: for another person who may answer: a deputy.
    """
    user = holder or next((row.user_id for row in load_seats(session, game) if row.seat == seat), None)
    return create_capability(session, REPLY, now, user_id=user, game_id=game, seat=seat, entry=entry)


def report_start(session: Session, game: str, seat: SeatRow, turn: int | None) -> int:
    """After which entry a report that is asked for again begins: where the last one did, or with a turn."""
    if turn is None:
        again = OutboundEmail.kind.in_(("report", "started")), OutboundEmail.entry == seat.last_report_entry
        query = select(OutboundEmail.from_entry).where(
            OutboundEmail.game_id == game, OutboundEmail.seat == seat.seat, *again
        )
        return session.scalars(query.order_by(OutboundEmail.created_at).limit(1)).first() or 0
    gates = session.execute(select(JournalEntry.number, JournalEntry.gate).where(JournalEntry.game_id == game))
    early = [
        number for number, gate in gates if (Gate.parse(gate).turn or 0) < turn and number <= seat.last_report_entry
    ]
    query = select(func.max(SeatView.entry)).where(SeatView.game_id == game, SeatView.entry <= max(early, default=0))
    return session.scalar(query) or 0


def build_context(
    services: Services,
    session: Session,
    game: Game,
    seat: str,
    user: User,
    token: str,
    made_at: int,
    entry: int | None = None,
) -> EmailContext:
    """What every email to a seat has; `entry`: what it tells of, if not of where the game stands now."""
    number, mute = game.entry if entry is None else entry, load_unsubscribe_token(services, user)
    return EmailContext(
        Reader(user.name, user.language, user.time_zone, Seat(seat)),
        load_table_facts(session, game),
        Links(
            page=f"{services.public_url}/games/{game.id}",
            answer=services.reply_address(token) if token else "",
            mute=f"{services.public_url}/unsubscribe/{mute}/{game.id}" if mute else "",
            leave=f"{services.public_url}/games/{game.id}/resign" if game.state == GameState.RUNNING else "",
        ),
        made_at // 1000,
        number,
        digest_of_entry(session, game.id, number),
    )


def load_table_facts(session: Session, game: Game) -> TableFacts:
    """The table, with the names of its players."""
    names = {Seat(row.seat): display_name(user, row.seat) for row, user in occupied_seats(session, game.id)}
    return TableFacts(game.rules, game.title, names, dict(game.options), waits=pending_round(session, game))


def pending_round(session: Session, game: Game) -> PendingRound | None:
    """The round of the beacon that a table waits for; None for none."""
    row = session.get(PendingDraw, game.id) if game.draw_mixing == BEACON else None
    return PendingRound(row.round, beacon.QUICKNET.round_time(row.round)) if row is not None else None


def digest_of_entry(session: Session, game: str, entry: int) -> str:
    """The digest of an entry, in hex; empty before the first."""
    row = load_link(session, game, entry)
    return ChainLink.from_bytes(row).digest.hex() if row is not None else ""


def open_questions(session: Session, game: str, seat: str, decisions: Sequence[Question]) -> tuple[OpenQuestion, ...]:
    """A seat's open questions, with their deadlines, whether an answer is in, and since when."""
    rows = {(row.gate, row.seat): row for row in load_open_questions(session, game, seat)}
    found = []
    for decision in decisions:
        row = rows.get((decision.gate, decision.seat))
        if decision.seat == seat and row is not None:
            due = row.due_at // 1000 if row.due_at is not None else None
            filed = row.answered_at // 1000 if row.answered_at is not None else None
            found.append(OpenQuestion(decision, due, filed is not None, filed))
    return tuple(found)


def pending_seats(session: Session, game: str, but: str = "") -> tuple[Seat, ...]:
    """The seats that still owe an answer."""
    rows = (row for row in load_open_questions(session, game) if row.is_blocking and row.answered_at is None)
    waiting = {row.seat for row in rows if row.seat != but}
    return tuple(Seat(row.seat) for row in load_seats(session, game) if row.seat in waiting)

"""What every letter and page about a seat begins with: the table, its links, what is owed, who is awaited."""

from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from engine.kernel.gates import Gate
from engine.kernel.names import Seat
from engine.kernel.orders import Decision
from pbem.archive.entries import BEACON
from pbem.narration.facts import (
    Frame,
    Links,
    Owed,
    Reader,
    RoundWaited,
    TableFacts,
)
from pbem.service.access.people import mute_token
from pbem.service.base.services import Services
from pbem.states import GameState
from pbem.store.games import called, link, open_decisions, seated, seats
from pbem.store.models import EntryRow, Game, LetterOut, RoundRow, SeatRow, TokenRow, User, ViewRow
from pbem.vault import EntryLink, beacon, new_token, token_hash

REPLY = "reply"


def new_reply_token(session: Session, game: str, seat: str, entry: int, now: int, *, holder: int | None = None) -> str:
    """A capability for the person who sits there now to answer for a seat what stands open after an entry.

    `holder`: for another person who may answer: a deputy.
    """
    token = new_token()
    user = holder or next((row.user_id for row in seats(session, game) if row.seat == seat), None)
    session.add(
        TokenRow(
            hash=token_hash(REPLY, token),
            purpose=REPLY,
            user_id=user,
            game_id=game,
            seat=seat,
            entry=entry,
            made_at=now,
        )
    )
    return token


def since_of(session: Session, game: str, seat: SeatRow, turn: int | None) -> int:
    """After which entry a report that is asked for again begins: where the last one did, or with a turn."""
    if turn is None:
        again = LetterOut.kind.in_(("report", "started")), LetterOut.entry == seat.reported_entry
        query = select(LetterOut.since).where(LetterOut.game_id == game, LetterOut.seat == seat.seat, *again)
        return session.scalars(query.order_by(LetterOut.made_at).limit(1)).first() or 0
    gates = session.execute(select(EntryRow.number, EntryRow.gate).where(EntryRow.game_id == game))
    early = [number for number, gate in gates if (Gate.parse(gate).turn or 0) < turn and number <= seat.reported_entry]
    query = select(func.max(ViewRow.entry)).where(ViewRow.game_id == game, ViewRow.entry <= max(early, default=0))
    return session.scalar(query) or 0


def frame_of(
    services: Services,
    session: Session,
    game: Game,
    seat: str,
    user: User,
    token: str,
    made_at: int,
    entry: int | None = None,
) -> Frame:
    """What every letter to a seat has; `entry`: what it tells of, if not of where the game stands now."""
    number, mute = game.entry if entry is None else entry, mute_token(services, user)
    return Frame(
        Reader(user.name, user.language, user.zone, Seat(seat)),
        table_facts(session, game),
        Links(
            page=f"{services.public_url}/games/{game.id}",
            answer=services.answer_address(token) if token else "",
            mute=f"{services.public_url}/unsubscribe/{mute}/{game.id}" if mute else "",
            leave=f"{services.public_url}/games/{game.id}/leave" if game.state == GameState.RUNNING else "",
        ),
        made_at // 1000,
        number,
        digest_of(session, game.id, number),
    )


def table_facts(session: Session, game: Game) -> TableFacts:
    """The table, with the names of its players."""
    names = {Seat(row.seat): called(user, row.seat) for row, user in seated(session, game.id)}
    return TableFacts(game.rules, game.title, names, dict(game.options), waits=round_waited(session, game))


def round_waited(session: Session, game: Game) -> RoundWaited | None:
    """The round of the beacon that a table waits for; None for none."""
    row = session.get(RoundRow, game.id) if game.mixing == BEACON else None
    return RoundWaited(row.round, beacon.QUICKNET.due(row.round)) if row is not None else None


def digest_of(session: Session, game: str, entry: int) -> str:
    """The digest of an entry, in hex; empty before the first."""
    row = link(session, game, entry)
    return EntryLink.from_bytes(row).digest.hex() if row is not None else ""


def owed_by(session: Session, game: str, seat: str, decisions: Sequence[Decision]) -> tuple[Owed, ...]:
    """A seat's open questions, with their deadlines and whether an answer is in."""
    rows = {(row.gate, row.seat): row for row in open_decisions(session, game, seat)}
    found = []
    for decision in decisions:
        row = rows.get((decision.gate, decision.seat))
        if decision.seat == seat and row is not None:
            due = row.due_at // 1000 if row.due_at is not None else None
            found.append(Owed(decision, due, row.answered_at is not None))
    return tuple(found)


def awaited(session: Session, game: str, but: str = "") -> tuple[Seat, ...]:
    """The seats that still owe an answer."""
    rows = (row for row in open_decisions(session, game) if row.blocking and row.answered_at is None)
    waiting = {row.seat for row in rows if row.seat != but}
    return tuple(Seat(row.seat) for row in seats(session, game) if row.seat in waiting)

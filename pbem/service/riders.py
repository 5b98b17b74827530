"""Riders: answers given ahead to questions that may come later in the turn.

A seat's riders of a turn lie sealed at gate `riders/TURN`, one ballot for each letter that brought any; for each
question the newest counts, and one that was withdrawn counts as none.  Only a play worker opens them.
"""

from dataclasses import replace
from typing import TYPE_CHECKING

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from engine.kernel.codec import dump, load
from engine.kernel.events import RiderEnded
from engine.kernel.names import Seat
from engine.kernel.orders import Decision, Orders
from engine.kernel.standing import check, stands
from pbem.service import ballots
from pbem.service.journal import Counted
from pbem.store.models import BallotRow
from pbem.vault import BallotKey, GameKeys, SigningKey, VerifyKeys

if TYPE_CHECKING:
    from pbem.service.play import Visit

Written = dict[str, Orders | None]
"""Riders of one letter: question -> answer, or None where it is withdrawn."""


def gate_of(turn: int) -> str:
    """Where the riders of a turn lie."""
    return f"riders/{turn}"


def file(
    session: Session, key: BallotKey, signing: SigningKey, game: str, seat: str, turn: int, written: Written, now: int
) -> BallotRow:
    """Add the riders of one letter; earlier ones stay, for the questions that this letter does not name."""
    context = ballots.next_context(session, game, gate_of(turn), 0, seat, "rider")
    row = ballots.file(session, key, signing, context, dump(dict(written)).encode(), now)
    _stand_again(session, row)
    return row


def _stand_again(session: Session, newest: BallotRow) -> None:
    """Riders add up: filing one does not end those that stood."""
    for row in session.scalars(
        select(BallotRow).where(
            BallotRow.game_id == newest.game_id,
            BallotRow.gate == newest.gate,
            BallotRow.seat == newest.seat,
            BallotRow.kind == "rider",
        )
    ):
        row.standing = True


def all_of(session: Session, keys: GameKeys, verify: VerifyKeys, game: str, seat: str, turn: int) -> dict[str, Counted]:
    """The riders of a seat that count in a turn, by question."""
    found: dict[str, Counted] = {}
    for row in ballots.lying(session, game, seat, "rider", gate_of(turn)):
        content, proof = ballots.opened(keys, verify, row, "rider", "rider")
        written: Written = load(content)
        for asks, orders in written.items():
            if orders is None:
                found.pop(asks, None)
            else:
                found[asks] = replace(proof, orders=orders)
    return found


def find(at: "Visit", decision: Decision) -> Counted | None:
    """The rider that answers a question, if there is one."""
    turn = at.rules.turn(at.position)
    return all_of(at.session, at.keys, at.office.verify, at.game.id, decision.seat, turn).get(decision.asks)


def fits(at: "Visit", decision: Decision) -> bool:
    """Whether a rider answers this question as it is put now."""
    rider = find(at, decision)
    return rider is not None and stands(check(at.rules, at.position, decision, rider.orders))


def end_turns(at: "Visit") -> None:
    """Riders end with their turn: those of turns gone by are destroyed, and their end is told to their owner."""
    turn = at.rules.turn(at.position)
    gone = [
        row
        for row in at.session.scalars(
            select(BallotRow).where(BallotRow.game_id == at.game.id, BallotRow.kind == "rider")
        )
        if int(row.gate.partition("/")[2]) < turn
    ]
    for seat, old in sorted({(row.seat, int(row.gate.partition("/")[2])) for row in gone}):
        for asks in all_of(at.session, at.keys, at.office.verify, at.game.id, seat, old):
            at.tell(seat, RiderEnded(seat=Seat(seat), asks=asks))
    if gone:
        at.session.execute(delete(BallotRow).where(BallotRow.id.in_([row.id for row in gone])))

"""What a seat has filed and nobody has opened yet: sets, and riders of the turn.  Only a play worker reads them."""

from sqlalchemy.orm import Session

from engine.kernel.codec import load
from engine.kernel.gates import Gate
from pbem.narration.facts import OrdersStand, RiderStands
from pbem.service.base.services import Services
from pbem.service.game import ballots, riders
from pbem.service.game.journal import Filed
from pbem.store.models import BallotRow
from pbem.vault import GameKeys

FiledOrders = tuple[tuple[OrdersStand, ...], tuple[RiderStands, ...]]


def filed_by(services: Services, session: Session, game_id: str, keys: GameKeys, seat: str, turn: int) -> FiledOrders:
    """The sets of a seat, those sent ahead last, and its riders of this turn."""
    sets = []
    for row in ballots.counting(session, services.verify, game_id, seat, "orders"):
        content, _ = ballots.opened(session, keys, services.verify, row, "orders", "ballot")
        sets.append(_stands(row, content))
    for row in ballots.counting(session, services.verify, game_id, seat, "ahead"):
        content, _ = ballots.opened(session, keys, services.verify, row, "ahead", "ahead")
        sets.append(_stands(row, content))
    found = riders.all_of(session, keys, services.verify, game_id, seat, turn)
    riding = tuple(RiderStands(asks, counted.orders, turn) for asks, counted in found.items())
    return tuple(sets), (*riding, *_plans(services, session, game_id, keys, seat))


def _plans(services: Services, session: Session, game_id: str, keys: GameKeys, seat: str) -> tuple[RiderStands, ...]:
    """Plans for a missed question: they stand until withdrawn."""
    found = []
    for row in ballots.counting(session, services.verify, game_id, seat, "plan"):
        content, _ = ballots.opened(session, keys, services.verify, row, "plan", "standing")
        filed: Filed = load(content)
        found.append(RiderStands(Gate.parse(row.gate).about[0], filed.orders))
    return tuple(found)


def _stands(row: BallotRow, content: bytes) -> OrdersStand:
    filed: Filed = load(content)
    gate = Gate.parse(row.gate)
    made_at, ahead = row.made_at // 1000, row.kind == "ahead"
    return OrdersStand(gate.asks, filed.orders, made_at, gate.turn, ahead, row.commitment, gate.number)

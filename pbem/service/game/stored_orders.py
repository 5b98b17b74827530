"""What a seat has filed and nobody has opened yet: sets, and riders of the turn.  Only a play worker reads them."""

from sqlalchemy.orm import Session

from engine.kernel.codec import load
from engine.kernel.gates import Gate
from pbem.crypto import GameKeys
from pbem.narration.facts import StoredOrders, StoredReaction
from pbem.service.base.services import Services
from pbem.service.game import reaction_orders, sealed_orders
from pbem.service.game.journal import RecordedOrders
from pbem.store.models import SealedOrdersRow

StoredOrdersOfSeat = tuple[tuple[StoredOrders, ...], tuple[StoredReaction, ...]]


def load_stored_orders(
    services: Services, session: Session, game_id: str, keys: GameKeys, seat: str, turn: int
) -> StoredOrdersOfSeat:
    """The sets of a seat, those sent ahead last, and its riders of this turn."""
    sets = []
    for row in sealed_orders.list_valid(session, services.verify, game_id, seat, "orders"):
        content, _ = sealed_orders.unseal(session, keys, services.verify, row, "orders", "ballot")
        sets.append(_to_facts(row, content))
    for row in sealed_orders.list_valid(session, services.verify, game_id, seat, "ahead"):
        content, _ = sealed_orders.unseal(session, keys, services.verify, row, "ahead", "ahead")
        sets.append(_to_facts(row, content))
    found = reaction_orders.list_for_turn(session, keys, services.verify, game_id, seat, turn)
    riding = tuple(StoredReaction(asks, counted.orders, turn) for asks, counted in found.items())
    return tuple(sets), (*riding, *_load_standing_orders(services, session, game_id, keys, seat))


def _load_standing_orders(
    services: Services, session: Session, game_id: str, keys: GameKeys, seat: str
) -> tuple[StoredReaction, ...]:
    """Plans for a missed question: they stand until withdrawn."""
    found = []
    for row in sealed_orders.list_valid(session, services.verify, game_id, seat, "plan"):
        content, _ = sealed_orders.unseal(session, keys, services.verify, row, "plan", "standing")
        filed: RecordedOrders = load(content)
        found.append(StoredReaction(Gate.parse(row.gate).about[0], filed.orders))
    return tuple(found)


def _to_facts(row: SealedOrdersRow, content: bytes) -> StoredOrders:
    filed: RecordedOrders = load(content)
    gate = Gate.parse(row.gate)
    made_at, ahead = row.made_at // 1000, row.kind == "ahead"
    return StoredOrders(gate.asks, filed.orders, made_at, gate.turn, ahead, row.commitment, gate.number)

"""What a seat has filed for later: sets, reaction orders of the turn, and standing orders.  Resolver only.

Reaction orders lie sealed at gate `reactions/TURN`, one set for each email that brought any, and are served to the
questions of that turn; those that last lie at gate `reactions/ASKS`, where the newest counts.  Standing orders lie
sealed for each question at gate `plan/ASKS`, until others take their place or they are withdrawn; they answer a missed
deadline only where the table's policy lets them.
"""

from dataclasses import replace

from sqlalchemy.orm import Session

from engine.kernel.codec import load
from engine.kernel.events import ReactionExpired
from engine.kernel.gates import Gate
from engine.kernel.orders import Orders, Question
from engine.kernel.validation import all_valid, check_orders
from engine.kernel.viewers import Seat
from pbem.archive.answers import standing_gate
from pbem.archive.entries import CountedAnswer, RecordedOrders
from pbem.crypto import GameKeys, VerifyKeys
from pbem.narration.facts import StoredOrders, StoredReaction
from pbem.service.base.services import Services
from pbem.service.game import journal, sealed_orders
from pbem.service.game.resolver_context import ResolverContext
from pbem.store.games import delete_orders, load_all_orders
from pbem.store.models import SealedOrdersRow

SealedReaction = dict[str, Orders | None]
"""Reactions of one email: question -> answer, or None where it is withdrawn."""


def list_reactions(
    session: Session, keys: GameKeys, verify: VerifyKeys, game: str, seat: str, turn: int
) -> dict[str, CountedAnswer]:
    """The reactions of a seat that count in a turn, by question."""
    found: dict[str, CountedAnswer] = {}
    rows = sealed_orders.list_valid(session, verify, game, seat, "reaction")
    newest = {row.gate: row for row in rows}
    for row in rows:
        of = Gate.parse(row.gate).turn
        if of != turn and (of is not None or newest[row.gate] is not row):
            continue
        content, proof = sealed_orders.unseal(session, keys, verify, row, "reaction", "reaction")
        written: SealedReaction = load(content)
        for asks, orders in written.items():
            if orders is None:
                found.pop(asks, None)
            else:
                found[asks] = replace(proof, orders=orders)
    return found


def find_reaction(context: ResolverContext, decision: Question) -> CountedAnswer | None:
    """The reaction that answers a question, if there is one."""
    turn = context.rules.turn(context.position)
    return list_reactions(
        context.session, context.keys, context.services.verify, context.game.id, decision.seat, turn
    ).get(decision.topic)


def is_reaction_valid(context: ResolverContext, decision: Question) -> bool:
    """Return True if a reaction answers this question as it is put now."""
    reaction = find_reaction(context, decision)
    return reaction is not None and all_valid(check_orders(context.rules, context.position, decision, reaction.orders))


def expire_reactions(context: ResolverContext) -> None:
    """What was filed ahead ends with its turn: it is destroyed, and the end of what was not used is told to its owner.

    Reactions that answered nothing, and sets for a phase that did not come to be asked of their seat.
    """
    turn = context.rules.turn(context.position)
    lying = sorted(load_all_orders(context.session, context.game.id), key=lambda row: row.id)
    ahead = (row for row in lying if row.kind in ("reaction", "advance"))
    gone = [(row, old) for row in ahead if (old := Gate.parse(row.gate).turn) is not None and old < turn]
    for seat, old in sorted({(row.seat, old) for row, old in gone if row.kind == "reaction"}):
        served = _used_in_turn(context, seat, old)
        for asks in list_reactions(context.session, context.keys, context.services.verify, context.game.id, seat, old):
            if asks not in served:
                context.add_event(seat, ReactionExpired(seat=Seat(seat), topic=asks))
    for row, _ in gone:
        if row.kind == "advance" and row.is_current:
            context.add_event(row.seat, ReactionExpired(seat=Seat(row.seat), topic=Gate.parse(row.gate).topic))
    delete_orders(context.session, context.game.id, [row for row, _ in gone])


def _used_in_turn(context: ResolverContext, seat: str, turn: int) -> frozenset[str]:
    """The questions of a turn that a seat's reactions answered, by the turn's entries: that was told when it was so."""
    served = set()
    for number in range(context.game.entry, 0, -1):
        record = journal.load_entry(context.session, context.keys, context.game, number)
        of = Gate.parse(record.gate).turn
        if of is not None and of < turn:
            break
        for one in record.counted:
            gate = Gate.parse(one.question or record.gate)
            if (one.seat, one.how, gate.turn) == (seat, "reaction", turn):
                served.add(gate.topic)
    return frozenset(served)


StoredOrdersOfSeat = tuple[tuple[StoredOrders, ...], tuple[StoredReaction, ...]]


def load_stored_orders(
    services: Services, session: Session, game_id: str, keys: GameKeys, seat: str, turn: int
) -> StoredOrdersOfSeat:
    """The sets of a seat, those sent ahead last, and its reactions of this turn."""
    sets = []
    for row in sealed_orders.list_valid(session, services.verify, game_id, seat, "orders"):
        content, _ = sealed_orders.unseal(session, keys, services.verify, row, "orders", "orders")
        sets.append(_to_facts(row, content))
    for row in sealed_orders.list_valid(session, services.verify, game_id, seat, "advance"):
        content, _ = sealed_orders.unseal(session, keys, services.verify, row, "advance", "advance")
        sets.append(_to_facts(row, content))
    found = list_reactions(session, keys, services.verify, game_id, seat, turn)
    riding = tuple(StoredReaction(asks, counted.orders, turn) for asks, counted in found.items())
    return tuple(sets), (*riding, *_load_standing_orders(services, session, game_id, keys, seat))


def _load_standing_orders(
    services: Services, session: Session, game_id: str, keys: GameKeys, seat: str
) -> tuple[StoredReaction, ...]:
    """Plans for a missed question: they stand until withdrawn."""
    found = []
    for row in sealed_orders.list_valid(session, services.verify, game_id, seat, "standing"):
        content, _ = sealed_orders.unseal(session, keys, services.verify, row, "standing", "standing")
        filed: RecordedOrders = load(content)
        found.append(StoredReaction(Gate.parse(row.gate).about[0], filed.orders))
    return tuple(found)


def _to_facts(row: SealedOrdersRow, content: bytes) -> StoredOrders:
    filed: RecordedOrders = load(content)
    gate = Gate.parse(row.gate)
    made_at, ahead = row.created_at // 1000, row.kind == "advance"
    return StoredOrders(gate.topic, filed.orders, made_at, gate.turn, ahead, row.commitment, gate.number)


def find_standing_orders(
    session: Session, keys: GameKeys, verify: VerifyKeys, game: str, decision: Question
) -> CountedAnswer | None:
    """The plan of a seat for a question, if one lies there."""
    found = sealed_orders.list_valid(session, verify, game, decision.seat, "standing")
    plan = next((row for row in found if row.gate == standing_gate(decision.topic)), None)
    if plan is None:
        return None
    content, proof = sealed_orders.unseal(session, keys, verify, plan, "standing", "standing")
    filed: RecordedOrders = load(content)
    return replace(proof, orders=filed.orders, words=filed.words)

"""Riders: answers given ahead to questions that may come later in the turn.

A seat's riders of a turn lie sealed at gate `riders/TURN`, one ballot for each letter that brought any; for each
question the newest counts, and one that was withdrawn counts as none.  Only a play worker opens them.
"""

from dataclasses import replace

from sqlalchemy.orm import Session

from engine.kernel.codec import load
from engine.kernel.events import ReactionExpired
from engine.kernel.gates import Gate
from engine.kernel.orders import Orders, Question
from engine.kernel.validation import all_valid, check_orders
from engine.kernel.viewers import Seat
from pbem.crypto import GameKeys, VerifyKeys
from pbem.service.game import journal, sealed_orders
from pbem.service.game.journal import CountedAnswer
from pbem.service.game.resolver_context import ResolverContext
from pbem.store.games import delete_orders, load_all_orders

StoredReaction = dict[str, Orders | None]
"""Riders of one letter: question -> answer, or None where it is withdrawn."""


def gate_name(turn: int) -> str:
    """Where the riders of a turn lie."""
    return f"riders/{turn}"


def list_for_turn(
    session: Session, keys: GameKeys, verify: VerifyKeys, game: str, seat: str, turn: int
) -> dict[str, CountedAnswer]:
    """The riders of a seat that count in a turn, by question."""
    found: dict[str, CountedAnswer] = {}
    for row in (r for r in sealed_orders.list_valid(session, verify, game, seat, "rider") if r.gate == gate_name(turn)):
        content, proof = sealed_orders.unseal(session, keys, verify, row, "rider", "rider")
        written: StoredReaction = load(content)
        for asks, orders in written.items():
            if orders is None:
                found.pop(asks, None)
            else:
                found[asks] = replace(proof, orders=orders)
    return found


def find_for_question(visit: ResolverContext, decision: Question) -> CountedAnswer | None:
    """The rider that answers a question, if there is one."""
    turn = visit.rules.turn(visit.position)
    return list_for_turn(visit.session, visit.keys, visit.services.verify, visit.game.id, decision.seat, turn).get(
        decision.asks
    )


def matches(visit: ResolverContext, decision: Question) -> bool:
    """Return True if a rider answers this question as it is put now."""
    rider = find_for_question(visit, decision)
    return rider is not None and all_valid(check_orders(visit.rules, visit.position, decision, rider.orders))


def expire_turn(visit: ResolverContext) -> None:
    """What was filed ahead ends with its turn: it is destroyed, and the end of what was not used is told to its owner.

    Riders that answered nothing, and sets for a phase that did not come to be asked of their seat.
    """
    turn = visit.rules.turn(visit.position)
    lying = sorted(load_all_orders(visit.session, visit.game.id), key=lambda row: row.id)
    ahead = (row for row in lying if row.kind in ("rider", "ahead"))
    gone = [(row, old) for row in ahead if (old := Gate.parse(row.gate).turn) is not None and old < turn]
    for seat, old in sorted({(row.seat, old) for row, old in gone if row.kind == "rider"}):
        served = _used_in_turn(visit, seat, old)
        for asks in list_for_turn(visit.session, visit.keys, visit.services.verify, visit.game.id, seat, old):
            if asks not in served:
                visit.note(seat, ReactionExpired(seat=Seat(seat), asks=asks))
    for row, _ in gone:
        if row.kind == "ahead" and row.standing:
            visit.note(row.seat, ReactionExpired(seat=Seat(row.seat), asks=Gate.parse(row.gate).asks))
    delete_orders(visit.session, visit.game.id, [row for row, _ in gone])


def _used_in_turn(visit: ResolverContext, seat: str, turn: int) -> frozenset[str]:
    """The questions of a turn that a seat's riders answered, by the turn's entries: that was told when it was so."""
    served = set()
    for number in range(visit.game.entry, 0, -1):
        record = journal.load_entry(visit.session, visit.keys, visit.game, number)
        of = Gate.parse(record.gate).turn
        if of is not None and of < turn:
            break
        for one in record.counted:
            gate = Gate.parse(one.question or record.gate)
            if (one.seat, one.how, gate.turn) == (seat, "rider", turn):
                served.add(gate.asks)
    return frozenset(served)

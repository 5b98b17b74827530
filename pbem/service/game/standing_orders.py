"""Standing plans: what a seat wants answered to a kind of question whenever it should miss a deadline.

One lies sealed for each question, at gate `plan/ASKS`, until another takes its place or it is withdrawn.  Only a
play worker opens it, and only where the table's policy lets plans answer.
"""

from dataclasses import replace

from sqlalchemy.orm import Session

from engine.kernel.codec import load
from engine.kernel.gates import Gate
from engine.kernel.orders import Question
from pbem.crypto import GameKeys, VerifyKeys
from pbem.service.game import sealed_orders
from pbem.service.game.journal import CountedAnswer, RecordedOrders


def gate_name(asks: str) -> str:
    """Where the plan for a kind of question lies."""
    return str(Gate("plan", about=(asks,)))


def find_standing_orders(
    session: Session, keys: GameKeys, verify: VerifyKeys, game: str, decision: Question
) -> CountedAnswer | None:
    """The plan of a seat for a question, if one lies there."""
    found = sealed_orders.list_valid(session, verify, game, decision.seat, "plan")
    plan = next((row for row in found if row.gate == gate_name(decision.asks)), None)
    if plan is None:
        return None
    content, proof = sealed_orders.unseal(session, keys, verify, plan, "plan", "standing")
    filed: RecordedOrders = load(content)
    return replace(proof, orders=filed.orders, words=filed.words)

"""What is suggested stands, and what is best comes first."""

from collections.abc import Sequence

from engine.kernel.orders import Order
from engine.kernel.secrets import redact, seen_by
from engine.kernel.validation import all_valid, check_orders
from engine.patchistory.board import Phase
from engine.patchistory.orders import Exchange, Move, Rest, Travel
from engine.patchistory.ruleset import RULES
from tests.engine.patchistory.build import GREEN, RED, At, enter, game, route, stock, workers


def suggested(position: At, phase: Phase) -> Sequence[Order]:
    """What Red is suggested as a phase begins, each judged."""
    begun = enter(position, phase).position
    decision = next(d for d in begun.core.questions if d.seat == RED and d.blocking)
    seen = redact(begun, RED)
    with seen_by(RED):
        lines = RULES.suggest_orders(seen, decision)
        for line in lines:
            assert all_valid(check_orders(RULES, seen, decision, (line,)))
    return [line.plan[0].order for line in lines]


def test_what_there_is_most_of_is_exchanged_for_what_is_missing() -> None:
    """Échange: from the fullest store into the emptiest."""
    position = game(phase=Phase.ADMINISTRATION)
    workers(position, RED, "I9", "J9", "K9")
    stock(position, RED, resource=9, food=0)
    found = [order for order in suggested(position, Phase.ADMINISTRATION) if isinstance(order, Exchange)]
    assert found


def test_a_worker_on_a_route_is_moved_along_it() -> None:
    """Mouvement: on land and on the routes where a worker is; no route that has none of one's own."""
    position = game(phase=Phase.MOVEMENT)
    own, empty = route(position, RED, GREEN, spots={RED: 1}), route(position, RED, GREEN)
    workers(position, RED, "I9")
    found = suggested(position, Phase.MOVEMENT)
    assert any(isinstance(order, Move) for order in found)
    routes = {order.route for order in found if isinstance(order, Travel | Rest)}
    assert own in routes
    assert empty not in routes

"""Diplomatie: ducats given at any time, and cities of one level swapped by offer and acceptance.

The question stays open at all times; an answer acts at once, and the question is repeated. The stop before scoring
(A38) can be answered in advance; then only the form of an order is checked.
"""

from collections.abc import Mapping
from typing import Final

from engine.kernel.events import LineFailed
from engine.kernel.gates import Gate
from engine.kernel.orders import Order, Orders, Problem, Question, single_order
from engine.kernel.secrets import seen_by
from engine.kernel.turn_chapters import Gates, Refusals
from engine.kernel.viewers import Seat
from engine.renaissance import orders as o
from engine.renaissance.acts import Game, Seen, no_such_city
from engine.renaissance.board import Board, Laid, Offer, Phase
from engine.renaissance.catalogue import HIRE, HIRED_FREE
from engine.renaissance.events import Gave, SwapOffered, Swapped, SwapRecalled

PROBLEMS: Final = (
    "no_such_nation",  # {nation}
    "yourself",  # {}
    "nothing_given",  # {}
    "not_enough",  # {ducats, due}: what can be given now; ducats due for Condottieri stay
    "not_yours",  # {city}
    "not_theirs",  # {city}: free, or the player's own
    "unequal_walls",  # {gives, wants, levels}
    "no_equal_walls",  # {}: no city of another player is like it
    "swapped_already",  # {city}: once a turn
    "fought_over",  # {city}: a battle is fought for it or from it
    "offered_already",  # {gives, wants}
    "no_swap_offered",  # {}
    "no_own_offer",  # {}
    "no_such_offer",  # {gives, wants}
    "no_such_city",  # {city}
    "city_closed",  # {city}
)


def offer(table: Game, seat: Seat, number: int = 1) -> None:
    """Ask the question that stays open. `number`: how many times it was asked."""
    gate = f"deals/{table.board.turn}/{seat}/{number}"
    table.ask(Question(gate, seat, "deals", blocking=False))


def answered(table: Game, gate: str, answers: Mapping[Seat, Orders]) -> None:
    """Carry out the answers at once and repeat the question; impossible orders fail."""
    for seat, orders in answers.items():
        order = single_order(orders)
        if order is not None:
            _attempt(table, Question(gate, seat, "deals"), order)
        offer(table, seat, int(Gate.parse(gate).about[-1]) + 1)


def _attempt(table: Game, decision: Question, order: Order) -> None:
    seat = decision.seat
    with seen_by(seat):
        problem = REFUSALS[type(order)](table.position, decision, order)
    if problem is None:
        carry_out(table, seat, order)
    else:
        alone = frozenset({seat})
        table.emit(LineFailed(seat=seat, gate=decision.gate, line=0, reasons=(problem,), visible_to=alone))


def carry_out(table: Game, seat: Seat, order: Order) -> None:
    """Carry out an order that was checked."""
    board = table.board
    match order:
        case o.Give(nation=nation, ducats=ducats):
            table.emit(Gave(seat=seat, to=_seat(board, nation), ducats=ducats))
        case o.Propose(gives=gives, wants=wants):
            table.emit(SwapOffered(seat=seat, to=_owner(board, wants), gives=gives, wants=wants))
        case o.Recall(gives=gives, wants=wants):
            table.emit(SwapRecalled(seat=seat, gives=gives, wants=wants))
        case o.Accept(gives=gives, wants=wants):
            table.emit(Swapped(seat=_owner(board, wants), to=seat, gives=wants, wants=gives))


def _seat(board: Board, nation: str) -> Seat:
    power = board.nation(nation)
    assert power is not None, "judged before"
    return power.seat


def _owner(board: Board, town: str) -> Seat:
    owner = board.cities[town].owner
    assert owner is not None, "judged before"
    return owner


def spendable(board: Board, seat: Seat) -> int:
    """Return the ducats that are not due for Condottieri laid in the current battle (A6)."""
    due = 0
    if board.battle is not None and not board.battle.dice and seat in (board.battle.attacker, board.battle.defender):
        due = HIRE * sum(due_for(laid) for laid in board.battle.side(seat))
    return max(board.powers[seat].ducats - due, 0)


def due_for(laid: Laid) -> bool:
    """Return True if a card costs a ducat when shown: a Condottiere from the own hand (A6)."""
    return laid.is_a("condottiere") and not laid.hired and laid.card.value != HIRED_FREE


def refuse_give(seen: Seen, decision: Question, order: o.Give) -> Problem | None:
    """Require another player and a sum that the player has."""
    power = seen.board.nation(order.nation)
    if power is None:
        return Problem("no_such_nation", {"nation": order.nation}, lasting=True)
    if power.seat == decision.seat:
        return Problem("yourself", lasting=True)
    if order.ducats < 1:
        return Problem("nothing_given", lasting=True)
    if _ahead(seen, decision):
        return None
    can, has = spendable(seen.board, decision.seat), seen.board.powers[decision.seat].ducats
    return Problem("not_enough", {"ducats": can, "due": has - can}) if order.ducats > can else None


def refuse_propose(seen: Seen, decision: Question, order: o.Propose) -> Problem | None:
    """Require an own city and another player's, of one level, neither swapped this turn (A17)."""
    problem = _unequal(seen.board, decision.seat, order.gives, order.wants)
    if problem is None and Offer(decision.seat, order.gives, order.wants) in seen.board.offers:
        return Problem("offered_already", {"gives": order.gives, "wants": order.wants})
    return problem


def refuse_accept(seen: Seen, decision: Question, order: o.Accept) -> Problem | None:
    """Require an open offer that is still possible."""
    board = seen.board
    if _ahead(seen, decision):
        return no_such_city(board, order.gives) or no_such_city(board, order.wants)
    problem = _unequal(board, decision.seat, order.gives, order.wants)
    if problem is not None:
        return problem
    stands = Offer(_owner(board, order.wants), order.wants, order.gives) in board.offers
    return None if stands else Problem("no_such_offer", {"gives": order.gives, "wants": order.wants})


def refuse_recall(seen: Seen, decision: Question, order: o.Recall) -> Problem | None:
    """Require an own offer."""
    stands = Offer(decision.seat, order.gives, order.wants) in seen.board.offers
    return None if stands else Problem("no_such_offer", {"gives": order.gives, "wants": order.wants})


def _ahead(seen: Seen, decision: Question) -> bool:
    """A38  Return True for an answer to the council given in advance."""
    return decision.topic == "council" and seen.board.phase is not Phase.COUNCIL


def _unequal(board: Board, seat: Seat, gives: str, wants: str) -> Problem | None:
    for town in (gives, wants):
        problem = no_such_city(board, town)
        if problem is not None:
            return problem
    if board.cities[gives].owner != seat:
        return Problem("not_yours", {"city": gives})
    if board.cities[wants].owner in (None, seat):
        return Problem("not_theirs", {"city": wants})
    levels = (board.level(gives), board.level(wants))
    if levels[0] != levels[1]:
        return Problem("unequal_walls", {"gives": gives, "wants": wants, "levels": levels})
    for town in (gives, wants):
        if board.cities[town].swapped:
            return Problem("swapped_already", {"city": town})
        if board.fighting(town):
            return Problem("fought_over", {"city": town})
    return None


GATES: Final[Gates] = {"deals": answered}
REFUSALS: Final[Refusals] = {
    o.Give: refuse_give,
    o.Propose: refuse_propose,
    o.Accept: refuse_accept,
    o.Recall: refuse_recall,
}

"""One chapter of the rulebook: how a turn goes. A larger game has a module for each."""

from collections.abc import Mapping

from engine.kernel.events import Ended
from engine.kernel.orders import Orders, Problem, Question, single_order, unconditional
from engine.kernel.position import Position, Step
from engine.kernel.table import Table
from engine.kernel.turn_chapters import Defaults, Gates, Refusals, Steps
from engine.kernel.viewers import Seat
from pbem.stub.game.board import TURNS, Board
from pbem.stub.game.events import Revealed, TurnBegan
from pbem.stub.game.orders import Offer

PROBLEMS = (
    "too_many",  # {stones}
)
"""Why an order cannot stand; the comment names the terms that its sentence (`problem_too_many`) is given."""


class Turn(Step, saved="stub.Turn"):
    """Play a turn."""

    number: int


def play(table: Table[Board], step: Turn) -> None:
    """Ask everybody at one gate, whose name carries the turn: nobody learns anything before all have answered."""
    table.emit(TurnBegan(turn=step.number))
    table.ask(*(Question(f"offer/{step.number}", seat, "offer") for seat in table.core.seats))


def reveal(table: Table[Board], gate: str, answers: Mapping[Seat, Orders]) -> None:
    """All offers are in: they are shown and paid, and the next turn comes, or the end."""
    offers = {seat: _offered(orders) for seat, orders in answers.items()}
    best = [seat for seat, stones in offers.items() if stones == max(offers.values())]
    table.emit(Revealed(offers=offers, winner=best[0] if len(best) == 1 else None))
    if table.board.turn < TURNS:
        table.then(Turn(table.board.turn + 1))
    else:
        _finish(table)


def _offered(orders: Orders) -> int:
    order = single_order(orders)
    return order.stones if isinstance(order, Offer) else 0


def _finish(table: Table[Board]) -> None:
    points = table.board.points
    ranks = sorted(set(points.values()), reverse=True)
    ranking = tuple(tuple(seat for seat in points if points[seat] == rank) for rank in ranks)
    table.emit(Ended(reason="turns", ranking=ranking, points=points))


def refusal(seen: Position[Board], decision: Question, order: Offer) -> Problem | None:
    """No more than one has."""
    has = seen.board.stones[decision.seat]
    return Problem("too_many", {"stones": has}) if order.stones > has else None


def nothing(seen: Position[Board], decision: Question) -> Orders:
    """What is done for a seat that does not answer in time."""
    return unconditional(Offer(0))


STEPS: Steps = {Turn: play}
GATES: Gates = {"offer": reveal}
REFUSALS: Refusals = {Offer: refusal}
DEFAULTS: Defaults = {"offer": nothing}

"""The chapter of a turn. A larger game has a module for each chapter of its rulebook."""

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
"""Codes of refusals; each comment names the terms of its sentence (`problem_too_many`)."""


class Turn(Step, saved="stub.Turn"):
    """Play a turn."""

    number: int


def play(table: Table[Board], step: Turn) -> None:
    """Ask all seats at one gate, so that no player learns anything before all have answered."""
    table.emit(TurnBegan(turn=step.number))
    table.ask(*(Question(f"offer/{step.number}", seat, "offer") for seat in table.core.seats))


def reveal(table: Table[Board], gate: str, answers: Mapping[Seat, Orders]) -> None:
    """Show and pay all offers, then begin the next turn or end the game."""
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
    """Require that the seat has the stones."""
    has = seen.board.stones[decision.seat]
    return Problem("too_many", {"stones": has}) if order.stones > has else None


def nothing(seen: Position[Board], decision: Question) -> Orders:
    """Return the default orders: an offer of 0."""
    return unconditional(Offer(0))


STEPS: Steps = {Turn: play}
GATES: Gates = {"offer": reveal}
REFUSALS: Refusals = {Offer: refusal}
DEFAULTS: Defaults = {"offer": nothing}

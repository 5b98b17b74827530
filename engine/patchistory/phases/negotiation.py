"""4. Négociation: for each worker on return/preparation, both ends choose a side of their tokens."""

from typing import Final

from engine.kernel.orders import Problem, Question
from engine.kernel.pace import ask_reaction
from engine.kernel.position import Step
from engine.kernel.turn_chapters import Gates, Refusals, Steps
from engine.kernel.viewers import Seat
from engine.patchistory.acts import BringHome, Game, Seen, ally, may_ally, note_replies, reply
from engine.patchistory.board import BLUE, RED, Board, Route
from engine.patchistory.catalogue import ERAS, PREPARATION, ROUNDS, WAR
from engine.patchistory.events import Negotiated, WarDeclared
from engine.patchistory.orders import Token

PROBLEMS = ("no_preparation",)  # {needed, amount}: an aggressor pays the preparation at once

PEACE: Final = Token(BLUE)


class Negotiate(Step, saved="patch.Negotiate"):
    """Negotiate on a route. `gate`: where both were asked; "" before."""

    number: int
    gate: str = ""


def begin(table: Game) -> None:
    """Queue the negotiations in turn order; wars declared earlier need none."""
    table.then(*(Negotiate(route.number) for route in waiting(table.board)))


def waiting(board: Board) -> tuple[Route, ...]:
    """Return the routes on which players must negotiate now."""
    return tuple(route for seat in board.seats for route in board.of(seat) if _waits(route, seat))


def _waits(route: Route, seat: Seat) -> bool:
    at_end = not route.allied and route.start == seat and route.spots.get(seat) == PREPARATION
    return at_end and not route.war and not route.rests


def negotiate(table: Game, step: Negotiate) -> None:
    """Ask both players for a side; allies have no choice (A-23)."""
    route = table.board.route(step.number)
    if route is None or not _waits(route, route.start):
        return
    if table.board.allied(*route.ends):
        table.then(BringHome(route.number, (route.start,), "allies"))
    elif not step.gate:
        gate = ask_reaction(table, "negotiation", str(step.number), route.ends, route=step.number)
        table.then(Negotiate(step.number, gate))
    else:
        _show(table, route, step.gate)


def _show(table: Game, route: Route, gate: str) -> None:
    """Resolve the tokens: two blue make peace, and an alliance if both wish it; a red one makes war next round."""
    chosen = {seat: _token(table, gate, seat) for seat in route.ends}
    tokens = {seat: token.side for seat, token in chosen.items()}
    wishes = tuple(seat for seat, token in chosen.items() if token.wish)
    table.emit(Negotiated(number=route.number, tokens=tokens, wishes=wishes))
    if RED in tokens.values():
        paid = {seat: preparation(table.board) for seat, side in tokens.items() if side == RED}
        last = table.board.turn == ERAS * ROUNDS
        table.emit(WarDeclared(number=route.number, roles=tokens, paid=paid, last=last))
        return
    table.then(BringHome(route.number, (route.start,), "peace"))
    if len(wishes) == 2 and may_ally(table.board, *route.ends):
        ally(table, route.start, route.end, chosen[route.start].end, "negotiation")


def _token(table: Game, gate: str, seat: Seat) -> Token:
    order = reply(table, gate, seat)
    return order if isinstance(order, Token) else PEACE


def preparation(board: Board) -> int:
    """Return what an aggressor pays in this era."""
    return int(WAR["preparation"][board.era - 1])


def refuse_token(seen: Seen, decision: Question, order: Token) -> Problem | None:
    """Require the preparation cost for red; blue is free."""
    needed, amount = preparation(seen.board), seen.board.players[decision.seat].amount("resource")
    if order.side == RED and needed > amount:
        return Problem("no_preparation", {"needed": needed, "amount": amount})
    return None


STEPS: Final[Steps] = {Negotiate: negotiate}
GATES: Final[Gates] = {"negotiation": note_replies}
REFUSALS: Final[Refusals] = {Token: refuse_token}

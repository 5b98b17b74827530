"""3. Mouvement: workers on land, then those on routes; in turn order, line by line."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from engine.kernel.orders import Orders, Problem, Question
from engine.kernel.position import ExecuteOrders, Step
from engine.kernel.table import seal
from engine.kernel.turn_chapters import Gates, Refusals, Sets, Steps
from engine.kernel.viewers import Seat
from engine.patchistory.acts import BringHome, Game, Seen, call
from engine.patchistory.board import Board, Phase, Player, Route
from engine.patchistory.catalogue import ALLIED_TRACK, PREPARATION, WAR_SPACE
from engine.patchistory.effects import level
from engine.patchistory.events import WorkerMoved, WorkerRested, WorkerTravelled
from engine.patchistory.orders import Move, Rest, Travel
from engine.patchistory.phases.administration import refuse_free
from engine.patchistory.territory import location, within_reach

PROBLEMS = (
    "no_worker_there",  # {square}
    "moved_already",  # {square}: each worker moves once
    "out_of_reach",  # {start, to, steps}
    "no_free_location",  # {}: none within reach
    "land_first",  # {}: workers on routes move after those on land
    "not_on_route",  # {route}: no own worker there
    "rests_already",  # {route}: the worker returns automatically
    "at_war",  # {route}: a worker at return/preparation goes to its war automatically
    "gone_already",  # {route}: it has moved in this phase
    "must_rest",  # {route}: without Transport it goes to rest/return
    "too_far",  # {route, spaces, most}
    "no_rest_there",  # {route}: an allied route has no rest/return
)

ALLIED_END: Final = len(ALLIED_TRACK) - 1
LEAVING: Final = "leaving"
"""The limit with squares that a later line of the same orders moves a worker from."""


class Movement(ExecuteOrders, saved="patch.Movement"):
    """A player's remaining lines of movement."""

    def question(self) -> Question:
        """Return the question with the squares that later lines move a worker from."""
        return replace(super().question(), limits={LEAVING: _leaving(self)})


class EndMoves(Step, saved="patch.EndMoves"):
    """Move workers on routes without orders, and return some."""

    seat: Seat


def begin(table: Game) -> None:
    """Ask all players, together or in turn order."""
    call(table, "movement", table.board.seats)


def take_orders(table: Game, gate: str, answers: Mapping[Seat, Orders]) -> None:
    """Queue the orders in turn order (A-43)."""
    for seat in reversed([seat for seat in table.board.seats if seat in answers]):
        table.then(Movement(seat, gate, "movement", seal(answers[seat])), EndMoves(seat))


def act(table: Game, step: Movement) -> None:
    """Do the next possible line."""
    order, rest = table.next_order(step)
    if not isinstance(order, Move):
        _part(table, step.seat)
    match order:
        case Move(start=start, to=to):
            table.emit(WorkerMoved(seat=step.seat, start=start, to=to, cause="movement"))
        case Travel(route=number, spaces=spaces):
            _advance(table, step.seat, number, spaces)
        case Rest(route=number):
            table.emit(WorkerRested(seat=step.seat, number=number))
    if order is not None:
        table.then(rest.line_done())


def _leaving(step: Movement) -> tuple[str, ...]:
    """Return the squares from which the lines after the next one move a worker."""
    clauses = (clause for line in step.orders.value[step.line + 1 :] for clause in (*line.plan, *line.fallback))
    return tuple(clause.order.start for clause in clauses if isinstance(clause.order, Move))


def _part(table: Game, seat: Seat) -> None:
    """Send workers back whose location is still occupied after the moves, the last to move first.

    Workers may share a location while they move, but not after it (Mouvement sur votre territoire).
    """
    player = table.board.players[seat]
    moves = [event for event in table.events if isinstance(event, WorkerMoved) and event.seat == seat]
    for move in reversed(moves):
        here = location(player.territory, move.to)
        if move.cause == "movement" and sum(square in here for square in player.workers) > 1:
            table.emit(WorkerMoved(seat=seat, start=move.to, to=move.start, cause="shared"))
            _part(table, seat)
            return


def _advance(table: Game, seat: Seat, number: int, spaces: int) -> None:
    """Move a worker forward, at most to return/preparation; on an allied route it returns from the far end at once."""
    route = table.board.route(number)
    if route is not None:
        spot = min(route.spots[seat] + spaces, ALLIED_END if route.allied else PREPARATION)
        table.emit(WorkerTravelled(seat=seat, number=number, spot=spot))


def end_moves(table: Game, step: EndMoves) -> None:
    """Move workers without orders by one space, to rest without Transport, to their war, or home from rest."""
    seat, home = step.seat, list[int]()
    for route in table.board.of(seat):
        if seat not in route.spots:
            continue
        if route.rests.get(seat, table.board.turn) < table.board.turn:
            home.append(route.number)
        elif route.number not in table.board.players[seat].travelled:
            _must(table, seat, route)
    arrived = [r.number for r in table.board.of(seat) if r.allied and r.spots.get(seat) == ALLIED_END]
    table.then(*(BringHome(number, (seat,), "travelled") for number in (*home, *arrived)))


def _must(table: Game, seat: Seat, route: Route) -> None:
    if _goes_to_war(route, seat):
        table.emit(WorkerTravelled(seat=seat, number=route.number, spot=WAR_SPACE))
    elif not strength(table.board, seat):
        table.emit(WorkerRested(seat=seat, number=route.number))
    else:
        _advance(table, seat, route.number, 1)


def _goes_to_war(route: Route, seat: Seat) -> bool:
    return not route.allied and bool(route.war) and route.spots.get(seat) == PREPARATION


def stride(board: Board, seat: Seat) -> int:
    """A-21: Return how far workers on land go: Transport at the beginning of the phase."""
    return board.players[seat].stride if board.phase is Phase.MOVEMENT else level(board, seat, "transport")


def strength(board: Board, seat: Seat) -> int:
    """A-21: Return how far workers on routes go: Transport after the moves on land; 0 if there was none before."""
    return level(board, seat, "transport") if stride(board, seat) else 0


# --- answers


def refuse_move(seen: Seen, decision: Question, order: Move) -> Problem | None:
    """Require a worker that has not moved, and within Transport steps a location that is free, or that another worker
    leaves by a later line.
    """
    board, player = seen.board, seen.board.players[decision.seat]
    if player.travelled and board.phase is Phase.MOVEMENT:
        return Problem("land_first", {})
    if order.start not in player.workers:
        return Problem("no_worker_there", {"square": order.start})
    if board.phase is Phase.MOVEMENT and player.workers.count(order.start) <= player.moved.count(order.start):
        return Problem("moved_already", {"square": order.start})
    steps = stride(board, decision.seat)
    if order.to in player.territory and order.to not in within_reach(player.territory, order.start, steps):
        return Problem("out_of_reach", {"start": order.start, "to": order.to, "steps": steps})
    problem = refuse_free(player, order.to)
    return None if problem is not None and _will_leave(player, decision, order) else problem


def _will_leave(player: Player, decision: Question, order: Move) -> bool:
    """Return True if a later line moves away the only other worker of the location, which has not moved."""
    if order.to not in player.territory:
        return False
    here = location(player.territory, order.to)
    others = [square for square in player.workers if square in here]
    leaving: Any = decision.limits.get(LEAVING, ())
    return len(others) == 1 and others[0] in leaving and others[0] not in player.moved and order.start not in here


def _on_route(board: Board, seat: Seat, number: int) -> Route | Problem:
    """Return the route whose worker can still be ordered, or the problem."""
    route = board.route(number)
    if route is None or seat not in route.spots:
        return Problem("not_on_route", {"route": number})
    if number in board.players[seat].travelled and board.phase is Phase.MOVEMENT:
        return Problem("gone_already", {"route": number})
    if seat in route.rests:
        return Problem("rests_already", {"route": number})
    return Problem("at_war", {"route": number}) if _goes_to_war(route, seat) else route


def refuse_travel(seen: Seen, decision: Question, order: Travel) -> Problem | None:
    """Mouvement sur une Route: Require at least one space forward, and at most Transport."""
    board, seat = seen.board, decision.seat
    found = _on_route(board, seat, order.route)
    if isinstance(found, Problem):
        return found
    most = strength(board, seat)
    if not most:
        return Problem("must_rest", {"route": order.route})
    if not 1 <= order.spaces <= most:
        return Problem("too_far", {"route": order.route, "spaces": order.spaces, "most": most})
    return None


def refuse_rest(seen: Seen, decision: Question, order: Rest) -> Problem | None:
    """Repos/Retour: Require a main route, because allied ones have no such space."""
    found = _on_route(seen.board, decision.seat, order.route)
    if isinstance(found, Problem):
        return found
    return Problem("no_rest_there", {"route": order.route}) if found.allied else None


STEPS: Final[Steps] = {Movement: act, EndMoves: end_moves}
GATES: Final[Gates] = {"movement": take_orders}
REFUSALS: Final[Refusals] = {Move: refuse_move, Travel: refuse_travel, Rest: refuse_rest}
SETS: Final[Sets] = {"movement": Movement}

"""Immediate effects of heroes, wonders and special buildings when they are placed (A-33: once, then or never)."""

from collections.abc import Callable, Mapping
from typing import Final

from engine.kernel.orders import Problem, Question
from engine.kernel.pace import ask_reaction
from engine.kernel.position import Step
from engine.kernel.turn_chapters import Gates, Refusals, Steps
from engine.kernel.viewers import Seat
from engine.patchistory.acts import (
    Game,
    Seen,
    ally,
    choose_square,
    discard_route,
    draw_building,
    may_ally,
    note_replies,
    reply,
    taken_from,
)
from engine.patchistory.board import Board, Player, Route
from engine.patchistory.catalogue import COLOURS, ROOMS, Op, When
from engine.patchistory.events import Cleared, WorkerSentBack, WorkerSettled
from engine.patchistory.orders import Ally, Bomb, DiscardRoute, SendBack, Settle
from engine.patchistory.territory import clearable

PROBLEMS = (
    "no_worker_there",  # {square}: no own worker there
    "not_on_route",  # {route}: no own worker there
    "one_worker",  # {count}: exactly one goes back
    "yourself",  # {}: another player is needed
    "no_alliance_left",  # {to}: no allied route is left, or the two share one
    "not_your_route",  # {route}: neither an own main route nor an allied one
    "not_one_square",  # {square}: not a square of that territory, or a location of several squares
    "no_building",  # {building}: not in hand
)


class OnPlace(Step, saved="patch.OnPlace"):
    """Apply the immediate effects of a placed location, one after the other."""

    seat: Seat
    room: str


class Done(Step, saved="patch.Done"):
    """Carry out the answer to an effect that asked its owner. `op`: the kind of effect."""

    seat: Seat
    room: str
    op: str
    gate: str
    n: int = 1


_ASKS: Final[Mapping[Op, str]] = {
    Op.FREE_WORKER: "settle",
    Op.RETURN_WORKER: "recall",
    Op.FREE_ALLIANCE: "envoy",
    Op.DISCARD_ROUTE: "siege",
    Op.CLEAR_OTHERS: "bombing",
}


def on_place(table: Game, step: OnPlace) -> None:
    """Ask the owner about each effect that has a choice."""
    for effect in ROOMS[step.room].effects:
        if effect.when is When.PLACED and _POSSIBLE[effect.op](table.board, step.seat):
            gate = ask_reaction(table, _ASKS[effect.op], step.seat, (step.seat,), room=step.room)
            table.then(Done(step.seat, step.room, effect.op.value, gate, effect.n))


def done(table: Game, step: Done) -> None:
    """Carry out the answer."""
    _DO[Op(step.op)](table, step)


# --- workers


def settle(table: Game, seat: Seat, gate: str, count: int, cause: str) -> None:
    """Place workers from the People track, each on the first free wanted square."""
    order = reply(table, gate, seat)
    wanted = order.squares if isinstance(order, Settle) else ()
    for _ in range(min(count, table.board.players[seat].track)):
        square = choose_square(table.board.players[seat], wanted)
        if square:
            table.emit(WorkerSettled(seat=seat, square=square, cause=cause))


def _settle(table: Game, step: Done) -> None:
    """Moïse: place a worker of the People track on any location."""
    settle(table, step.seat, step.gate, step.n, step.room)


def _recall(table: Game, step: Done) -> None:
    """Return a worker from tiles or a route; by default the least useful one."""
    order = reply(table, step.gate, step.seat)
    board = table.board
    if isinstance(order, SendBack) and order.routes:
        table.emit(WorkerSentBack(seat=step.seat, square="", number=int(order.routes[0]), cause=step.room))
        return
    player = board.players[step.seat]
    square = order.squares[0] if isinstance(order, SendBack) and order.squares else idlest(player)
    number = 0 if square else next(route.number for route in board.of(step.seat) if step.seat in route.spots)
    table.emit(WorkerSentBack(seat=step.seat, square=square, number=number, cause=step.room))


def idlest(player: Player) -> str:
    """Return the square of the worker whose gold frame gives least; "" without a worker on tiles."""
    return min(player.workers, key=lambda s: sum(player.territory[s].shows.gold.values()), default="")


# --- routes and squares of others


def _envoy(table: Game, step: Done) -> None:
    """Constantin Ier: lay an allied route, which cannot be refused; it cancels a declared war."""
    order = reply(table, step.gate, step.seat)
    if isinstance(order, Ally):
        ally(table, step.seat, seat_of(table.board, order.to), order.end, step.room)


def _siege(table: Game, step: Done) -> None:
    """Schwerer Gustav: discard a route; its workers return where their owners choose."""
    order = reply(table, step.gate, step.seat)
    route = table.board.route(order.route) if isinstance(order, DiscardRoute) else None
    if route is not None:
        discard_route(table, route, step.room)


def _bomb(table: Game, step: Done) -> None:
    """Bombardier furtif: put a building tile as Wasteland on a rival's square, and draw a new one."""
    order = reply(table, step.gate, step.seat)
    tile = taken_from(table.board.players[step.seat], order.building) if isinstance(order, Bomb) else None
    if not isinstance(order, Bomb) or tile is None:
        return
    of = seat_of(table.board, order.to)
    table.emit(Cleared(seat=step.seat, of=of, square=order.square, tile=tile, resources=0, points=0, cause=step.room))
    draw_building(table, step.seat)


def seat_of(board: Board, colour: str) -> Seat:
    """Return the seat of a colour. Raises StopIteration if no seat plays it."""
    return next(seat for seat, player in board.players.items() if player.colour == colour)


def plays(board: Board, colour: str) -> bool:
    """Return True if a seat plays this colour."""
    return colour in COLOURS[: len(board.players)]


def destructible(board: Board, seat: Seat) -> tuple[Route, ...]:
    """Return main routes that start at the player's territory, and allied ones."""
    return tuple(route for route in board.of(seat) if route.allied or route.start == seat)


_POSSIBLE: Final[Mapping[Op, Callable[[Board, Seat], bool]]] = {
    Op.FREE_WORKER: lambda board, seat: board.players[seat].track > 0,
    Op.RETURN_WORKER: lambda board, seat: board.in_play(seat) > 0,
    Op.FREE_ALLIANCE: lambda board, seat: any(may_ally(board, seat, other) for other in board.players if other != seat),
    Op.DISCARD_ROUTE: lambda board, seat: bool(destructible(board, seat)),
    Op.CLEAR_OTHERS: lambda board, seat: bool(board.players[seat].pack),
}
"""By effect: True if it can do anything now (A-34)."""
_DO: Final[Mapping[Op, Callable[[Game, Done], None]]] = {
    Op.FREE_WORKER: _settle,
    Op.RETURN_WORKER: _recall,
    Op.FREE_ALLIANCE: _envoy,
    Op.DISCARD_ROUTE: _siege,
    Op.CLEAR_OTHERS: _bomb,
}


# --- answers


def refuse_back(seen: Seen, decision: Question, order: SendBack) -> Problem | None:
    """Require own workers; exactly one if a location returns it."""
    board, seat = seen.board, decision.seat
    count = len(order.squares) + len(order.routes)
    if decision.topic == "recall" and count != 1:
        return Problem("one_worker", {"count": count}, lasting=True)
    workers = list(board.players[seat].workers)
    for square in order.squares:
        if square not in workers:
            return Problem("no_worker_there", {"square": square})
        workers.remove(square)
    for name in order.routes:
        route = board.route(int(name))
        if route is None or seat not in route.spots or order.routes.count(name) > 1:
            return Problem("not_on_route", {"route": int(name)})
    return None


def refuse_ally(seen: Seen, decision: Question, order: Ally) -> Problem | None:
    """Constantin Ier: Require another player, and a possible alliance."""
    problem = refuse_player(seen.board, decision.seat, order.to)
    if problem is not None:
        return problem
    other = seat_of(seen.board, order.to)
    return None if may_ally(seen.board, decision.seat, other) else Problem("no_alliance_left", {"to": order.to})


def refuse_player(board: Board, seat: Seat, colour: str) -> Problem | None:
    """Require another player of this game."""
    if plays(board, colour) and board.players[seat].colour != colour:
        return None
    return Problem("yourself", {}, lasting=True)


def refuse_discard(seen: Seen, decision: Question, order: DiscardRoute) -> Problem | None:
    """Schwerer Gustav: Require a route with an own start, or an allied one."""
    route = seen.board.route(order.route)
    mine = route is not None and route in destructible(seen.board, decision.seat)
    return None if mine else Problem("not_your_route", {"route": order.route})


def refuse_bomb(seen: Seen, decision: Question, order: Bomb) -> Problem | None:
    """Bombardier furtif: Require a location of one square of another player, and a building tile."""
    board, seat = seen.board, decision.seat
    problem = refuse_player(board, seat, order.to)
    if problem is not None:
        return problem
    there = board.players[seat_of(board, order.to)].territory
    if order.square not in there or not clearable(there, order.square):
        return Problem("not_one_square", {"square": order.square})
    tile = taken_from(board.players[seat], order.building)
    return None if tile is not None else Problem("no_building", {"building": order.building})


STEPS: Final[Steps] = {OnPlace: on_place, Done: done}
GATES: Final[Gates] = {
    "recall": note_replies,
    "envoy": note_replies,
    "siege": note_replies,
    "bombing": note_replies,
}
REFUSALS: Final[Refusals] = {
    SendBack: refuse_back,
    Ally: refuse_ally,
    DiscardRoute: refuse_discard,
    Bomb: refuse_bomb,
}

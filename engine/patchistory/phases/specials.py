"""What heroes, wonders and special buildings do at the moment when they are placed (A-33: once, then or never)."""

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
    "no_worker_there",  # {square}: no worker of one's own
    "not_on_route",  # {route}: no worker of one's own
    "one_worker",  # {count}: exactly one goes back
    "yourself",  # {}: another player is needed
    "no_alliance_left",  # {to}: no allied route is left, or there is one between the two
    "not_your_route",  # {route}: neither a main route that starts at one's territory nor an allied one
    "not_one_square",  # {square}: not a square of that territory, or a location of several squares
    "no_building",  # {building}: not in hand
)


class OnPlace(Step, saved="patch.OnPlace"):
    """A location has come to a territory: what it does at once, one effect after the other."""

    seat: Seat
    room: str


class Done(Step, saved="patch.Done"):
    """The answer to what a location asked, with the kind of its effect."""

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
    """Ask what its owner must say, where there is anything to choose."""
    for effect in ROOMS[step.room].effects:
        if effect.when is When.PLACED and _POSSIBLE[effect.op](table.board, step.seat):
            gate = ask_reaction(table, _ASKS[effect.op], step.seat, (step.seat,), room=step.room)
            table.then(Done(step.seat, step.room, effect.op.value, gate, effect.n))


def done(table: Game, step: Done) -> None:
    """Carry it out."""
    _DO[Op(step.op)](table, step)


# --- workers


def settle(table: Game, seat: Seat, gate: str, count: int, cause: str) -> None:
    """So many workers of the People track, each on the first free square that is wanted."""
    order = reply(table, gate, seat)
    wanted = order.squares if isinstance(order, Settle) else ()
    for _ in range(min(count, table.board.players[seat].track)):
        square = choose_square(table.board.players[seat], wanted)
        if square:
            table.emit(WorkerSettled(seat=seat, square=square, cause=cause))


def _settle(table: Game, step: Done) -> None:
    """Moïse: a worker of the People track on any location."""
    settle(table, step.seat, step.gate, step.n, step.room)


def _recall(table: Game, step: Done) -> None:
    """A worker of the tiles or of a route goes back; who says nothing sends one that works nowhere, if there is one."""
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
    """The square of the worker whose gold frame gives least; none without a worker on tiles."""
    return min(player.workers, key=lambda s: sum(player.territory[s].shows.gold.values()), default="")


# --- routes and squares of others


def _envoy(table: Game, step: Done) -> None:
    """Constantin Ier: an allied route, which cannot be refused; a war that was to come is cancelled."""
    order = reply(table, step.gate, step.seat)
    if isinstance(order, Ally):
        ally(table, step.seat, seat_of(table.board, order.to), order.end, step.room)


def _siege(table: Game, step: Done) -> None:
    """Schwerer Gustav: a route is discarded; a worker on it goes where its owner chooses."""
    order = reply(table, step.gate, step.seat)
    route = table.board.route(order.route) if isinstance(order, DiscardRoute) else None
    if route is not None:
        discard_route(table, route, step.room)


def _bomb(table: Game, step: Done) -> None:
    """Bombardier furtif: a rival's square becomes Wasteland under one's own building tile; a new one is drawn."""
    order = reply(table, step.gate, step.seat)
    tile = taken_from(table.board.players[step.seat], order.building) if isinstance(order, Bomb) else None
    if not isinstance(order, Bomb) or tile is None:
        return
    of = seat_of(table.board, order.to)
    table.emit(Cleared(seat=step.seat, of=of, square=order.square, tile=tile, resources=0, points=0, cause=step.room))
    draw_building(table, step.seat)


def seat_of(board: Board, colour: str) -> Seat:
    """The seat that plays a colour; raises StopIteration for one that nobody plays."""
    return next(seat for seat, player in board.players.items() if player.colour == colour)


def plays(board: Board, colour: str) -> bool:
    """Return True if somebody plays this colour."""
    return colour in COLOURS[: len(board.players)]


def destructible(board: Board, seat: Seat) -> tuple[Route, ...]:
    """Main routes that start at one's territory, and allied ones."""
    return tuple(route for route in board.of(seat) if route.allied or route.start == seat)


_POSSIBLE: Final[Mapping[Op, Callable[[Board, Seat], bool]]] = {
    Op.FREE_WORKER: lambda board, seat: board.players[seat].track > 0,
    Op.RETURN_WORKER: lambda board, seat: board.in_play(seat) > 0,
    Op.FREE_ALLIANCE: lambda board, seat: any(may_ally(board, seat, other) for other in board.players if other != seat),
    Op.DISCARD_ROUTE: lambda board, seat: bool(destructible(board, seat)),
    Op.CLEAR_OTHERS: lambda board, seat: bool(board.players[seat].pack),
}
"""By effect: whether there is anything to do (A-34)."""
_DO: Final[Mapping[Op, Callable[[Game, Done], None]]] = {
    Op.FREE_WORKER: _settle,
    Op.RETURN_WORKER: _recall,
    Op.FREE_ALLIANCE: _envoy,
    Op.DISCARD_ROUTE: _siege,
    Op.CLEAR_OTHERS: _bomb,
}


# --- answers


def refuse_back(seen: Seen, decision: Question, order: SendBack) -> Problem | None:
    """Workers of one's own; exactly one where a location sends it back."""
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
    """Constantin Ier: any other player."""
    problem = refuse_player(seen.board, decision.seat, order.to)
    if problem is not None:
        return problem
    other = seat_of(seen.board, order.to)
    return None if may_ally(seen.board, decision.seat, other) else Problem("no_alliance_left", {"to": order.to})


def refuse_player(board: Board, seat: Seat, colour: str) -> Problem | None:
    """Another player of this game."""
    if plays(board, colour) and board.players[seat].colour != colour:
        return None
    return Problem("yourself", {}, lasting=True)


def refuse_discard(seen: Seen, decision: Question, order: DiscardRoute) -> Problem | None:
    """Schwerer Gustav: one's own start, or an alliance."""
    route = seen.board.route(order.route)
    mine = route is not None and route in destructible(seen.board, decision.seat)
    return None if mine else Problem("not_your_route", {"route": order.route})


def refuse_bomb(seen: Seen, decision: Question, order: Bomb) -> Problem | None:
    """Bombardier furtif: one square of another player, and a building tile."""
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

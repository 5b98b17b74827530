"""2. Administration: commerce, exchange, training, honours, constructions, campaign; line by line."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Final

from engine.kernel.orders import Order, Orders, Problem, Question
from engine.kernel.position import ExecuteOrders
from engine.kernel.table import seal
from engine.kernel.turn_chapters import Gates, Refusals, Sets, Steps
from engine.kernel.viewers import Seat
from engine.patchistory import orders as o
from engine.patchistory.acts import Game, Seen, call, draw_building, gain, main_routes_left, taken_from
from engine.patchistory.board import Board, Player, free_squares
from engine.patchistory.catalogue import ACTIONS, BUILDINGS, VALUES, Kind, When
from engine.patchistory.effects import cost, counted, exchanged, points, price
from engine.patchistory.events import (
    Built,
    Campaigned,
    Cleared,
    Exchanged,
    Honoured,
    RouteBuilt,
    WorkerSent,
    WorkerSettled,
)
from engine.patchistory.phases.diplomacy import refuse_goods, refuse_points
from engine.patchistory.phases.specials import refuse_player, seat_of
from engine.patchistory.territory import clearable, location

PROBLEMS = (
    "not_yours",  # {square}: not a square of the own territory
    "no_worker_there",  # {square}
    "no_worker_out",  # {}: none on the territory
    "no_worker_on_routes",  # {}
    "no_routes",  # {}: none of the player
    "no_such_route",  # {route}
    "route_not_open",  # {route}: not the own start, or an own worker is on it (A-16)
    "square_taken",  # {square}: this location has a worker
    "all_trained",  # {}: no worker is left on the People track
    "none_to_honour",  # {what}: neither hero nor wonder
    "once_a_round",  # {what}: `route` or `campaign`
    "no_route_left",  # {}: all main routes are on the table
    "several_squares",  # {square, squares}: only a location of one square is cleared or built upon
    "sea_not_built",  # {square}: no building on a Sea
    "no_building",  # {building}: not in hand
    "over_transport",  # {count, most}: more units than an exchange may give
    "no_exchange",  # {most}: nothing of equal value for what may be given
    "unequal",  # {given, taken}: values in an exchange must be equal (A-17)
    "into_itself",  # {good}: no good is exchanged into itself
)


class Administration(ExecuteOrders, saved="patch.Administration"):
    """A player's remaining lines of administration."""


def begin(table: Game) -> None:
    """Ask all players who can act, together or in turn order."""
    call(table, "administration", (seat for seat in table.board.seats if _able(table.board, seat)))


def _able(board: Board, seat: Seat) -> bool:
    """Return True if a player has a point, or may gain one by a returning worker."""
    return points(board, seat) > 0 or any(seat in route.spots for route in board.routes)


def take_orders(table: Game, gate: str, answers: Mapping[Seat, Orders]) -> None:
    """Queue the orders in turn order (A-43)."""
    seats = [seat for seat in table.board.seats if seat in answers]
    table.then(*(Administration(seat, gate, "administration", seal(answers[seat])) for seat in seats))


def act(table: Game, step: Administration) -> None:
    """Do the next possible line."""
    order, rest = table.next_order(step)
    if order is not None:
        _DO[type(order)](table, step.seat, order)
        table.then(rest.line_done())


# --- general actions


def _send(table: Game, seat: Seat, order: o.Send) -> None:
    """Commerce: send a worker."""
    food, points = cost(table.board, seat, "commerce"), price(table.board, seat, "commerce")
    table.emit(WorkerSent(seat=seat, square=order.square, number=order.route, food=food, points=points))


def _exchange(table: Game, seat: Seat, order: o.Exchange) -> None:
    """Échange: exchange goods."""
    gained, points = dict(Counter(order.gained)), price(table.board, seat, "exchange")
    table.emit(Exchanged(seat=seat, good=order.good, count=order.count, gained=gained, points=points))


def _train(table: Game, seat: Seat, order: o.Train) -> None:
    """Former: place the next worker of the People track; on a gold frame it counts at once (A-18)."""
    food, points = cost(table.board, seat, "train"), price(table.board, seat, "train")
    table.emit(WorkerSettled(seat=seat, square=order.square, cause="train", food=food, points=points))


def _honour(table: Game, seat: Seat, order: o.Honour) -> None:
    """Honorer les Héros, les Merveilles: gain a Culture for each."""
    action = ACTIONS[_honouring(order)]
    paid, points = cost(table.board, seat, action.id), price(table.board, seat, action.id)
    culture = counted(table.board, seat, order.what)
    what, good = order.what, action.good
    table.emit(Honoured(seat=seat, what=what, good=good, paid=paid, culture=culture, points=points))
    if what == Kind.HERO:
        gain(table, seat, When.HONOUR)


def _honouring(order: o.Honour) -> str:
    return "honour_heroes" if order.what == Kind.HERO else "honour_wonders"


# --- constructions


def _build_route(table: Game, seat: Seat, order: o.BuildRoute) -> None:
    """Construction: lay a main route, with its start at the own territory."""
    action = "construct_main_route"
    resources, points = cost(table.board, seat, action), price(table.board, seat, action)
    to, number = seat_of(table.board, order.to), table.board.laid + 1
    table.emit(RouteBuilt(seat=seat, to=to, number=number, resources=resources, points=points))


def _clear(table: Game, seat: Seat, order: o.Clear) -> None:
    """Assainissement: place a building tile as Wasteland and draw a new one."""
    tile = taken_from(table.board.players[seat], order.building)
    if tile is None:
        return
    resources, points = cost(table.board, seat, "clear"), price(table.board, seat, "clear")
    table.emit(
        Cleared(seat=seat, of=seat, square=order.square, tile=tile, resources=resources, points=points, cause="clear")
    )
    draw_building(table, seat)


def _build(table: Game, seat: Seat, order: o.Build) -> None:
    """Construction d'un Bâtiment: place a building tile as a building and draw a new one."""
    tile = taken_from(table.board.players[seat], order.building)
    if tile is None:
        return
    resources, points = building_cost(table.board, seat, order.building), price(table.board, seat, "construct_building")
    table.emit(Built(seat=seat, square=order.square, tile=tile.value, resources=resources, points=points))
    draw_building(table, seat)


def building_cost(board: Board, seat: Seat, building: str) -> int:
    """Return the Resources printed on a building tile, minus reductions by effects."""
    return cost(board, seat, "construct_building", BUILDINGS[building].cost)


def _campaign(table: Game, seat: Seat, order: o.Campaign) -> None:
    """Campagne: gain a vote for each point, and what effects add."""
    table.emit(Campaigned(seat=seat, points=order.points, votes=order.points))
    gain(table, seat, When.CAMPAIGN)


_DO: Final[Mapping[type[Order], Callable[[Game, Seat, Any], None]]] = {
    o.Send: _send,
    o.Exchange: _exchange,
    o.Train: _train,
    o.Honour: _honour,
    o.BuildRoute: _build_route,
    o.Clear: _clear,
    o.Build: _build,
    o.Campaign: _campaign,
}


# --- answers


def _payable(board: Board, seat: Seat, action: str, printed: int = 0) -> Problem | None:
    """Return the problem if Politics Points or goods are missing."""
    good = ACTIONS[action].good
    goods = {good: cost(board, seat, action, printed)} if good else {}
    return refuse_points(board, seat, price(board, seat, action)) or refuse_goods(board, seat, goods)


def refuse_send(seen: Seen, decision: Question, order: o.Send) -> Problem | None:
    """Commerce: Require an own worker on tiles, and a route open to the player."""
    board, seat = seen.board, decision.seat
    route = board.route(order.route)
    if order.square not in board.players[seat].workers:
        return Problem("no_worker_there", {"square": order.square})
    if route is None:
        return Problem("no_such_route", {"route": order.route})
    if not route.opens_to(seat):
        return Problem("route_not_open", {"route": order.route})
    return _payable(board, seat, "commerce")


def refuse_exchange(seen: Seen, decision: Question, order: o.Exchange) -> Problem | None:
    """Échange: Require goods of equal value, and at most as many units as Transport allows (A-17)."""
    board, seat = seen.board, decision.seat
    given, taken = order.count * VALUES[order.good], sum(VALUES[good] for good in order.gained)
    if order.good in order.gained:
        return Problem("into_itself", {"good": order.good}, lasting=True)
    if given != taken:
        return Problem("unequal", {"given": given, "taken": taken}, lasting=True)
    most = exchanged(board, seat)
    if order.count > most:
        return Problem("over_transport", {"count": order.count, "most": most})
    return _payable(board, seat, "exchange") or refuse_goods(board, seat, {order.good: order.count})


def refuse_train(seen: Seen, decision: Question, order: o.Train) -> Problem | None:
    """Former: Require a worker on the track and a free location."""
    player = seen.board.players[decision.seat]
    if not player.track:
        return Problem("all_trained", {})
    return refuse_free(player, order.square) or _payable(seen.board, decision.seat, "train")


def refuse_free(player: Player, square: str) -> Problem | None:
    """Require an own location without a worker."""
    if square not in player.territory:
        return Problem("not_yours", {"square": square})
    free = location(player.territory, square)[0] in free_squares(player)
    return None if free else Problem("square_taken", {"square": square})


def refuse_honour(seen: Seen, decision: Question, order: o.Honour) -> Problem | None:
    """Honorer: Require at least one hero or wonder."""
    if not counted(seen.board, decision.seat, order.what):
        return Problem("none_to_honour", {"what": order.what})
    return _payable(seen.board, decision.seat, _honouring(order))


def refuse_build_route(seen: Seen, decision: Question, order: o.BuildRoute) -> Problem | None:
    """Construction: Require another player and a route in the box, once a round."""
    board, seat = seen.board, decision.seat
    problem = refuse_player(board, seat, order.to)
    if problem is not None:
        return problem
    if "route" in board.players[seat].done:
        return Problem("once_a_round", {"what": "route"})
    if not main_routes_left(board):
        return Problem("no_route_left", {})
    return _payable(board, seat, "construct_main_route")


def _one_square(player: Player, square: str, building: str) -> Problem | None:
    """Require an own location of one square, and a building tile in hand."""
    if square not in player.territory:
        return Problem("not_yours", {"square": square})
    if not clearable(player.territory, square):
        return Problem("several_squares", {"square": square, "squares": location(player.territory, square)})
    tile = taken_from(player, building)
    return None if tile is not None else Problem("no_building", {"building": building})


def refuse_clear(seen: Seen, decision: Question, order: o.Clear) -> Problem | None:
    """Assainissement: Require a location of one square, which may be a Sea."""
    player = seen.board.players[decision.seat]
    return _one_square(player, order.square, order.building) or _payable(seen.board, decision.seat, "clear")


def refuse_build(seen: Seen, decision: Question, order: o.Build) -> Problem | None:
    """Construction d'un Bâtiment: Require a location of one square that is not a Sea."""
    board, player = seen.board, seen.board.players[decision.seat]
    problem = _one_square(player, order.square, order.building)
    if problem is not None:
        return problem
    if player.territory[order.square].shows.kind is Kind.SEA:
        return Problem("sea_not_built", {"square": order.square})
    return _payable(board, decision.seat, "construct_building", BUILDINGS[order.building].cost)


def refuse_campaign(seen: Seen, decision: Question, order: o.Campaign) -> Problem | None:
    """Campagne: Require the points, once a round."""
    if "campaign" in seen.board.players[decision.seat].done:
        return Problem("once_a_round", {"what": "campaign"})
    return refuse_points(seen.board, decision.seat, max(order.points, 1))


STEPS: Final[Steps] = {Administration: act}
GATES: Final[Gates] = {"administration": take_orders}
REFUSALS: Final[Refusals] = {
    o.Send: refuse_send,
    o.Exchange: refuse_exchange,
    o.Train: refuse_train,
    o.Honour: refuse_honour,
    o.BuildRoute: refuse_build_route,
    o.Clear: refuse_clear,
    o.Build: refuse_build,
    o.Campaign: refuse_campaign,
}
SETS: Final[Sets] = {"administration": Administration}

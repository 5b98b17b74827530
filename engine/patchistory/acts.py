"""Actions that several chapters share: questions, gains, returning workers, routes, building tiles."""

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from engine.kernel.orders import Order, Orders, Question, single_order
from engine.kernel.pace import ask_reaction
from engine.kernel.position import Options, Position, Step
from engine.kernel.secrets import Secret
from engine.kernel.table import Table
from engine.kernel.viewers import Seat
from engine.patchistory.board import Board, Player, Route, free_squares
from engine.patchistory.catalogue import ALLIED_ROUTES, MAIN_ROUTES, Effect, Op, When, kind_of
from engine.patchistory.effects import gains
from engine.patchistory.events import (
    BuildingDrawn,
    Gained,
    Replied,
    RepliesUsed,
    RouteGone,
    RouteLaid,
    WarCancelled,
    WorkerCameHome,
)
from engine.patchistory.orders import Home
from engine.patchistory.territory import location, specials

Seen: TypeAlias = Position[Board]
Game: TypeAlias = Table[Board]


class AskInTurn(Step, saved="patch.AskInTurn"):
    """Ask one seat a question that all seats are asked in turn."""

    seat: Seat
    topic: str


class BringHome(Step, saved="patch.BringHome"):
    """Return workers from a route: ask their owners for squares. `gate`: where they were asked; "" before."""

    number: int
    seats: tuple[Seat, ...]
    cause: str
    gate: str = ""


class DropRoute(Step, saved="patch.DropRoute"):
    """Return a route to the box."""

    number: int
    cause: str


# --- asking


def in_order(options: Options, board: Board, asks: str) -> bool:
    """Return True if players answer one after the other.

    Tiles are placed together, but in turn order with two players (p. 15).
    """
    return len(board.players) == 2 if asks == "placement" else options["pace"] == "order"


def question(seen: Seen, seat: Seat, asks: str) -> Question:
    """Return the question of a phase as it will be asked in this turn."""
    alone = f"/{seat}" if in_order(seen.core.options, seen.board, asks) else ""
    return Question(f"{asks}/{seen.board.turn}{alone}", seat, asks)


def call(table: Game, asks: str, seats: Iterable[Seat]) -> None:
    """Ask these seats, at one gate or each in turn."""
    if in_order(table.core.options, table.board, asks):
        table.then(*(AskInTurn(seat, asks) for seat in seats))
    else:
        table.ask(*(question(table.position, seat, asks) for seat in seats))


def ask_in_turn(table: Game, step: AskInTurn) -> None:
    """Ask one seat."""
    table.ask(question(table.position, step.seat, step.topic))


def note_replies(table: Game, gate: str, answers: Mapping[Seat, Orders]) -> None:
    """Store the answers of a gate until a later step uses them."""
    for seat, orders in answers.items():
        table.emit(Replied(key=f"{gate}/{seat}", answer=Secret(orders)))


def reply(table: Game, gate: str, seat: Seat) -> Order | None:
    """Return the order that a seat answered at a gate and remove it from the board.

    Return None if the seat passed or was not asked.
    """
    key = f"{gate}/{seat}"
    answer = table.board.answers.get(key)
    if answer is None or not answer.visible:
        return None
    table.emit(RepliesUsed(keys=(key,)))
    return single_order(answer.value)


# --- gains


def gain(table: Game, seat: Seat, when: When, times: int = 1) -> None:
    """Apply the gains and losses of a player's locations at this moment; nothing falls below 0."""
    for room in specials(table.board.players[seat].territory):
        for effect in room.effects:
            if effect.when is when and effect.op in (Op.GAIN, Op.GAIN_PER, Op.LOSE):
                _gain(table, seat, room.id, effect, times)


def _gain(table: Game, seat: Seat, cause: str, effect: Effect, times: int) -> None:
    player = table.board.players[seat]
    if effect.op is Op.LOSE:
        symbols = {name: -player.able(name, n) for name, n in effect.symbols.items()}
    else:
        symbols = {name: n * times for name, n in gains(table.board, seat, effect).items()}
    if any(symbols.values()):
        table.emit(Gained(seat=seat, symbols=symbols, cause=cause))


# --- workers


def best_square(player: Player) -> str:
    """Return the default square for a worker: the free gold frame with most symbols, else any free
    place; "" if none.
    """
    free = free_squares(player)
    return max(free, key=lambda square: sum(player.territory[square].shows.gold.values()), default="")


def choose_square(player: Player, wanted: Iterable[str]) -> str:
    """Return the first wanted square whose location is free, or else the best one."""
    free = {s for first in free_squares(player) for s in location(player.territory, first)}
    return next((square for square in wanted if square in free), best_square(player))


def bring_home(table: Game, step: BringHome) -> None:
    """Ask where to, then put each worker on the first free square that its owner names (A-10 allows one a location)."""
    route = table.board.route(step.number)
    seats = tuple(seat for seat in step.seats if route is not None and seat in route.spots)
    if not step.gate and seats:
        gate = ask_reaction(table, "home", f"{step.number}/{step.cause}", seats, route=step.number)
        table.then(BringHome(step.number, seats, step.cause, gate))
        return
    for seat in seats:
        order = reply(table, step.gate, seat)
        wanted = order.squares if isinstance(order, Home) else ()
        square = choose_square(table.board.players[seat], wanted)
        table.emit(WorkerCameHome(seat=seat, number=step.number, square=square, cause=step.cause))


# --- routes


def main_routes_left(board: Board) -> int:
    """Return how many main routes are left in the box (14 in all)."""
    return MAIN_ROUTES - sum(not route.allied for route in board.routes)


def may_ally(board: Board, one: Seat, other: Seat) -> bool:
    """A-15: Return True if an allied route is left and the two players share none."""
    left = ALLIED_ROUTES - sum(route.allied for route in board.routes)
    return left > 0 and not board.allied(one, other)


def ally(table: Game, seat: Seat, other: Seat, end: str, cause: str) -> None:
    """Lay an allied route between two players, `seat` at its end A or B; it cancels a war between them (A-25)."""
    start, far = (seat, other) if end == "A" else (other, seat)
    table.emit(RouteLaid(number=table.board.laid + 1, start=start, end=far, allied=True, cause=cause))
    for route in table.board.between(seat, other):
        if route.war:
            table.emit(WarCancelled(number=route.number, ends=route.ends))
            table.then(BringHome(route.number, tuple(route.spots), "peace"))


def discard_route(table: Game, route: Route, cause: str) -> None:
    """Discard a route: its workers return first, where their owners choose."""
    if route.war:
        table.emit(WarCancelled(number=route.number, ends=route.ends))
    table.then(BringHome(route.number, tuple(route.spots), cause), DropRoute(route.number, cause))


def drop_route(table: Game, step: DropRoute) -> None:
    """Remove a route; an alliance ends with it."""
    route = table.board.route(step.number)
    if route is not None:
        table.emit(RouteGone(number=route.number, allied=route.allied, ends=route.ends, cause=step.cause))


# --- building tiles


def held(player: Player) -> tuple[str, ...]:
    """Return the kinds of the building tiles in hand that the current reader knows."""
    return tuple(kind_of(tile.value) for tile in player.pack if tile.visible)


def taken_from(player: Player, building: str) -> Secret[str] | None:
    """Return the building tile of this kind in hand, or None; without a kind, the first one."""
    if not building:
        return player.pack[0] if player.pack else None
    return next((tile for tile in player.pack if tile.visible and kind_of(tile.value) == building), None)


def draw_building(table: Game, seat: Seat) -> None:
    """Draw a building tile, if any is left (A-19)."""
    if table.board.pile:
        tile = table.board.pile[0]
        table.emit(BuildingDrawn(seat=seat, tile=tile.shown_to(seat) if tile.visible else tile))

"""Phase 1 - Expansion: each player takes a free city in order of play, then each a second one.

The orders are a list of wishes: in each round the first possible one is done, so lines beyond the second are spares.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, TypeAlias

from engine.kernel.events import StepStarted
from engine.kernel.orders import Orders, Problem, Question
from engine.kernel.pace import is_in_order
from engine.kernel.position import ExecuteOrders, Step
from engine.kernel.secrets import Sealed
from engine.kernel.turn_chapters import Gates, Refusals, Sets, Steps
from engine.kernel.viewers import Seat
from engine.renaissance import orders as o
from engine.renaissance.acts import Game, Seen, no_such_city
from engine.renaissance.board import Board, Phase
from engine.renaissance.catalogue import EXPANSIONS, ROADS, TOWNS
from engine.renaissance.events import PhaseBegan, Settled

PROBLEMS: Final = (
    "city_taken",  # {city, seat}: only free cities are taken by expansion
    "settled_already",  # {}: two a turn
    "origin_used",  # {origin}: used by another expansion this turn
    "no_way_there",  # {city, origins}: no road or sea link from an own city
    "seas_used",  # {seas}: no more expansions by sea this turn
    "second_port",  # {}: a second expansion by sea needs two ports owned before the phase (A33)
    "nothing_accessible",  # {}: no free city can be reached
    "no_garrison_left",  # {}: all tokens of the nation are on the map (A21)
    "not_your_origin",  # {origin}
    "no_such_city",  # {city}
    "city_closed",  # {city}
)


class Expand(ExecuteOrders, saved="ren.Expand"):
    """A seat's wishes."""


class Unasked(Step, saved="ren.Unasked"):
    """A seat to ask when its turn comes (pace `order`)."""

    seat: Seat


Waiting: TypeAlias = Expand | Unasked


class Rounds(Step, saved="ren.Rounds"):
    """The seats left in this round, and those that wait for the second one."""

    now: tuple[Waiting, ...]
    later: tuple[Waiting, ...] = ()
    second: bool = False


class Join(Step, saved="ren.Join"):
    """Put wishes that came while a round waited at its head."""

    wishes: Expand


def begin(table: Game) -> None:
    """Phase 1  Ask for all lists at once (`sealed`), or for each in turn."""
    table.emit(PhaseBegan(phase=Phase.EXPANSION))
    seats = [power.seat for power in table.board.playing()]
    if is_in_order(table.core.options):
        table.then(Rounds(tuple(Unasked(seat) for seat in seats)))
    else:
        table.ask(*(Question(f"expansion/{table.board.turn}", seat, "expansion") for seat in seats))


def answered(table: Game, gate: str, answers: Mapping[Seat, Orders]) -> None:
    """Begin the rounds with all lists; a single list joins the round that waits for it."""
    lists = [
        Expand(power.seat, gate, "expansion", Sealed(answers[power.seat]))
        for power in table.board.playing()
        if power.seat in answers
    ]
    if isinstance(next(iter(table.core.agenda), None), Rounds):
        table.then(*(Join(wishes) for wishes in lists))
    else:
        table.then(Rounds(tuple(lists)))


def join(table: Game, step: Join) -> None:
    """Continue the waiting round, with these wishes first."""
    behind = table.core.agenda[0]
    if isinstance(behind, Rounds):
        table.emit(StepStarted())
        later = tuple(w for w in behind.later if w.seat != step.wishes.seat)
        table.then(replace(behind, now=(step.wishes, *behind.now), later=later))


def rounds(table: Game, step: Rounds) -> None:
    """Do one seat's turn in a round."""
    if not step.now:
        if step.later and not step.second:
            table.then(Rounds(step.later, (), True))
        return
    mine, *others = step.now
    rest = replace(step, now=tuple(others))
    if isinstance(mine, Unasked) or (step.second and _asked_again(table, mine)):
        table.then(rest)
        gate = f"expansion/{table.board.turn}/{mine.seat}"
        table.ask(Question(f"{gate}/2" if step.second else gate, mine.seat, "expansion"))
        return
    order, left = table.next_order(mine)
    if isinstance(order, o.Settle):
        left = left.line_done()
        _settle(table, mine.seat, order)
    table.then(rest if step.second else replace(rest, later=(*rest.later, left)))


def _asked_again(table: Game, wishes: Expand) -> bool:
    """Return True if a player may write a second time: in pace `order`, after a single wish that was done or failed.

    A longer list is for both rounds, and its author is not asked again.
    """
    orders = wishes.orders.value
    spent = len(orders) == 1 and wishes.line >= len(orders) and not wishes.gate.endswith("/2")
    return spent and is_in_order(table.core.options) and bool(accessible(table.board, wishes.seat))


def expand(table: Game, step: Expand) -> None:
    """Do up to two wishes in a trial; the spares are not tried."""
    if len(table.board.powers[step.seat].settled) >= EXPANSIONS:
        return
    order, rest = table.next_order(step)
    if isinstance(order, o.Settle):
        _settle(table, step.seat, order)
        table.then(rest.line_done())


def _settle(table: Game, seat: Seat, order: o.Settle) -> None:
    origin = order.origin or next(iter(origins(table.board, seat, order.city)))
    table.emit(Settled(seat=seat, city=order.city, origin=origin, sea=origin not in ROADS[order.city]))


def by_sea(board: Board, seat: Seat) -> int:
    """Return how many expansions by sea a seat has made this turn."""
    return sum(origin not in ROADS[city] for origin, city in board.powers[seat].settled)


def sails(board: Board, seat: Seat) -> bool:
    """Phase 1, A33  Return True if a seat may expand by sea again: the first time from any port, the second with two
    old ports.
    """
    power, made = board.powers[seat], by_sea(board, seat)
    new = {city for _, city in power.settled}
    ports = [city for city in board.held(seat) if TOWNS[city].port and city not in new]
    return made < power.seas and (made == 0 or len(ports) > made)


def origins(board: Board, seat: Seat, town: str) -> tuple[str, ...]:
    """Return the own cities from which a free city can be taken now: by road first, then by sea."""
    used = {origin for origin, _ in board.powers[seat].settled}
    mine = [city for city in board.held(seat) if city not in used]
    road = [city for city in mine if city in ROADS[town]]
    sea = TOWNS[town].port and sails(board, seat)
    return (*road, *(city for city in mine if sea and TOWNS[city].port and city not in road))


def accessible(board: Board, seat: Seat) -> tuple[str, ...]:
    """Return the free cities that a seat can take now."""
    if len(board.powers[seat].settled) >= EXPANSIONS or not board.garrisons(seat):
        return ()
    free = (town for town in board.open() if board.cities[town].owner is None)
    return tuple(town for town in free if origins(board, seat, town))


def refuse_any(board: Board, seat: Seat) -> Problem:
    """Return why a seat can take no city at all, if it can take none."""
    if len(board.powers[seat].settled) >= EXPANSIONS:
        return Problem("settled_already", lasting=True)
    return Problem("no_garrison_left" if not board.garrisons(seat) else "nothing_accessible")


def refuse(seen: Seen, decision: Question, order: o.Settle) -> Problem | None:
    """Phase 1 - Expansion, A21  Return why a city cannot be taken, or None."""
    board, power = seen.board, seen.board.powers[decision.seat]
    for town in (order.city, order.origin):
        problem = no_such_city(board, town) if town else None
        if problem is not None:
            return problem
    owner = board.cities[order.city].owner
    if owner is not None:
        return Problem("city_taken", {"city": order.city, "seat": owner})
    if len(power.settled) >= EXPANSIONS:
        return Problem("settled_already", lasting=True)
    if not board.garrisons(decision.seat):
        return Problem("no_garrison_left")
    return _no_way(board, decision.seat, order)


def _no_way(board: Board, seat: Seat, order: o.Settle) -> Problem | None:
    power, can = board.powers[seat], origins(board, seat, order.city)
    if order.origin in can or (can and not order.origin):
        return None
    if order.origin and board.cities[order.origin].owner != seat:
        return Problem("not_your_origin", {"origin": order.origin})
    if any(order.origin == origin for origin, _ in power.settled):
        return Problem("origin_used", {"origin": order.origin})
    at_sea = [c for c in board.held(seat) if TOWNS[c].port and TOWNS[order.city].port]
    if at_sea and by_sea(board, seat) >= power.seas:
        return Problem("seas_used", {"seas": power.seas})
    if at_sea and not sails(board, seat):
        return Problem("second_port")
    return Problem("no_way_there", {"city": order.city, "origins": can})


STEPS: Final[Steps] = {Rounds: rounds, Join: join, Expand: expand}
GATES: Final[Gates] = {"expansion": answered}
REFUSALS: Final[Refusals] = {o.Settle: refuse}
SETS: Final[Sets] = {"expansion": Expand}

"""The game at a table: who is asked in each phase, whose orders count, and when it ends.

All orders of a phase share a gate. When it closes, the lines of each seat are carried out on the position as all see
it, and what counts is kept under cover; then everything is adjudicated at once.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from engine.diplomacy import events as e
from engine.diplomacy.board import (
    CENTRES_TO_WIN,
    Board,
    Part,
    Phase,
    building_sites,
    count_builds,
    is_out,
    lost_units,
    start_board,
    units_of,
)
from engine.diplomacy.catalogue import POWERS
from engine.diplomacy.meta import DRAW_INCLUDES, DRAWN, LISTED, POWERS_BY, SCORE, TOPICS, last_year, topic_of
from engine.diplomacy.orders import Build, Concede, Convoy, Disband, Hold, Move, Retreat, Support, VoteDraw, Waive
from engine.diplomacy.phases import needs_adjustment, resolve_phase
from engine.diplomacy.scores import count_points
from engine.diplomacy.validation import ordered_province, validate_next, validate_orders
from engine.kernel.events import Ended
from engine.kernel.gates import Gate
from engine.kernel.orders import Order, Orders, Pace, Problem, Question
from engine.kernel.position import ExecuteOrders, Options, Position, Step
from engine.kernel.table import Table, seal
from engine.kernel.turn_chapters import Gates, Refusals, Sets, Steps
from engine.kernel.viewers import Seat

Seen = Position[Board]


class CountOrders(ExecuteOrders, saved="diplomacy.CountOrders"):
    """Find out which lines of a seat count."""


class ResolvePhase(Step, saved="diplomacy.ResolvePhase"):
    """Adjudicate the orders of all."""


def blank(seats: Sequence[Seat], options: Options) -> Board:
    """Return the board of spring 1901; nobody has a power."""
    return start_board()


def begin(table: Table[Board]) -> None:
    """Give the powers, and ask for the first moves."""
    powers, seats = tuple(POWERS), table.core.seats
    if table.core.options[POWERS_BY.name] == DRAWN:
        powers = table.shuffle("powers", powers)
    table.emit(e.PowersGiven(powers=dict(zip(seats, powers, strict=True))))
    table.emit(e.YearBegan(turn=table.board.phase.year))
    table.emit(e.PhaseBegan(phase=table.board.phase))
    _ask(table)


def _ask(table: Table[Board]) -> None:
    """Ask all who have something to order at one gate."""
    board = table.board
    seats = [seat for seat in table.core.seats if is_asked(board, board.powers[seat].power)]
    table.ask(*(question(board.phase, seat) for seat in seats))


def question(phase: Phase, seat: Seat) -> Question:
    """Return the question of a phase."""
    pace = Pace.TURN if phase.part is Part.MOVEMENT else Pace.CHOICE
    return Question(f"{topic_of(phase)}/{phase.year}", seat, topic_of(phase), pace=pace)


def is_asked(board: Board, power: str) -> bool:
    """Return True if a power has something to order in the phase of the board."""
    match board.phase.part:
        case Part.MOVEMENT:
            return not is_out(board, power)
        case Part.RETREAT:
            return bool(lost_units(board, power))
        case Part.ADJUSTMENT:
            return needs_adjustment(board, power)


def ahead(seen: Seen, seat: Seat) -> Iterator[Question]:
    """Yield the further phases of the year, and the next spring with its retreats, if the seat is still in the game."""
    board = seen.board
    if seat not in board.powers or is_out(board, board.powers[seat].power):
        return
    phases = [Phase(board.phase.year, is_fall, part) for is_fall, part in TOPICS]
    yield from (question(phase, seat) for phase in phases[phases.index(board.phase) + 1 :])
    yield from (question(Phase(board.phase.year + 1, part=part), seat) for part in (Part.MOVEMENT, Part.RETREAT))


def resolve(table: Table[Board], gate: str, answers: Mapping[Seat, Orders]) -> None:
    """Count the orders of all, then adjudicate; a seat that asked to be asked again only adds its own."""
    topic = Gate.parse(gate).topic
    asked = [(Question(gate, seat, topic), orders) for seat, orders in answers.items()]
    counts = [CountOrders(q.seat, q.gate, q.topic, seal(orders)) for q, orders in asked]
    table.then(*counts, *(() if Gate.parse(gate).again else (ResolvePhase(),)))


def count_orders(table: Table[Board], step: CountOrders) -> None:
    """Count the next line that can be done."""
    order, rest = table.next_order(step)
    if order is None:
        if table.trial and (remark := _find_unordered(table.board, step.seat)):
            table.note(remark)
        return
    counted = _judge(table.position, step.seat, order)
    assert not isinstance(counted, Problem)
    table.emit(e.Ordered(seat=step.seat, order=counted, visible_to=frozenset({step.seat})))
    table.then(rest.line_done())


NOTES: Final = (
    "without_order",  # {units}
    "builds_left",  # {builds}
    "removals_left",  # {builds}
)
"""Remarks about a set that leaves something to order."""


def _find_unordered(board: Board, seat: Seat) -> Problem | None:
    """Return what has no order yet in a set that counts, or None."""
    power, orders = board.powers[seat].power, board.orders[seat].value if seat in board.orders else ()
    if board.phase.part is Part.ADJUSTMENT:
        due = count_builds(board, power)
        left = min(abs(due), len(building_sites(board, power)) if due > 0 else abs(due)) - len(orders)
        return Problem("builds_left" if due > 0 else "removals_left", {"builds": left}) if left > 0 else None
    ordered = {ordered_province(order) for order in orders}
    asked = units_of(board, power) if board.phase.part is Part.MOVEMENT else lost_units(board, power)
    left_out = tuple(str(unit) for unit in asked if unit.province not in ordered)
    return Problem("without_order", {"units": left_out}) if left_out else None


def _judge(position: Seen, seat: Seat, order: Order) -> Order | Problem:
    """Return an order as it counts behind those of its seat that count already, or why it does not."""
    board = position.board
    before = board.orders[seat].value if seat in board.orders else ()
    counted = validate_next(board, board.powers[seat].power, order, before)
    if isinstance(counted, VoteDraw) and counted.powers and position.core.options[DRAW_INCLUDES.name] != LISTED:
        return Problem("draw_of_all")
    return counted


def refusal(seen: Seen, decision: Question, order: Order) -> Problem | None:
    """Return why an order does not count."""
    counted = _judge(seen, decision.seat, order)
    return counted if isinstance(counted, Problem) else None


def resolve_orders(table: Table[Board], step: ResolvePhase) -> None:
    """Adjudicate, and ask for the next phase unless the game is over."""
    board, before = table.board, table.board.phase
    orders = {
        (power := board.powers[seat].power): _still_valid(board, power, o.value) for seat, o in board.orders.items()
    }
    left = [power for power in POWERS if not is_out(board, power)]
    resolve_phase(board, orders, table.emit, last_year(table.core.options))
    for power in left:
        if is_out(board, power):
            table.emit(e.Eliminated(power=power))
    if board.phase == before:
        _end(table)
    else:
        _ask(table)


def _still_valid(board: Board, power: str, orders: Sequence[Order]) -> list[Order]:
    """Return those of a power's orders that count on this board: a ruling may have changed it since they did."""
    return [result for result in validate_orders(board, power, orders) if not isinstance(result, Problem)]


def _end(table: Table[Board]) -> None:
    """Rank by centres, behind those who won or drew by agreement."""
    board = table.board
    owners = tuple(board.centres.values())
    centres = {seat: owners.count(player.power) for seat, player in board.powers.items()}
    first = (board.winner, *board.drawn)
    places = {s: (0, 0) if player.power in first else (1, -centres[s]) for s, player in board.powers.items()}
    ranking = tuple(
        tuple(seat for seat in table.core.seats if places[seat] == place) for place in sorted(set(places.values()))
    )
    table.emit(
        Ended(reason=_find_ending(board), ranking=ranking, points=count_points(board, table.core.options[SCORE.name]))
    )


def _find_ending(board: Board) -> str:
    if board.drawn:
        return "draw"
    if not board.winner:
        return "years"
    return "centres" if list(board.centres.values()).count(board.winner) >= CENTRES_TO_WIN else "concession"


STEPS: Final[Steps] = {CountOrders: count_orders, ResolvePhase: resolve_orders}
GATES: Final[Gates] = dict.fromkeys(TOPICS.values(), resolve)
SETS: Final[Sets] = dict.fromkeys(TOPICS.values(), CountOrders)
REFUSALS: Final[Refusals] = dict.fromkeys(
    (Hold, Move, Support, Convoy, Retreat, Disband, Build, Waive, VoteDraw, Concede), refusal
)

"""Positions for the tests of Diplomacy, and orders that get in each other's way."""

from collections.abc import Mapping, Sequence
from random import Random

from engine.diplomacy.board import Board, Unit
from engine.diplomacy.catalogue import ARMY, FLEET, POWERS, PROVINCES, SEA, places_of, province_of, reach
from engine.diplomacy.orders import Convoy, Hold, Move, Support, write_order
from engine.diplomacy.positions import POSITIONS
from engine.kernel.orders import Order
from engine.kernel.sandbox import Attempt

Lines = Mapping[str, Sequence[str]]


def board_of(units: Lines, phase: str = "S1901M", centres: Lines | None = None) -> Board:
    """The board with these units, by power; `*` marks a dislodged one."""
    return POSITIONS.read_position({"phase": phase, "units": units, "centres": centres or {}})


def resolve(units: Lines, orders: Lines, phase: str = "S1901M", centres: Lines | None = None) -> Attempt:
    """What comes of orders, none of which may be refused."""
    attempt = POSITIONS.resolve_lines(board_of(units, phase, centres), orders)
    assert not attempt.refused
    return attempt


def units_after(attempt: Attempt) -> set[str]:
    """The units on the board, dislodged ones with a star."""
    lost = {f"*{dislodged.unit}" for dislodged in attempt.board.dislodged.values()}
    return {str(unit) for unit in attempt.board.units.values()} | lost


def crowded_board(random: Random) -> Board:
    """A board with up to 34 units, close to each other."""
    board = Board({}, {})
    powers = random.sample(sorted(POWERS), random.randint(2, 4))
    for p in random.sample(sorted(PROVINCES), random.randint(6, 34)):
        kinds = [ARMY] * (PROVINCES[p].kind != SEA) + [FLEET] * bool(places_of(p))
        kind = random.choice(kinds)
        place = p if kind == ARMY else random.choice(places_of(p))
        board.units[p] = Unit(random.choice(powers), kind, place)
    return board


def entangled_orders(board: Board, random: Random) -> dict[str, list[str]]:
    """Orders for all units, as lines: moves first, then supports and convoys of these moves and of neighbours."""
    units = list(board.units.values())
    random.shuffle(units)
    chosen: dict[str, Order] = {}
    for unit in units[: len(units) // 2]:
        places = sorted(reach(unit.kind, unit.place))
        far = sorted(p for p in PROVINCES if PROVINCES[p].kind != SEA and p != unit.province)
        by_sea = unit.kind == ARMY and random.random() < 0.4
        to = random.choice(far if by_sea else places)
        chosen[unit.province] = Move(unit.province, to, "sea" if by_sea else "")
    moves = [order for order in chosen.values() if isinstance(order, Move)]
    for unit in units[len(units) // 2 :]:
        chosen[unit.province] = _help(board, unit, moves, random)
    lines: dict[str, list[str]] = {}
    for p, order in chosen.items():
        lines.setdefault(board.units[p].power, []).append(write_order(board.units[p], order))
    return lines


def _help(board: Board, unit: Unit, moves: Sequence[Move], random: Random) -> Order:
    p, near = unit.province, {province_of(place) for place in reach(unit.kind, unit.place)}
    helped: list[Order] = [Support(p, move.unit, move.to) for move in moves if province_of(move.to) in near]
    helped += [Convoy(p, m.unit, m.to) for m in moves if m.way and PROVINCES[p].kind == SEA]
    helped += [Support(p, other) for other in sorted(near & board.units.keys())]
    return random.choice(helped) if helped else Hold(p)

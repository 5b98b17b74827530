"""What holds for any position and any orders."""

from collections import Counter
from random import Random

import pytest

from engine.diplomacy import events as e
from engine.diplomacy.board import Board, Phase
from engine.diplomacy.catalogue import PROVINCES, distances_from, province_of, reach
from engine.diplomacy.movement import adjudicate
from engine.diplomacy.notation import read_order
from engine.diplomacy.orders import Move
from engine.diplomacy.positions import POSITIONS
from engine.diplomacy.validation import retreats
from engine.kernel.orders import Order, Problem
from engine.kernel.sandbox import Attempt
from tests.budget import budget
from tests.engine.diplomacy.build import crowded_board, entangled_orders

SEEDS = range(budget(60, 5000))


def _attempt(seed: int) -> tuple[Board, dict[str, list[str]], Attempt]:
    random = Random(seed)
    board = crowded_board(random)
    lines = entangled_orders(board, random)
    return board, lines, POSITIONS.resolve_lines(board, lines)


def test_each_unit_is_told_once_and_stands_alone() -> None:
    """Every unit has one result; afterwards it stands in one province, alone, or is dislodged, or had nowhere to go."""
    for seed in SEEDS:
        board, _, attempt = _attempt(seed)
        told = Counter(event.unit for event in attempt.events if isinstance(event, e.OrderResolved))
        assert told == Counter(board.units.values()), seed
        lost = [event.unit for event in attempt.events if isinstance(event, e.Disbanded)]
        after = [*attempt.board.units.values(), *(one.unit for one in attempt.board.dislodged.values()), *lost]
        assert Counter((u.power, u.kind) for u in after) == Counter((u.power, u.kind) for u in board.units.values())
        assert all(p == unit.province for p, unit in attempt.board.units.items()), seed


def test_the_order_of_the_input_changes_nothing() -> None:
    """Powers, lines and units may come in any order."""
    for seed in SEEDS:
        board, lines, attempt = _attempt(seed)
        random = Random(-seed)
        units, powers = list(board.units.items()), list(lines.items())
        random.shuffle(units)
        random.shuffle(powers)
        mixed = POSITIONS.resolve_lines(
            Board(dict(units), {}), {p: random.sample(given, len(given)) for p, given in powers}
        )
        assert mixed.events == attempt.events, seed


def test_nobody_dislodges_a_unit_of_their_own_power_and_dislodged_units_can_be_told_where_to_go() -> None:
    """The attacker is another power's, and a retreat leads to an empty province that its attacker did not come from."""
    for seed in SEEDS:
        _, _, attempt = _attempt(seed)
        for p, lost in attempt.board.dislodged.items():
            attacker = attempt.board.units[p]
            assert attacker.power != lost.unit.power, seed
            for place in retreats(attempt.board, p):
                assert province_of(place) not in attempt.board.units
                assert place in reach(lost.unit.kind, lost.unit.place)
                assert province_of(place) != lost.attacked_from, seed


def test_a_move_that_nothing_opposes_succeeds() -> None:
    """A move on land into an empty province, to which nobody else was ordered, arrives."""
    for seed in SEEDS:
        board, _, attempt = _attempt(seed)
        orders = [event for event in attempt.events if isinstance(event, e.OrderResolved)]
        moves = [(event, event.order) for event in orders if isinstance(event.order, Move)]
        goals = Counter(province_of(move.to) for _, move in moves)
        for event, move in moves:
            target = province_of(move.to)
            is_plain = move.to in reach(event.unit.kind, event.unit.place) and move.way != "sea"
            if is_plain and goals[target] == 1 and target not in board.units:
                assert event.succeeded or _own_fleet_carries(event.unit.power, move, orders), seed


def _own_fleet_carries(power: str, move: Move, orders: list[e.OrderResolved]) -> bool:
    """C3: an army that a fleet of its own power is ordered to convoy goes by sea."""
    return any(o.unit.power == power and getattr(o.order, "army", "").endswith(f" {move.unit}") for o in orders)


def test_a_decided_position_stays_decided_without_orders() -> None:
    """Units without orders hold, and nothing happens."""
    for seed in SEEDS:
        board = crowded_board(Random(seed))
        outcome = adjudicate(board.units, {})
        assert (outcome.moved, outcome.dislodged, outcome.contested) == ({}, {}, frozenset())


@pytest.mark.parametrize(
    "text", ["", " ", "-", "A", "S S S S", "A PAR S" * 20, "A PAR - " + "x" * 190, "💣 - 💣", "/", "((("]
)
def test_no_text_raises(text: str) -> None:
    """Whatever is written is read or refused."""
    assert isinstance(read_order(text, Phase()), Order | Problem)


def test_random_words_of_the_notation_never_raise() -> None:
    """Words that belong to orders, in any order, are read or refused, and what is read can be resolved."""
    words = [
        "A",
        "F",
        "PAR",
        "ENG",
        "bur",
        "-",
        "S",
        "C",
        "H",
        "via",
        "convoy",
        "/sc",
        "stp",
        "mer",
        "du",
        "nord",
        "B",
        "D",
    ]
    for seed in range(budget(300, 20000)):
        random = Random(seed)
        line = " ".join(random.choices(words, k=random.randint(1, 9)))
        for phase in ("S1901M", "F1901R", "W1901A"):
            board = POSITIONS.read_position({"phase": phase, "units": {"France": ["A PAR", "F ENG"]}})
            POSITIONS.resolve_lines(board, {"France": [line] * 3})


def test_distances_grow_by_one_from_province_to_province() -> None:
    """C8: the way home is counted in moves of any unit."""
    far = distances_from(["MOS"])
    assert far.keys() == PROVINCES.keys()
    assert (far["MOS"], far["WAR"], far["TYR"], far["MAO"]) == (0, 1, 4, 5)

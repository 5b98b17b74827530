"""What may never be: each broken invariant is found."""

from dataclasses import replace

import pytest

from engine.renaissance.board import Board
from engine.renaissance.ruleset import RULES
from tests.engine.renaissance import build
from tests.engine.renaissance.build import BLUE, GOLD


def codes(position: build.At) -> set[str]:
    """What is wrong with a position."""
    with build.knowing():
        return {problem.code for problem in RULES.list_violations(position)}


def _card_twice(board: Board) -> None:
    board.discard = ("canon.1",)


def _remove_card(board: Board) -> None:
    board.deck = board.deck[1:]


def _debt(board: Board) -> None:
    board.powers[GOLD].ducats = -1


def _ramparts(board: Board) -> None:
    for town in list(board.cities)[:21]:
        board.cities[town] = replace(board.cities[town], owner=BLUE, level=2)


def _garrisons(board: Board) -> None:
    for town in list(board.cities)[:22]:
        board.cities[town] = replace(board.cities[town], owner=BLUE, level=1)


def _two_of_an_artist(board: Board) -> None:
    board.cities["roma"] = replace(board.cities["roma"], palace=True, artist="bramante")


def _homeless(board: Board) -> None:
    board.supply = tuple(a for a in board.supply if a != "bramante")
    board.cities["roma"] = replace(board.cities["roma"], artist="bramante")


def _walls_of_nobody(board: Board) -> None:
    board.cities["siena"] = replace(board.cities["siena"], level=1)


def _closed(board: Board) -> None:
    board.closed = frozenset({"roma"})


def _cityless(board: Board) -> None:
    board.powers[GOLD].eliminated = True


BROKEN = [
    (_card_twice, "card_counted"),
    (_remove_card, "card_counted"),
    (_debt, "ducats_below_zero"),
    (_ramparts, "pieces_counted"),
    (_garrisons, "garrisons_counted"),
    (_two_of_an_artist, "artist_counted"),
    (_homeless, "artist_homeless"),
    (_walls_of_nobody, "city_of_nobody"),
    (_closed, "closed_city_held"),
    (_cityless, "cityless"),
]


def test_a_sound_position_has_no_problem() -> None:
    """Cards in hands, before players, on the table and in the piles are eighty."""
    position = build.game()
    build.hand(position, GOLD, "canon", shown=("suisses",))
    assert codes(position) == set()


@pytest.mark.parametrize(("spoil", "code"), BROKEN, ids=[f"{spoil.__name__}" for spoil, _ in BROKEN])
def test_what_is_broken_is_found(spoil: object, code: str) -> None:
    """One change to a sound position, and its code."""
    position = build.game()
    assert callable(spoil)
    spoil(position.board)
    assert code in codes(position)

"""Broken positions are told as such: each invariant fails when it should."""

from collections.abc import Callable

import pytest

from engine.age_of_renaissance.board import OLD, Board, Piece
from engine.age_of_renaissance.invariants import PROBLEMS
from engine.age_of_renaissance.ruleset import RULES
from tests.engine.age_of_renaissance.build import VIOLET, YELLOW, game, knowing, piece


def _tokens(board: Board) -> None:
    board.powers[YELLOW].stock -= 1


def _markers(board: Board) -> None:
    board.powers[YELLOW].markers += 1


def _lost_card(board: Board) -> None:
    board.deck = board.deck[1:]


def _twin_card(board: Board) -> None:
    board.discard = ("war",)


def _debt(board: Board) -> None:
    board.powers[YELLOW].cash = -1


def _two_markers(board: Board) -> None:
    board.pieces["venezia"][VIOLET] = Piece(marker=OLD)
    board.powers[VIOLET].markers -= 1


def _marked_satellite(board: Board) -> None:
    board.pieces["oran"] = {YELLOW: Piece(marker=OLD)}
    board.powers[YELLOW].markers -= 1


def _crowd(board: Board) -> None:
    board.pieces["basel"] = {YELLOW: Piece(old=30)}
    board.powers[YELLOW].stock -= 30


def _ghost(board: Board) -> None:
    board.pieces["basel"] = {YELLOW: Piece()}


def _far_away(board: Board) -> None:
    board.pieces["london"] = {YELLOW: Piece(old=1)}
    board.powers[YELLOW].stock -= 1


def _same_slot(board: Board) -> None:
    board.powers[YELLOW].slot = board.powers[VIOLET].slot


@pytest.mark.parametrize(
    ("breaking", "code"),
    [
        (_tokens, "tokens_counted"),
        (_markers, "markers_counted"),
        (_lost_card, "card_counted"),
        (_twin_card, "card_counted"),
        (_debt, "below_zero"),
        (_two_markers, "two_markers"),
        (_marked_satellite, "marker_in_satellite"),
        (_crowd, "over_capacity"),
        (_ghost, "piece_of_nothing"),
        (_far_away, "out_of_play"),
        (_same_slot, "slots"),
    ],
)
def test_each_invariant_fails_when_it_is_broken(breaking: Callable[[Board], None], code: str) -> None:
    """Pieces, cards, money, places and ranks: what is minted, lost or misplaced is found."""
    position = game()
    piece(position, YELLOW, "marseille", old=2)
    with knowing():
        assert RULES.list_violations(position) == ()
        breaking(position.board)
        assert code in {problem.code for problem in RULES.list_violations(position)}
    assert code in PROBLEMS

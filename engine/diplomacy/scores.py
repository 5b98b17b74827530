"""Scores of a finished game: centres, or a thousand points shared by what the table chose (C10)."""

from collections.abc import Mapping
from typing import Final

from engine.diplomacy.board import Board, is_out
from engine.diplomacy.meta import BY_DRAW_SIZE, BY_SQUARES
from engine.kernel.viewers import Seat

SHARED: Final = 1000


def count_points(board: Board, score: str) -> Mapping[Seat, int]:
    """Return the points of each seat. `score`: a value of the option; shares are rounded down."""
    owners = tuple(board.centres.values())
    centres = {seat: owners.count(player.power) for seat, player in board.powers.items()}
    if score == BY_DRAW_SIZE or (score == BY_SQUARES and board.winner):
        sharing = (board.winner,) if board.winner else board.drawn
        shares = {
            s: int(p.power in sharing if sharing else not is_out(board, p.power)) for s, p in board.powers.items()
        }
    elif score == BY_SQUARES:
        shares = {seat: count * count for seat, count in centres.items()}
    else:
        return centres
    return {seat: SHARED * share // sum(shares.values()) for seat, share in shares.items()}

"""The state: stones and points of each seat, and the turn.

Wrap a value that some players do not know in a `Secret`; here all is public.
"""

from dataclasses import dataclass

from engine.kernel.codec import serializable
from engine.kernel.viewers import Seat

STONES = 12
TURNS = 5


@serializable("stub.Board")
@dataclass
class Board:
    """The board. Only events change it, in `rules.apply`."""

    stones: dict[Seat, int]
    points: dict[Seat, int]
    turn: int = 0

"""The state: who has how many stones and points, and which turn it is.

Wrap what somebody does not know in a `Secret`; here all is open.
"""

from dataclasses import dataclass

from engine.kernel.codec import serializable
from engine.kernel.viewers import Seat

STONES = 12
TURNS = 5


@serializable("stub.Board")
@dataclass
class Board:
    """Changed by events alone, in `rules.apply`."""

    stones: dict[Seat, int]
    points: dict[Seat, int]
    turn: int = 0

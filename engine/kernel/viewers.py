"""The two kinds of reader that the engine knows: a seat, and everybody else."""

from typing import Final, NewType

Seat = NewType("Seat", str)
"""A player's place at the table, as the game names it; never shown to a reader as it stands."""

Viewer = str
"""A seat, or one of the two below."""

PUBLIC: Final[Viewer] = "public"
"""Viewers without a seat: spectators, search engines, and by default the game master."""

GM: Final[Viewer] = "gm"
"""The game master, who sees no more than the public does."""

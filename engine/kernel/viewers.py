"""Viewers: the seats, the public and the game master."""

from typing import Final, NewType

Seat = NewType("Seat", str)
"""The internal id of a player's place in the game; never shown to players."""

Viewer = str
"""A seat, `PUBLIC` or `GM`."""

PUBLIC: Final[Viewer] = "public"
"""A viewer without a seat: spectators, search engines, and by default the game master."""

GM: Final[Viewer] = "gm"
"""The game master, who sees no more than the public does."""

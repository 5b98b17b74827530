"""The second version of the smallest game, which reads §2 differently.

Version 1: the highest bid takes the card, even a bid of nothing.  Version 2: where nobody bids a coin, nobody takes it.
A game set up by version 1 goes on by its reading until a master adopts the other.
"""

from collections.abc import Mapping
from dataclasses import replace

from engine.kernel.options import FIRST, uses_reading
from engine.kernel.rules import Option
from engine.kernel.table import Table
from engine.kernel.viewers import Seat
from tests.bilingual import words
from tests.toy.board import Board
from tests.toy.corrections import Rightings
from tests.toy.meta import META
from tests.toy.rules import Toy

READINGS = Option(
    "readings", words("lectures", "readings"), {"2": words("2", "2"), FIRST: words(FIRST, FIRST)}, before=FIRST
)


class SecondRightings(Rightings):
    """The corrections of the first version, and the newer readings."""

    adoptable = (*Rightings.adoptable, READINGS)


class Second(Toy):
    """The rules of version 2."""

    meta = replace(META, version="2", compatible_versions=("1",), options=(*META.options, READINGS))
    corrections = SecondRightings()

    def sell_card(self, table: Table[Board], bids: Mapping[Seat, int]) -> None:
        """§2  The highest bid takes the card, by version 2 only if there is a bid."""
        if any(bids.values()) or not uses_reading(table.core.options, 2):
            super().sell_card(table, bids)


SECOND = Second()

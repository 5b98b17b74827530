"""The table as zones, from a view: one's own ships and cards, the destinations, the rows, the others, the aims.

Everything that moves comes from the view, which holds nothing that its viewer may not know; what is printed comes from
the catalogue, most of it reconstructed, and the picture says so.
"""

from collections.abc import Iterator
from typing import Final

from engine.amalfi.catalogue import RIVAL
from engine.amalfi.drawing.look import PALETTE, PEN, look, say
from engine.amalfi.drawing.zones import course, zones
from engine.kernel.languages import Language
from engine.kernel.rules import View
from engine.kernel.zones import Board


def _title(view: View, language: Language) -> str:
    return say(language, "title", course=course(view, language))


def _looks(view: View) -> Iterator[int]:
    yield from (look(player["colour"]) for player in view["powers"].values())
    if view["rival"]:
        yield look(RIVAL)


BOARD: Final = Board(PALETTE, lambda sheet: tuple(zones(sheet)), _title, _looks, PEN.definitions())
"""How the table is drawn: ships, destinations, rows of cards, titles and decrees."""

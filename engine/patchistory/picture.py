"""The table as zones, from a view: one's own territory, levels, hand, offer, routes, the territories of the others.

Everything that moves comes from the view, which holds nothing that its viewer may not know; what is printed comes from
the catalogue, most of it reconstructed, and the picture says so.
"""

from typing import Final

from engine.kernel.languages import Language
from engine.kernel.rules import View
from engine.kernel.zones import Board
from engine.patchistory.drawing.look import PALETTE, PEN, say
from engine.patchistory.drawing.zones import course, zones
from engine.patchistory.figures import NAMES


def _title(view: View, language: Language) -> str:
    return say(language, "title", course=course(view, language))


BOARD: Final = Board(
    PALETTE,
    lambda sheet: tuple(zones(sheet)),
    _title,
    lambda view: (NAMES.looks[player["colour"]] for player in view["powers"].values()),
    PEN.definitions(),
)

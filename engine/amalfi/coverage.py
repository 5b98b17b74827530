"""Items that simulated games must show: each artwork, character and tile in play, each title, each decree."""

from collections.abc import Iterator
from typing import Final

from engine.amalfi import events as e
from engine.amalfi.catalogue import ARTWORKS, CHARACTERS, DECREES, EVOLVING, PRIVATE, PUBLIC, TITLES, Category
from engine.kernel.coverage import Coverage, CoverageItem, by_events
from engine.kernel.events import Event

ENGAGEABLE: Final = tuple(card.id for card in CHARACTERS.values() if card.category is Category.ENGAGEABLE)


def _items_of(event: Event) -> Iterator[CoverageItem]:
    match event:
        case e.Acquired(artwork=artwork):
            yield "artwork", artwork
        case e.Discovered(destination=tile):
            yield "tile", tile
        case e.Sailed(place=place):
            yield "destination", place
        case e.Invited(character=card):
            yield "character", card
        case e.Engaged(character=card):
            yield "engaged", card
        case e.TitleEarned(title=title):
            yield "title", title
        case e.DecreeScored(decree=decree):
            yield "decree", decree


COVERAGE: Final = Coverage(
    expected={
        "artwork": tuple(ARTWORKS),
        "tile": PRIVATE,
        "destination": (*PUBLIC, *EVOLVING, *PRIVATE),
        "character": tuple(CHARACTERS),
        "engaged": ENGAGEABLE,
        "title": tuple(TITLES),
        "decree": tuple(DECREES),
    },
    witness=by_events(_items_of),
)

"""Items that simulated games must show: each special location placed, each building built, each card scored."""

from collections.abc import Iterator
from typing import Final

from engine.kernel.coverage import Coverage, CoverageItem, by_events
from engine.kernel.events import Event
from engine.patchistory import events as e
from engine.patchistory.catalogue import BUILDINGS, PROSPERITY, TILES, kind_of


def _items_of(event: Event) -> Iterator[CoverageItem]:
    match event:
        case e.TilePlaced(tile=tile, side="black"):
            yield "special", TILES[tile].special.id
        case e.Built(tile=tile):
            yield "building", kind_of(tile)
        case e.CardsRevealed(cards=cards):
            yield from (("aspect", card) for card in cards)


COVERAGE: Final = Coverage(
    expected={
        "special": tuple(tile.special.id for tile in TILES.values()),
        "building": tuple(BUILDINGS),
        "aspect": tuple(PROSPERITY),
    },
    witness=by_events(_items_of),
)

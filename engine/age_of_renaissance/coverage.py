"""Items that simulated games must show: each card played, each advance bought."""

from collections.abc import Iterator
from typing import Final

from engine.age_of_renaissance import events as e
from engine.age_of_renaissance.catalogue import ADVANCES, CARDS
from engine.kernel.coverage import Coverage, CoverageItem, by_events
from engine.kernel.events import Event


def _items_of(event: Event) -> Iterator[CoverageItem]:
    match event:
        case e.CardPlayed(card=card):
            yield "card", card
        case e.AdvanceBought(letter=letter):
            yield "advance", letter


COVERAGE: Final = Coverage(
    expected={"card": tuple(CARDS), "advance": tuple(ADVANCES)},
    witness=by_events(_items_of),
)

"""Items that simulated games must show: cards and privileges."""

from collections.abc import Iterable, Iterator
from typing import Final

from engine.kernel.coverage import Coverage, CoverageItem, by_events
from engine.kernel.events import Event
from engine.renaissance import events as e
from engine.renaissance.catalogue import HIRED_FREE, KINDS, NATIONS, kind_of


def _items_of(event: Event) -> Iterator[CoverageItem]:
    yield from (("card", kind_of(card).id) for card in _used(event))
    yield from (("privilege", nation) for nation in _privileges(event))


def _used(event: Event) -> Iterable[str]:
    """Return the cards that an event shows in use."""
    match event:
        case e.CardPlayed() if event.card:
            return (event.card,)
        case e.CardsShown():
            return (*event.attack, *event.defence)
        case e.RedCancelled():
            return (event.attack, event.defence)
        case e.SignLaid():
            return (event.sign,)
        case e.CardsSaved():
            return event.retreats
    return ()


def _privileges(event: Event) -> Iterator[str]:
    match event:
        case e.ArtistLured():
            yield "florence"
        case e.CardsSaved(free=True):
            yield "naples"
        case e.CardsShown() if HIRED_FREE in (*event.attack, *event.defence):
            yield "milan"
        case e.StateSet() if event.of > len(event.votes):
            yield "rome"
        case e.IncomeTaken() if event.bonus:
            yield "venise"
        case e.CardPlayed(kind="pillards", card=""):
            yield "espagne"
        case e.CardsDrawn(cause="empire"):
            yield "saint_empire"
        case e.BattleDecided() if "swiss" in event.attack or "swiss" in event.defence:
            yield "suisse"


COVERAGE: Final = Coverage(
    expected={"card": tuple(KINDS), "privilege": tuple(NATIONS)},
    witness=by_events(_items_of),
)

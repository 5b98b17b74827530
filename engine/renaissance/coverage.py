"""What simulated games must show of this game: cards, privileges, and the rulings that leave a trace in the journal."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from engine.kernel.bots import Entry
from engine.kernel.coverage import Coverage, CoverageItem
from engine.kernel.events import Ended, Event
from engine.renaissance import events as e
from engine.renaissance.catalogue import HIRED_FREE, KINDS, NATIONS, kind_of

READINGS: Final = tuple(f"A{number}" for number in range(1, 43))
"""The numbered rulings on how the rulebook is read."""


def _witness(entry: Entry[Any]) -> Iterator[CoverageItem]:
    """Cards, privileges, and the rulings that left a trace."""
    for event in entry.after.events:
        yield from (("card", kind_of(card).id) for card in _used(event))
        yield from (("privilege", nation) for nation in _privileges(event))
        yield from (("ruling", f"A{number}") for number in _rulings(event))


def _used(event: Event) -> Iterable[str]:
    """The cards that an event shows at work."""
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


def _rulings(event: Event) -> Iterator[int]:
    """The rulings by which this fact is as it is."""
    match event:
        case e.BattleDecided():
            yield from (2, 10, 16)
        case e.Pillaged(owner=None):
            yield 3
        case e.Married():
            yield 4
        case e.CondottiereTurned():
            yield 5
        case e.CardsShown():
            yield 6
        case e.CondottiereHired():
            yield 7
        case e.DefenceLaid():
            yield 8
        case e.TroopLost():
            yield 12
        case e.RedCancelled():
            yield 14 if event.from_hand else 13
        case e.SignLaid():
            yield 15
        case e.Swapped():
            yield 17
        case e.EmbassyHeard(effect="upkeep"):
            yield 18
        case e.BankerPaid():
            yield 22
        case e.Returned():
            yield 23
        case e.ArtistCame(burnt=True):
            yield 24
        case e.StanceTaken():
            yield 30
        case e.ArtistLured():
            yield 31
        case e.CardsBought():
            yield 20
        case e.Founded():
            yield from (28, 29)
        case e.OrderDrawn(listed=True):
            yield 27
        case Ended():
            yield 32
        case _:
            return


COVERAGE: Final = Coverage(
    expected={
        "card": tuple(KINDS),
        "privilege": tuple(NATIONS),
        "ruling": READINGS,
    },
    witness=_witness,
)

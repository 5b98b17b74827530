"""What simulated games must show of this game: cards, advances, and the rulings that leave a trace in the journal."""

from collections.abc import Iterator
from typing import Any, Final

from engine.age_of_renaissance import events as e
from engine.age_of_renaissance.catalogue import ADVANCES, CARDS
from engine.kernel.bots import Entry
from engine.kernel.coverage import Coverage, CoverageItem
from engine.kernel.events import Ended, Event, LineFailed
from engine.kernel.run import Advance

READINGS: Final = tuple(f"R{number}" for number in range(1, 61))
"""The numbered rulings on how the rulebook is read."""


def _witness(entry: Entry[Any]) -> Iterator[CoverageItem]:
    """Cards, advances and the rulings that left a trace."""
    for event in entry.after.events:
        match event:
            case e.CardPlayed():
                yield "card", event.card
            case e.AdvanceBought():
                yield "advance", event.letter
        yield from (("ruling", f"R{number}") for number in _rulings(event, entry.after))


def _rulings(event: Event, after: Advance[Any]) -> Iterator[int]:
    """The rulings by which this fact is as it is."""
    match event:
        case e.RivalryFought():
            yield from _of_rivalry(event)
        case e.WarRolled() if event.winner is None:
            yield 15
        case e.WarOver():
            yield 41
        case e.MarkerReduced(source="expansion" | "left" | ""):
            yield 13
        case e.MarketRolled(goods=goods) if len(goods) > 1:
            yield 19
        case e.MarketMoved(cause="J"):
            yield from (20, 44)
        case e.LastTurnCame():
            yield 26
        case e.PileMade(cause="withheld"):
            yield 25
        case e.PileMade(cause="epoch"):
            yield 36
        case e.CardDrawn(cause="bonus"):
            yield 23
        case Ended():
            yield from (32, *((31,) if event.ranking and len(event.ranking[0]) > 1 else ()))
        case _:
            yield from _of_pieces(event, after)


def _of_rivalry(event: e.RivalryFought) -> Iterator[int]:
    yield 1
    if event.dice is None:
        yield 7
    if len(event.against) > 1:
        yield 16
    if event.dice is not None and event.dice[0] == event.dice[1]:
        yield 40
    if not event.won:
        yield 16


def _of_pieces(event: Event, after: Advance[Any]) -> Iterator[int]:
    match event:
        case e.Placed(marker=True):
            yield 47
        case e.MarkerLifted():
            yield from (18, 47)
        case e.CardsExchanged():
            yield 10
        case e.Paid(cause="F") | e.MiseryMoved(cause="F"):
            yield 37
        case e.Paid(cause="civil_war") | e.TokensMoved(cause="civil_war"):
            yield 46
        case e.MiseryMoved(cause="famine" | "mysticism"):
            yield 29
        case e.MiseryMoved(cause="tiers"):
            yield 21
        case e.Placed(via="held"):
            yield 48
        case e.ProvinceCeded(placed="token") | e.MarkerPlaced(token=True):
            yield 49
        case e.CommodityPaid(provinces=provinces) if provinces > 10:
            yield 24
        case e.Eliminated():
            yield from (27, 43)
        case e.CardDiscarded(cause="P"):
            yield 11
        case LineFailed(reasons=reasons) if any(r.code in _LOST_ITS_TARGET for r in reasons):
            yield 50


_LOST_ITS_TARGET: Final = frozenset({"power_gone", "immune", "shielded", "already_at_war", "no_marker", "untouched"})


COVERAGE: Final = Coverage(
    expected={
        "card": tuple(CARDS),
        "advance": tuple(ADVANCES),
        "ruling": READINGS,
    },
    witness=_witness,
)

"""§9.3.1, A1  What a commodity card pays."""

from engine.age_of_renaissance.acts import Game
from engine.age_of_renaissance.catalogue import payout
from engine.age_of_renaissance.events import CommodityPaid, MarketMoved


def pay_for(table: Game, good: str) -> None:
    """§9.3.1, §9.6.1  Every controller is paid; one marker of the market, if any, is used up by the card."""
    board = table.board
    market = board.markets.get(good, 0)
    shift = (market > 0) - (market < 0)
    for power in board.playing():
        count, more = board.controls(power.seat, good), board.has(power.seat, "M")
        if count:
            ducats = payout(good, count, shift + more)
            table.emit(
                CommodityPaid(
                    seat=power.seat, good=good, provinces=count, market=shift, manufactures=more, ducats=ducats
                )
            )
    if shift:
        table.emit(MarketMoved(good=good, by=-shift, cause="played"))

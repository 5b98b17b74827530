"""The chapters put together: which of them does a step, takes an answer, judges an order, knows a default."""

from collections.abc import Mapping
from typing import Final

from engine.age_of_renaissance import orders as o
from engine.age_of_renaissance.board import Board
from engine.age_of_renaissance.phases import (
    cards,
    draw,
    ending,
    expansion,
    history,
    income,
    purchases,
    setup,
    tokens,
    turn,
)
from engine.kernel.chapters import Chapters
from engine.kernel.orders import Order

MODULES: Final = (setup, turn, draw, cards, history, purchases, expansion, income, tokens, ending)

ANSWERS: Final[Mapping[str, tuple[type[Order], ...]]] = {
    "keep": (o.Keep,),
    "bid": (o.Bid,),
    "capitals": (o.Capitals,),
    "tokens": (o.Tokens,),
    "history": (o.Play,),
    "purchases": (o.UpgradeShip, o.Buy, o.Discard, o.Stabilise),
    "expansion": (o.Place, o.Attack, o.BuyCard, o.Lift),
    "final": (o.Play,),
    "rank": (o.Rank,),
    "surplus": (o.CancelMarkets,),
    "mills": (o.Mill,),
    "extra": (o.BuyExtra,),
    "discard": (o.Discard,),
    "civil_war": (o.Forfeit,),
    "remnant": (o.Remain,),
    "war": (o.Cede,),
    "weapon": (o.Arm,),
    "conversion": (o.UseConversion,),
    "manuscripts": (o.Exchange,),
    "renaissance": (o.Swap,),
    "indulgences": (o.Indulge,),
    "lift": (o.Lift,),
    "leave": (o.Leave,),
}
"""The orders that answer each question."""

CHAPTERS: Final = Chapters[Board](MODULES, ANSWERS)

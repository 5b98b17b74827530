"""The sequences put together: which of them does a step, takes an answer, judges an order, knows a default."""

from collections.abc import Mapping
from typing import Final

from engine.kernel.chapters import Chapters
from engine.kernel.orders import Order
from engine.renaissance import orders as o
from engine.renaissance.board import Board
from engine.renaissance.phases import combat, diplomacy, expansion, purchases, setup, turn

MODULES: Final = (setup, turn, purchases, expansion, combat, diplomacy)

ANSWERS: Final[Mapping[str, tuple[type[Order], ...]]] = {
    "nations": (o.Claim,),
    "setup": (o.Found,),
    "garrison": (o.Garrison,),
    "return": (o.Return,),
    "vote": (o.Vote,),
    "stance": (o.Stance,),
    "purchases": (o.BuyCards, o.Build),
    "expansion": (o.Settle,),
    "combat": (o.Attack, o.Ride, o.Pillage, o.Embassy, o.Marry, o.Patronise, o.Bank, o.Lure),
    "sales": (o.Sell,),
    "hire": (o.Hire,),
    "defence": (o.Lay,),
    "counter": (o.Counter,),
    "traitor": (o.Bribe,),
    "sign": (o.Sign,),
    "retreat": (o.Withdraw,),
    "deals": (o.Give, o.Propose, o.Accept, o.Recall),
}
"""The orders that answer each question."""

CHAPTERS: Final = Chapters[Board](MODULES, ANSWERS)

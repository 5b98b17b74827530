"""The sequences put together: which of them does a step, takes an answer, judges an order, knows a default."""

from collections.abc import Iterable, Mapping
from types import ModuleType
from typing import Any, Final

from engine.kernel.names import Seat
from engine.kernel.orders import Decision, Order, Orders, Problem
from engine.kernel.position import Carrying, Step
from engine.renaissance import orders as o
from engine.renaissance.acts import Game, Seen
from engine.renaissance.phases import combat, diplomacy, expansion, purchases, setup, turn

PROBLEMS = ("not_here",)  # {asks}: an order of another sequence or question

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


def _merged(name: str, modules: Iterable[ModuleType]) -> dict[Any, Any]:
    """One mapping of all sequences; a thing that two of them claim differently is a mistake."""
    merged: dict[Any, Any] = {}
    for module in modules:
        part: Mapping[Any, Any] = getattr(module, name, {})
        twice = {key for key in merged.keys() & part.keys() if merged[key] is not part[key]}
        if twice:
            raise ValueError(f"{module.__name__}: {twice} is claimed by another sequence")
        merged.update(part)
    return merged


_STEPS: Final = _merged("STEPS", MODULES)
_GATES: Final = _merged("GATES", MODULES)
_REFUSALS: Final = _merged("REFUSALS", MODULES)
_DEFAULTS: Final = _merged("DEFAULTS", MODULES)
_SETS: Final = _merged("SETS", MODULES)


def take(table: Game, step: Step) -> None:
    """Do one step of the agenda."""
    _STEPS[type(step)](table, step)


def resolve(table: Game, gate: str, answers: Mapping[Seat, Orders]) -> None:
    """All answers of a gate are in."""
    _GATES[gate.partition("/")[0]](table, gate, answers)


def carrying(decision: Decision, orders: Orders) -> Carrying | None:
    """The step that carries a set out line by line; None for a question that takes one order."""
    make = _SETS.get(decision.asks)
    step: Carrying | None = make(decision, orders) if make else None
    return step


def refusal(seen: Seen, decision: Decision, order: Order) -> Problem | None:
    """Why this order cannot be done now, as far as its author knows."""
    if type(order) not in ANSWERS[decision.asks]:
        return Problem("not_here", {"asks": decision.asks}, lasting=True)
    problem: Problem | None = _REFUSALS[type(order)](seen, decision, order)
    return problem


def default(seen: Seen, decision: Decision) -> Orders:
    """The stated default if the deadline passes; to most questions it is nothing."""
    make = _DEFAULTS.get(decision.asks)
    orders: Orders = make(seen, decision) if make else ()
    return orders

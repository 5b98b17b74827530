"""Séquence 3: cards, ramparts, castles, palaces, one announcement by each player."""

from collections.abc import Mapping
from typing import Final

from engine.kernel.gates import Gate
from engine.kernel.orders import Orders, Problem, Question
from engine.kernel.position import ExecuteOrders, Step
from engine.kernel.secrets import Sealed
from engine.kernel.turn_chapters import Gates, Refusals, Sets, Steps
from engine.kernel.viewers import Seat
from engine.renaissance import orders as o
from engine.renaissance.acts import Game, Seen, call_for_orders, draw_cards, no_such_city
from engine.renaissance.board import Board, Phase
from engine.renaissance.catalogue import GARRISON, HAND_LIMIT, PRICES, RAMPART
from engine.renaissance.events import Built, CardsBought, PhaseBegan

PROBLEMS: Final = (
    "cards_bought_already",  # {}: all cards of a turn are bought at once
    "no_cards_named",  # {}
    "hand_full",  # {room}: more than twelve cards after the purchase (A20)
    "too_dear",  # {price, ducats}
    "not_yours",  # {city}
    "no_such_building",  # {what}
    "palace_stands",  # {city}
    "wrong_walls",  # {city, level, what}: a rampart or fortress needs a garrison, a castle a rampart
    "none_left",  # {what}: no rampart, castle or palace in the box
    "no_such_city",  # {city}
    "city_closed",  # {city}: not used with this number of players
)
NOTES: Final = ("unforeseen",)  # {what: cards}: which cards are bought

NEEDS: Final[Mapping[str, tuple[str, ...]]] = {
    "palace": ("palaces",),
    "rampart": ("ramparts",),
    "castle": ("castles",),
    "fortress": ("ramparts", "castles"),
}
"""The pieces that each building takes from the box."""
ON: Final[Mapping[str, int]] = {"rampart": GARRISON, "castle": RAMPART, "fortress": GARRISON}


class Shop(ExecuteOrders, saved="ren.Shop"):
    """A seat's purchases."""


class Deliver(Step, saved="ren.Deliver"):
    """Draw the cards bought, after all purchases of the seat."""

    seat: Seat


def begin(table: Game) -> None:
    """Séquence 3, A32  Ask for purchases, in the order of play drawn last turn."""
    table.emit(PhaseBegan(phase=Phase.PURCHASES))
    call_for_orders(table, "purchases")


def price(what: str) -> int:
    """Return the price of a purchase; a fortress is a rampart and a castle."""
    return PRICES["rampart"] + PRICES["castle"] if what == "fortress" else PRICES[what]


def announce(table: Game, gate: str, answers: Mapping[Seat, Orders]) -> None:
    """Queue the purchases in order of play; repeated answers continue the current ones."""
    for power in reversed(table.board.playing()):
        if power.seat in answers:
            shop = Shop(power.seat, gate, "purchases", Sealed(answers[power.seat]))
            table.then(shop, *(() if Gate.parse(gate).again else (Deliver(power.seat),)))


def shop(table: Game, step: Shop) -> None:
    """Do one line of the purchases."""
    order, rest = table.next_order(step)
    if order is None:
        return
    table.then(rest.line_done())
    if isinstance(order, o.BuyCards):
        if table.trial:
            table.note(Problem("unforeseen", {"what": "cards"}))
        table.emit(CardsBought(seat=step.seat, count=order.count, paid=order.count * PRICES["card"]))
    elif isinstance(order, o.Build):
        table.emit(Built(seat=step.seat, city=order.city, what=order.what, paid=price(order.what)))


def deliver(table: Game, step: Deliver) -> None:
    """Draw the cards bought."""
    count = table.board.powers[step.seat].bought
    if count:
        draw_cards(table, step.seat, count, "bought")


def refuse_cards(seen: Seen, decision: Question, order: o.BuyCards) -> Problem | None:
    """Séquence 3, A20  Require the first purchase of cards, and at most twelve cards in hand after it."""
    power = seen.board.powers[decision.seat]
    if order.count < 1:
        return Problem("no_cards_named", lasting=True)
    if power.bought:
        return Problem("cards_bought_already", lasting=True)
    if power.cards + order.count > HAND_LIMIT:
        return Problem("hand_full", {"room": HAND_LIMIT - power.cards}, lasting=True)
    return _too_dear(seen.board, decision.seat, order.count * PRICES["card"])


def refuse_build(seen: Seen, decision: Question, order: o.Build) -> Problem | None:
    """Les fortifications, Le palais  Require an own city, and pieces left in the box."""
    board, seat = seen.board, decision.seat
    if order.what not in NEEDS:
        return Problem("no_such_building", {"what": order.what}, lasting=True)
    problem = no_such_city(board, order.city)
    if problem is not None:
        return problem
    city = board.cities[order.city]
    if city.owner != seat:
        return Problem("not_yours", {"city": order.city})
    if order.what == "palace" and city.palace:
        return Problem("palace_stands", {"city": order.city})
    if order.what != "palace" and city.level != ON[order.what]:
        return Problem("wrong_walls", {"city": order.city, "level": city.level, "what": order.what})
    empty = next((piece for piece in NEEDS[order.what] if not board.left(piece)), None)
    return Problem("none_left", {"what": empty}) if empty else _too_dear(board, seat, price(order.what))


def _too_dear(board: Board, seat: Seat, cost: int) -> Problem | None:
    ducats = board.powers[seat].ducats
    return Problem("too_dear", {"price": cost, "ducats": ducats}) if cost > ducats else None


STEPS: Final[Steps] = {Shop: shop, Deliver: deliver}
GATES: Final[Gates] = {"purchases": announce}
REFUSALS: Final[Refusals] = {o.BuyCards: refuse_cards, o.Build: refuse_build}
SETS: Final[Sets] = {"purchases": Shop}

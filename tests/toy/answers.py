"""What may be answered: judged from the author's own view, and offered from it."""

from collections.abc import Mapping, Sequence

from engine.kernel.forms import Form
from engine.kernel.orders import Order, Problem, Question
from engine.kernel.secrets import Secret
from engine.kernel.viewers import Seat
from tests.toy import fair
from tests.toy import orders as o
from tests.toy.board import SHIELDS, TOWNS, WARES, Board, known

PROBLEMS = (
    "too_dear",  # {coins}
    "no_armies",  # {}
    "own_town",  # {town}
    "not_a_ware",  # {card}
    "not_a_shield",  # {card}
    "not_held",  # {card}
    "bank_empty",  # {coins}
    "not_another",  # {seat}
    "nothing_to_see",  # {seat}
    "not_in_store",  # {goods, count}
)
"""Why an order cannot stand, with the terms that its sentence is given."""


def refusal(board: Board, decision: Question, order: Order) -> Problem | None:
    """Why this order cannot be done now, as far as its author knows."""
    seat = decision.seat
    match order:
        case o.Bid(coins=coins):
            return None if 0 <= coins <= board.coins[seat] else Problem("too_dear", {"coins": board.coins[seat]})
        case o.Attack():
            return _attack(board, seat, order)
        case o.Sell(cards=cards):
            return _sell(board, seat, cards)
        case o.Scout(of=of):
            return _scout(board, seat, of)
        case o.Parry(card=card):
            if card not in SHIELDS:
                return Problem("not_a_shield", {"card": card}, lasting=True)
            return None if card in known(board.hands[seat]) else Problem("not_held", {"card": card})
        case o.Offer():
            return fair.refusal(board, seat, order)
    return None


def _attack(board: Board, seat: Seat, order: o.Attack) -> Problem | None:
    """§4  Not one's own town, and a coin for each army."""
    if order.armies < 1:
        return Problem("no_armies", lasting=True)
    if board.owner.get(order.town) == seat:
        return Problem("own_town", {"town": order.town})
    return None if order.armies <= board.coins[seat] else Problem("too_dear", {"coins": board.coins[seat]})


def _sell(board: Board, seat: Seat, cards: tuple[str, ...]) -> Problem | None:
    """§5  Wares of one's own hand, each once, that the bank can pay."""
    for card in cards:
        if card not in WARES or cards.count(card) > 1:
            return Problem("not_a_ware", {"card": card}, lasting=True)
        if card not in known(board.hands[seat]):
            return Problem("not_held", {"card": card})
    price = sum(WARES[card][0] for card in cards)
    return None if price <= board.bank else Problem("bank_empty", {"coins": board.bank})


def _scout(board: Board, seat: Seat, of: str) -> Problem | None:
    """§6  Another seat with a card that one does not know, and a coin."""
    if of == seat or of not in board.coins:
        return Problem("not_another", {"seat": of}, lasting=True)
    if all(card.visible for card in board.hands[Seat(of)]):
        return Problem("nothing_to_see", {"seat": of})
    return None if board.coins[seat] else Problem("too_dear", {"coins": 0})


EVERY_FORM: Mapping[str, Sequence[Form]] = {
    "bid": (o.bid(0),),
    "march": (o.attack((), 0), o.sell(()), o.scout((), ())),
    "shield": (o.parry(()),),
    "stall": (o.OFFER,),
    "leave": (o.LEAVE,),
}


def forms(board: Board, decision: Question) -> Sequence[Form]:
    """How it is written, each slot with what would be accepted now."""
    seat = decision.seat
    match decision.topic:
        case "bid":
            return (o.bid(board.coins[seat]),)
        case "march":
            hand, others = known(board.hands[seat]), [other for other in board.coins if other != seat]
            towns = [t for t in TOWNS if board.owner.get(t) != seat and board.coins[seat]]
            return (
                o.attack(towns, board.coins[seat]),
                o.sell([c for c in hand if _sell(board, seat, (c,)) is None]),
                o.scout(tuple(others), [s for s in others if _scout(board, seat, s) is None]),
            )
        case "shield":
            return (o.parry([card for card in known(board.hands[seat]) if card in SHIELDS]),)
        case "stall":
            return (o.OFFER,)
    return (o.LEAVE,)


def likely(board: Board, decision: Question) -> Sequence[Order]:
    """Orders that would be accepted alone now, best first."""
    seat, coins = decision.seat, board.coins[decision.seat]
    if decision.topic == "bid":
        return (o.Bid(min(2, coins)), o.Bid(0))
    if decision.topic == "march":
        attacks, sales, looks = forms(board, decision)
        return (
            *(o.Attack(str(town), min(3, coins)) for town in attacks.slots[0].suggested),
            *(o.Sell((str(card),)) for card in sales.slots[0].suggested),
            *(o.Scout(str(other)) for other in looks.slots[0].suggested),
        )
    if decision.topic == "stall":
        return fair.likely(board, seat)
    shields = decision.limits.get("shields")
    if decision.topic == "shield" and not (isinstance(shields, Secret) and shields.value == 0):
        return tuple(o.Parry(card) for card in known(board.hands[seat]) if card in SHIELDS)
    return ()

"""What each event changes: one match, no rules, no dice."""

from collections.abc import Mapping

from engine.kernel.events import Event
from engine.kernel.hidden_amounts import HiddenAmount, add_hidden
from engine.kernel.secrets import Secret
from engine.kernel.viewers import Seat
from tests.toy import events as e
from tests.toy.board import GOODS, Board


def apply(board: Board, event: Event) -> None:
    """Change the board as the event says."""
    match event:
        case e.Stacked():
            board.deck, board.discard = event.deck, ()
        case e.Dealt(seat=seat, cards=cards):
            board.deck = board.deck[len(cards) :]
            board.hands[seat] = tuple(Secret(card, frozenset({seat})) for card in cards)
        case e.TurnBegan():
            board.turn, board.attacks = event.turn, 0
        case e.Bought(seat=seat):
            board.hands[seat] = (*board.hands[seat], board.deck[0].shown_to(seat))
            board.deck = board.deck[1:]
            _pay(board, seat, event.bids[seat])
        case e.Attacked(seat=seat, armies=armies):
            board.attacks, board.parried = board.attacks + 1, False
            _pay(board, seat, armies)
        case e.Fought(seat=seat, town=town, won=won):
            board.owner = {**board.owner, town: seat} if won else board.owner
        case e.Sold(seat=seat, cards=cards, price=price):
            _lay_off(board, seat, cards)
            _pay(board, seat, -price)
        case e.Scouted(seat=seat, of=of, place=place):
            hand = board.hands[of]
            board.hands[of] = (*hand[:place], hand[place].shown_to(seat), *hand[place + 1 :])
            _pay(board, seat, 1)
        case e.Parried(seat=seat, card=card):
            _lay_off(board, seat, (card,))
            board.parried = True
        case e.Awarded(seat=winner):
            if winner is not None:
                store = board.stores[winner]
                board.stores[winner] = {g: add_hidden(store[g], _negative(paid)) for g, paid in event.paid.items()}
                board.ribbons = {**board.ribbons, winner: board.ribbons.get(winner, 0) + 1}
        case e.Harvested(each=each):
            board.stores = {seat: _filled(board.stores.get(seat) or _empty(seat), each) for seat in board.coins}
        case e.Left(seat=seat):
            _pay(board, seat, board.coins[seat])
            board.deck, board.hands[seat] = (*board.deck, *(Secret(c.held) for c in board.hands[seat])), ()
            board.owner = {town: holder for town, holder in board.owner.items() if holder != seat}
            board.gone |= {seat}
        case e.Paid(income=income):
            for seat, coins in income.items():
                _pay(board, seat, -coins)
        case _:
            raise TypeError(f"the board does not know {type(event).__name__}")


def _pay(board: Board, seat: Seat, coins: int) -> None:
    board.coins[seat] -= coins
    board.bank += coins


def _empty(seat: Seat) -> dict[str, HiddenAmount]:
    """A store that its owner alone may count."""
    return {goods: Secret(0, frozenset({seat})) for goods in GOODS}


def _filled(store: Mapping[str, HiddenAmount], each: int) -> dict[str, HiddenAmount]:
    return {goods: add_hidden(there, each) for goods, there in store.items()}


def _negative(paid: Secret[int]) -> Secret[int]:
    return Secret(-paid.value, paid.known_to) if paid.visible else paid


def _lay_off(board: Board, seat: Seat, cards: tuple[str, ...]) -> None:
    """A card that its reader did not know is one of those that they do not know."""
    hand = list(board.hands[seat])
    for card in cards:
        held = [c.value if c.visible else "" for c in hand]
        del hand[held.index(card if card in held else "")]
    board.hands[seat] = tuple(hand)
    board.discard = (*board.discard, *cards)

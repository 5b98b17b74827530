"""Actions that several sequences share: questions, draws, privileges, elimination."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeAlias

from engine.kernel import pace
from engine.kernel.orders import Order, Orders, Problem
from engine.kernel.position import Options, Position
from engine.kernel.secrets import Secret
from engine.kernel.table import Table
from engine.kernel.viewers import Seat
from engine.renaissance.board import Board
from engine.renaissance.catalogue import NATIONS, TOWNS, kind_of
from engine.renaissance.events import CardsDrawn, DeckMade, Eliminated

Seen: TypeAlias = Position[Board]
Game: TypeAlias = Table[Board]

POWER_OPTIONS: Final[Mapping[str, str]] = {nation: f"power_{nation}" for nation in NATIONS}


class AskInTurn(pace.AskInTurn, saved="ren.AskInTurn"):
    """Ask one seat for its orders of a sequence, in pace `order`."""


def call_for_orders(table: Game, asks: str) -> None:
    """Ask all players for the orders of a sequence."""
    pace.call_for_orders(table, asks, AskInTurn)


def privileged(options: Options, board: Board, seat: Seat, nation: str) -> bool:
    """Pouvoirs par état (optional)  Return True if a seat plays this nation and its privilege is in
    use in this game.
    """
    return board.powers[seat].nation == nation and options[POWER_OPTIONS[nation]] == "on"


def lacking(options: Options, board: Board, seat: Seat, kinds: Iterable[str]) -> tuple[str, ...]:
    """Return the named kinds that a hand lacks, each as often as it lacks it.

    Milan's free Condottiere is in no hand.
    """
    lacks = Counter(kinds) - Counter(kind_of(card).id for card in board.holding(seat))
    if lacks["condottiere"] and unused(options, board, seat, "milan", "condottiere"):
        lacks["condottiere"] -= 1
    return tuple(lacks.elements())


def unused(options: Options, board: Board, seat: Seat, nation: str, privilege: str) -> bool:
    """A26  Return True if a seat has a privilege and has not used it this turn as the card `privilege`."""
    return privileged(options, board, seat, nation) and privilege not in board.powers[seat].used


def draw_cards(table: Game, seat: Seat, count: int, cause: str, ducats: int = 0) -> None:
    """A19  Draw cards from the deck; an empty deck is made of the discards.

    Fewer are drawn if there are none left.
    """
    left, drawn = count, False
    while left > 0 and (table.board.deck or table.board.discard):
        if not table.board.deck:
            reshuffle(table, seat, cause)
        cards = tuple(card.shown_to(seat) for card in table.board.deck[:left])
        table.emit(CardsDrawn(seat=seat, cards=cards, cause=cause, ducats=0 if drawn else ducats))
        left, drawn = left - len(cards), True
    if not drawn:
        table.emit(CardsDrawn(seat=seat, cards=(), cause=cause, ducats=ducats))


def reshuffle(table: Game, seat: Seat, cause: str) -> None:
    """A19  Shuffle the discards into the deck, each card as a new Secret."""
    board = table.board
    name = f"reshuffle/{board.turn}/{seat}/{cause}/{board.played}"
    deck = tuple(Secret(card) for card in table.shuffle(name, tuple(sorted(board.discard))))
    table.emit(DeckMade(deck=deck, cause="empty"))


def fall_out(table: Game, seat: Seat | None) -> None:
    """Disparition de l'un des joueurs, A23  Eliminate a seat without a city until the next turn."""
    if seat is None or table.board.held(seat) or table.board.powers[seat].eliminated:
        return
    table.emit(Eliminated(seat=seat))
    table.withdraw(seat)


def no_such_city(board: Board, town: str) -> Problem | None:
    """Return why a city is not in this game, or None."""
    if town not in TOWNS:
        return Problem("no_such_city", {"city": town}, lasting=True)
    return Problem("city_closed", {"city": town}, lasting=True) if town in board.closed else None


def first(orders: Orders, kind: type[Order]) -> Any:
    """Return the first order of an answer if it is of this kind, or None."""
    order = orders[0].plan[0].order if orders and orders[0].plan else None
    return order if isinstance(order, kind) else None

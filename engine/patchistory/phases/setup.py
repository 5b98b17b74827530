"""Mise en place: the set-up."""

from collections.abc import Sequence

from engine.kernel.position import Options
from engine.kernel.secrets import Secret
from engine.kernel.viewers import Seat
from engine.patchistory.acts import Game
from engine.patchistory.apply import opened
from engine.patchistory.board import Board, Player
from engine.patchistory.catalogue import COLOURS, FIRST_PACK, LIBERTY, PROSPERITY, SET_UP
from engine.patchistory.events import (
    BuildingsShuffled,
    CapitalsDealt,
    CardsShuffled,
    Dealt,
    FirstPlayerChosen,
    RouteLaid,
)
from engine.patchistory.phases.turn import BeginTurn


def blank(seats: Sequence[Seat], options: Options) -> Board:
    """Return the board: each player has a colour, 4 Food, 3 Money, 20 Culture, and eight workers on
    the People track.
    """
    hidden = options["goods"] == "hidden"
    players = {
        seat: Player(seat, colour, stock=opened(SET_UP, seat, hidden))
        for seat, colour in zip(seats, COLOURS, strict=False)
    }
    return Board(players, first=seats[0])


def begin(table: Game) -> None:
    """Deal capitals, building tiles and prosperity cards, lay routes, and draw the first player."""
    seats = table.core.seats
    capitals = dict(zip(seats, table.shuffle("capitals", tuple(LIBERTY)), strict=False))
    table.emit(CapitalsDealt(capitals=capitals, side=table.core.options["side"]))
    _deal(table)
    table.emit(FirstPlayerChosen(seat=seats[table.roll("first", len(seats)) - 1]))
    for number, seat in enumerate(table.board.seats if len(seats) > 2 else (), 1):
        left = table.board.left_of(seat)
        table.emit(RouteLaid(number=number, start=seat, end=left, allied=False, cause="setup"))
    table.then(BeginTurn())


def _deal(table: Game) -> None:
    """Deal four building tiles and three cards to each player."""
    tiles, cards = SET_UP["building_tiles"], SET_UP["prosperity_cards"]
    table.emit(BuildingsShuffled(pile=tuple(map(Secret, table.shuffle("buildings", FIRST_PACK)))))
    table.emit(CardsShuffled(stack=tuple(map(Secret, table.shuffle("cards", tuple(PROSPERITY))))))
    for seat in table.core.seats:
        pack = tuple(tile.shown_to(seat) for tile in table.board.pile[:tiles])
        hand = tuple(card.shown_to(seat) for card in table.board.stack[:cards])
        table.emit(Dealt(seat=seat, pack=pack, cards=hand))

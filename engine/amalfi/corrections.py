"""Corrections of this board by a game master, as events that can be verified and undone.

Figures are points and bread. The cards of a ruling are characters: their deck, the hands, and the discards.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from engine.amalfi import events as e
from engine.amalfi import vocabulary as v
from engine.amalfi.acts import next_light
from engine.amalfi.apply import swapped
from engine.amalfi.board import Board, Player
from engine.amalfi.catalogue import CHARACTERS, HOLDS, WORDS, Category
from engine.amalfi.figures import FIGURES, NAMES
from engine.amalfi.meta import META
from engine.kernel.catalogues import Words
from engine.kernel.correction_events import CorrectionEvent, CorrectionRefused, ValueSet
from engine.kernel.corrections import Corrections, Ruling, Zone, require_change
from engine.kernel.events import Event
from engine.kernel.forms import Form
from engine.kernel.orders import Order
from engine.kernel.phrasebook import one_choice, with_lead
from engine.kernel.position import Position
from engine.kernel.rulings import ruling_form, seat_slot
from engine.kernel.secrets import Secret
from engine.kernel.viewers import PUBLIC, Seat

PROBLEMS: Final = (
    "no_ship_there",  # {place}: no ship there to move
    "dock_taken",  # {place, by}
    "no_such_place",  # {place}: not in play
    "no_slot_there",  # {place}: no free place for a lighthouse
    "not_engageable",  # {character}: not an engageable character laid out by this player
)
STORES: Final = ("bay", "port", "yard", *HOLDS)
"""The places of ships that are not docked."""


# --- events


class ShipsRighted(CorrectionEvent, saved="amalfi.ShipsRighted"):
    """Ships of a player were moved on the player's board."""

    seat: Seat
    ships: int
    source: str
    target: str

    def put(self, board: Board) -> None:
        player = board.players[self.seat]
        for store, by in ((self.source, -self.ships), (self.target, self.ships)):
            _add(player, store, by)

    def inverse(self, board: Board) -> "ShipsRighted":
        if _lying(board.players[self.seat], self.target) < self.ships:
            raise CorrectionRefused("moved_on")
        return replace(self, source=self.target, target=self.source)


def _lying(player: Player, store: str) -> int:
    return player.holds[store] if store in HOLDS else int(getattr(player, store))


def _add(player: Player, store: str, by: int) -> None:
    if store in HOLDS:
        player.holds[store] += by
    else:
        setattr(player, store, _lying(player, store) + by)


class DockRighted(ValueSet, saved="amalfi.DockRighted"):
    """The ship at a dock was corrected; it comes from the bay of its owner and returns to it."""

    place: str

    def current(self, board: Board) -> str | None:
        return board.docks.get(self.place)

    def put(self, board: Board) -> None:
        board.docks.pop(self.place, None)
        if self.before is not None:
            board.players[self.before].bay += 1
        if self.after is not None:
            board.players[self.after].bay -= 1
            board.docks[self.place] = self.after


class LightRighted(ValueSet, saved="amalfi.LightRighted"):
    """A lighthouse was corrected: its owner and its number."""

    place: str

    def current(self, board: Board) -> tuple[str, int] | None:
        return board.lights.get(self.place)

    def put(self, board: Board) -> None:
        board.lights.pop(self.place, None)
        if self.after is not None:
            board.lights[self.place] = self.after


class EngagedRighted(ValueSet, saved="amalfi.EngagedRighted"):
    """The engaged characters of a player were corrected."""

    path = "players/{seat}/engaged"
    seat: Seat


class FirstRighted(ValueSet, saved="amalfi.FirstRighted"):
    """The holder of the Compass was corrected."""

    path = "first"


# --- orders


class MoveShips(Order):
    """Move ships on a player's board."""

    seat: str
    ships: int
    source: str
    target: str


class SetDock(Order):
    """Put a player's ship at a dock."""

    place: str
    seat: str


class ClearDock(Order):
    """Return the ship at a dock to its bay."""

    place: str


class SetLight(Order):
    """Put a player's lighthouse at a destination."""

    place: str
    seat: str


class ClearLight(Order):
    """Return the lighthouse of a destination to its board."""

    place: str


class Turn(Order):
    """Engage or refresh a character of a player."""

    seat: str
    character: str
    engaged: bool


class SetFirst(Order):
    """Set the holder of the Compass."""

    seat: str


class Rightings(Corrections):
    """The corrections of Amalfi."""

    names = NAMES
    figures: Mapping[str, Words] = {name: FIGURES[name] for name in ("vp", "bread")}
    zones: Mapping[str, Zone] = {
        "hand": Zone("hand", of_seat=True),
        "deck": Zone("deck"),
        "discard": Zone("discard", open=True),
    }
    adoptable = tuple(option for option in META.options if option.name == "pace")

    def card_choices(self) -> Any:
        """Return every character."""
        return v.CHARACTER_CHOICES

    def cards_gained(self, event: Event, seat: Seat) -> tuple[Secret[str], ...]:
        """Return the characters that an event dealt, kept or took into a seat's hand."""
        match event:
            case e.HandChosen() | e.CardsKept() if event.seat == seat:
                return event.cards
            case e.HandDealt(where="hand") if event.seat == seat:
                return event.cards
            case e.CharacterTaken() if event.seat == seat:
                return (Secret(event.character, frozenset({seat, Seat(PUBLIC)})),)
        return ()

    # --- forms

    def forms(self, position: Position[Board]) -> tuple[Form, ...]:
        """Return the common forms, and those of this board."""
        seats = self.seats(position)
        who = seat_slot(seats)
        stores = v.named(STORES, "store")
        source = with_lead(one_choice("source", "store", v.title("holds"), stores), v.lead("from"))
        target = with_lead(one_choice("target", "store", v.title("holds"), stores), v.lead("to"))
        return (
            *super().forms(position),
            ruling_form(WORDS, "ships", MoveShips, who, v.ships(), source, target),
            ruling_form(WORDS, "dock", SetDock, v.place(), who),
            ruling_form(WORDS, "undock", ClearDock, v.place()),
            ruling_form(WORDS, "light", SetLight, v.place(), who),
            ruling_form(WORDS, "unlight", ClearLight, v.place()),
            ruling_form(WORDS, "engaged", Turn, who, v.character(), engaged=True),
            ruling_form(WORDS, "refreshed", Turn, who, v.character(), engaged=False),
            ruling_form(WORDS, "first", SetFirst, who),
        )

    # --- events of an order

    def facts(self, ruling: Ruling, order: Order) -> tuple[Event, ...]:
        """Return the events of one order. Raises CorrectionRefused."""
        board: Board = ruling.board
        match order:
            case MoveShips():
                return _ships(board, order)
            case SetDock(place=place, seat=seat):
                return _dock(board, place, Seat(seat))
            case ClearDock(place=place):
                return _undock(board, place)
            case SetLight(place=place, seat=seat):
                return _light(board, place, seat)
            case ClearLight(place=place):
                if place not in board.lights:
                    raise CorrectionRefused("no_slot_there", place=place)
                return (LightRighted(place=place, before=board.lights[place], after=None),)
            case Turn():
                return _turned(board.players[Seat(order.seat)], order)
            case SetFirst(seat=seat):
                require_change(board.first, seat)
                return (FirstRighted(before=board.first, after=Seat(seat)),)
        return super().facts(ruling, order)

    # --- changes of the board

    def add(self, board: Any, seat: Seat, what: str, by: int, about: str) -> None:
        """Change points or bread."""
        player = board.players[seat]
        setattr(player, what, getattr(player, what) + by)

    def value(self, board: Any, seat: Seat, what: str) -> int:
        """Return points or bread."""
        return int(getattr(board.players[seat], what))

    def swap(self, board: Any, seat: Seat, other: Seat) -> None:
        """Swap the places of two players at the table, and so their colours."""
        swapped(board, seat, other)


def _ships(board: Board, order: MoveShips) -> tuple[Event, ...]:
    require_change(order.source, order.target)
    seat = Seat(order.seat)
    if _lying(board.players[seat], order.source) < order.ships:
        raise CorrectionRefused("no_ship_there", place=order.source)
    return (ShipsRighted(seat=seat, ships=order.ships, source=order.source, target=order.target),)


def _dock(board: Board, place: str, seat: Seat) -> tuple[Event, ...]:
    if place not in board.places:
        raise CorrectionRefused("no_such_place", place=place)
    if place in board.docks:
        raise CorrectionRefused("dock_taken", place=place, by=board.docks[place])
    if not board.players[seat].bay:
        raise CorrectionRefused("no_ship_there", place="bay")
    return (DockRighted(place=place, before=None, after=seat),)


def _undock(board: Board, place: str) -> tuple[Event, ...]:
    owner = board.docks.get(place)
    if owner is None or owner not in board.players:
        raise CorrectionRefused("no_ship_there", place=place)
    return (DockRighted(place=place, before=Seat(owner), after=None),)


def _light(board: Board, place: str, seat: str) -> tuple[Event, ...]:
    if place not in board.places or not board.has_slot(place) or board.light(place):
        raise CorrectionRefused("no_slot_there", place=place)
    return (LightRighted(place=place, before=None, after=(seat, next_light(board))),)


def _turned(player: Player, order: Turn) -> tuple[Event, ...]:
    card = order.character
    if card not in player.invited or CHARACTERS[card].category is not Category.ENGAGEABLE:
        raise CorrectionRefused("not_engageable", character=card)
    rest = tuple(other for other in player.engaged if other != card)
    after = (*rest, card) if order.engaged else rest
    require_change(player.engaged, after)
    return (EngagedRighted(seat=player.seat, before=player.engaged, after=after),)


CORRECTIONS: Final = Rightings()

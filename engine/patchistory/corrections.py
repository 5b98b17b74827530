"""Corrections of this board by a game master, as events that can be verified and undone.

Figures are goods and votes; levels and production follow from squares and workers, which can be corrected. The cards of
a ruling are building tiles: their pile, the hands, and the built ones.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from engine.kernel.catalogues import Words
from engine.kernel.correction_events import CorrectionEvent, CorrectionRefused, ValueSet
from engine.kernel.corrections import ByChance, Corrections, Ruling, Zone, require_change
from engine.kernel.events import Event, StepsQueued
from engine.kernel.forms import Choice, Form
from engine.kernel.orders import Order
from engine.kernel.phrasebook import as_optional, number, one_choice, with_lead
from engine.kernel.position import Position
from engine.kernel.rulings import Adopt, Deal, Give, MoveCard, Patch, Return, Take, ruling_form, seat_slot
from engine.kernel.secrets import Secret
from engine.kernel.table import Table
from engine.kernel.viewers import PUBLIC, Seat
from engine.patchistory import events as e
from engine.patchistory import vocabulary as v
from engine.patchistory.acts import main_routes_left, may_ally
from engine.patchistory.board import Board, Player, Route, without
from engine.patchistory.catalogue import ALLIED_TRACK, BUILDINGS, MAIN_SPACES, TILES, WORDS, kind_of
from engine.patchistory.figures import NAMES
from engine.patchistory.meta import META
from engine.patchistory.territory import clearable, location

PROBLEMS: Final = (
    "no_worker_there",  # {square}
    "taken_square",  # {square}: not a free location of that territory
    "all_trained",  # {}
    "no_such_route",  # {route}
    "no_route_left",  # {}
    "not_one_square",  # {square}
    "no_such_space",  # {route, spot}
    "land_not_there",  # {tile}: not among the discarded land tiles
)

WASTELAND: Final = Choice("wasteland", WORDS("rooms.wasteland"))
LANDS: Final = tuple(Choice(tile, Words.same(tile)) for tile in TILES)
PRINTED: Final = Choice("", WORDS("choices.printed"))

# --- events


class WorkersRighted(ValueSet, saved="patch.WorkersRighted"):
    """The squares of a player's workers were corrected; the others are on the People track."""

    path = "players/{seat}/workers"
    seat: Seat

    def put(self, board: Board) -> None:
        super().put(board)
        board.players[self.seat].track += len(self.before) - len(self.after)


class RouteRighted(ValueSet, saved="patch.RouteRighted"):
    """A route was laid, removed or changed; its workers come from the People track and return to it."""

    number: int

    def current(self, board: Board) -> Route | None:
        return board.route(self.number)

    def put(self, board: Board) -> None:
        others = tuple(route for route in board.routes if route.number != self.number)
        board.routes = tuple(sorted((*others, *((self.after,) if self.after else ())), key=lambda r: r.number))
        board.laid = max(board.laid, self.number)
        for seat, player in board.players.items():
            player.track += _stands(self.before, seat) - _stands(self.after, seat)


def _stands(route: Route | None, seat: Seat) -> int:
    return int(route is not None and seat in route.spots)


class SquareRighted(ValueSet, saved="patch.SquareRighted"):
    """The top of a square was corrected: a building, a Wasteland, or nothing."""

    path = "players/{seat}/territory/{square}"
    seat: Seat
    square: str


class ProsperityMoved(CorrectionEvent, saved="patch.ProsperityMoved"):
    """A prosperity card moved between the `stack`, a `hand` and the `scored` cards."""

    card: Secret[str]
    source: str
    target: str
    seat: Seat

    def put(self, board: Board) -> None:
        player = board.players[self.seat]
        match self.source:
            case "stack":
                board.stack = board.stack[1:]
            case "scored":
                board.scored = tuple(card for card in board.scored if card != self.card.held)
            case _:
                player.cards = without(player.cards, self.card)
        match self.target:
            case "stack":
                board.stack = (replace(self.card, known_to=frozenset()), *board.stack)
            case "scored":
                board.scored = (*board.scored, str(self.card.held))
            case _:
                player.cards = (*player.cards, self.card)

    def inverse(self, board: Board) -> "ProsperityMoved":
        held = {card.held for card in board.players[self.seat].cards}
        if self.target == "hand" and self.card.held not in held:
            raise CorrectionRefused("moved_on")
        return replace(self, source=self.target, target=self.source)


class LandRighted(CorrectionEvent, saved="patch.LandRighted"):
    """A discarded land tile was put on top of the deck, face up; `back`: it was returned to the discards."""

    tile: str
    back: bool = False

    def put(self, board: Board) -> None:
        if self.back:
            board.deck, board.discarded = board.deck[1:], (*board.discarded, self.tile)
            return
        board.discarded = tuple(tile for tile in board.discarded if tile != self.tile)
        board.deck = (Secret(self.tile, frozenset((*board.players, Seat(PUBLIC)))), *board.deck)

    def inverse(self, board: Board) -> "LandRighted":
        if not board.deck or board.deck[0].held != self.tile:
            raise CorrectionRefused("moved_on")
        return replace(self, back=not self.back)


class LandsShuffled(CorrectionEvent, saved="patch.LandsShuffled"):
    """The remaining land tiles of the era were shuffled."""

    before: tuple[Secret[str], ...]
    after: tuple[Secret[str], ...]

    def put(self, board: Board) -> None:
        board.deck = self.after

    def inverse(self, board: Board) -> "LandsShuffled":
        if board.deck != self.after:
            raise CorrectionRefused("moved_on")
        return replace(self, before=self.after, after=self.before)


class ShufflingLands(ByChance, saved="patch.ShufflingLands"):
    """The land tiles of the era are shuffled."""


class FirstRighted(ValueSet, saved="patch.FirstRighted"):
    """The first player was corrected."""

    path = "first"


# --- orders of a game master


class SetWorker(Order):
    """Move a worker between squares; without `start` or `to`, from or to the People track."""

    seat: str
    start: str = ""
    to: str = ""


class SetRoute(Order):
    """Lay a route between two players."""

    start: str
    end: str
    allied: bool


class EndRoute(Order):
    """Remove a route; its workers return to the People track."""

    route: int


class SetSpot(Order):
    """Set the space of a player's worker on a route."""

    route: int
    seat: str
    spot: int


class SetSquare(Order):
    """Set the top of a square."""

    seat: str
    square: str
    over: str


class DealCard(Order):
    """Deal the top prosperity card of the stack to a hand."""

    seat: str


class ReturnCard(Order):
    """Return a scored prosperity card to a hand."""

    card: str
    seat: str


class ReturnLand(Order):
    """Put a discarded land tile on top of the deck."""

    tile: str


class ShuffleLands(Order):
    """Shuffle the remaining land tiles."""


class SetFirst(Order):
    """Set the first player."""

    seat: str


class Rightings(Corrections):
    """The corrections of Patchistory."""

    names = NAMES
    figures: Mapping[str, Words] = {choice.value: choice.names for choice in v.STOCK_CHOICES}
    zones: Mapping[str, Zone] = {
        "hand": Zone("pack", of_seat=True),
        "deck": Zone("pile"),
        "discard": Zone("built", open=True),
    }
    adoptable = tuple(option for option in META.options if option.name in ("goods", "mixed", "voting"))

    def card_choices(self) -> tuple[Choice, ...]:
        """Return every kind of building tile."""
        return v.BUILDING_CHOICES

    def face(self, card: str) -> str:
        """Return the kind of a building tile."""
        return card if card in BUILDINGS else kind_of(card)

    def cards_gained(self, event: Event, seat: Seat) -> tuple[Secret[str], ...]:
        """Return the building tiles that an event dealt or drew into a seat's hand."""
        match event:
            case e.Dealt() if event.seat == seat:
                return event.pack
            case e.BuildingDrawn() if event.seat == seat:
                return (event.tile,)
        return ()

    # --- forms

    def forms(self, position: Position[Board]) -> tuple[Form, ...]:
        """Return the common forms, except for swapping places, and those of this board."""
        common = (Give, Take, Deal, Return, MoveCard, Adopt, Patch)
        seats = self.seats(position)
        who, to = seat_slot(seats), seat_slot(seats, v.lead("to"), "end")
        start = seat_slot(seats, None, "start")
        card = one_choice("card", "card", v.title("card"), v.CARD_CHOICES)
        shown = one_choice("over", "building", v.title("building"), (WASTELAND, PRINTED, *v.BUILDING_CHOICES))
        return (
            *(found for found in super().forms(position) if found.order in common),
            ruling_form(
                WORDS,
                "worker",
                SetWorker,
                who,
                as_optional(with_lead(v.square("start"), v.lead("from")), ""),
                as_optional(with_lead(v.square("to"), v.lead("to")), ""),
            ),
            ruling_form(WORDS, "lay", SetRoute, start, to, allied=False),
            ruling_form(WORDS, "lay_allied", SetRoute, start, to, allied=True),
            ruling_form(WORDS, "remove", EndRoute, v.route()),
            ruling_form(
                WORDS, "spot", SetSpot, v.route(), who, with_lead(number("spot", v.title("spaces"), 0, 9), v.lead("at"))
            ),
            ruling_form(WORDS, "square", SetSquare, who, v.square(), with_lead(shown, v.lead("shows"))),
            ruling_form(WORDS, "first", SetFirst, who),
            ruling_form(WORDS, "card_dealt", DealCard, seat_slot(seats, v.lead("to"))),
            ruling_form(WORDS, "card_back", ReturnCard, card, seat_slot(seats, v.lead("to"))),
            ruling_form(WORDS, "land_back", ReturnLand, one_choice("tile", "tile", v.title("lot"), LANDS)),
            ruling_form(WORDS, "lands_shuffled", ShuffleLands),
        )

    # --- events of an order

    def facts(self, ruling: Ruling, order: Order) -> tuple[Event, ...]:
        """Return the events of one order. Raises CorrectionRefused."""
        board: Board = ruling.board
        match order:
            case SetWorker(seat=seat, start=start, to=to):
                return self._worker(board.players[Seat(seat)], start, to)
            case SetRoute(start=start, end=end, allied=allied):
                return self._new_route(board, Seat(start), Seat(end), allied)
            case EndRoute(route=number):
                return (RouteRighted(number=number, before=_route(board, number), after=None),)
            case SetSpot(route=number, seat=seat, spot=spot):
                return self._spot(_route(board, number), Seat(seat), spot)
            case SetSquare(seat=seat, square=square, over=over):
                return self._square(board.players[Seat(seat)], square, over)
            case SetFirst(seat=seat):
                require_change(board.first, seat)
                return (FirstRighted(before=board.first, after=Seat(seat)),)
            case DealCard(seat=seat):
                return self._card(board.stack[:1], "stack", Seat(seat))
            case ReturnCard(card=card, seat=seat):
                known = Secret(card, frozenset((*board.players, Seat(PUBLIC))))
                return self._card((known,) if card in board.scored else (), "scored", Seat(seat))
            case ReturnLand(tile=tile):
                if tile not in board.discarded:
                    raise CorrectionRefused("land_not_there", tile=tile)
                return (LandRighted(tile=tile),)
            case ShuffleLands():
                queued = StepsQueued(steps=(ShufflingLands(0),))
                return (LandsShuffled(before=board.deck, after=board.deck),) if ruling.trial else (queued,)
        return super().facts(ruling, order)

    def _card(self, cards: tuple[Secret[str], ...], source: str, seat: Seat) -> tuple[Event, ...]:
        """Return the move of a prosperity card to a hand. Raises CorrectionRefused if there is none."""
        if not cards:
            raise CorrectionRefused("card_not_there")
        return tuple(
            ProsperityMoved(card=card.shown_to(seat), source=source, target="hand", seat=seat) for card in cards
        )

    def take(self, table: Table[Board], step: ByChance) -> None:
        if not isinstance(step, ShufflingLands):
            super().take(table, step)
            return
        before = table.board.deck
        order = table.shuffle(f"ruling/{len(table.drawn) + 1}", before)
        table.emit(LandsShuffled(before=before, after=tuple(Secret(tile.held) for tile in order)))

    def _worker(self, player: Player, start: str, to: str) -> tuple[Event, ...]:
        """Return the move of a worker from a square or the People track, to a free location or back."""
        require_change(start, to)
        if start and start not in player.workers:
            raise CorrectionRefused("no_worker_there", square=start)
        left = tuple(square for square in player.workers if square != start)
        if not start and not player.track:
            raise CorrectionRefused("all_trained")
        if to and (to not in player.territory or set(left) & set(location(player.territory, to))):
            raise CorrectionRefused("taken_square", square=to)
        after = (*left, *((to,) if to else ()))
        return (WorkersRighted(seat=player.seat, before=player.workers, after=after),)

    def _new_route(self, board: Board, start: Seat, end: Seat, allied: bool) -> tuple[Event, ...]:
        if start == end:
            raise CorrectionRefused("same_seat")
        if not (may_ally(board, start, end) if allied else main_routes_left(board)):
            raise CorrectionRefused("no_route_left")
        number = board.laid + 1
        return (RouteRighted(number=number, before=None, after=Route(number, start, end, allied)),)

    def _spot(self, route: Route, seat: Seat, spot: int) -> tuple[Event, ...]:
        """Return the move of a worker to a space; a worker not on the route comes from the People track."""
        spaces = len(ALLIED_TRACK) if route.allied else len(MAIN_SPACES)
        users = route.ends if route.allied else (route.start,)
        if spot >= spaces or seat not in users:
            raise CorrectionRefused("no_such_space", route=route.number, spot=spot)
        after = replace(route, spots={**route.spots, seat: spot}, rests={})
        require_change(route, after)
        return (RouteRighted(number=route.number, before=route, after=after),)

    def _square(self, player: Player, square: str, over: str) -> tuple[Event, ...]:
        """Return the change of a location of one square; a Wasteland counts as cleared by its owner."""
        if square not in player.territory or not clearable(player.territory, square):
            raise CorrectionRefused("not_one_square", square=square)
        before = player.territory[square]
        room = BUILDINGS[over].room if over in BUILDINGS else over
        after = replace(before, over=room, cleared=over == WASTELAND.value)
        require_change(before, after)
        return (SquareRighted(seat=player.seat, square=square, before=before, after=after),)

    # --- changes of the board

    def add(self, board: Any, seat: Seat, what: str, by: int, about: str) -> None:
        """Change goods or votes."""
        board.players[seat].add(what, by)

    def value(self, board: Any, seat: Seat, what: str) -> int:
        """Return goods or votes."""
        return int(board.players[seat].amount(what))


def _route(board: Board, number: int) -> Route:
    route = board.route(number)
    if route is None:
        raise CorrectionRefused("no_such_route", route=number)
    return route


CORRECTIONS: Final = Rightings()

"""What a game master can put right on this board, as facts that anybody can check and another ruling can take back.

Figures are goods and votes; levels and production follow from squares and workers, which can be put right. The cards
of a ruling are building tiles: their pile, the hands, and those that were built.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from engine.kernel.catalogues import Words
from engine.kernel.correction_events import CorrectionEvent, CorrectionRefused, ValueSet
from engine.kernel.corrections import ByChance, Corrections, Ruling, Zone, list_changes
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
    "land_not_there",  # {tile}: not among the land tiles that were discarded
)

WASTELAND: Final = Choice("wasteland", WORDS("rooms.wasteland"))
LANDS: Final = tuple(Choice(tile, Words.same(tile)) for tile in TILES)
PRINTED: Final = Choice("", WORDS("choices.printed"))

# --- facts


class WorkersRighted(ValueSet, saved="patch.WorkersRighted"):
    """Where a player's workers on tiles stand was put right; the People track has the others."""

    path = "players/{seat}/workers"
    seat: Seat

    def put(self, board: Board) -> None:
        super().put(board)
        board.players[self.seat].track += len(self.before) - len(self.after)


class RouteRighted(ValueSet, saved="patch.RouteRighted"):
    """A route was laid, taken away or changed; its workers come from the People track and go there."""

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
    """What lies upon a square was put right: a building, a Wasteland, or nothing."""

    path = "players/{seat}/territory/{square}"
    seat: Seat
    square: str


class ProsperityMoved(CorrectionEvent, saved="patch.ProsperityMoved"):
    """A prosperity card went from the `stack`, a `hand` or those that were `scored` to another of them."""

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
    """A land tile that was discarded lies on top of the deck, as everybody knows; or the way `back`."""

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
    """The era's land tiles that are left were shuffled."""

    before: tuple[Secret[str], ...]
    after: tuple[Secret[str], ...]

    def put(self, board: Board) -> None:
        board.deck = self.after

    def inverse(self, board: Board) -> "LandsShuffled":
        if board.deck != self.after:
            raise CorrectionRefused("moved_on")
        return replace(self, before=self.after, after=self.before)


class ShufflingLands(ByChance, saved="patch.ShufflingLands"):
    """The era's land tiles are shuffled."""


class FirstRighted(ValueSet, saved="patch.FirstRighted"):
    """Who is first was put right."""

    path = "first"


# --- orders of a master


class SetWorker(Order):
    """A worker from one square to another; none named: from, or to, the People track."""

    seat: str
    start: str = ""
    to: str = ""


class SetRoute(Order):
    """A route between two players is laid."""

    start: str
    end: str
    allied: bool


class EndRoute(Order):
    """A route is taken away; its workers go to the People track."""

    route: int


class SetSpot(Order):
    """How far a player's worker on a route has come."""

    route: int
    seat: str
    spot: int


class SetSquare(Order):
    """What lies upon a square."""

    seat: str
    square: str
    over: str


class DealCard(Order):
    """The top prosperity card of those that nobody was dealt, to a hand."""

    seat: str


class ReturnCard(Order):
    """A prosperity card that was scored, back to a hand."""

    card: str
    seat: str


class ReturnLand(Order):
    """A land tile that was discarded, on top of the deck."""

    tile: str


class ShuffleLands(Order):
    """The land tiles that are left are shuffled."""


class SetFirst(Order):
    """Who is first."""

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
        """Every kind of building tile."""
        return v.BUILDING_CHOICES

    def face(self, card: str) -> str:
        """Building tiles of a kind are alike."""
        return card if card in BUILDINGS else kind_of(card)

    def draw_card(self, event: Event, seat: Seat) -> tuple[Secret[str], ...]:
        """Dealt at the beginning, drawn later."""
        match event:
            case e.Dealt() if event.seat == seat:
                return event.pack
            case e.BuildingDrawn() if event.seat == seat:
                return (event.tile,)
        return ()

    # --- how it is written

    def forms(self, position: Position[Board]) -> tuple[Form, ...]:
        """What any game's master may write but changing places, and what only this board has."""
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

    # --- what it becomes

    def facts(self, ruling: Ruling, order: Order) -> tuple[Event, ...]:
        """The facts of one order; raises CorrectionRefused."""
        board: Board = ruling.board
        match order:
            case SetWorker(seat=seat, start=start, to=to):
                return self._worker(board.players[Seat(seat)], start, to)
            case SetRoute(start=start, end=end, allied=allied):
                return self._laid(board, Seat(start), Seat(end), allied)
            case EndRoute(route=number):
                return (RouteRighted(number=number, before=_route(board, number), after=None),)
            case SetSpot(route=number, seat=seat, spot=spot):
                return self._spot(_route(board, number), Seat(seat), spot)
            case SetSquare(seat=seat, square=square, over=over):
                return self._square(board.players[Seat(seat)], square, over)
            case SetFirst(seat=seat):
                list_changes(board.first, seat)
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
        """A prosperity card to a hand, where there is one."""
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
        """From a square or the People track, to a free location or back."""
        list_changes(start, to)
        if start and start not in player.workers:
            raise CorrectionRefused("no_worker_there", square=start)
        left = tuple(square for square in player.workers if square != start)
        if not start and not player.track:
            raise CorrectionRefused("all_trained")
        if to and (to not in player.territory or set(left) & set(location(player.territory, to))):
            raise CorrectionRefused("taken_square", square=to)
        after = (*left, *((to,) if to else ()))
        return (WorkersRighted(seat=player.seat, before=player.workers, after=after),)

    def _laid(self, board: Board, start: Seat, end: Seat, allied: bool) -> tuple[Event, ...]:
        if start == end:
            raise CorrectionRefused("same_seat")
        if not (may_ally(board, start, end) if allied else main_routes_left(board)):
            raise CorrectionRefused("no_route_left")
        number = board.laid + 1
        return (RouteRighted(number=number, before=None, after=Route(number, start, end, allied)),)

    def _spot(self, route: Route, seat: Seat, spot: int) -> tuple[Event, ...]:
        """A worker at a space; one that was not on the route comes from the People track."""
        spaces = len(ALLIED_TRACK) if route.allied else len(MAIN_SPACES)
        users = route.ends if route.allied else (route.start,)
        if spot >= spaces or seat not in users:
            raise CorrectionRefused("no_such_space", route=route.number, spot=spot)
        after = replace(route, spots={**route.spots, seat: spot}, rests={})
        list_changes(route, after)
        return (RouteRighted(number=route.number, before=route, after=after),)

    def _square(self, player: Player, square: str, over: str) -> tuple[Event, ...]:
        """Upon a location of one square; a Wasteland put right counts as cleared by its owner."""
        if square not in player.territory or not clearable(player.territory, square):
            raise CorrectionRefused("not_one_square", square=square)
        before = player.territory[square]
        room = BUILDINGS[over].room if over in BUILDINGS else over
        after = replace(before, over=room, cleared=over == WASTELAND.value)
        list_changes(before, after)
        return (SquareRighted(seat=player.seat, square=square, before=before, after=after),)

    # --- what it changes

    def add(self, board: Any, seat: Seat, what: str, by: int, about: str) -> None:
        """Goods and votes, from the reserve or back."""
        board.players[seat].add(what, by)


def _route(board: Board, number: int) -> Route:
    route = board.route(number)
    if route is None:
        raise CorrectionRefused("no_such_route", route=number)
    return route


CORRECTIONS: Final = Rightings()

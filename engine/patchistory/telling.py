"""The narration hooks of the game."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from engine.kernel.events import Event
from engine.kernel.narration_hooks import HandItem, NarrationHooks, Thing, classes_in, problem_codes
from engine.kernel.position import Position
from engine.kernel.rules import View
from engine.kernel.secrets import seen_by
from engine.kernel.viewers import Seat
from engine.patchistory import catalogue, corrections, invariants
from engine.patchistory import events as e
from engine.patchistory.board import Board
from engine.patchistory.catalogue import WORDS
from engine.patchistory.chapters import MODULES
from engine.patchistory.effects import level, points, production
from engine.patchistory.figures import NAMES
from engine.patchistory.phases.vote import ranks


def figures(position: Position[Board], seat: Seat) -> Mapping[str, int]:
    """Return a seat's own figures for its report: the goods behind its screen, its levels, and what it produces."""
    board, made = position.board, production(position.board, seat)
    with seen_by(seat):
        stock = {good: board.players[seat].amount(good) for good in catalogue.STOCKS}
    levels = {name: level(board, seat, name) for name in catalogue.LEVELS}
    return {**stock, **levels, **{f"made {good}": made[good] for good in catalogue.GOODS}}


def at_hand(position: Position[Board], seat: Seat) -> tuple[HandItem, ...]:
    """Return what actions cost: the goods behind the screen, and the Politics Points left."""
    board = position.board
    with seen_by(seat):
        amounts = {good: board.players[seat].amount(good) for good in catalogue.STOCKS}
        held = [HandItem(good, WORDS(f"choices.good.{good}"), amount) for good, amount in amounts.items()]
        return (*held, HandItem("", WORDS("picture.points"), points(board, seat)))


def rooms_of(tile: str, side: str) -> Sequence[str]:
    """Return the locations of a side of a tile."""
    return tuple(catalogue.TILES[tile].face(side).rooms.values())


def layout(tile: str, side: str) -> Sequence[tuple[str, str]]:
    """Return each location of a side: its squares, numbered row by row from the top left (`3+4`), and its id."""
    face = catalogue.TILES[tile].face(side)
    squares: dict[str, list[str]] = {}
    for number, (_, letter) in enumerate(face.spots(), 1):
        squares.setdefault(letter, []).append(str(number))
    return tuple(("+".join(numbers), face.rooms[letter]) for letter, numbers in squares.items())


def spaces_of(allied: bool) -> Sequence[Mapping[str, int]]:
    """Return the goods of each space of a route, from its start (of an allied one: from A)."""
    return catalogue.ALLIED_TRACK if allied else catalogue.MAIN_TRACK


def building_cost(kind: str) -> int:
    """Return the Resources printed on a building tile."""
    return catalogue.BUILDINGS[kind].cost


def built_room(tile: str) -> str:
    """Return the location of a building tile, given the tile or its kind."""
    kind = tile if tile in catalogue.BUILDINGS else catalogue.kind_of(tile)
    return catalogue.BUILDINGS[kind].room


def things(view: View) -> Iterator[Thing]:
    """Yield the reader's prosperity cards; the visible heroes, wonders and special buildings: in territories, on offer,
    and won.
    """
    own = view["powers"].get(view["seat"])
    yield from (("card", card) for card in (own["cards"] if own is not None else ()))
    for player in view["powers"].values():
        yield from (("room", place["room"]) for place in player["territory"] if catalogue.ROOMS[place["room"]].effects)
    lots = (*view["offer"], *(player["won"] for player in view["powers"].values() if player["won"]))
    for lot in lots:
        sides = (lot["side"],) if lot["side"] else catalogue.SIDES
        shown = (room for side in sides for room in rooms_of(lot["tile"], side))
        yield from (("room", room) for room in shown if catalogue.ROOMS[room].effects)


def card(thing: str) -> Thing:
    """Return the kind and id of a tile or card in the glossary; building tiles are known by their kind."""
    return "card", catalogue.kind_of(thing) if thing in catalogue.FIRST_PACK else thing


def symbols(room: str) -> Mapping[str, Mapping[str, int]]:
    """Return the symbols of a location, outside and inside its gold frame."""
    printed = catalogue.ROOMS[room]
    return {"base": printed.base, "gold": printed.gold}


def weight(event: Event, seat: Seat) -> int:
    """Return how important an event is in a seat's story of the whole game; 0 leaves it out."""
    match event:
        case e.WarFought() if seat in (event.winner, event.loser):
            return 80
        case e.RouteLaid(allied=True) if seat in (event.start, event.end):
            return 50
        case e.AllianceBroken() | e.Threatened() if seat in (event.seat, event.to):
            return 45
        case e.TilePlaced() if event.seat == seat:
            return 30 if any(catalogue.ROOMS[r].effects for r in rooms_of(event.tile, event.side)) else 8
        case e.CardScored() if seat in event.culture:
            return 5 + abs(event.culture[seat])
        case e.Built() | e.WorkerSettled() if event.seat == seat:
            return 6
    return 0


def rank_of(numbers: Mapping[Seat, int], seat: Seat) -> int:
    """Return a player's rank on a prosperity card."""
    return ranks(numbers)[seat]


_WORDS: Final[Mapping[str, Any]] = {
    "SYMBOLS": catalogue.SYMBOLS,
    "STOCKS": catalogue.STOCKS,
    "GOODS": catalogue.GOODS,
    "LEVELS": catalogue.LEVELS,
    "rooms_of": rooms_of,
    "layout": layout,
    "spaces_of": spaces_of,
    "building_cost": building_cost,
    "built_room": built_room,
    "symbols": symbols,
    "rank_of": rank_of,
}

TELLING: Final = NarrationHooks(
    events=classes_in(e, corrections),
    problems=problem_codes("PROBLEMS", *MODULES, invariants, corrections),
    notes=problem_codes("NOTES", *MODULES),
    words=_WORDS,
    name_of=NAMES.name_of,
    seat_of=NAMES.seat_of,
    name="colour",
    figures=figures,
    hand_items=at_hand,
    weight=weight,
    things=things,
    card=card,
)
"""Players are named after the colour of their workers."""

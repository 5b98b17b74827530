"""The geometry of a territory: squares, locations, and where a land tile may be placed (1. Placement des Tuiles).

Squares are named by a column letter and a row number, counted from the capital, whose top left square is always I9: a
name stays when the territory grows. That leaves eight columns and nine rows on each side, as much as any game can
need: seven squares either way, and one more in each round after the Statue of Liberty. All functions are pure; a
territory is a mapping of the squares that have something on them.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from typing import Final

from engine.kernel.codec import serializable
from engine.kernel.orders import Problem
from engine.patchistory.catalogue import ROOMS, Face, Kind, Op, Room

PROBLEMS = (
    "no_such_square",  # {square}: beyond the squares that have names
    "apart",  # {square}: no square of the tile would lie over or under the territory
    "nothing_above",  # {squares}: the tile cannot lie under squares where it has none, or where there is nothing
    "sea_stays",  # {squares}: nothing is put over or under a Sea
    "sea_under",  # {squares}: a Sea never lies under another square
    "sea_beside",  # {square, other}: two Seas may not be adjacent
    "half_covered",  # {room, squares}: a location is covered whole or not at all; these squares would remain
    "half_hidden",  # {room, squares}: of the new tile; a location lies under whole or not at all
    "both_ways",  # {squares}: over and under one and the same tile; these belong together
    "not_mixed",  # {squares}: partly over, partly under, where the table plays without
    "all_hidden",  # {}: nothing of the tile would be seen
    "never_covered",  # {room, squares}: no tile may be put over this wonder
    "too_large",  # {width, height, limit}
)

CAPITAL: Final = "capital"
_COLUMNS: Final = "ABCDEFGHIJKLMNOPQRS"
_ROWS: Final = 20
_ORIGIN: Final = (9, 8)
"""Row and column of the capital's top left square."""
_BESIDE: Final = ((0, 1), (1, 0), (0, -1), (-1, 0))


@serializable("patch.Square")
@dataclass(frozen=True)
class Square:
    """What is seen of one square. `tile`: its land tile, or `capital`; `letter`: its location on that tile.

    `over`: what the building tile upon it shows. `cleared`: its owner put that Wasteland there (A-36).
    """

    tile: str
    letter: str
    room: str
    over: str = ""
    cleared: bool = False

    @property
    def shows(self) -> Room:
        """The location that is seen."""
        return ROOMS[self.over or self.room]


Territory = Mapping[str, Square]
Location = tuple[str, ...]
"""The squares of one location, from the top left."""


@dataclass(frozen=True)
class Placement:
    """A land tile at a place: its top left square at `corner`, the squares `under` below what lies there."""

    tile: str
    face: Face
    corner: str
    under: frozenset[str] = frozenset()

    def squares(self) -> Mapping[str, str]:
        """Each square that the tile would take, with the letter printed there."""
        row, column = where(self.corner)
        return {name(row + r, column + c): letter for (r, c), letter in self.face.spots()}

    @property
    def within(self) -> bool:
        """Return True if all its squares have names."""
        row, column = where(self.corner)
        return row + 1 < _ROWS and column + 1 < len(_COLUMNS)


# --- squares


def name(row: int, column: int) -> str:
    """The name of a square; raises IndexError beyond the last."""
    return f"{_COLUMNS[column]}{row}"


@cache
def where(square: str) -> tuple[int, int]:
    """The row and column of a square; raises ValueError for what is no name of one."""
    row, column = int(square[1:]), _COLUMNS.index(square[:1])
    if not 0 <= row < _ROWS:
        raise ValueError(f"{square} is not the name of a square")
    return row, column


ALL_SQUARES: Final = tuple(f"{column}{row}" for row in range(_ROWS) for column in _COLUMNS)
"""Every name, row by row."""


def in_reading_order(squares: Iterable[str]) -> Location:
    """Row by row, from the left."""
    return tuple(sorted(squares, key=where))


@cache
def neighbours(square: str) -> tuple[str, ...]:
    """The squares that share an edge with this one."""
    row, column = where(square)
    beside = [(row + r, column + c) for r, c in _BESIDE]
    return tuple(name(r, c) for r, c in beside if 0 <= r < _ROWS and 0 <= c < len(_COLUMNS))


def capital(face: Face) -> dict[str, Square]:
    """The territory at the beginning of a game."""
    row, column = _ORIGIN
    return {name(row + r, column + c): Square(CAPITAL, letter, face.rooms[letter]) for (r, c), letter in face.spots()}


def extent(squares: Iterable[str]) -> tuple[int, int]:
    """Width and height of the box around squares (A-09)."""
    rows, columns = zip(*map(where, squares), strict=True)
    return max(columns) - min(columns) + 1, max(rows) - min(rows) + 1


# --- locations


@dataclass(frozen=True)
class _Survey:
    """What is reckoned of a territory as it was: its locations, that of each square, what has effects."""

    territory: Territory
    locations: tuple[Location, ...]
    of: Mapping[str, Location]
    specials: tuple[Room, ...]


_SURVEYS: Final[dict[int, _Survey]] = {}
_KEPT: Final = 64


def _survey(territory: Territory) -> _Survey:
    """Reckoned once while a territory stays as it is: of one position many things are asked."""
    kept = _SURVEYS.get(id(territory))
    if kept is None or kept.territory != territory:
        if len(_SURVEYS) >= _KEPT:
            _SURVEYS.clear()
        kept = _SURVEYS[id(territory)] = _surveyed(dict(territory))
    return kept


def _surveyed(territory: Territory) -> _Survey:
    found: dict[tuple[str, str, str], list[str]] = {}
    for square in in_reading_order(territory):
        here = territory[square]
        found.setdefault((here.tile, here.letter, square if here.over else ""), []).append(square)
    squares = tuple(map(tuple, found.values()))
    shown = {here.shows.id for here in territory.values() if here.shows.effects}
    of = {square: whole for whole in squares for square in whole}
    return _Survey(territory, squares, of, tuple(ROOMS[room] for room in sorted(shown)))


def location(territory: Territory, square: str) -> Location:
    """All squares of the location that this one belongs to; raises KeyError outside the territory."""
    return _survey(territory).of[square]


def locations(territory: Territory) -> tuple[Location, ...]:
    """Every location once, in reading order of their first squares."""
    return _survey(territory).locations


def rooms(territory: Territory) -> Iterator[Room]:
    """What each location shows."""
    return (territory[squares[0]].shows for squares in locations(territory))


def specials(territory: Territory) -> tuple[Room, ...]:
    """The locations that have effects, each once, by name: there are no two of a kind."""
    return _survey(territory).specials


def count(territory: Territory, *kinds: Kind) -> int:
    """How many locations are of these kinds."""
    return sum(room.kind in kinds for room in rooms(territory))


def has(territory: Territory, op: Op) -> bool:
    """Return True if a visible location has this effect."""
    return any(effect.op is op for room in specials(territory) for effect in room.effects)


def within_reach(territory: Territory, square: str, steps: int) -> frozenset[str]:
    """3. Mouvement: the squares of all locations that are at most so many steps from this one's."""
    reached = front = frozenset(location(territory, square))
    for _ in range(min(steps, len(territory))):
        beside = {n for s in front for n in neighbours(s) if n in territory} - reached
        front = frozenset(s for n in beside for s in location(territory, n))
        reached |= front
    return reached


def clearable(territory: Territory, square: str) -> bool:
    """Assainissement: any location of one square, a Sea too."""
    return len(location(territory, square)) == 1


# --- placement


def refuse(territory: Territory, placement: Placement, limit: int, *, mixed: bool = True) -> Problem | None:
    """Why a tile cannot be placed so; None if it can. `limit`: greatest width and height; `mixed`: A-05."""
    if not placement.within:
        return Problem("no_such_square", {"square": placement.corner}, lasting=True)
    new = placement.squares()
    met = [square for square in new if square in territory]
    if not met:
        return Problem("apart", {"square": placement.corner})
    strange = [square for square in placement.under if square not in met]
    if strange:
        return Problem("nothing_above", {"squares": in_reading_order(strange)})
    top = [square for square in met if square not in placement.under]
    return (
        _one_way(territory, placement, top, mixed)
        or _covers(territory, top)
        or _hides(placement, new)
        or _seas(territory, placement, new, met)
        or _size(territory, new, limit)
    )


def _one_way(territory: Territory, placement: Placement, top: list[str], mixed: bool) -> Problem | None:
    """A-05, and no tile is slid between a building and its land tile: all one way for any one tile."""
    if not mixed and top and placement.under:
        return Problem("not_mixed", {"squares": in_reading_order(placement.under)})
    below = {territory[square].tile for square in placement.under}
    torn = [square for square in top if territory[square].tile in below]
    return Problem("both_ways", {"squares": in_reading_order(torn)}) if torn else None


def _covers(territory: Territory, top: Iterable[str]) -> Problem | None:
    """A-06: what lies there is covered whole or not at all; the Statue of Liberty never."""
    covered = set(top)
    for square in in_reading_order(covered):
        whole, room = location(territory, square), territory[square].shows
        if any(effect.op is Op.NEVER_COVERED for effect in room.effects):
            return Problem("never_covered", {"room": room.id, "squares": whole})
        left = tuple(s for s in whole if s not in covered)
        if left:
            return Problem("half_covered", {"room": room.id, "squares": left})
    return None


def _hides(placement: Placement, new: Mapping[str, str]) -> Problem | None:
    """A-06, A-07: a location of the new tile lies under whole or not at all, and something of the tile is seen."""
    if len(placement.under) == len(new):
        return Problem("all_hidden", {})
    for letter in placement.face.rooms:
        squares = [square for square, here in new.items() if here == letter]
        seen = [square for square in squares if square not in placement.under]
        if seen and len(seen) < len(squares):
            return Problem("half_hidden", {"room": placement.face.rooms[letter], "squares": in_reading_order(seen)})
    return None


def _seas(territory: Territory, placement: Placement, new: Mapping[str, str], met: list[str]) -> Problem | None:
    """A Sea goes over anything but a Sea, under nothing, is never covered, and has no Sea beside it (A-08)."""
    old = {square for square, here in territory.items() if here.shows.kind is Kind.SEA}
    stays = [square for square in met if square in old]
    if stays:
        return Problem("sea_stays", {"squares": in_reading_order(stays)})
    fresh = {square for square, letter in new.items() if placement.face.room(letter).kind is Kind.SEA}
    if fresh & placement.under:
        return Problem("sea_under", {"squares": in_reading_order(fresh & placement.under)})
    for square in in_reading_order(fresh):
        other = next((n for n in neighbours(square) if n in old | fresh), None)
        if other:
            return Problem("sea_beside", {"square": square, "other": other})
    return None


def _size(territory: Territory, new: Iterable[str], limit: int) -> Problem | None:
    """A-09; the Statue of Liberty frees from the limit once it lies there."""
    width, height = extent((*territory, *new))
    if max(width, height) <= limit or has(territory, Op.NO_LIMIT):
        return None
    return Problem("too_large", {"width": width, "height": height, "limit": limit})


def placed(territory: Territory, placement: Placement) -> dict[str, Square]:
    """The territory with the tile in it: what is covered is gone, a building tile with it."""
    seen = {square: letter for square, letter in placement.squares().items() if square not in placement.under}
    added = {s: Square(placement.tile, letter, placement.face.rooms[letter]) for s, letter in seen.items()}
    return {**territory, **added}


def placements(territory: Territory, tile: str, face: Face, limit: int, *, mixed: bool = True) -> Iterator[Placement]:
    """Every way to place this side of a tile."""
    rows, columns = zip(*map(where, territory), strict=True)
    for row, column in product(range(min(rows) - 1, max(rows) + 1), range(min(columns) - 1, max(columns) + 1)):
        if row < 0 or column < 0:
            continue
        bare = Placement(tile, face, name(row, column))
        for under in _ways(territory, bare) if bare.within else ():
            found = replace(bare, under=under)
            if refuse(territory, found, limit, mixed=mixed) is None:
                yield found


def _ways(territory: Territory, bare: Placement) -> Iterator[frozenset[str]]:
    """Which squares may lie under, whole tiles together; over everything comes first."""
    met = [square for square in bare.squares() if square in territory]
    tiles = sorted({territory[square].tile for square in met})
    for over in product((True, False), repeat=len(tiles)):
        below = {tile for tile, above in zip(tiles, over, strict=True) if not above}
        yield frozenset(square for square in met if territory[square].tile in below)


def built(territory: Territory, square: str, room: str, *, cleared: bool = False) -> dict[str, Square]:
    """The territory with a building tile on a square, the former one gone (A-20)."""
    return {**territory, square: replace(territory[square], over=room, cleared=cleared)}

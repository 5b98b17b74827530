"""The geometry of a territory: squares, locations, and the possible places of a land tile (1.

Placement des Tuiles).

Squares are named by a column letter and a row number, relative to the capital, whose top left square is always I9;
names do not change when the territory grows. There are eight columns and nine rows on each side of it. A game never
needs more: seven squares either way, and one more in each round after the Statue of Liberty. All functions are pure. A
territory maps the occupied squares.
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
    "no_such_square",  # {square}: outside the named squares
    "apart",  # {square}: the tile would not overlap the territory
    "nothing_above",  # {squares}: not squares where the tile overlaps the territory
    "sea_stays",  # {squares}: no tile goes over or under a Sea
    "sea_under",  # {squares}: a Sea cannot go under another square
    "sea_beside",  # {square, other}: two Seas may not be adjacent
    "half_covered",  # {room, squares}: a location is covered wholly or not at all; these squares would remain
    "half_hidden",  # {room, squares}: a location of the new tile goes under wholly or not at all
    "both_ways",  # {squares}: over and under the same tile
    "not_mixed",  # {squares}: partly over, partly under, which the option excludes
    "all_hidden",  # {}: no square of the tile would be visible
    "never_covered",  # {room, squares}: no tile may cover this wonder
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
    """The visible state of one square.

    `tile`: its land tile, or `capital`.
    `letter`: its location on that tile.
    `over`: the location of the building tile on it.
    `cleared`: its owner put the Wasteland there (A-36).
    """

    tile: str
    letter: str
    room: str
    over: str = ""
    cleared: bool = False

    @property
    def shows(self) -> Room:
        """Return the visible location."""
        return ROOMS[self.over or self.room]


Territory = Mapping[str, Square]
Location = tuple[str, ...]
"""The squares of one location, from the top left."""


@dataclass(frozen=True)
class Placement:
    """A land tile at a place: its top left square at `corner`, the squares `under` below existing ones."""

    tile: str
    face: Face
    corner: str
    under: frozenset[str] = frozenset()

    def squares(self) -> Mapping[str, str]:
        """Return each square that the tile would take, with its letter."""
        row, column = where(self.corner)
        return {name(row + r, column + c): letter for (r, c), letter in self.face.spots()}

    @property
    def within(self) -> bool:
        """Return True if all its squares have names."""
        row, column = where(self.corner)
        return row + 1 < _ROWS and column + 1 < len(_COLUMNS)


# --- squares


def name(row: int, column: int) -> str:
    """Return the name of a square. Raises IndexError beyond the last."""
    return f"{_COLUMNS[column]}{row}"


@cache
def where(square: str) -> tuple[int, int]:
    """Return the row and column of a square. Raises ValueError for an invalid name."""
    row, column = int(square[1:]), _COLUMNS.index(square[:1])
    if not 0 <= row < _ROWS:
        raise ValueError(f"{square} is not the name of a square")
    return row, column


ALL_SQUARES: Final = tuple(f"{column}{row}" for row in range(_ROWS) for column in _COLUMNS)
"""Every name, row by row."""


def in_reading_order(squares: Iterable[str]) -> Location:
    """Return squares sorted row by row, from the left."""
    return tuple(sorted(squares, key=where))


@cache
def neighbours(square: str) -> tuple[str, ...]:
    """Return the squares that share an edge with this one."""
    row, column = where(square)
    beside = [(row + r, column + c) for r, c in _BESIDE]
    return tuple(name(r, c) for r, c in beside if 0 <= r < _ROWS and 0 <= c < len(_COLUMNS))


def capital(face: Face) -> dict[str, Square]:
    """Return the territory at the beginning of a game."""
    row, column = _ORIGIN
    return {name(row + r, column + c): Square(CAPITAL, letter, face.rooms[letter]) for (r, c), letter in face.spots()}


def extent(squares: Iterable[str]) -> tuple[int, int]:
    """Return width and height of the box around squares (A-09)."""
    rows, columns = zip(*map(where, squares), strict=True)
    return max(columns) - min(columns) + 1, max(rows) - min(rows) + 1


# --- locations


@dataclass(frozen=True)
class _Survey:
    """Facts computed from a territory: its locations, the location of each square, locations with effects."""

    territory: Territory
    locations: tuple[Location, ...]
    of: Mapping[str, Location]
    specials: tuple[Room, ...]


_SURVEYS: Final[dict[int, _Survey]] = {}
_KEPT: Final = 64


def _survey(territory: Territory) -> _Survey:
    """Return the survey of a territory; cached, because one position is queried many times."""
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
    """Return all squares of the location of this square. Raises KeyError outside the territory."""
    return _survey(territory).of[square]


def locations(territory: Territory) -> tuple[Location, ...]:
    """Return every location once, in reading order of their first squares."""
    return _survey(territory).locations


def rooms(territory: Territory) -> Iterator[Room]:
    """Yield the visible location of each."""
    return (territory[squares[0]].shows for squares in locations(territory))


def specials(territory: Territory) -> tuple[Room, ...]:
    """Return the locations with effects, each once, by name; none exists twice."""
    return _survey(territory).specials


def count(territory: Territory, *kinds: Kind) -> int:
    """Return how many locations are of these kinds."""
    return sum(room.kind in kinds for room in rooms(territory))


def has(territory: Territory, op: Op) -> bool:
    """Return True if a visible location has this effect."""
    return any(effect.op is op for room in specials(territory) for effect in room.effects)


def within_reach(territory: Territory, square: str, steps: int) -> frozenset[str]:
    """3.

    Mouvement: Return the squares of all locations at most `steps` steps from the location of `square`.
    """
    reached = front = frozenset(location(territory, square))
    for _ in range(min(steps, len(territory))):
        beside = {n for s in front for n in neighbours(s) if n in territory} - reached
        front = frozenset(s for n in beside for s in location(territory, n))
        reached |= front
    return reached


def clearable(territory: Territory, square: str) -> bool:
    """Assainissement: Return True for a location of one square, which may be a Sea."""
    return len(location(territory, square)) == 1


# --- placement


def refuse(territory: Territory, placement: Placement, limit: int, *, mixed: bool = True) -> Problem | None:
    """Return why a tile cannot be placed so, or None.

    `limit`: greatest width and height. `mixed`: one tile may be partly over and partly under (A-05).
    """
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
    """A-05: Require that a tile is wholly over or wholly under any one tile."""
    if not mixed and top and placement.under:
        return Problem("not_mixed", {"squares": in_reading_order(placement.under)})
    below = {territory[square].tile for square in placement.under}
    torn = [square for square in top if territory[square].tile in below]
    return Problem("both_ways", {"squares": in_reading_order(torn)}) if torn else None


def _covers(territory: Territory, top: Iterable[str]) -> Problem | None:
    """A-06: Require that existing locations are covered wholly or not at all, and the Statue of Liberty never."""
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
    """A-06, A-07: Require that locations of the new tile go under wholly or not at all, and something stays visible."""
    if len(placement.under) == len(new):
        return Problem("all_hidden", {})
    for letter in placement.face.rooms:
        squares = [square for square, here in new.items() if here == letter]
        seen = [square for square in squares if square not in placement.under]
        if seen and len(seen) < len(squares):
            return Problem("half_hidden", {"room": placement.face.rooms[letter], "squares": in_reading_order(seen)})
    return None


def _seas(territory: Territory, placement: Placement, new: Mapping[str, str], met: list[str]) -> Problem | None:
    """A-08: Check Seas: one covers anything but a Sea, is never covered or put under, and touches no other Sea."""
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
    """A-09: Check the size limit, which the Statue of Liberty removes once it is placed."""
    width, height = extent((*territory, *new))
    if max(width, height) <= limit or has(territory, Op.NO_LIMIT):
        return None
    return Problem("too_large", {"width": width, "height": height, "limit": limit})


def placed(territory: Territory, placement: Placement) -> dict[str, Square]:
    """Return the territory with the tile; covered squares are gone, with their building tiles."""
    seen = {square: letter for square, letter in placement.squares().items() if square not in placement.under}
    added = {s: Square(placement.tile, letter, placement.face.rooms[letter]) for s, letter in seen.items()}
    return {**territory, **added}


def placements(territory: Territory, tile: str, face: Face, limit: int, *, mixed: bool = True) -> Iterator[Placement]:
    """Yield every legal way to place this side of a tile."""
    for corner in corners(territory):
        bare = Placement(tile, face, corner)
        for under in ways_under(territory, bare) if bare.within else ():
            found = replace(bare, under=under)
            if refuse(territory, found, limit, mixed=mixed) is None:
                yield found


def corners(territory: Territory) -> Iterator[str]:
    """Yield each top left square of a tile that would touch or cover the territory."""
    rows, columns = zip(*map(where, territory), strict=True)
    for row, column in product(range(min(rows) - 1, max(rows) + 1), range(min(columns) - 1, max(columns) + 1)):
        if row >= 0 and column >= 0:
            yield name(row, column)


def ways_under(territory: Territory, bare: Placement) -> Iterator[frozenset[str]]:
    """Yield the sets of squares that may go under, by whole tiles; all squares over comes first."""
    met = [square for square in bare.squares() if square in territory]
    tiles = sorted({territory[square].tile for square in met})
    for over in product((True, False), repeat=len(tiles)):
        below = {tile for tile, above in zip(tiles, over, strict=True) if not above}
        yield frozenset(square for square in met if territory[square].tile in below)


def built(territory: Territory, square: str, room: str, *, cleared: bool = False) -> dict[str, Square]:
    """Return the territory with a building tile on a square, replacing a former one (A-20)."""
    return {**territory, square: replace(territory[square], over=room, cleared=cleared)}

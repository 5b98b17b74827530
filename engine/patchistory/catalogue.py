"""Printed facts: tiles, capitals, building tiles, prosperity cards, routes, numbers.

Nothing here changes during a game.

Every fact is in `data/` with its source (`sources.json`). Most layouts and many effects are reconstructed; owners of
the real components can replace the tables without changing code. Chapters are those of the French rulebook; A-05 is a
ruling.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final

from engine.kernel.catalogues import Words, load_catalogue
from engine.kernel.data_tables import build_row, build_rows, load_table

WORDS: Final = load_catalogue(__package__)
"""The words of the game in every language, from the files in `words/`."""


def _nothing() -> Mapping[str, int]:
    return MappingProxyType({})


GOODS: Final = ("food", "resource", "money", "culture")
"""The goods that are produced (Principes Généraux: `Les Biens sont`)."""
LEVELS: Final = ("politics", "transport", "military", "defence")
SYMBOLS: Final = (*GOODS, *LEVELS)
"""The eight markers of a reference board."""
VOTE: Final = "vote"
STOCKS: Final = (*GOODS, VOTE)
"""The goods behind a screen."""
COLOURS: Final = ("red", "green", "blue", "yellow")
"""The workers' colours (Contenu du jeu), after which players are named."""


class Kind(StrEnum):
    """The kinds of location (Présentation > Tuiles Terrain)."""

    GENERAL = "general"
    WASTELAND = "wasteland"
    SEA = "sea"
    SPECIAL = "special_building"
    HERO = "hero"
    WONDER = "wonder"


class When(StrEnum):
    """When an effect applies: always, or at one moment."""

    PERMANENT = "permanent"
    PRODUCTION = "production"
    PLACED = "on_place"
    AUCTION = "pre_auction"
    VOTE = "pre_vote"
    ERA = "end_of_era"
    GAME = "end_of_game"
    ROUTE = "on_route_goods"
    CAMPAIGN = "on_campaign"
    HONOUR = "on_honour_heroes"
    WAR_WON = "on_war_won"
    WAR = "on_any_war"
    THREAT = "on_threat_success"
    AID = "on_aid"


class Op(StrEnum):
    """What an effect does; `effects.py` and the chapters carry it out."""

    GAIN = "gain"
    LOSE = "lose"
    GAIN_PER = "gain_per"
    RETURN_WORKER = "return_worker"
    RETURN_WORKERS_FOR = "return_workers_for"
    FREE_WORKER = "free_worker"
    FREE_ALLIANCE = "free_alliance"
    SET_LEVEL = "set_level"
    SET_UPKEEP = "set_worker_upkeep"
    REDUCE_UPKEEP = "reduce_worker_upkeep"
    SET_GOODS = "set_action_goods"
    REDUCE_POINTS = "reduce_action_pp"
    REDUCE_GOODS = "reduce_action_goods"
    SEA_IS_WASTELAND = "count_sea_as_wasteland"
    WAR_FUEL = "war_fuel"
    FREE_TILE = "free_auction_tile"
    DISCARD_ROUTE = "discard_route"
    NEVER_COVERED = "cannot_be_covered"
    NO_LIMIT = "ignore_territory_limit"
    CLEAR_OTHERS = "clear_opponent_square"
    THREAT_DEFENCE = "threat_target_defence"
    EXCHANGE_BONUS = "exchange_bonus"


class Counter(StrEnum):
    """What a `gain_per` counts."""

    WORKER = "worker"
    MAIN_ROUTE = "main_route_start"
    ALLIED_ROUTE = "allied_route"
    WASTELAND = "wasteland"
    CLEARED = "cleared_wasteland"
    FOOD_INDUSTRY = "industry_food_location"
    MONEY = "money_held"


@dataclass(frozen=True)
class Effect:
    """One effect of a hero, a wonder or a special building.

    `symbols`: gained or lost.
    `per`: what multiplies them, after division by `divisor`.
    `action`, `good`, `by`, `level`, `value`, `n`, `goods`: parameters of the `op`.
    """

    when: When
    op: Op
    symbols: Mapping[str, int] = field(default_factory=_nothing)
    per: tuple[Counter, ...] = ()
    divisor: int = 1
    action: str = ""
    good: str = ""
    level: str = ""
    by: int = 0
    value: int = 0
    n: int = 0
    goods: tuple[str, ...] = ()


@dataclass(frozen=True)
class Room:
    """A printed location.

    `base`: symbols that always count.
    `gold`: symbols in a gold frame, which need a worker.
    `status`: how much of the effect is in the rulebook (`exact`, `partial`, `reconstructed`).
    `source`: by part, a code of `SOURCES`.
    """

    id: str
    words: Words
    kind: Kind
    domain: str = ""
    base: Mapping[str, int] = field(default_factory=_nothing)
    gold: Mapping[str, int] = field(default_factory=_nothing)
    effects: tuple[Effect, ...] = ()
    status: str = "reconstructed"
    source: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


Spot = tuple[int, int]
"""A row and a column, from the top left corner of a tile."""


@dataclass(frozen=True)
class Face:
    """One side of a tile.

    `rows`: letters; equal letters form one location. `rooms`: the location of each letter.
    """

    rows: tuple[str, ...]
    rooms: Mapping[str, str]
    source: str = "R"

    def spots(self) -> Iterator[tuple[Spot, str]]:
        """Yield each square with its letter, row by row."""
        for r, row in enumerate(self.rows):
            yield from (((r, c), letter) for c, letter in enumerate(row))

    def room(self, letter: str) -> Room:
        """Return the location of a letter."""
        return ROOMS[self.rooms[letter]]

    def size(self, letter: str) -> int:
        """Return how many squares a location has."""
        return "".join(self.rows).count(letter)


@dataclass(frozen=True)
class Tile:
    """A land tile: its white side has general buildings, its black side special ones, heroes and wonders."""

    id: str
    era: int
    white: Face
    black: Face

    def face(self, side: str) -> Face:
        """Return the side of this colour."""
        return self.white if side == WHITE else self.black

    @property
    def special(self) -> Room:
        """Return the hero, wonder or special building on the black side."""
        return next(self.black.room(x) for x in self.black.rooms if self.black.room(x).kind in SPECIALS)


@dataclass(frozen=True)
class Building:
    """A kind of building tile: its location, its cost in Resources, and how many there are."""

    id: str
    room: str
    cost: int
    copies: int


@dataclass(frozen=True)
class Prosperity:
    """A prosperity card. `counts`: what players are ranked by (7. Vote)."""

    id: str
    counts: str
    words: Words
    source: str


@dataclass(frozen=True)
class Action:
    """An action of phase 2: its Politics Points, and its cost in a good, by era."""

    id: str
    pp: int
    good: str = ""
    cost: tuple[int, ...] = (0, 0, 0)


WHITE: Final = "white"
BLACK: Final = "black"
SIDES: Final = (WHITE, BLACK)
SPECIALS: Final = (Kind.SPECIAL, Kind.HERO, Kind.WONDER)

_TABLES: Final[Any] = load_table(__package__, "tables")
_ROUTES: Final[Any] = load_table(__package__, "routes")
_CAPITALS: Final[Any] = load_table(__package__, "capitals")


def _rows(table: str, key: str) -> Any:
    return load_table(__package__, table)[key]


SOURCES: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(_rows("sources", "sources"))
"""Sources by code: `tag` (rulebook, public, reconstructed) and `cite`."""
ROOMS: Final = build_rows(Room, _rows("rooms", "rooms"), WORDS, "rooms")
TILES: Final = build_rows(Tile, _rows("tiles", "tiles"))
BUILDINGS: Final = build_rows(Building, _rows("buildings", "buildings"))
PROSPERITY: Final = build_rows(Prosperity, _rows("prosperity", "cards"), WORDS, "prosperity")
ACTIONS: Final = build_rows(Action, _TABLES["actions"])
EQUALITY: Final[Face] = build_row(Face, _CAPITALS["equality"])
LIBERTY: Final[Mapping[str, Face]] = MappingProxyType(
    {r["id"]: build_row(Face, r["liberty"]) for r in _CAPITALS["capitals"]}
)
"""The side Liberty of each capital; the side Equality is the same on all."""

MAIN_TRACK: Final[tuple[Mapping[str, int], ...]] = tuple(MappingProxyType(s["goods"]) for s in _ROUTES["main"])
"""The goods of the spaces of a main route: start, goods spaces, return/preparation, war/return."""
MAIN_SPACES: Final[tuple[str, ...]] = tuple(s["space"] for s in _ROUTES["main"])
PREPARATION: Final = MAIN_SPACES.index("return_preparation")
WAR_SPACE: Final = MAIN_SPACES.index("war_return")
ALLIED_TRACK: Final[tuple[Mapping[str, int], ...]] = tuple(MappingProxyType(s["goods"]) for s in _ROUTES["allied"])
"""The goods of the spaces of an allied route, from end A to end B; a worker from B goes the other way."""
MAIN_ROUTES: Final[int] = _ROUTES["main_copies"]
ALLIED_ROUTES: Final[int] = _ROUTES["allied_copies"]

ERAS: Final = 3
ROUNDS: Final[int] = _TABLES["rounds"]
LIMITS: Final[tuple[int, ...]] = tuple(_TABLES["limits"])
"""The greatest width and height of a territory, by era."""
SET_UP: Final[Mapping[str, Any]] = MappingProxyType(_TABLES["set_up"])
WORKERS: Final[int] = SET_UP["workers"]
UPKEEP: Final[tuple[int, ...]] = tuple(_TABLES["upkeep_by_workers"])
"""The highest visible number of a People track, by workers in play."""
VALUES: Final[Mapping[str, int]] = MappingProxyType(_TABLES["exchange"])
"""The values of goods in an exchange; Culture cannot be exchanged (A-17)."""
AID: Final[Mapping[str, Any]] = MappingProxyType(_TABLES["aid"])
THREAT: Final[Mapping[str, Any]] = MappingProxyType(_TABLES["threat"])
WAR: Final[Mapping[str, Any]] = MappingProxyType(_TABLES["war"])
KEEP: Final[Mapping[str, int]] = MappingProxyType(_TABLES["upkeep"])
AUCTION: Final[Mapping[str, int]] = MappingProxyType(_TABLES["auction"])
FIRST_PACK: Final[tuple[str, ...]] = tuple(f"{b.id}-{n}" for b in BUILDINGS.values() for n in range(1, b.copies + 1))
"""Every building tile: its kind and the number of its copy."""


def kind_of(tile: str) -> str:
    """Return the kind of a building tile, by which orders name it."""
    return tile.rpartition("-")[0]


def tiles_of(era: int) -> tuple[str, ...]:
    """Return the land tiles of an era."""
    return tuple(tile.id for tile in TILES.values() if tile.era == era)

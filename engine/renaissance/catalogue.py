"""Printed facts: cities, cards, scenarios, prices. Nothing here changes during a game.

Every fact is in `data/` with its source (`seed`: the rulebook; `reconstructed`, `memory`: replaceable there by owners
of the board); this module gives it a type.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from engine.kernel.catalogues import Words, load_catalogue
from engine.kernel.data_tables import build_row, build_rows, load_table

WORDS: Final = load_catalogue(__package__)
"""The words of the game in every language, from the files in `words/`."""
_MAP: Final[Any] = load_table(__package__, "map")
_CARDS: Final[Any] = load_table(__package__, "cards")
_TABLES: Final[Any] = load_table(__package__, "tables")
_SCENARIOS: Final[Any] = load_table(__package__, "scenarios")

FREE, GARRISON, RAMPART, FORTRESS = range(4)
"""The levels of a city: free, a garrison, with a rampart, with a rampart and a castle."""
PEACE, WAR = "peace", "war"


@dataclass(frozen=True)
class Town:
    """A printed city. `bonus`: what its terrain adds to a defence (Phase 2 - Combats, A2)."""

    id: str
    words: Words
    province: str
    terrain: str
    bonus: int
    port: bool
    place: tuple[int, int]


@dataclass(frozen=True)
class Province:
    """A province and its cities; a player who holds them all gets a point (Séquence 6)."""

    id: str
    words: Words
    cities: tuple[str, ...]


@dataclass(frozen=True)
class Kind:
    """A kind of battle card. `value`: the strength of a troop; 0 for other cards."""

    id: str
    words: Words
    colour: str
    value: int
    count: int


@dataclass(frozen=True)
class Artist:
    """An artist token. `burns`: the preacher, who burns the palace he is drawn for."""

    id: str
    name: str
    burns: bool


@dataclass(frozen=True)
class Nation:
    """A power that a seat may play, its tokens and its optional privilege (Pouvoirs par état)."""

    id: str
    words: Words
    token: str
    colour: str
    power: str


@dataclass(frozen=True)
class Start:
    """The start of a nation. `choice`: one more city out of these. `seas`: expansions by sea a turn."""

    nation: str
    fixed: tuple[str, ...]
    choice: tuple[str, ...]
    seas: int


@dataclass(frozen=True)
class PlayerCount:
    """A scenario with a number of players: nations removed and provinces closed."""

    id: str
    players: int
    removed: tuple[str, ...]
    closed: tuple[str, ...]


@dataclass(frozen=True)
class Scenario:
    """A scenario.

    `years`: one for each turn. `drawn`: the first order of play is drawn; if False, it is as listed (A27).
    """

    id: str
    words: Words
    years: tuple[int, ...]
    first_turn: str
    drawn: bool
    extra_garrison: bool
    palace: bool
    starts: tuple[Start, ...]
    tables: tuple[PlayerCount, ...]


def _named(record: Mapping[str, Any]) -> Words:
    """Return the names on the board, Italian in every language; other spellings are accepted."""
    return Words.same(record["name"], *record.get("aliases", ()))


_BONUS: Final[Mapping[str, int]] = {row["terrain"]: row["defence"] for row in _MAP["bonuses"]}
TOWNS: Final[Mapping[str, Town]] = {
    row["id"]: build_row(Town, row, words=_named(row), bonus=_BONUS[row["terrain"]], place=(row["x"], row["y"]))
    for row in _MAP["cities"]
}
PROVINCES: Final[Mapping[str, Province]] = {
    row["id"]: build_row(Province, row, words=_named(row)) for row in _MAP["provinces"]
}
ROADS: Final[Mapping[str, tuple[str, ...]]] = {
    town: tuple(other for other in TOWNS if any({town, other} == set(road) for road in _MAP["roads"])) for town in TOWNS
}
"""The cities joined to each city by a road."""
LANDING: Final[int] = _MAP["landing"]

KINDS: Final = build_rows(Kind, _CARDS["kinds"], WORDS, "cards")
CARDS: Final[Mapping[str, str]] = {
    f"{kind.id}.{copy}": kind.id for kind in KINDS.values() for copy in range(1, kind.count + 1)
}
"""The eighty cards with their kinds."""
HIRED_FREE: Final = "condottiere.milan"
"""The card of Milan's privilege (A26); it is in no hand, pile or deck."""
FACES: Final[tuple[str, ...]] = tuple(_CARDS["condottiere_faces"])
ARTISTS: Final = build_rows(Artist, _CARDS["artists"])
EMBASSY: Final[tuple[tuple[int, int, str], ...]] = tuple(
    (row["low"], row["high"], row["effect"]) for row in _CARDS["embassy"]
)

DEALT: Final[Mapping[str, int]] = {row["id"]: row["cards"] for row in _TABLES["states"]}
PAID: Final[Mapping[str, int]] = {row["id"]: row["ducats"] for row in _TABLES["states"]}
ATTACKS: Final[Mapping[str, int | None]] = {row["id"]: row["attacks"] for row in _TABLES["states"]}
PRICES: Final[Mapping[str, int]] = _TABLES["prices"]
HAND_LIMIT: Final[int] = _TABLES["hand_limit"]
STRENGTH: Final[tuple[int, ...]] = tuple(row["strength"] for row in _TABLES["levels"])
INCOME: Final[tuple[int, ...]] = tuple(row["income"] for row in _TABLES["levels"])
LOOT: Final[tuple[int | None, ...]] = tuple(row["loot"] for row in _TABLES["levels"])
SUPPLIES: Final[Mapping[str, int]] = _TABLES["supplies"]
START_DUCATS: Final[int] = _TABLES["start"]["ducats"]
EXPANSIONS: Final[int] = _TABLES["expansions"]
RETURN_DUCATS: Final[int] = _TABLES["return_ducats"]
BANKER: Final[int] = _TABLES["banker"]
DOWRY: Final[int] = _TABLES["marriage"]
HIRE: Final[int] = _TABLES["condottiere"]
"""The price of a Condottiere: to use, to buy from a third party, to bribe."""

NATIONS: Final = build_rows(Nation, _SCENARIOS["nations"], WORDS, "nations")
SCENARIOS: Final[Mapping[str, Scenario]] = {
    row["id"]: build_row(
        Scenario,
        row,
        words=WORDS(f"options.scenario.{row['id']}"),
        starts=tuple(build_row(Start, place) for place in row["places"]),
    )
    for row in _SCENARIOS["scenarios"]
}
TURNS: Final = len(SCENARIOS["standard"].years)


def year(scenario: str, turn: int) -> int:
    """Return the year of a turn in a scenario (A37); before the first turn, the first year."""
    return SCENARIOS[scenario].years[max(turn - 1, 0)]


def kind_of(card: str) -> Kind:
    """Return the kind of a card, including Milan's free Condottiere."""
    return KINDS["condottiere" if card == HIRED_FREE else CARDS[card]]


TROOPS: Final = tuple(kind.id for kind in KINDS.values() if kind.value)
"""Blue cards, the weakest first."""
ALONE: Final[Mapping[str, str]] = {kind: f"one_{kind}" for kind in TROOPS}
"""The name in orders for a single card of a kind; the kind itself means all of them (A39)."""
WEAPONS: Final = ("ingenieur", "felon")
"""Red cards that are laid face down with the troops."""

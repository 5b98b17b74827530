"""What is printed: provinces, cards, advances, goods, scales. Nothing here changes during a game.

Every fact stands in `data/` with its source; this module gives it a type and looks it up. Paragraphs are those of the
French rulebook; R24 is ruling no. 24 of the game.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final

from engine.kernel.catalogues import Words, load_catalogue
from engine.kernel.data_tables import build_row, build_rows, load_table

WORDS: Final = load_catalogue(__package__)
"""The words of the game in every language, from the files in `words/`."""
_PROVINCES: Final[Any] = load_table(__package__, "provinces")
_CARDS: Final[Any] = load_table(__package__, "cards")
_ADVANCES: Final[Any] = load_table(__package__, "advances")
_TABLES: Final[Any] = load_table(__package__, "tables")


class Special(StrEnum):
    """Why a coastal province has no neighbour along the coast (§4.1)."""

    SEA_ONLY = "sea_only"
    OVERSEAS = "overseas"


class Kind(StrEnum):
    """The three kinds of history card (§7)."""

    COMMODITY = "commodity"
    EVENT = "event"
    LEADER = "leader"


class Aim(StrEnum):
    """What the player of an event chooses (A2)."""

    SEAT = "seat"
    PROVINCE = "province"
    PROVINCES = "provinces"
    REGION = "region"
    CATEGORY = "category"


@dataclass(frozen=True)
class Region:
    """A region of §4.6, or one of the two groups of overseas boxes."""

    id: str
    words: Words
    overseas: bool


@dataclass(frozen=True)
class Province:
    """A box of the board (§4). `points_to`: where a satellite's arrows lead (§9.5.2). `place`: latitude and
    longitude in tenths of a degree, for drawing; None overseas.
    """

    id: str
    words: Words
    region: str
    capacity: int
    goods: tuple[str, ...]
    satellite: bool
    coastal: bool
    capital: bool
    points_to: tuple[str, ...]
    special: Special | None
    place: tuple[int, int] | None


@dataclass(frozen=True)
class Good:
    """A commodity (A1): base value, the sum of dice that strikes it (§9.6.1), the boxes of its progression.
    `milled`: Mills may adjust it (§9.1).
    """

    id: str
    words: Words
    base: int
    die: int
    control_cards: int
    progression: tuple[int, ...]
    milled: bool


@dataclass(frozen=True)
class Boost:
    """What a leader's credits rise to when card `with_card` is played in the same turn.
    `before_too`: also when the leader comes first (R51); else only after it (R28).
    """

    with_card: str
    credit: int
    before_too: bool


@dataclass(frozen=True)
class Burden:
    """What makes a card unplayable for good (§7.2): an `after` card already played (in epoch `in_epoch`, if given),
    or all players holding the advances `all_hold`.
    """

    after: tuple[str, ...] = ()
    in_epoch: int | None = None
    all_hold: tuple[str, ...] = ()


@dataclass(frozen=True)
class Card:
    """One of the 64 history cards (A1-A3).

    `goods`: what a commodity card pays, two for a choice. `credits`: advance -> ducats off, for a leader.
    `military`, `beaten_by`: a weapon, and those that undo it. `blocked_by`: the advance that makes its owner immune.
    `shields`: cards that its player ignores until the end of the turn. `targets`: provinces hit, by epoch.
    """

    id: str
    words: Words
    kind: Kind
    epoch: int
    recycles: bool
    goods: tuple[str, ...] = ()
    credits: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    boost: Boost | None = None
    military: bool = False
    beaten_by: tuple[str, ...] = ()
    aim: Aim | None = None
    categories: tuple[str, ...] = ()
    blocked_by: str | None = None
    shields: tuple[str, ...] = ()
    targets: tuple[int, ...] = ()
    cash: int = 0
    burden: Burden | None = None


@dataclass(frozen=True)
class Category:
    """One of the six groups of advances (§6). `total`: printed sum of costs. `tiered`: it counts for the
    reductions of misery of §9.4.2.
    """

    id: str
    words: Words
    total: int
    tiered: bool


@dataclass(frozen=True)
class Advance:
    """One of the 26 advances (§9.4.2). `needs`: prerequisites of the Euro aids; `needs_printed`: those that the French
    text prints. `misery`: steps at the moment of purchase. `leaders`: cards that give credit for it.
    """

    letter: str
    words: Words
    category: str
    cost: int
    credit: int
    misery: int
    needs: tuple[str, ...]
    needs_printed: tuple[str, ...]
    leaders: tuple[str, ...]


@dataclass(frozen=True)
class Waiver:
    """A slip of the rulebook: what it prints, what we take, and why."""

    name: str
    printed: object
    taken: object
    why: str


def _card(row: Mapping[str, Any]) -> Card:
    words, boost = WORDS(f"cards.{row.get('name', row['id'])}"), row.get("boost")
    return build_row(Card, row, words=words, boost=build_row(Boost, boost, with_card=boost["with"]) if boost else None)


def _advance(row: Mapping[str, Any], cards: Iterable[Card]) -> Advance:
    letter = row["letter"]
    leaders = tuple(card.id for card in cards if letter in card.credits)
    return build_row(Advance, row, words=WORDS(f"advances.{letter}"), leaders=leaders)


PROVINCES: Final = build_rows(Province, _PROVINCES["provinces"], WORDS, "provinces")
REGIONS: Final = build_rows(Region, _PROVINCES["regions"], WORDS, "regions")
GOODS: Final = build_rows(Good, _TABLES["goods"], WORDS, "goods")
CARDS: Final[Mapping[str, Card]] = MappingProxyType({r["id"]: _card(r) for r in _CARDS["cards"]})
CATEGORIES: Final = build_rows(Category, _ADVANCES["categories"], WORDS, "categories")
ADVANCES: Final[Mapping[str, Advance]] = MappingProxyType(
    {r["letter"]: _advance(r, CARDS.values()) for r in _ADVANCES["advances"]}
)
FACE: Final[Mapping[str, str]] = MappingProxyType(
    {c.id: next(o.id for o in CARDS.values() if o.words == c.words) for c in CARDS.values()}
)
"""The first card that shows the same: several commodity cards differ in nothing that a player could name."""
PRODUCERS: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {good: frozenset(p.id for p in PROVINCES.values() if good in p.goods) for good in GOODS}
)
"""Which provinces produce a good."""
STRUCK: Final[Mapping[int, tuple[str, ...]]] = MappingProxyType(
    {roll: tuple(g.id for g in GOODS.values() if g.die == roll) for roll in range(2, 13)}
)
"""The goods that a sum of black and white strikes (§9.6.1); 12 strikes two (R19)."""

_BY_PLAYERS: Final[Mapping[int, Any]] = {r["n"]: r for r in _TABLES["players"]}
_OVERSEAS: Final = frozenset(r.id for r in REGIONS.values() if r.overseas)
SLOTS: Final[Mapping[int, tuple[int, ...]]] = MappingProxyType({n: tuple(r["slots"]) for n, r in _BY_PLAYERS.items()})
"""The ranks that are used with n players (§3)."""
CAPITALS: Final[Mapping[int, tuple[str, ...]]] = MappingProxyType(
    {n: tuple(r["capitals"]) for n, r in _BY_PLAYERS.items()}
)
"""The capitals with n players, in the order in which §8.2 prints them."""
REGIONS_IN_PLAY: Final[Mapping[int, frozenset[str]]] = MappingProxyType(
    {n: _OVERSEAS.union(r["regions"]) for n, r in _BY_PLAYERS.items()}
)
"""The regions with n players (§8.2); the overseas boxes always belong to the game (B2, second table)."""
RETURN_TURN: Final[Mapping[int, int]] = MappingProxyType({n: r["withheld_return_turn"] for n, r in _BY_PLAYERS.items()})
"""At the start of which turn the five withheld cards are shuffled in (§8.1, R25)."""
LEADER_BOXES: Final[Mapping[int, int]] = MappingProxyType({n: r["leader_boxes"] for n, r in _BY_PLAYERS.items()})
"""How many leaders find a place on the board (§9.3.3)."""
CLAIMS: Final[tuple[int, ...]] = tuple(_TABLES["set_up"]["claims_by_box"])
"""How many claims of patronage each of these boxes lets through (§9.3.3)."""
COLOURS: Final[Mapping[str, str]] = MappingProxyType({c: _TABLES["colours"][c] for c in CAPITALS[6]})

WITHHELD: Final[tuple[str, ...]] = tuple(_TABLES["set_up"]["withheld"])
START_CASH: Final[int] = _TABLES["set_up"]["cash"]
CARDS_DEALT: Final[int] = _TABLES["set_up"]["dealt"]
CARDS_KEPT: Final[int] = _TABLES["set_up"]["kept"]
TOKENS: Final[int] = _TABLES["pieces"]["tokens"]
MARKERS: Final[int] = _TABLES["pieces"]["markers"]
EXTRA_CARD: Final[int] = _TABLES["costs"]["extra_card"]
"""Ducats for a card by Urban Growth (§9.2)."""
SHIP_UPGRADE: Final[int] = _TABLES["ships"]["upgrade_cost"]
MIDDLE_CLASS: Final[int] = _TABLES["income"]["middle_class"]
"""Ducats that Middle Class adds to the income (§9.6)."""
TIERS: Final[Mapping[int, int]] = MappingProxyType({2: _TABLES["tiers"]["2"], 3: _TABLES["tiers"]["3"]})
"""Advances in each tiered category -> steps of misery taken off (§9.4.2, R21)."""
TIER_ALL: Final[int] = _TABLES["tiers"]["all"]
"""Steps taken off for all the advances of the tiered categories."""

MISERY: Final[tuple[int, ...]] = tuple(_TABLES["misery"]["steps"])
"""The misery ladder. A player's level is an index into it; `len(MISERY)` is beyond 1000: eliminated (§9.4.4)."""

ODDS: Final[Mapping[tuple[int, bool, bool], Fraction]] = MappingProxyType(
    {
        (int(rank), weapon, faith): Fraction(wins[2 * weapon + faith], 216)
        for rank, wins in _TABLES["odds"].items()
        for weapon in (False, True)
        for faith in (False, True)
    }
)
"""(rank, military advantage in force, Faith) -> the attacker's chance in a rivalry (B1)."""

WAIVERS: Final[Mapping[str, Waiver]] = MappingProxyType(
    {r["name"]: Waiver(r["name"], r["printed"], r["taken"], r["why"]) for r in _TABLES["waivers"]}
)
"""Where the rulebook contradicts itself or was misprinted."""


def income(players: int, provinces: int) -> int:
    """§9.6  Ducats for `provinces` control markers on the board, with `players` at the start of the game.

    Raises ValueError for a number that no game can have.
    """
    if players not in SLOTS or not 0 <= provinces <= MARKERS:
        raise ValueError(f"no income is printed for {players} players and {provinces} provinces")
    return int(_TABLES["income"]["base"]) + players * provinces


def payout(good: str, count: int, shift: int = 0) -> int:
    """§9.3.1, §9.6.1  Ducats for controlling `count` producers of `good` when a card of it is played.

    `shift`: boxes up or down: +1 for Manufactures, +1 for a shortage, -1 for a surplus. Without a producer nothing is
    paid, whatever the shift. The tenth box is the most (R24).
    """
    boxes = GOODS[good].progression
    box = min(count + shift, len(boxes))
    return boxes[box - 1] if count > 0 and box > 0 else 0


def stabilisation(cards: int, half: bool = False) -> int:
    """§9.4.3  Ducats to keep misery steady with `cards` in hand; half, rounded up, for the Middle Class (§9.6)."""
    cost = cards * (cards + 1) // 2
    return (cost + 1) // 2 if half else cost


def unpaid(level: int, cost: int) -> int:
    """§9.4.3  The level (index into MISERY) after `cost` ducats of stabilisation were not paid at `level`.

    The first box whose distance is at least the cost; `len(MISERY)` if there is none.
    """
    if cost == 0 or level >= len(MISERY):
        return level
    reached = (step for step in range(level + 1, len(MISERY)) if MISERY[step] - MISERY[level] >= cost)
    return next(reached, len(MISERY))


def expansion_card(bought: int) -> int:
    """§9.5.1  Tokens for a card when `bought` were bought before in this phase, by anybody."""
    return int(_TABLES["costs"]["expansion_card"]) * (bought + 1)

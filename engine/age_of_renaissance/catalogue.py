"""Printed facts: provinces, cards, advances, goods, scales. Nothing here changes during a game.

Every fact is in `data/` with its source; this module gives it a type. Paragraphs are those of the French rulebook; R24
is ruling no. 24 of the game.
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
    """A box of the board (§4).

    `points_to`: the provinces that a satellite's arrows point to (§9.5.2). `place`: latitude and longitude in tenths of
    a degree, for drawing; None overseas.
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
    """A commodity (A1).

    `die`: the sum of dice that affects it (§9.6.1). `progression`: payments by the number of producers. `milled`: Mills
    may adjust it (§9.1).
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
    """The higher credit of a leader if card `with_card` is played in the same turn.

    `before_too`: also if the leader comes first (R51). If False, only if it comes after the card (R28).
    """

    with_card: str
    credit: int
    before_too: bool


@dataclass(frozen=True)
class Burden:
    """What makes a card unplayable for good (§7.2).

    `after`: one of these cards was played (in epoch `in_epoch`, if given). `all_hold`: all players hold these advances.
    """

    after: tuple[str, ...] = ()
    in_epoch: int | None = None
    all_hold: tuple[str, ...] = ()


@dataclass(frozen=True)
class Card:
    """One of the 64 history cards (A1-A3).

    `goods`: the goods that a commodity card pays; two give a choice.
    `credits`: a leader's discounts, advance -> ducats.
    `military`: a weapon; `beaten_by`: the weapons that beat it.
    `blocked_by`: the advance that makes its owner immune.
    `shields`: cards that its player ignores until the end of the turn.
    `targets`: number of provinces hit, by epoch.
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
    """One of the six groups of advances (§6).

    `total`: the printed sum of costs. `tiered`: it counts for the reductions of misery of §9.4.2.
    """

    id: str
    words: Words
    total: int
    tiered: bool


@dataclass(frozen=True)
class Advance:
    """One of the 26 advances (§9.4.2).

    `needs`: prerequisites of the Euro aids.
    `needs_printed`: those of the French text.
    `misery`: steps at purchase.
    `leaders`: cards that give credit for it.
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
    """An error of the rulebook: the printed value, the value used, and the reason."""

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
"""The first card with the same face; commodity cards with the same face are interchangeable in orders."""
PRODUCERS: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {good: frozenset(p.id for p in PROVINCES.values() if good in p.goods) for good in GOODS}
)
"""The provinces that produce a good."""
STRUCK: Final[Mapping[int, tuple[str, ...]]] = MappingProxyType(
    {roll: tuple(g.id for g in GOODS.values() if g.die == roll) for roll in range(2, 13)}
)
"""The goods that a sum of the black and white dice affects (§9.6.1); 12 affects two (R19)."""

_BY_PLAYERS: Final[Mapping[int, Any]] = {r["n"]: r for r in _TABLES["players"]}
_OVERSEAS: Final = frozenset(r.id for r in REGIONS.values() if r.overseas)
SLOTS: Final[Mapping[int, tuple[int, ...]]] = MappingProxyType({n: tuple(r["slots"]) for n, r in _BY_PLAYERS.items()})
"""The ranks used with n players (§3)."""
CAPITALS: Final[Mapping[int, tuple[str, ...]]] = MappingProxyType(
    {n: tuple(r["capitals"]) for n, r in _BY_PLAYERS.items()}
)
"""The capitals with n players, in the order of §8.2."""
REGIONS_IN_PLAY: Final[Mapping[int, frozenset[str]]] = MappingProxyType(
    {n: _OVERSEAS.union(r["regions"]) for n, r in _BY_PLAYERS.items()}
)
"""The regions with n players (§8.2); the overseas boxes are always in play (B2, second table)."""
RETURN_TURN: Final[Mapping[int, int]] = MappingProxyType({n: r["withheld_return_turn"] for n, r in _BY_PLAYERS.items()})
"""The turn at whose start the five withheld cards are shuffled in (§8.1, R25)."""
LEADER_BOXES: Final[Mapping[int, int]] = MappingProxyType({n: r["leader_boxes"] for n, r in _BY_PLAYERS.items()})
"""How many leaders have a box on the board (§9.3.3)."""
CLAIMS: Final[tuple[int, ...]] = tuple(_TABLES["set_up"]["claims_by_box"])
"""How many patronage claims each of these boxes allows (§9.3.3)."""
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
"""Advances in each tiered category -> steps of misery removed (§9.4.2, R21)."""
TIER_ALL: Final[int] = _TABLES["tiers"]["all"]
"""Steps removed for all advances of the tiered categories."""

MISERY: Final[tuple[int, ...]] = tuple(_TABLES["misery"]["steps"])
"""The misery ladder.

A power's misery is an index into it; `len(MISERY)` is beyond 1000: eliminated (§9.4.4).
"""

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
"""Contradictions and misprints of the rulebook."""


def income(players: int, provinces: int) -> int:
    """§9.6  Return the ducats for `provinces` control markers on the board, in a game begun with `players`.

    Raises ValueError for a number that no game can have.
    """
    if players not in SLOTS or not 0 <= provinces <= MARKERS:
        raise ValueError(f"no income is printed for {players} players and {provinces} provinces")
    return int(_TABLES["income"]["base"]) + players * provinces


def payout(good: str, count: int, shift: int = 0) -> int:
    """§9.3.1, §9.6.1  Return the ducats for controlling `count` producers of `good` when a card of it is played.

    `shift`: boxes up or down: +1 for Manufactures, +1 for a shortage, -1 for a surplus. Without a producer nothing is
    paid. The tenth box is the maximum (R24).
    """
    boxes = GOODS[good].progression
    box = min(count + shift, len(boxes))
    return boxes[box - 1] if count > 0 and box > 0 else 0


def stabilisation(cards: int, half: bool = False) -> int:
    """§9.4.3  Return the ducats to stabilise with `cards` in hand.

    `half`: for the Middle Class, rounded up (§9.6).
    """
    cost = cards * (cards + 1) // 2
    return (cost + 1) // 2 if half else cost


def unpaid(level: int, cost: int) -> int:
    """§9.4.3  Return the misery index after `cost` ducats of stabilisation were not paid at index `level`.

    This is the first box at least `cost` higher; `len(MISERY)` if there is none.
    """
    if cost == 0 or level >= len(MISERY):
        return level
    reached = (step for step in range(level + 1, len(MISERY)) if MISERY[step] - MISERY[level] >= cost)
    return next(reached, len(MISERY))


def expansion_card(bought: int) -> int:
    """§9.5.1  Return the tokens for a card if `bought` were bought before in this phase, by all players."""
    return int(_TABLES["costs"]["expansion_card"]) * (bought + 1)

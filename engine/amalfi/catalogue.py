"""Printed facts: destinations, artworks, characters, titles, decrees, numbers.

Nothing here changes during a game.

Every fact is in `data/`, with a code of `sources.json` for its source. No list of the printed cards and tiles is known,
so most are reconstructed; owners of the real components can replace the tables without changing code. A1 to A26 are the
numbered rulings on the rulebook.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final

from engine.kernel.catalogues import Words, load_catalogue
from engine.kernel.codec import serializable
from engine.kernel.data_tables import build_row, build_rows, load_table

WORDS: Final = load_catalogue(__package__)
EXONYMS: Final = WORDS.section("exonyms")
"""What destinations are called in other languages than that of the game's board."""
"""The words of the game in every language, from the files in `words/`."""
HOLDS: Final = ("spice", "wood", "wine", "jewel", "cloth")
"""The five resources, each with its hold (Iconographie)."""
ANY: Final = "any"
"""A hold that its owner chooses."""
TYPES: Final = ("book", "painting", "monument")
"""The types of artworks (Acquisition)."""
COLOURS: Final = ("red", "blue", "green", "yellow")
"""The colours after which players are named."""
RIVAL: Final = "rival"
"""The owner of the solo rival's ships and lighthouses."""
ALL: Final = 99
"""As many as there are."""


class Category(StrEnum):
    """The types of characters (Invitation)."""

    IMMEDIATE = "immediate"
    PERMANENT = "permanent"
    ENGAGEABLE = "engageable"
    END_GAME = "end_game"


class Kind(StrEnum):
    """The kinds of destination: printed on the board, printed and covered later, a tile of the Atlas."""

    PUBLIC = "public"
    EVOLVING = "evolving"
    PRIVATE = "private"


@serializable("amalfi.Verb")
class Verb(StrEnum):
    """What an effect does; `phases/effects.py` carries each out."""

    BREAD = "bread"
    PAY_BREAD = "pay_bread"
    VP = "vp"
    VP_PER = "vp_per"
    SEND = "send"
    CHARACTER = "character"
    LIGHTHOUSE = "lighthouse"
    UNTAP = "untap"
    EITHER = "either"
    DISCARD_ARTWORK = "discard_artwork"
    DISCARD_CHARACTER = "discard_character"
    ACQUIRE = "acquire"
    DISCOVER = "discover"
    INVITE = "invite"
    BUILD = "build"
    RECALL = "recall"
    LAUNCH = "launch"
    USE_PRIVATE = "use_private"
    DISCARD_FOR_VP = "discard_for_vp"


class On(StrEnum):
    """The moment when a permanent character acts."""

    ACQUIRE = "acquire"
    DISCOVER = "discover"
    INVITE = "invite"
    ENGAGE = "engage"
    BUILD = "build"
    LIGHTHOUSE = "lighthouse"
    PRIVATE = "navigate_private"
    DECREE = "decree"
    PERIOD = "period_start"


class Mod(StrEnum):
    """The rule that a permanent character changes."""

    COST = "cost_minus"
    HOLD = "hold_value"
    EMERGENCY = "emergency_value"
    LIGHT = "lighthouse_use_cost"
    MEAL = "meal_minus"
    NO_EXTRA = "no_row_surcharge"
    COUNCIL = "council_free"


@serializable("amalfi.Op")
@dataclass(frozen=True)
class Op:
    """One effect of a destination, an artwork or a character.

    `n`: how much, how many, or the maximum.
    `hold`: where ships are sent.
    `per`, `vp`, `most`: points for each thing, and their maximum.
    `minus`: a discount.
    `free`: a character whose slot costs nothing.
    `to`: where built ships go.
    """

    op: Verb
    n: int = 1
    hold: str = ""
    per: str = ""
    vp: int = 0
    most: int = 0
    minus: int = 0
    free: bool = False
    to: str = "port"


@dataclass(frozen=True)
class Destination:
    """A place to sail to.

    `bread`: paid first.
    `cost`, `accepts`, `vp`: for private ones, the resources to discover it and its points.
    `slot`: a lighthouse can be erected.
    `evolves`: the period at whose beginning a tile covers it.
    """

    id: str
    name: str
    kind: Kind
    bread: int
    effects: tuple[Op, ...]
    slot: bool
    source: str
    evolves: int = 0
    cost: int = 0
    accepts: tuple[str, ...] = ()
    vp: int = 0

    @property
    def words(self) -> Words:
        """Return its name, the same in every language, and what else players call it."""
        own = Words.same(self.name)
        return own | EXONYMS[self.id] if self.id in EXONYMS else own

    @property
    def holds(self) -> tuple[str, ...]:
        """Return the holds that it shows, possibly `any`."""
        return tuple(dict.fromkeys(op.hold for op in self.effects if op.op is Verb.SEND))


@dataclass(frozen=True)
class Artwork:
    """A card of the Atelier. `bonus`: a key of BONUSES."""

    id: str
    name: str
    type: str
    cost: int
    accepts: tuple[str, ...]
    vp: int
    bonus: str
    source: str

    @property
    def words(self) -> Words:
        """Return its name, the same in every language."""
        return Words.same(self.name)


@dataclass(frozen=True)
class Character:
    """A person of the Renaissance, with the effect of its category.

    Immediate and engageable: `effects`.
    Permanent: `effects` at each `on` (`type`: only for artworks of this type), or the lasting `mod` with `n`, `action`,
    `hold`.
    End of game: `vp` for each `per`, at most `most`.
    """

    id: str
    words: Words
    category: Category
    cost: int
    accepts: tuple[str, ...]
    source: str
    effects: tuple[Op, ...] = ()
    on: On | None = None
    type: str = ""
    mod: Mod | None = None
    n: int = 0
    action: str = ""
    hold: str = ""
    per: str = ""
    vp: int = 0
    most: int = 0


@dataclass(frozen=True)
class Hand:
    """One of the six packets of initial characters."""

    id: str
    words: Words
    cards: tuple[str, ...]
    source: str


@dataclass(frozen=True)
class Title:
    """A title: what must be owned, and the points of its cells from the left."""

    id: str
    words: Words
    back: str
    needs: Mapping[str, int]
    vp: tuple[int, ...]
    source: str


@dataclass(frozen=True)
class Decree:
    """The points for each thing at the end of a period."""

    id: str
    words: Words
    vp: Mapping[str, int]
    source: str


@dataclass(frozen=True)
class Rival:
    """A solo rival: the titles needed after each period. `bonus`: it reacts to bonuses too."""

    id: str
    titles: tuple[int, ...]
    bonus: bool


TABLES: Final[Any] = load_table(__package__, "tables")
_CHARACTERS: Final[Any] = load_table(__package__, "characters")


def _rows(table: str) -> Any:
    return load_table(__package__, table)[table]


SOURCES: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(_rows("sources"))
"""Sources by code: `tag` (rulebook, partial, reconstructed) and `cite`."""
DESTINATIONS: Final = build_rows(Destination, _rows("destinations"))
ARTWORKS: Final = build_rows(Artwork, _rows("artworks"))
CHARACTERS: Final = build_rows(Character, _CHARACTERS["characters"], WORDS, "characters")
HANDS: Final = build_rows(Hand, _CHARACTERS["hands"], WORDS, "hands")
TITLES: Final = build_rows(Title, _rows("titles"), WORDS, "titles")
DECREES: Final = build_rows(Decree, _rows("decrees"), WORDS, "decrees")
RIVALS: Final = build_rows(Rival, TABLES["solo"]["rivals"])

PUBLIC: Final = tuple(d.id for d in DESTINATIONS.values() if d.kind is Kind.PUBLIC)
EVOLVING: Final = tuple(d.id for d in DESTINATIONS.values() if d.kind is Kind.EVOLVING)
"""The evolving destinations, from the top."""
PRIVATE: Final = tuple(d.id for d in DESTINATIONS.values() if d.kind is Kind.PRIVATE)

BONUSES: Final[Mapping[str, tuple[Op, ...]]] = MappingProxyType(
    {name: tuple(build_row(Op, op) for op in ops) for name, ops in TABLES["bonuses"].items()}
)
"""The icons of artworks, lighthouses and the yard, by name; "" is no icon."""
HOLD_VALUES: Final[Mapping[str, int]] = MappingProxyType(TABLES["hold_values"])
"""The value of a ship lowered from a hold (A1)."""
EMERGENCY: Final[int] = TABLES["emergency"]
PERIODS: Final[int] = TABLES["periods"]
START: Final[Mapping[str, Any]] = MappingProxyType(TABLES["start"])
SHIPS: Final[int] = START["bay"] + START["yard"]
LIGHTHOUSES: Final[int] = START["lighthouses"]
GRANARY: Final[Mapping[str, int]] = MappingProxyType(TABLES["granary"])
LIGHT_BONUSES: Final[tuple[str, ...]] = tuple(TABLES["lighthouse_bonuses"])
"""The icons under the lighthouses of a player's board, from the left."""
YARD_BONUSES: Final[tuple[str, ...]] = tuple(TABLES["yard_bonuses"])
"""The icons under the ships of the yard, from the left."""
LIGHT: Final[Mapping[str, int]] = MappingProxyType(TABLES["lighthouse"])
SHIP_COST: Final[tuple[int, ...]] = tuple(TABLES["ship_cost"])
MEAL: Final[Mapping[str, int]] = MappingProxyType(TABLES["meal"])
COUNCIL: Final[Mapping[str, tuple[int, ...]]] = MappingProxyType({k: tuple(v) for k, v in TABLES["council"].items()})
ROW: Final[Mapping[str, tuple[int, ...]]] = MappingProxyType({k: tuple(v) for k, v in TABLES["row"].items()})
"""The slots of the Atelier and of the Atlas, from the left."""
DECREE_EXTRA: Final[tuple[Mapping[str, int], ...]] = tuple(MappingProxyType(e) for e in TABLES["decree_extra"])
"""The points printed on the board beside each period's decree (A7)."""
TITLE_PILES: Final[Mapping[str, int]] = MappingProxyType(TABLES["title_piles"])
SOLO: Final[Mapping[str, Any]] = MappingProxyType(TABLES["solo"])
DEALS: Final[Mapping[str, Mapping[str, int]]] = MappingProxyType(TABLES["deals"])

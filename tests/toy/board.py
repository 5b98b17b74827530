"""The state of the smallest game: dataclasses, no behaviour beyond lookups."""

from dataclasses import dataclass, field

from engine.kernel.catalogues import Words
from engine.kernel.codec import serializable
from engine.kernel.hidden_amounts import HiddenAmount
from engine.kernel.secrets import Secret
from engine.kernel.viewers import Seat
from tests.bilingual import words

TOWNS: dict[str, Words] = {
    "harbour": words("Le Port|Port", "Harbour"),
    "mill": words("Le Moulin|Moulin", "Mill"),
    "abbey": words("L'Abbaye|Abbaye", "Abbey"),
}
"""The towns of the market, by the value that orders keep."""

SHIELDS: dict[str, Words] = {
    "oak": words("Écu de chêne|Chêne", "Oak Shield"),
    "iron": words("Écu de fer|Fer", "Iron Shield"),
    "bronze": words("Écu de bronze|Bronze", "Bronze Shield"),
}
WARES: dict[str, tuple[int, Words]] = {
    "wool": (2, words("Laine", "Wool")),
    "salt": (2, words("Sel", "Salt")),
    "wine": (3, words("Vin", "Wine")),
    "timber": (3, words("Bois", "Timber")),
    "spice": (4, words("Épices", "Spice")),
    "silk": (5, words("Soie", "Silk")),
}
CARDS: dict[str, Words] = {**SHIELDS, **{name: ware[1] for name, ware in WARES.items()}}
GOODS: dict[str, Words] = {"grain": words("Blé", "Grain"), "hay": words("Foin", "Hay")}
"""What is offered at the fair."""

COINS = 8
"""What each seat begins with, and what the bank holds for each."""


@serializable("toy.Board")
@dataclass
class Board:
    """Coins and towns are public; of a hand the number of cards, of the deck its height, of a store nothing."""

    bank: int
    coins: dict[Seat, int]
    turn: int = 0
    deck: tuple[Secret[str], ...] = ()
    hands: dict[Seat, tuple[Secret[str], ...]] = field(default_factory=dict)
    discard: tuple[str, ...] = ()
    owner: dict[str, Seat] = field(default_factory=dict)
    attacks: int = 0
    parried: bool = False
    gone: frozenset[Seat] = frozenset()
    ribbons: dict[Seat, int] = field(default_factory=dict)
    stores: dict[Seat, dict[str, HiddenAmount]] = field(default_factory=dict)


def playing(board: Board) -> tuple[Seat, ...]:
    """The seats still in the game, in the order of the table."""
    return tuple(seat for seat in board.coins if seat not in board.gone)


def known(hand: tuple[Secret[str], ...]) -> tuple[str, ...]:
    """The cards of a hand that the reader in force knows."""
    return tuple(card.value for card in hand if card.visible)


def defence(board: Board, town: str) -> int:
    """§4  What a die must show: 3 against a free town, 4 against one that is held."""
    return 4 if town in board.owner else 3

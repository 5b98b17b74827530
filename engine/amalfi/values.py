"""Counts and costs, computed from a position without changing it."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from engine.amalfi.board import Board, Player
from engine.amalfi.catalogue import (
    ARTWORKS,
    CHARACTERS,
    COUNCIL,
    DECREE_EXTRA,
    DECREES,
    DESTINATIONS,
    EMERGENCY,
    HOLD_VALUES,
    LIGHT,
    MEAL,
    ROW,
    SHIP_COST,
    TITLES,
    TYPES,
    Category,
    Character,
    Mod,
    On,
    Op,
)
from engine.kernel.viewers import Seat

FLOOR: Final = 1
"""The least cost after discounts (A18)."""


def invited(player: Player) -> Iterator[Character]:
    """Yield the characters that a player has laid out, in order."""
    return (CHARACTERS[card] for card in player.invited)


def by_type(player: Player) -> Counter[str]:
    """Return how many artworks of each type a player has, including zeros."""
    owned = Counter(ARTWORKS[card].type for card in player.artworks)
    return Counter({name: owned[name] for name in TYPES})


def by_category(player: Player) -> Counter[str]:
    """Return how many characters of each category are laid out, including zeros."""
    owned = Counter(character.category for character in invited(player))
    return Counter({category.value: owned[category] for category in Category})


def counted(board: Board, seat: Seat, what: str) -> int:
    """Return how many of these a player has, by the names in decrees, titles and characters."""
    player = board.players[seat]
    match what:
        case "artwork":
            return len(player.artworks)
        case "book" | "painting" | "monument":
            return by_type(player)[what]
        case "artwork_set":
            return min(by_type(player).values())
        case "artwork_of_best_type" | "artwork_same_type":
            return max(by_type(player).values())
        case "artwork_pairs_of_two":
            return sum(n >= 2 for n in by_type(player).values())
        case "character":
            return len(player.invited)
        case "character_set":
            return min(by_category(player).values())
        case "character_type":
            return sum(n > 0 for n in by_category(player).values())
        case "lighthouse_own_private":
            return sum(board.light(place) == seat for place in player.destinations)
        case "title":
            return sum(seat in seats for seats in board.claims.values())
    return _figure(board, player, what)


def _figure(board: Board, player: Player, what: str) -> int:
    match what:
        case "private_destination":
            return len(player.destinations)
        case "lighthouse":
            return board.erected(player.seat)
        case "ship_built":
            return player.built
        case "fleet" | "bread":
            return int(getattr(player, what))
        case "ship_in_hold":
            return player.in_holds
    return by_category(player)[what.removeprefix("character_")]


# --- decrees and titles


def best_mix(player: Player) -> tuple[int, int]:
    """Bénédiction: Return how many trios and pairs of types score most, each artwork counted once (A8)."""
    points = DECREES["benediction"].vp

    def score(mix: tuple[int, int]) -> int:
        return mix[0] * points["artwork_set"] + mix[1] * points["artwork_pair"]

    return max((_pairs(by_type(player), trios) for trios in range(min(by_type(player).values()) + 1)), key=score)


def _pairs(types: Mapping[str, int], trios: int) -> tuple[int, int]:
    left = [n - trios for n in types.values()]
    return trios, min(sum(left) // 2, sum(left) - max(left))


def decree_counts(board: Board, seat: Seat) -> tuple[Mapping[str, int], Mapping[str, int]]:
    """Return what this period's decree and the board beside it count, and the points of each (Phase 3; A7)."""
    decree, extra = DECREES[board.decrees[board.period - 1]], DECREE_EXTRA[board.period - 1]
    each = Counter(decree.vp) + Counter(extra)
    counts = {what: counted(board, seat, what) for what in each if what != "artwork_pair"}
    if "artwork_pair" in each:
        counts["artwork_set"], counts["artwork_pair"] = best_mix(board.players[seat])
    return counts, {what: counts[what] * each[what] for what in each}


def earns(board: Board, seat: Seat, title: str) -> bool:
    """Return True if a player owns everything that a title needs."""
    return all(counted(board, seat, what) >= n for what, n in TITLES[title].needs.items())


def end_points(board: Board, seat: Seat, card: str) -> tuple[int, int]:
    """Return the count of an end-of-game character, and its points up to the maximum (Fin du jeu)."""
    character = CHARACTERS[card]
    count = counted(board, seat, character.per)
    return count, min(character.most, count * character.vp)


# --- modifications by permanent characters


def triggered_by(board: Board, seat: Seat, on: On, about: str = "") -> tuple[tuple[Character, tuple[Op, ...]], ...]:
    """Return the permanent characters that act at this moment, with their effects.

    `about`: the type of an artwork.
    """
    laid = (c for c in invited(board.players[seat]) if c.on is on and c.type in ("", about))
    return tuple((character, character.effects) for character in laid)


def _mods(board: Board, seat: Seat, mod: Mod) -> Iterator[Character]:
    return (character for character in invited(board.players[seat]) if character.mod is mod)


def has_mod(board: Board, seat: Seat, mod: Mod) -> bool:
    """Return True if a permanent character of the player changes this rule."""
    return any(True for _ in _mods(board, seat, mod))


def hold_value(board: Board, seat: Seat, hold: str) -> int:
    """Return the value of a ship lowered from a hold for this player (A1)."""
    return max([HOLD_VALUES[hold], *(c.n for c in _mods(board, seat, Mod.HOLD) if c.hold == hold)])


def emergency_value(board: Board, seat: Seat) -> int:
    """Return the value of an emergency ship of the bay."""
    return max([EMERGENCY, *(c.n for c in _mods(board, seat, Mod.EMERGENCY))])


def light_cost(board: Board, seat: Seat) -> int:
    """Return the bread for sending a ship by a lighthouse."""
    return min([LIGHT["bread"], *(c.n for c in _mods(board, seat, Mod.LIGHT))])


def meal(board: Board, seat: Seat) -> int:
    """Return the bread that a player's crews eat (Phase 2)."""
    due: int = MEAL["base"] + board.players[seat].built - sum(c.n for c in _mods(board, seat, Mod.MEAL))
    return max(0, due)


def discount(board: Board, seat: Seat, action: str) -> int:
    """Return the discount of permanent characters on an action."""
    return sum(c.n for c in _mods(board, seat, Mod.COST) if c.action == action)


# --- costs


def slot(board: Board, row: str, thing: str) -> int:
    """Return the index of a thing in its row, from the left; in a short row, the left slots are empty (A3)."""
    slots = len((COUNCIL if row == "council" else ROW)["gains"])
    return slots - len(board.rows[row]) + board.rows[row].index(thing)


def row_cost(board: Board, seat: Seat, row: str, thing: str, minus: int = 0) -> int:
    """Return the resources for an artwork or a tile, including its slot and all discounts."""
    printed = ARTWORKS[thing].cost if row == "atelier" else DESTINATIONS[thing].cost
    extra = 0 if has_mod(board, seat, Mod.NO_EXTRA) else ROW["extra"][slot(board, row, thing)]
    action = "acquire" if row == "atelier" else "discover"
    return max(FLOOR, printed + extra - discount(board, seat, action) - minus)


def row_bread(board: Board, row: str, thing: str) -> int:
    """Return the bread that the slot of an artwork or a tile gives."""
    return ROW["gains"][slot(board, row, thing)]


def invite_cost(board: Board, seat: Seat, card: str, minus: int = 0) -> int:
    """Return the resources for a character of the hand."""
    return max(FLOOR, CHARACTERS[card].cost - discount(board, seat, "invite") - minus)


def ship_cost(board: Board, seat: Seat, minus: int = 0) -> int:
    """Return the wood for one ship in this period."""
    return max(FLOOR, SHIP_COST[board.period - 1] - discount(board, seat, "build") - minus)


def council_bread(board: Board, seat: Seat, card: str, *, free: bool = False) -> tuple[int, int]:
    """Return the bread that taking a character of the Council costs, and gives (Prendre un Personnage en main)."""
    at = slot(board, "council", card)
    pays, gains = COUNCIL["pays"][at], COUNCIL["gains"][at]
    if has_mod(board, seat, Mod.COUNCIL):
        return 0, gains + 1
    return (0 if free else pays), gains


def stored(board: Board, seat: Seat, bread: int) -> tuple[int, int]:
    """Return how much bread fits into the granary, and how much is lost (Le Pain)."""
    kept = min(bread, board.granary(seat) - board.players[seat].bread)
    return kept, bread - kept

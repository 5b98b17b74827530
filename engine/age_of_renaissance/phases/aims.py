"""A2, R50  The possible targets of each aimed event: powers, provinces, regions, categories."""

from collections.abc import Callable, Mapping

from engine.age_of_renaissance.acts import Seen
from engine.age_of_renaissance.board import Board
from engine.age_of_renaissance.catalogue import CARDS, PROVINCES, REGIONS, REGIONS_IN_PLAY, Card
from engine.kernel.orders import Problem
from engine.kernel.viewers import Seat

PROBLEMS = (
    "not_in_play",  # {target}: no power or place of this game
    "power_gone",  # {target}: eliminated
    "not_oneself",  # {card}
    "immune",  # {card, target, advance}
    "shielded",  # {card, target}: Enlightened Ruler protects until the end of the turn
    "already_at_war",  # {target}
    "no_marker",  # {province}: no power controls it
    "spared_capital",  # {card, province}
    "spared_overseas",  # {card, province}: the New World
    "not_coastal",  # {card, province}
    "wrong_region",  # {card, province, region}: the region it must be in
    "satellite",  # {card, province}: satellites have no control markers
    "not_a_region",  # {card, target}
    "untouched",  # {card, target}: no power has a piece there
    "wrong_category",  # {card, target, categories}
)
SHIELDED = frozenset(CARDS["enlightened_ruler"].shields)
HOLY_LAND = "VI"
"""A2 Croisades: the region that Crusades must target."""


def _at_power(seen: Seen, seat: Seat, card: Card, target: str) -> Problem | None:
    power = seen.board.power_of(target)
    if power is None:
        return Problem("not_in_play", {"target": target}, lasting=True)
    if power.eliminated:
        return Problem("power_gone", {"target": target}, lasting=True)
    if card.blocked_by is not None and card.blocked_by in power.advances:
        return Problem("immune", {"card": card.id, "target": target, "advance": card.blocked_by}, lasting=True)
    if power.shielded and card.id in SHIELDED:
        return Problem("shielded", {"card": card.id, "target": target}, lasting=True)
    return None


def _at_foe(seen: Seen, seat: Seat, card: Card, target: str) -> Problem | None:
    """A2 Guerre  Refuse the player, and a power with which a War goes on."""
    power = seen.board.power_of(target)
    if power is not None and power.seat == seat:
        return Problem("not_oneself", {"card": card.id}, lasting=True)
    foes = {frozenset((war.attacker, war.defender)) for war in seen.board.wars}
    if power is not None and frozenset((seat, power.seat)) in foes:
        return Problem("already_at_war", {"target": target})
    return _at_power(seen, seat, card, target)


def _in_play(board: Board, province: str) -> Problem | None:
    if province not in PROVINCES or PROVINCES[province].region not in REGIONS_IN_PLAY[board.players]:
        return Problem("not_in_play", {"target": province}, lasting=True)
    return None


def _at_rebels(seen: Seen, seat: Seat, card: Card, target: str) -> Problem | None:
    """A2 Rébellion, R12  Require a marker outside the New World and capitals; by option, the player's own capital is
    allowed.
    """
    board = seen.board
    if outside := _in_play(seen.board, target):
        return outside
    about = {"card": card.id, "province": target}
    if PROVINCES[target].region == "new_world":
        return Problem("spared_overseas", about, lasting=True)
    if _spared_capital(seen, seat, target):
        return Problem("spared_capital", about, lasting=True)
    owner = board.controller(target)
    if owner is None:
        return Problem("no_marker", {"province": target})
    if board.powers[owner].shielded:
        return Problem("shielded", {"card": card.id, "target": board.powers[owner].capital})
    return None


def _spared_capital(seen: Seen, seat: Seat, province: str) -> bool:
    own = seen.core.options["rebellion"] == "others" and seen.board.powers[seat].capital == province
    return PROVINCES[province].capital and not own


def _at_coast(seen: Seen, seat: Seat, card: Card, target: str) -> Problem | None:
    """A2 Pirates, R12  Require a marker on a coast; overseas boxes are included."""
    if outside := _in_play(seen.board, target):
        return outside
    if not PROVINCES[target].coastal:
        return Problem("not_coastal", {"card": card.id, "province": target}, lasting=True)
    return None if seen.board.controller(target) else Problem("no_marker", {"province": target})


def _at_holy_land(seen: Seen, seat: Seat, card: Card, target: str) -> Problem | None:
    """A2 Croisades, §4.3  Require a province of region VI that can hold a marker."""
    if outside := _in_play(seen.board, target):
        return outside
    about = {"card": card.id, "province": target, "region": HOLY_LAND}
    if PROVINCES[target].region != HOLY_LAND:
        return Problem("wrong_region", about, lasting=True)
    return Problem("satellite", about, lasting=True) if PROVINCES[target].satellite else None


def _at_region(seen: Seen, seat: Seat, card: Card, target: str) -> Problem | None:
    """A2 Peste noire  Require a region of §4.6 with any piece."""
    about = {"card": card.id, "target": target}
    if target not in REGIONS or REGIONS[target].overseas:
        return Problem("not_a_region", about, lasting=True)
    if target not in REGIONS_IN_PLAY[seen.board.players]:
        return Problem("not_in_play", {"target": target}, lasting=True)
    touched = any(PROVINCES[p].region == target for p in seen.board.pieces)
    return None if touched else Problem("untouched", about)


def _at_category(seen: Seen, seat: Seat, card: Card, target: str) -> Problem | None:
    if target in card.categories:
        return None
    about = {"card": card.id, "target": target, "categories": card.categories}
    return Problem("wrong_category", about, lasting=True)


BY_CARD: Mapping[str, Callable[[Seen, Seat, Card, str], Problem | None]] = {
    "alchemist": _at_power,
    "civil_war": _at_power,
    "war": _at_foe,
    "rebellion": _at_rebels,
    "pirates": _at_coast,
    "crusades": _at_holy_land,
    "black_death": _at_region,
    "papal_bull": _at_category,
}

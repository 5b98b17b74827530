"""Résolution du combat: the strength of each side, item by item."""

from collections.abc import Iterable, Mapping
from typing import Final

from engine.kernel.position import Options
from engine.kernel.viewers import Seat
from engine.renaissance.acts import privileged
from engine.renaissance.board import Battle, Board, Laid
from engine.renaissance.catalogue import FREE, LANDING, STRENGTH, TOWNS, kind_of

ENGINEER: Final = 2
"""Ingénieur  The strength of one laid in defence that is no counter."""


def worth(laid: Laid, defending: bool) -> int:
    """Return the strength of a card on the table; an Ingénieur in defence that is no counter counts two."""
    if laid.gone:
        return 0
    kind = kind_of(laid.card.value)
    value = kind.value or laid.value or 0
    if defending and kind.id == "ingenieur":
        value = ENGINEER
    return 2 * value if laid.doubled else value


def weapon(cards: Iterable[Laid]) -> Laid | None:
    """Return the Ingénieur or Félon among the cards that still counts, or None."""
    return next((c for c in cards if not c.gone and (c.is_a("ingenieur") or c.is_a("felon"))), None)


def walls(board: Board, battle: Battle) -> int:
    """Les fortifications  Return the strength of the walls in this battle, reduced by the attacker's Ingénieur or
    Félon.
    """
    level = board.level(battle.city)
    red = weapon(battle.attack)
    if red is not None:
        level = FREE if red.is_a("felon") else max(level - 1, FREE)
    return STRENGTH[level]


def ground(options: Options, board: Board, battle: Battle) -> int:
    """Return the bonus of mountains and marshes; 0 against a Chevauchée or Genoa's privilege."""
    spared = battle.way == "ride" or privileged(options, board, battle.attacker, "genes")
    return 0 if spared else TOWNS[battle.city].bonus


def landing(options: Options, board: Board, battle: Battle) -> int:
    """Return the bonus against an attack by sea; 0 against Genoa's privilege."""
    spared = battle.way != "sea" or privileged(options, board, battle.attacker, "genes")
    return 0 if spared else LANDING


def attack(options: Options, board: Board, battle: Battle) -> Mapping[str, int]:
    """Return the items of the attacker's total."""
    parts = {
        "cards": sum(worth(laid, False) for laid in battle.attack),
        "die": battle.dice[0],
        "swiss": _swiss(options, board, battle.attacker, "attack"),
    }
    return {name: value for name, value in parts.items() if value}


def defence(options: Options, board: Board, battle: Battle) -> Mapping[str, int]:
    """Return the items of the defender's total; bonuses add up."""
    parts = {
        "cards": sum(worth(laid, True) for laid in battle.defence),
        "walls": walls(board, battle),
        "ground": ground(options, board, battle),
        "landing": landing(options, board, battle),
        "die": battle.dice[1],
        "swiss": _swiss(options, board, battle.defender, "defence"),
    }
    return {name: value for name, value in parts.items() if value}


def _swiss(options: Options, board: Board, seat: Seat, side: str) -> int:
    return int(privileged(options, board, seat, "suisse") and board.powers[seat].stance == side)


def margin(options: Options, board: Board, battle: Battle) -> int:
    """Return the attacker's total minus the defender's."""
    return sum(attack(options, board, battle).values()) - sum(defence(options, board, battle).values())


def outcome(options: Options, board: Board, battle: Battle) -> str:
    """Résultat du combat  Return the side with the higher total, or `tie`, which leaves the city and costs both their
    cards.
    """
    ahead = margin(options, board, battle)
    if ahead == 0:
        return "tie"
    return "attack" if ahead > 0 else "defence"


def losing(options: Options, board: Board, battle: Battle) -> Seat:
    """A15  Return the side that is losing now: the attacker on a tie."""
    return battle.attacker if margin(options, board, battle) <= 0 else battle.defender


def doubling(battle: Battle, seat: Seat) -> tuple[Laid, ...]:
    """Signe de Dieu  Return the blue cards and Condottieri of a side that could be doubled, the strongest first."""
    able = [laid for laid in battle.side(seat) if not laid.gone and not laid.doubled and (laid.troop or laid.value)]
    return tuple(sorted(able, key=lambda laid: -worth(laid, False)))


def turns(options: Options, board: Board, battle: Battle, seat: Seat) -> bool:
    """Return True if doubling the best card of this seat would change the winner."""
    best = next(iter(doubling(battle, seat)), None)
    if best is None or not battle.dice:
        return False
    gain, ahead = worth(best, False), margin(options, board, battle)
    return ahead <= 0 < ahead + gain if seat == battle.attacker else ahead > 0 >= ahead - gain

"""§9.5.2  Strength in a trade rivalry: the items of each side, the tokens an attack needs, its odds."""

from fractions import Fraction
from typing import NamedTuple

from engine.age_of_renaissance.atlas import SATELLITES
from engine.age_of_renaissance.board import Board, Power
from engine.age_of_renaissance.catalogue import CARDS, ODDS, PROVINCES
from engine.kernel.viewers import Seat


class Force(NamedTuple):
    """One side's strength, item by item. `doubled`: the second count in its own capital (R6, R42)."""

    pieces: int
    vassal: int = 0
    doubled: int = 0
    satellites: int = 0
    cosmopolitan: int = 0
    weapons: int = 0

    @property
    def total(self) -> int:
        """Return the sum of all items."""
        return sum(self)


def defenders(board: Board, seat: Seat, province: str) -> tuple[Seat, ...]:
    """§9.4.4, R43  Return the other powers with pieces there, in order of play, eliminated ones included."""
    here = board.pieces.get(province)
    return tuple(other for other in board.order if other in here and other != seat) if here else ()


def vassal(power: Power, province: str) -> int:
    """§9.5.2 Vassal  Return 1 in the region of the power's capital, also for an eliminated power (§9.4.4), else 0."""
    return int("W" in power.advances and PROVINCES[power.capital].region == PROVINCES[province].region)


def doubles(power: Power, province: str) -> bool:
    """§9.5.2, R6, R43  Return True if a power's tokens are doubled there: in its capital, even in other hands."""
    return power.capital == province and not power.eliminated


def satellites(board: Board, seat: Seat, province: str) -> int:
    """§9.5.2  Return the number of satellites pointing there with an old token (■) of the power; new ones (□) do not
    count.
    """
    return sum(board.at(satellite, seat).old > 0 for satellite in SATELLITES[province])


def weapons(board: Board, seat: Seat, against: tuple[Seat, ...]) -> int:
    """§9.5.2, A2, R14, R40  Return the number of this turn's advantages that no weapon of these opponents beats."""
    mine = board.powers[seat].weapons
    if not mine:
        return 0
    theirs = {card for other in against for card in board.powers[other].weapons}
    return sum(theirs.isdisjoint(CARDS[card].beaten_by) for card in mine)


def defence(board: Board, seat: Seat, province: str, attacker: Seat) -> Force:
    """§9.5.2  Return a defender's strength without the province's capacity, which is added once for all.

    Satellites help a control marker (R39: twice with Cosmopolitan). An eliminated player has Vassal alone (R43).
    """
    power, piece = board.powers[seat], board.at(province, seat)
    pieces, allegiance = piece.strength(province), vassal(power, province)
    if power.eliminated:
        return Force(pieces, allegiance)
    near = satellites(board, seat, province)
    return Force(
        pieces,
        allegiance,
        pieces + allegiance if doubles(power, province) else 0,
        near if piece.controls else 0,
        near if "Y" in power.advances else 0,
        weapons(board, seat, (attacker,)),
    )


def attack(board: Board, seat: Seat, province: str, tokens: int, foes: tuple[Seat, ...]) -> Force:
    """§9.5.2  Return an attacker's strength with `tokens` in total, including those already there."""
    power = board.powers[seat]
    allegiance = vassal(power, province)
    return Force(
        tokens,
        allegiance,
        tokens + allegiance if doubles(power, province) else 0,
        0,
        satellites(board, seat, province) if "Y" in power.advances else 0,
        weapons(board, seat, foes),
    )


def resistance(board: Board, seat: Seat, province: str, foes: tuple[Seat, ...]) -> int:
    """§9.5.2, R1, R16  Return the strength that an attack must reach: all defenders plus the capacity."""
    return PROVINCES[province].capacity + sum(defence(board, foe, province, seat).total for foe in foes)


def needed(board: Board, seat: Seat, province: str) -> int:
    """§9.5.2, R1  Return the fewest new tokens that an attack needs; 0 without defenders.

    The strength must equal the resistance, with at least as many tokens as the capacity. Old tokens there count.
    """
    foes = defenders(board, seat, province)
    if not foes:
        return 0
    bare = attack(board, seat, province, 0, foes)
    missing = resistance(board, seat, province, foes) - bare.total
    if doubles(board.powers[seat], province):
        missing = (missing + 1) // 2
    tokens = max(missing, PROVINCES[province].capacity)
    return max(tokens - board.at(province, seat).tokens, 1)


def odds(board: Board, seat: Seat, province: str) -> Fraction:
    """B1  Return the chance that this power's attack wins there, without Conversion; 0 without defenders."""
    foes = defenders(board, seat, province)
    if not foes:
        return Fraction(0)
    return ODDS[board.powers[seat].slot, weapons(board, seat, foes) > 0, board.has(seat, "G")]


def wins(rank: int, faith: bool, advantage: bool, dice: tuple[int, int, int]) -> bool:
    """§9.5.2, R40  Return True if an attack wins with these dice: green, black, white."""
    green, black, white = dice
    return green > rank or black > white or (faith and green == rank) or (advantage and black == white)

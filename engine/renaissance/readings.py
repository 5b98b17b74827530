"""Readings of the rulebook that came with a later version of these rules.

A game that was set up before keeps what it was played by until its master adopts the readings of the newer version.
"""

from collections.abc import Mapping
from typing import Final

from engine.kernel.options import reads
from engine.kernel.position import Options
from engine.renaissance.catalogue import SCENARIOS, YEARS

SINCE: Final[Mapping[str, int]] = {
    "A33": 2,  # Phase 1: the two ports of two expansions by sea are owned before the phase
    "A34": 2,  # Préparation: nations that are wished for are given first; what is left is drawn by lot
    "A35": 2,  # Préparation: in the pace `order` start cities, rampart and palace are asked in order of play
    "A36": 2,  # Vente de Condottiere: several cards to one side; of a list as many as are held, the first named first
    "A37": 2,  # Scénarios: a scenario's turns bear its own years, eight years apart
    "A38": 2,  # Diplomatie: a stop between the last campaign and the count, for gifts and swaps
    "A39": 3,  # Retraite: of a kind named with a number, one too, so many are taken back; without a number all
    "A40": 3,  # Vente de Condottiere: of those offered as many are bought, up to the number, as can be paid and laid
    "A41": 3,  # Disparition, Diplomatie: with the city of a return go the offers of its swap
    "A42": 3,  # Combats: a line goes on after a defeat, whoever took the city and gave it away before
}


def in_force(options: Options, reading: str) -> bool:
    """Return True if a game is played by this reading."""
    return reads(options, SINCE[reading])


def year(options: Options, scenario: str, turn: int) -> int:
    """A37  The year of a turn; before the first turn that of the first."""
    years = SCENARIOS[scenario].years if in_force(options, "A37") else YEARS
    return years[max(turn - 1, 0)]

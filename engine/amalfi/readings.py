"""What a later version of these rules does otherwise.

A game that was set up before keeps what it was played by until its master adopts the readings of the newer version.
"""

from collections.abc import Mapping
from typing import Final

from engine.kernel.options import reads
from engine.kernel.position import Options

SINCE: Final[Mapping[str, int]] = {
    "turned": 2,  # Engagement: a card is turned when its effect is over, so that nothing of that effect refreshes it
    "stored": 2,  # Le Pain: for the meal no ships are lowered for bread that the granary has no room for
    "own_pay": 2,  # Invitation: what was said to pay for a character pays for nothing that its effect gives
    "answered": 2,  # Effets bonus: what is said with the answer about an action that an effect gives counts for it
    "either": 2,  # Construction: of the double icon what was said is chosen where it can be done; else it is asked
    "fewer": 2,  # A12: of the ships that could come back from docks those alone that were named
    "fallback": 2,  # Prendre un Personnage: the rightmost named after others can be had when they cannot
    "gaining": 2,  # Les actions optionnelles: ships are held back only while an action has some still to send
    "used": 2,  # A21: who names a private destination whose bread cannot be paid uses no other one instead
    "raised": 3,  # Utilisation des phares: an owner who could raise the bread, or the ship, first is asked too
}


def in_force(options: Options, reading: str) -> bool:
    """Return True if a game is played by this reading."""
    return reads(options, SINCE[reading])

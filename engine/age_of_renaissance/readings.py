"""Readings of the rulebook that came with a later version of these rules, or were numbered with it.

A game that was set up before keeps what it was played by until its master adopts the readings of the newer version.
R54 and R55 decide what earlier versions did already: where they are, the code names them, and nothing asks for them.

R54, §9.5 and the example of play, turn 2: where old tokens become a new marker in this phase, by filling the province
or by a rivalry won there, the province stays a base until the end of the phase; where there were none it is no base.
R55, §9.7: at a tie on 0 tokens a power out of the game has no say; those in it settle their places first.
"""

from collections.abc import Mapping
from typing import Final

from engine.kernel.options import reads
from engine.kernel.position import Options

SINCE: Final[Mapping[str, int]] = {
    "R52": 2,  # §7.2, §11.1: a card that cannot be played stays in hand in the last card play
    "R53": 2,  # A2 Guerre, §9.4.4: who is eliminated by the steps of a lost War, whichever, cedes nothing
    "R56": 2,  # §8.3: a place counted from the end is counted, RANK FROM LAST 2 the last but one
    "R57": 3,  # §9.4.4, §11.3, R15: a tied War is over when a belligerent leaves while asked for a weapon
    "R58": 3,  # §9.4.4, §11.3, R49: who has left, while asked or while another was, is given no province
    "R59": 3,  # §8.3, §9.7, R55: who leaves before they have a place among equals takes the one that the others leave
    "R60": 3,  # §9.4, §9.4.2: the discard of a new owner of Arts and Techniques comes before stability
}


def in_force(options: Options, reading: str) -> bool:
    """Return True if a game is played by this reading."""
    return reads(options, SINCE[reading])

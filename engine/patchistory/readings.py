"""What a later version of these rules asks otherwise.

A game that was set up before keeps what it was played by until its master adopts the readings of the newer version.
"""

from collections.abc import Mapping
from typing import Final

from engine.kernel.options import reads
from engine.kernel.position import Options

SINCE: Final[Mapping[str, int]] = {
    "plan": 2,  # Première Manche: a first bid with a limit or ELSE is the plan; nobody is asked when every bid stands
    "idle": 2,  # 2. Diplomatie et Administration: who has no points for any act is not asked, unless some may come
}


def in_force(options: Options, reading: str) -> bool:
    """Return True if a game is played by this reading."""
    return reads(options, SINCE[reading])

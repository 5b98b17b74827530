"""How the work of reading grows with what is read."""

import time
from collections.abc import Callable
from typing import Final

TIMES: Final = 8
"""So many times the input is read for comparison."""
UNFELT_S: Final = 0.05
"""Too little to be measured beside other programs."""


def seconds(work: Callable[[], object], enough: float = UNFELT_S) -> float:
    """What something costs this process: at best of three times, or once where that is little enough."""
    costs = list[float]()
    while not costs or (len(costs) < 3 and costs[-1] > enough):
        begun = time.process_time()
        work()
        costs.append(time.process_time() - begun)
    return min(costs)


def growth(work: Callable[[int], Callable[[], object]], small: int) -> float:
    """How many times as long eight times the input takes; 0 where nobody would feel it."""
    large = seconds(work(small * TIMES))
    return large / max(seconds(work(small)), UNFELT_S / TIMES) if large > UNFELT_S else 0.0

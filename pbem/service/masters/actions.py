"""All that masters, and players who want something of them, can ask for."""

from collections.abc import Mapping
from typing import Final

from pbem.service.masters import clock, people, player_acts, ruling, seats, table
from pbem.service.masters.registry import Action

ACTIONS: Final[tuple[Action, ...]] = (
    *clock.ACTIONS,
    *people.ACTIONS,
    *seats.ACTIONS,
    *player_acts.ACTIONS,
    *ruling.ACTIONS,
    *table.ACTIONS,
)
"""In the order in which help lists them."""

BY_NAME: Final[Mapping[str, Action]] = {action.name: action for action in ACTIONS}

"""All that masters, and players who want something of them, can ask for."""

from collections.abc import Mapping
from typing import Final

from pbem.service.masters import clock, people, player_acts, ruling, seats, table
from pbem.service.masters.registry import Action

PARTS: Final[Mapping[str, tuple[Action, ...]]] = {
    "clock": clock.ACTIONS,
    "people": people.ACTIONS,
    "seats": seats.ACTIONS,
    "players": player_acts.ACTIONS,
    "ruling": ruling.ACTIONS,
    "table": table.ACTIONS,
}
"""By what they are about, in the order in which help lists them."""

ACTIONS: Final[tuple[Action, ...]] = tuple(action for part in PARTS.values() for action in part)

BY_NAME: Final[Mapping[str, Action]] = {action.name: action for action in ACTIONS}

PART_OF: Final[Mapping[str, str]] = {action.name: part for part, actions in PARTS.items() for action in actions}

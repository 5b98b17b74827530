"""All that masters, and players who want something of them, can ask for."""

from collections.abc import Mapping
from typing import Final

from pbem.service.masters import (
    clock,
    people,
    player_commands,
    ruling,
    seats,
    table,
)
from pbem.service.masters.registry import CommandSpec

GROUPS: Final[Mapping[str, tuple[CommandSpec, ...]]] = {
    "clock": clock.COMMANDS,
    "people": people.COMMANDS,
    "seats": seats.COMMANDS,
    "players": player_commands.COMMANDS,
    "ruling": ruling.COMMANDS,
    "table": table.COMMANDS,
}
"""By what they are about, in the order in which help lists them."""

COMMANDS: Final[tuple[CommandSpec, ...]] = tuple(action for part in GROUPS.values() for action in part)

BY_NAME: Final[Mapping[str, CommandSpec]] = {action.name: action for action in COMMANDS}

GROUP_OF: Final[Mapping[str, str]] = {action.name: part for part, actions in GROUPS.items() for action in actions}

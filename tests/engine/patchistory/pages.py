"""What the tests of pages know of the game."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from engine.kernel.position import Position
from engine.patchistory.board import BLUE as CALM
from engine.patchistory.board import RED as RISING
from engine.patchistory.board import Lot, Phase
from engine.patchistory.catalogue import WAR_SPACE, WHITE
from engine.patchistory.orders import Place
from engine.patchistory.phases.specials import OnPlace
from tests.engine.patchistory.build import (
    BLUE,
    GREEN,
    RED,
    enter,
    game,
    lay,
    play,
    queue,
    route,
    strong,
    workers,
)

PHASES = frozenset({"auction", "placement"})
"""The phases that a few answers bring it to."""


def _sailing() -> Position[Any]:
    """Vasco da Gama takes a tile before the auction."""
    position = game(2, turn=7)
    lay(position, RED, "vasco_da_gama")
    position.board.players[RED].sails = True
    return enter(position, Phase.AUCTION).position


def _crowded() -> Position[Any]:
    """Two workers stand on one location."""
    position = game(phase=Phase.PLACEMENT)
    position.board.players[RED].won = Lot("A", "I-02", WHITE)
    workers(position, RED, "J10", "K10")
    return play(enter(position, Phase.PLACEMENT).position, "placement/2", {RED: Place("J9")}).position


def _placed(room: str) -> Position[Any]:
    """A location has come to a territory, with an alliance to destroy and a rival to bomb."""
    position = game()
    route(position, RED, GREEN, allied=True)
    lay(position, RED, room)
    return queue(position, OnPlace(RED, room)).position


def _fighting() -> Position[Any]:
    """Two wars of one player at once."""
    position = game(phase=Phase.WAR)
    route(position, RED, GREEN, spots={RED: WAR_SPACE}, war={RED: RISING, GREEN: CALM})
    route(position, BLUE, RED, spots={BLUE: WAR_SPACE}, war={BLUE: RISING, RED: CALM})
    strong(position, RED, 2)
    return enter(position, Phase.WAR).position


BUILT: Mapping[str, Callable[[], Position[Any]]] = {
    "voyage": _sailing,
    "crowd": _crowded,
    "siege": partial(_placed, "schwerer_gustav"),
    "bombing": partial(_placed, "stealth_bomber"),
    "fights": _fighting,
}
"""Positions in which a question is asked that games between bots hardly reach, by the question."""

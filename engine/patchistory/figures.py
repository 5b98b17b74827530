"""What players are called, and what of them is followed from round to round."""

from collections.abc import Mapping
from typing import Any, Final

from engine.kernel.catalogues import Words
from engine.kernel.languages import Language
from engine.kernel.names import Seat
from engine.kernel.plots import Called, Numbers
from engine.kernel.position import Position
from engine.kernel.rules import View
from engine.patchistory.board import Board
from engine.patchistory.catalogue import COLOURS
from engine.patchistory.vocabulary import PLAYERS
from engine.patchistory.wording import WORDS

FIGURES: Final[Mapping[str, Words]] = WORDS.section("figures")
"""Culture and Money where they lie open; levels, workers and squares for everybody."""
_NAMES: Final = {choice.value: choice.names for choice in PLAYERS}


def name_of(position: Position[Board], seat: Seat) -> str:
    """The colour that a seat plays."""
    player = position.board.players.get(seat)
    return "" if player is None else player.colour


def seat_of(position: Position[Board], name: str) -> Seat | None:
    """The seat that plays a colour."""
    return next((seat for seat, player in position.board.players.items() if player.colour == name), None)


def called(view: View, language: Language) -> Mapping[str, Called]:
    """See `Counts`."""
    colours = {seat: player["colour"] for seat, player in view["players"].items()}
    return {seat: Called(_NAMES[c].printed(language), COLOURS.index(c)) for seat, c in colours.items()}


def count(view: View) -> Mapping[str, Numbers]:
    """See `Counts`: what a reader may not count is None."""
    players: Mapping[str, Any] = view["players"]
    return {name: {seat: _figure(player, name) for seat, player in players.items()} for name in FIGURES}


def _figure(player: Mapping[str, Any], name: str) -> int | None:
    match name:
        case "culture" | "money":
            found: int | None = player["stock"].get(name)
            return found
        case "squares":
            return sum(len(location["squares"]) for location in player["territory"])
        case "workers":
            return int(player["workers"])
    return int(player["levels"][name])

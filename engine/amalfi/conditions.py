"""The facts for IF, and whether each holds on the author's own view."""

from collections.abc import Callable, Mapping
from typing import Final

from engine.amalfi import vocabulary as v
from engine.amalfi.acts import Seen
from engine.amalfi.board import Board
from engine.amalfi.catalogue import WORDS
from engine.kernel.forms import Fact
from engine.kernel.orders import Condition
from engine.kernel.phrasebook import fact, leading, one_choice
from engine.kernel.viewers import Seat

FACTS: Final[tuple[Fact, ...]] = (
    fact(WORDS, "free", leading(v.place())),
    fact(WORDS, "dark", leading(v.place())),
    fact(WORDS, "offered", leading(one_choice("thing", "thing", v.title("thing"), v.CARD_CHOICES))),
    fact(WORDS, "bread", v.count()),
    fact(WORDS, "bay", v.count()),
    fact(WORDS, "hold", v.count(), one_choice("hold", "hold", v.title("hold"), v.HOLD_CHOICES)),
    fact(WORDS, "alone"),
)
"""Public facts; the same list for every seat."""

About = Mapping[str, str | int]


def holds(seen: Seen, seat: Seat, condition: Condition) -> bool:
    """Return True if the fact holds, before negation. Call it under `seen_by(seat)`."""
    return _JUDGES[condition.fact](seen.board, seat, condition.about)


_JUDGES: Final[Mapping[str, Callable[[Board, Seat, About], bool]]] = {
    "free": lambda board, seat, about: str(about["place"]) not in board.docks,
    "dark": lambda board, seat, about: not board.light(str(about["place"])),
    "offered": lambda board, seat, about: any(about["thing"] in row for row in board.rows.values()),
    "bread": lambda board, seat, about: board.players[seat].bread >= int(about["count"]),
    "bay": lambda board, seat, about: board.players[seat].bay >= int(about["count"]),
    "hold": lambda board, seat, about: board.players[seat].holds[str(about["hold"])] >= int(about["count"]),
    "alone": lambda board, seat, about: all(player.done for other, player in board.players.items() if other != seat),
}

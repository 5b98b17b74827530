"""The facts for IF, and whether each holds on the author's own view."""

from collections.abc import Callable, Mapping
from math import inf
from typing import Final

from engine.amalfi import vocabulary as v
from engine.amalfi.acts import Seen, in_hand
from engine.amalfi.board import Board
from engine.amalfi.catalogue import WORDS
from engine.amalfi.values import council_bread, invite_cost, row_cost
from engine.kernel.forms import Fact
from engine.kernel.orders import Condition
from engine.kernel.phrasebook import fact, leading, one_choice
from engine.kernel.viewers import Seat

FACTS: Final[tuple[Fact, ...]] = (
    fact(WORDS, "free", leading(v.place())),
    fact(WORDS, "dark", leading(v.place())),
    fact(WORDS, "offered", leading(one_choice("thing", "thing", v.title("thing"), v.CARD_CHOICES))),
    fact(WORDS, "costs", leading(one_choice("thing", "thing", v.title("thing"), v.CARD_CHOICES)), v.count("most")),
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


def _costs(board: Board, seat: Seat, thing: str) -> float:
    """Return what a seat pays for a thing on offer or in its hand: resources, or bread in the Council."""
    if thing in board.rows["council"]:
        return council_bread(board, seat, thing)[0]
    row = next((row for row in ("atelier", "atlas") if thing in board.rows[row]), "")
    if row:
        return row_cost(board, seat, row, thing)
    return invite_cost(board, seat, thing) if thing in in_hand(board, seat) else inf


_JUDGES: Final[Mapping[str, Callable[[Board, Seat, About], bool]]] = {
    "free": lambda board, seat, about: str(about["place"]) not in board.docks,
    "dark": lambda board, seat, about: not board.light(str(about["place"])),
    "offered": lambda board, seat, about: any(about["thing"] in row for row in board.rows.values()),
    "costs": lambda board, seat, about: _costs(board, seat, str(about["thing"])) <= int(about["most"]),
    "bread": lambda board, seat, about: board.players[seat].bread >= int(about["count"]),
    "bay": lambda board, seat, about: board.players[seat].bay >= int(about["count"]),
    "hold": lambda board, seat, about: board.players[seat].holds[str(about["hold"])] >= int(about["count"]),
    "alone": lambda board, seat, about: all(player.done for other, player in board.players.items() if other != seat),
}

"""The facts for IF, and whether each holds on the author's own view."""

from collections.abc import Callable, Mapping
from typing import Final

from engine.kernel.forms import Fact
from engine.kernel.orders import Condition
from engine.kernel.phrasebook import fact, leading, number, one_choice
from engine.kernel.viewers import Seat
from engine.patchistory import vocabulary as v
from engine.patchistory.acts import Seen
from engine.patchistory.board import Board
from engine.patchistory.catalogue import WORDS
from engine.patchistory.effects import level, points
from engine.patchistory.orders import Bid
from engine.patchistory.phases.auction import amount
from engine.patchistory.phases.specials import plays, seat_of

_LEAST: Final = number("count", v.title("count"), 0)
FACTS: Final[tuple[Fact, ...]] = (
    fact(WORDS, "win", v.lot()),
    fact(WORDS, "points", number("count", v.title("points"), 0)),
    fact(WORDS, "have", number("count", v.title("count"), 0), one_choice("good", "good", v.title("good"), v.GOODS)),
    fact(WORDS, "allied", one_choice("to", "player", v.title("player"), v.PLAYERS)),
    fact(WORDS, "free", leading(v.lot())),
    fact(WORDS, "costs", leading(v.lot()), number("most", v.title("count"), 1)),
    fact(WORDS, "level", leading(one_choice("level", "level", v.title("level"), v.LEVEL_CHOICES)), _LEAST),
)
"""Public facts, or facts that authors know of themselves; the same list for every seat."""

About = Mapping[str, str | int]


def holds(seen: Seen, seat: Seat, condition: Condition) -> bool:
    """Return True if the fact holds, before negation. Call it under `seen_by(seat)`."""
    return _JUDGES[condition.fact](seen.board, seat, condition.about)


def _won(board: Board, seat: Seat, about: About) -> bool:
    won = board.players[seat].won
    return won is not None and won.name == about["lot"]


def _costs(board: Board, seat: Seat, about: About) -> bool:
    lot = str(about["lot"])
    return board.lot(lot) is not None and amount(board, seat, Bid(lot)) <= int(about["most"])


def _allied(board: Board, seat: Seat, about: About) -> bool:
    colour = str(about["to"])
    return plays(board, colour) and board.allied(seat, seat_of(board, colour))


_JUDGES: Final[Mapping[str, Callable[[Board, Seat, About], bool]]] = {
    "win": _won,
    "points": lambda board, seat, about: points(board, seat) >= int(about["count"]),
    "have": lambda board, seat, about: board.players[seat].amount(str(about["good"])) >= int(about["count"]),
    "allied": _allied,
    "costs": _costs,
    "level": lambda board, seat, about: level(board, seat, str(about["level"])) >= int(about["count"]),
    "free": lambda board, seat, about: (
        board.lot(str(about["lot"])) is not None and board.leader(str(about["lot"])) is None
    ),
}

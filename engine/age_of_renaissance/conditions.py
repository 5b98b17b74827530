"""The facts for IF, and whether each holds on the author's own view."""

from collections.abc import Callable, Mapping
from typing import Final

from engine.age_of_renaissance import vocabulary as v
from engine.age_of_renaissance.acts import Seen
from engine.age_of_renaissance.board import Board, Piece, Power
from engine.age_of_renaissance.catalogue import FACE, PROVINCES, WORDS
from engine.kernel.forms import Fact
from engine.kernel.orders import Condition
from engine.kernel.phrasebook import fact, leading, number, one_choice
from engine.kernel.viewers import Seat

_PROVINCE: Final = one_choice("province", "province", v.PROVINCE_TITLE, v.PROVINCE_CHOICES)
_SUBJECT: Final = leading(_PROVINCE)
_POWER: Final = leading(one_choice("power", "power", v.POWER_TITLE, v.CAPITAL_CHOICES))
_ADVANCE: Final = one_choice("advance", "advance", v.ADVANCE_TITLE, v.ADVANCE_CHOICES)
_CARD: Final = one_choice("card", "card", v.CARD_TITLE, v.CARD_CHOICES)
_GOOD: Final = one_choice("good", "good", v.GOOD_TITLE, v.GOOD_CHOICES)


FACTS: Final[tuple[Fact, ...]] = (
    fact(WORDS, "hold", _PROVINCE),
    fact(WORDS, "present", _PROVINCE),
    fact(WORDS, "empty", _SUBJECT),
    fact(WORDS, "holds", _POWER, _PROVINCE),
    fact(
        WORDS,
        "have",
        number("count", v.NUMBER_TITLE, 0),
        one_choice("what", "counted", WORDS("slots.counted"), v.COUNTED),
    ),
    fact(WORDS, "own_advance", _ADVANCE),
    fact(WORDS, "in_hand", _CARD),
    fact(WORDS, "has_advance", _POWER, _ADVANCE),
    fact(WORDS, "played", leading(_CARD)),
    fact(WORDS, "rank", number("place", v.NUMBER_TITLE, 1, 6)),
    fact(WORDS, "shortage", _GOOD),
    fact(WORDS, "surplus", _GOOD),
    fact(WORDS, "won", _PROVINCE),
    fact(WORDS, "lost", _PROVINCE),
)
"""Public facts, or facts that authors know of themselves; the same list for every seat."""


def holds(seen: Seen, seat: Seat, condition: Condition) -> bool:
    """Return True if the fact holds, before negation. Call it under `seen_by(seat)`."""
    return _JUDGES[condition.fact](seen.board, seat, condition.about)


About = Mapping[str, str | int]


def _held(board: Board, seat: Seat, province: str) -> bool:
    """§4.3  Return True if a seat has a marker there, or a token in a satellite, which takes no marker."""
    piece: Piece = board.at(province, seat)
    return piece.controls or (PROVINCES[province].satellite and piece.tokens > 0)


def _named(board: Board, about: About) -> Power | None:
    return board.power_of(str(about["power"]))


def _holds(board: Board, seat: Seat, about: About) -> bool:
    power = _named(board, about)
    return power is not None and _held(board, power.seat, str(about["province"]))


def _has(board: Board, seat: Seat, about: About) -> bool:
    power = _named(board, about)
    return power is not None and str(about["advance"]) in power.advances


def _have(board: Board, seat: Seat, about: About) -> bool:
    power = board.powers[seat]
    stock = {"tokens": power.expansion, "ducats": power.cash, "cards": len(power.hand)}
    return stock[str(about["what"])] >= int(about["count"])


def _played(board: Board, seat: Seat, about: About) -> bool:
    return FACE[str(about["card"])] in {FACE[card] for card in board.this_turn}


def _place(board: Board, seat: Seat, about: About) -> bool:
    playing = [power.seat for power in board.playing()]
    return seat in playing and playing.index(seat) + 1 == about["place"]


def _last_attack(board: Board, seat: Seat, about: About, result: str) -> bool:
    return board.powers[seat].fought.get(str(about["province"]), "").endswith(result)


_JUDGES: Final[Mapping[str, Callable[[Board, Seat, About], bool]]] = {
    "hold": lambda board, seat, about: _held(board, seat, str(about["province"])),
    "present": lambda board, seat, about: seat in board.pieces.get(str(about["province"]), {}),
    "empty": lambda board, seat, about: not board.pieces.get(str(about["province"])),
    "holds": _holds,
    "have": _have,
    "own_advance": lambda board, seat, about: str(about["advance"]) in board.powers[seat].advances,
    "in_hand": lambda board, seat, about: board.copy_held(seat, str(about["card"])) is not None,
    "has_advance": _has,
    "played": _played,
    "rank": _place,
    "shortage": lambda board, seat, about: board.markets.get(str(about["good"]), 0) > 0,
    "surplus": lambda board, seat, about: board.markets.get(str(about["good"]), 0) < 0,
    "won": lambda board, seat, about: _last_attack(board, seat, about, "W"),
    "lost": lambda board, seat, about: _last_attack(board, seat, about, "L"),
}

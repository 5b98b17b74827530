"""Orders tried on a position, without a server: what comes of them, and whether that is what was expected.

A position is written as plain data (JSON). A game that writes its own positions follows `WritesPositions`.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from engine.kernel.events import Event
from engine.kernel.languages import DEFAULT, Language
from engine.kernel.orders import Problem

Written = Mapping[str, Any]
Lines = Mapping[str, Sequence[str]]
"""Lines of orders by who wrote them."""
POSITION_KEYS: Final = ("phase", "units", "dislodged", "centres", "before")


class PositionError(ValueError):
    """What was written is not a position of the game; the text says why."""


@dataclass(frozen=True)
class Attempt:
    """What came of orders. `refused`: by author, each refused line and why; it counted as not given."""

    board: Any
    refused: Mapping[str, Sequence[tuple[str, Problem]]]
    events: Sequence[Event]


class WritesPositions(Protocol):
    """A game whose positions can be written down, and its phases resolved one by one."""

    def read_position(self, written: Written) -> Any:
        """Return the board that was written. Raises PositionError."""
        ...

    def write_position(self, board: Any) -> Written:
        """Return a board in its one written form, with the next phase as `next`."""
        ...

    def start_position(self) -> Any:
        """Return the board with which a game begins."""
        ...

    def resolve_lines(self, board: Any, lines: Lines) -> Attempt:
        """Resolve the phase of a board, which stays as it is. Raises PositionError for an unknown author."""
        ...

    def describe(self, fact: Event | Problem, language: Language) -> str:
        """Return the sentence of an event or a problem; "" for an event that has none."""
        ...


def try_orders(game: WritesPositions, written: Written, language: Language = DEFAULT) -> dict[str, Any]:
    """Return what comes of orders on a position, as plain data: the position after, what was refused, what happened.

    `written`: `board` (or its keys themselves), `phase`, `orders`. Raises PositionError.
    """
    attempt = game.resolve_lines(game.read_position(_position_of(written)), lines_of(written))
    told = (game.describe(event, language) for event in attempt.events)
    return {
        **game.write_position(attempt.board),
        "refused": {
            author: [[line, game.describe(problem, language)] for line, problem in refused]
            for author, refused in attempt.refused.items()
        },
        "events": [sentence for sentence in told if sentence],
    }


def check_case(game: WritesPositions, case: Written) -> Iterator[tuple[str, str]]:
    """Yield for a case, or for each phase of a game from its start, its name and how it differs ("" if it does not).

    After a difference, a game goes on from what was expected.
    A case says what it expects as `expect` (units) and `expect_dislodged`; a phase of a game as `units`, `centres` and
    `next`. Raises PositionError, and KeyError for a phase without one of these.
    """
    if "phases" in case:
        yield from _check_game(game, case)
        return
    attempt = game.resolve_lines(game.read_position(_position_of(case)), lines_of(case))
    expected = {"units": case.get("expect", ()), "dislodged": case.get("expect_dislodged", ())}
    keys = [key for key, name in (("units", "expect"), ("dislodged", "expect_dislodged")) if name in case]
    yield str(case.get("id", "")), _differences(game, attempt.board, expected, keys)


def _check_game(game: WritesPositions, case: Written) -> Iterator[tuple[str, str]]:
    board, phases = game.start_position(), case["phases"]
    if not isinstance(phases, Sequence) or not all(isinstance(phase, Mapping) for phase in phases):
        raise PositionError("a game is written as a list of phases")
    for phase in phases:
        name = f"{case.get('seed', '')} {phase.get('phase', '')}".strip()
        board = game.resolve_lines(board, lines_of(phase)).board
        expected = {**phase, "phase": phase["next"]}
        difference = _differences(game, board, expected, ("units", "dislodged", "centres", "next"))
        if difference:
            board = game.read_position(expected)
        yield name, difference


def _differences(game: WritesPositions, board: Any, expected: Written, keys: Sequence[str]) -> str:
    """Return what a board has and lacks, by key; the expectation is read and written as a position first."""
    has, wants = game.write_position(board), game.write_position(game.read_position(expected))
    return "; ".join(f"{key}: {_difference(has[key], wants[key])}" for key in keys if has[key] != wants[key])


def _difference(has: Any, wants: Any) -> str:
    if isinstance(has, str):
        return f"{has} instead of {wants}"
    return f"{_only(has, wants)} instead of {_only(wants, has)}"


def _only(these: Any, others: Any) -> list[Any]:
    def rows(value: Any) -> list[Any]:
        return list(value.items()) if isinstance(value, Mapping) else list(value)

    return [row for row in rows(these) if row not in rows(others)]


def _position_of(written: Written) -> Written:
    board = written.get("board", written)
    if not isinstance(board, Mapping):
        raise PositionError("the board is not written as names with values")
    given = {key: board[key] for key in POSITION_KEYS if key in board}
    return {**given, "phase": written["phase"]} if "phase" in written else given


def lines_of(written: Written) -> Lines:
    """Return the lines by author, from a mapping or from pairs. Raises PositionError."""
    orders = written.get("orders", {})
    pairs = orders.items() if isinstance(orders, Mapping) else orders
    lines: dict[str, list[str]] = {}
    try:
        for author, given in pairs:
            lines.setdefault(str(author), []).extend([given] if isinstance(given, str) else map(str, given))
    except (TypeError, ValueError):
        raise PositionError("orders are written as lines by author, or as pairs of author and line") from None
    return lines

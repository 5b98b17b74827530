"""Suggested lines to add to the lines written so far.

A line is suggested only if it is valid at its place among them. The game says what is good, `Moves` what is legal.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.kernel.moves import Moves
from engine.kernel.orders import Clause, Line, Order, Orders, Question
from engine.kernel.position import Position
from engine.kernel.rules import Rules
from engine.kernel.validation import check_orders

MAX_TRIED: Final = 12
"""The most likely lines tried in place of a refused one, most similar first."""


def preferences(ranked: Sequence[str], length: int, most: int = 6) -> Iterator[tuple[str, ...]]:
    """Yield at most `most` lists of preference: each of the best things once in front, the next best behind it."""
    for first in ranked[:most]:
        yield (first, *[other for other in ranked if other != first][: length - 1])


@dataclass(frozen=True)
class LineSlot:
    """The place of one line among the orders written for an open question.

    `seen`: the author's own copy of the position.
    `lines`: all lines in order; None for a line that could not be parsed.
    `number`: the index of this line.
    """

    rules: Rules[Any]
    seen: Position[Any]
    decision: Question
    lines: tuple[Line | None, ...]
    number: int

    def accepts(self, line: Line) -> bool:
        """Return True if `line` is valid at this place and no other line becomes invalid because of it."""
        return self._keeps(line, self._others())

    def best(self, likely: Sequence[Line], meant: Line | None = None) -> Line | None:
        """Return the line that is most similar to the written one and valid at this place, or None.

        `likely`: what the game suggests. `meant`: what an unread line may have meant.
        """
        written, others = self.lines[self.number], self._others()
        known = [Line(line.plan) for line in likely if line.plan and (written is None or line.plan != written.plan)]
        model = written or meant
        if model is not None and model.plan:
            order = model.plan[0].order
            known += [Line((Clause(near),)) for near in self._closest(order) if (Clause(near),) != model.plan]
            known.sort(key=lambda line: _difference(line.plan[0].order, order))
        return next((line for line in known[:MAX_TRIED] if self._keeps(line, others)), None)

    def _closest(self, order: Order) -> Iterator[Order]:
        """Yield the legal orders behind the lines before that keep most of the values of an order."""
        moves = Moves(self.rules, self.seen, self.decision, self._before())
        for form in moves.forms:
            values = form.parse(order)
            near = moves.closest(form, values) if values is not None else None
            if near is not None:
                yield near

    def _others(self) -> list[bool]:
        """Return, for each other parsed line, whether it is valid while this place is empty."""
        return self._judge((*self._before(), *self._after()))

    def _keeps(self, line: Line, others: list[bool]) -> bool:
        before, after = self._before(), self._after()
        found = self._judge((*before, line, *after))
        here = found.pop(len(before))
        return here and all(now for now, then in zip(found, others, strict=True) if then)

    def _judge(self, lines: Orders) -> list[bool]:
        rulings = check_orders(self.rules, self.seen, self.decision, lines, own=True)
        return [ruling.is_valid for ruling in rulings[: len(lines)]]

    def _before(self) -> Orders:
        return tuple(line for line in self.lines[: self.number] if line is not None)

    def _after(self) -> Orders:
        return tuple(line for line in self.lines[self.number + 1 :] if line is not None)


def _difference(one: Order, other: Order) -> tuple[int, int]:
    """Return how little two orders have in common; numbers count where nothing else differs."""
    if type(one) is not type(other):
        return -any(value in _names(other) for value in _names(one)), 0
    pairs = [(value, getattr(other, name)) for name, value in vars(one).items()]
    same = sum(a == b for a, b in pairs if type(a) is not int)
    differ = any(a != b for a, b in pairs if type(a) is not int)
    return -10 - same, 0 if differ else sum(abs(a - b) for a, b in pairs if type(a) is type(b) is int)


def _names(order: Order) -> set[str]:
    """Return the names in an order's slots: a PLACE at the same province is closer than an ATTACK elsewhere."""
    found: set[str] = set()
    for value in vars(order).values():
        found.update(v for v in (value if isinstance(value, tuple) else (value,)) if isinstance(v, str) and v)
    return found

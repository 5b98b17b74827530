"""Orders of random words of the forms, legal or not: another source than `Moves`, to hold it and the rules against."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from engine.kernel.forms import Fact, Form, Slot
from engine.kernel.orders import Clause, Condition, Line, Order

T = TypeVar("T")


class RandomOrders:
    """Orders by chance; `below(n)` returns a number from 0 to n - 1."""

    def __init__(self, forms: Sequence[Form], facts: Sequence[Fact], below: Callable[[int], int]) -> None:
        self.forms, self.facts, self._below = forms, facts, below

    def line(self) -> Line:
        """Return a line, sometimes with conditions, alternatives, repeats and a fallback."""
        plain = Clause(self.order())
        if self._below(4):
            return Line((plain,))
        plan = (Clause(self.order(), self._when()), *((plain,) if self._below(3) == 0 else ()))
        line = Line(plan, 1 + self._below(3), (Clause(self.order()),) if self._below(2) else ())
        return line if line.may_retry else replace(line, repeat=1)

    def order(self) -> Order:
        """Return an order, mostly of values that the game suggests."""
        form = self._one(self.forms)
        return form.make({s.name: self._value(s) for s in form.slots if not (s.optional and self._below(3) == 0)})

    def _when(self) -> tuple[Condition, ...]:
        if not self.facts or self._below(3) == 0:
            return ()
        fact = self._one(self.facts)
        about = {slot.name: self._value(slot) for slot in fact.slots}
        plain = {name: value for name, value in about.items() if isinstance(value, int | str)}
        return (fact.make(plain, negated=self._below(3) == 0),)

    def _one(self, things: Sequence[T]) -> T:
        return things[self._below(len(things))]

    def _value(self, slot: Slot) -> object:
        if slot.amounts:
            most = max(1, slot.high if slot.high is not None else 3)
            return {self._one(slot.choices).value: 1 + self._below(most) for _ in range(1 + self._below(2))}
        if not slot.many:
            return self._word(slot)
        return tuple(dict.fromkeys(self._word(slot) for _ in range(1 + self._below(3))))

    def _word(self, slot: Slot) -> str | int:
        if slot.suggested and self._below(6):
            return self._one(slot.suggested)
        if slot.choices:
            return self._one(slot.choices).value
        if slot.text:
            return self._one(("adieu", "well met", "à bientôt"))
        low = slot.low if slot.low is not None else 0
        high = slot.high if slot.high is not None else low + 10
        return low + self._below(max(1, high - low + 1))

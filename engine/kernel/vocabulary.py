"""A game's catalogue as the words of slots, choices and forms."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.kernel.catalogues import Catalogue, Words
from engine.kernel.forms import Choice, Slot
from engine.kernel.orders import Order
from engine.kernel.phrasebook import Exact, choices


@dataclass(frozen=True)
class AmountsForm(Exact):
    """A form that writes amounts (`2 food, 1 money`) for an order that repeats each thing."""

    def make(self, values: Mapping[str, Any]) -> Order:
        """Return the order, with its things in the order of the vocabulary."""
        named = {slot.name: _find_repeated(slot, values[slot.name]) for slot in self.slots if slot.amounts}
        return super().make({**values, **named})

    def find(self, slot: Slot, value: Any) -> object:
        """Return repeated things as amounts."""
        return Counter(value) if slot.amounts else value


def _find_repeated(slot: Slot, counts: Mapping[str, int]) -> tuple[str, ...]:
    return tuple(choice.value for choice in slot.choices for _ in range(counts.get(choice.value, 0)))


class FormWords:
    """The words of a catalogue for slots, leads, choices and orders, each in its section."""

    def __init__(self, said: Catalogue) -> None:
        """`said`: the catalogue of the game."""
        self._said = said

    def title(self, slot: str) -> Words:
        """Return the title of a slot."""
        return self._said(f"slots.{slot}")

    def lead(self, word: str) -> Words:
        """Return the lead words of a slot."""
        return self._said(f"leads.{word}")

    def find(self, ids: Iterable[str], section: str) -> tuple[Choice, ...]:
        """Return choices with the words of a section."""
        return choices((thing, self._said(f"choices.{section}.{thing}")) for thing in ids)

    def form(self, name: str, order: type[Order], *slots: Slot, **fixed: Any) -> Exact:
        """Return the form of an order. `fixed`: fields of the order that this form sets."""
        made = AmountsForm if any(slot.amounts for slot in slots) else Exact
        return made(self._said(f"orders.{name}.keyword"), order, slots, fixed, self._said(f"orders.{name}.about"))

"""Search for an order that the rules accept, among those with some slots filled.

A slot without a value holds a `Hole`, and reading a hole raises `HoleRead`. So a problem that comes without reading one
is there however the holes are filled, and no value needs to be tried. Only a hole that is read is filled with each
value that it can take. Korat searches the inputs of a precondition like this (Boyapati, Khurshid, Marinov, ISSTA 2002).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple, NoReturn

from engine.kernel.forms import Form, Slot
from engine.kernel.orders import Order, Problem
from engine.kernel.phrasebook import in_bounds

FUEL: Final = 500
"""The most refusals asked for one search; a search that needs more finds nothing."""
LISTED: Final = 12
"""The numbers tried for a slot without a highest one."""
SAMPLE_TEXT: Final = "-"
NOTHING_FITS: Final = Problem("nothing_fits")
POINTLESS: Final = Problem("pointless")

Filling = Mapping[str, Any]
"""Slot values by slot name. `many` and `amounts` slots have a tuple of things, which repeats those of an amount."""


@dataclass(frozen=True)
class SlotValues:
    """The values worth trying in a slot, given those of other slots: no other is of use now.

    `values`: of the slot, or of one thing of a `many` slot. `least` and `most`: how many things; no number between them
    is tried, unless a player has named so many.
    `lists`: complete lists instead, if only few are possible; a player may name their things in another order.
    `none`: why there is no value, if there is none.
    """

    values: Sequence[str | int] = ()
    least: int = 1
    most: int | None = None
    lists: Sequence[tuple[str | int, ...]] | None = None
    none: Problem | None = None

    def __contains__(self, value: object) -> bool:
        return value in self.values if self.lists is None else any(value in known for known in self.lists)


def one_of(values: Iterable[str | int], none: Problem | None = None) -> SlotValues:
    """Return these values, each of which is worth trying; `none`: why there is none."""
    return SlotValues(tuple(values), none=none)


class HoleRead(Exception):
    """The rules read a value that is not chosen yet."""

    def __init__(self, hole: "Hole") -> None:
        super().__init__()
        self.hole = hole


class OutOfFuel(Exception):
    """A search needed more refusals than `FUEL`."""


class Hole:
    """A value that is not chosen yet: whatever is done with it raises HoleRead, except `is`, which rules must not use.

    `first`: the things of a list whose end is not chosen yet; iterating yields them. None if there is no list.
    `fixed`: how many things before this one of a list were not chosen by the search.
    """

    def __init__(self, slot: Slot, first: tuple[Any, ...] | None = None, fixed: int = 0) -> None:
        self.hole_slot, self.hole_first, self.hole_fixed = slot, first, fixed

    def read(self, *_: object) -> NoReturn:
        """Raise HoleRead."""
        raise HoleRead(self)

    def __iter__(self) -> Iterator[Any]:
        yield from self.hole_first or ()
        self.read()

    __class__ = property(read)  # isinstance reads it


for _name in (
    "getattr bool len contains getitem reversed hash eq ne lt le gt ge neg abs int index str repr format "
    "add radd sub rsub mul rmul floordiv rfloordiv mod rmod"
).split():
    setattr(Hole, f"__{_name}__", Hole.read)


def is_hole(value: object) -> bool:
    """Return True for a hole; `isinstance` would read it."""
    return type(value) is Hole


def has_hole(value: object) -> bool:
    """Return True for a hole, or a tuple that contains one."""
    return is_hole(value) or (type(value) is tuple and any(map(has_hole, value)))


def _first_hole(value: object) -> Hole | None:
    """Return the hole that a value is, or the first in a tuple; None if there is none."""
    things = value if type(value) is tuple else (value,)
    return next((thing for thing in things if type(thing) is Hole), None)


class _Known(dict[str, Any]):
    """Slot values that remember the names that were read."""

    def __init__(self, values: Iterable[tuple[str, Any]]) -> None:
        super().__init__(values)
        self.read = set[str]()

    def get(self, name: str, default: Any = None) -> Any:
        self.read.add(name)
        return super().get(name, default)


class Found(NamedTuple):
    """The result of a search: an accepted filling without holes, or the first problem."""

    problem: Problem | None
    filling: Filling


class SlotSearch:
    """Searches the fillings of one form."""

    def __init__(
        self,
        form: Form,
        refuse: Callable[[Order], Problem | None],
        values_of: Callable[[Slot, Filling], SlotValues | None],
    ) -> None:
        """`refuse`: why an order is not possible. `values_of`: the values worth trying in a slot; None for all."""
        self.form, self._refuse, self._values_of = form, refuse, values_of
        self._slots = {slot.name: slot for slot in form.slots}
        self._latest: Filling = {}
        self._fuel = FUEL
        self._worth: dict[object, SlotValues] = {}
        self._read: dict[str, set[str]] = {}
        self._words: dict[str, frozenset[str]] = {}

    def start(self, given: Filling, growing: str = "") -> Filling:
        """Return a filling with a hole for each slot that is not given; more things may follow those of `growing`."""
        filling = {slot.name: given.get(slot.name, Hole(slot)) for slot in self.form.slots}
        if growing:
            filling[growing] = Hole(self._slots[growing], given[growing])
        return filling

    def make(self, filling: Filling) -> Order:
        """Return the order of a filling."""
        counted = (name for name, slot in self._slots.items() if slot.amounts and not is_hole(filling[name]))
        return self.form.make({**filling, **{name: dict(Counter(filling[name])) for name in counted}})

    def find(self, filling: Filling) -> Found:
        """Return an accepted way to fill the holes, or the first problem. Raises OutOfFuel."""
        self._fuel = FUEL
        found = self._find(filling)
        if found.problem is None:
            self._latest = found.filling
        elif found.problem == NOTHING_FITS:
            return Found(self.explain(filling) or NOTHING_FITS, filling)
        return found

    def every(self, filling: Filling) -> Iterator[Filling]:
        """Yield every accepted way to fill the holes; the values of the first slot change fastest."""
        if isinstance(self._try(filling), Problem):
            return
        holes = (_first_hole(filling[name]) for name in reversed(self._slots))
        hole = next((hole for hole in holes if hole is not None), None)
        if hole is None:
            yield filling
        else:
            for following in self._fill(filling, hole):
                yield from self.every(following)

    def refuse_unread(self, filling: Filling) -> Problem | None:
        """Return the problem that comes without reading a hole, or None."""
        problem = self._try(filling)
        return self._without_holes(problem, filling) if isinstance(problem, Problem) else None

    def explain(self, filling: Filling) -> Problem | None:
        """Return the problem of the first way to fill the holes; None if it is accepted.

        Where no number is worth trying, the rules say why of the lowest.
        """
        problem = self._try(filling)
        while isinstance(problem, HoleRead):
            following = next(self._fill(filling, problem.hole), None) or self._with_lowest(filling, problem.hole)
            if following is None:
                return self._why_none(filling, problem.hole)
            filling, problem = following, self._try(following)
        return self._without_holes(problem, filling) if problem is not None else None

    def _with_lowest(self, filling: Filling, hole: Hole) -> Filling | None:
        """Return the filling with the lowest number for a hole; None if it takes something else."""
        slot = hole.hole_slot
        if slot.choices or slot.text or filling[slot.name] is not hole or self.worth_trying(filling, slot).none:
            return None
        return {**filling, slot.name: 1 if slot.low is None else slot.low}

    def _why_none(self, filling: Filling, hole: Hole) -> Problem:
        """Return why there is no value for a hole, as far as the game says."""
        return self.worth_trying(filling, hole.hole_slot).none or NOTHING_FITS

    def _try(self, filling: Filling) -> Problem | HoleRead | None:
        """Return the problem, or the hole that must be filled first; None if the order is accepted anyhow."""
        try:
            return self._refuse(self.make(filling))
        except HoleRead as reading:
            return reading

    def _find(self, filling: Filling) -> Found:
        self._fuel -= 1
        if self._fuel < 0:
            raise OutOfFuel
        problem = self._try(filling)
        if problem is None:
            return self._fill_unread(filling)
        if isinstance(problem, Problem):
            return Found(self._without_holes(problem, filling), filling)
        refused: dict[str, list[Found]] = {}
        for following in self._fill(filling, problem.hole):
            found = self._find(following)
            if found.problem is None:
                return found
            refused.setdefault(found.problem.code, []).append(found)
        if not refused:
            return Found(self._why_none(filling, problem.hole), filling)
        return max(refused.values(), key=len)[0]  # what is wrong with most values says more than what is with the first

    def _fill_unread(self, filling: Filling) -> Found:
        """Fill the holes that nothing depends on."""
        for name, value in filling.items():
            while (hole := _first_hole(value)) is not None:
                following = next(self._fill(filling, hole), None)
                if following is None:
                    return Found(self._why_none(filling, hole), filling)
                filling, value = following, following[name]
        return Found(None, filling)

    def _without_holes(self, problem: Problem, filling: Filling) -> Problem:
        """Return the problem as it stands for a complete order, if its terms contain holes."""
        if not any(map(has_hole, problem.terms.values())):
            return problem
        settled = self._fill_unread(filling)
        again = self._try(settled.filling) if settled.problem is None else settled.problem
        return again if isinstance(again, Problem) else NOTHING_FITS

    def _fill(self, filling: Filling, hole: Hole) -> Iterator[Filling]:
        """Yield the filling with each value for one hole: what may be left out and what was found last come first."""
        slot, name = hole.hole_slot, hole.hole_slot.name
        value = filling[name]
        if value is not hole:
            place = next(n for n, thing in enumerate(value) if thing is hole)
            for thing in self._things(filling, hole, value, place):
                yield {**filling, name: (*value[:place], thing, *value[place + 1 :])}
            return
        if hole.hole_first is None and slot.optional:
            yield {**filling, name: slot.default}
            if slot.spare:
                return
        if slot.many:
            yield from ({**filling, name: things} for things in self._lists(filling, slot, hole.hole_first or ()))
            return
        values, latest = self.worth_trying(filling, slot).values, self._latest.get(name)
        if latest in values:
            yield {**filling, name: latest}
        yield from ({**filling, name: one} for one in values if one != latest)

    def _lists(self, filling: Filling, slot: Slot, first: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
        """Yield the shortest and the longest list that begins with `first`, with holes for further things."""
        worth = self.worth_trying(filling, slot)
        if worth.lists is not None:
            whole, given = map(Counter, worth.lists), Counter(first)
            yield from ((*first, *(things - given).elements()) for things in whole if given <= things)
            return
        if slot.amounts and slot.high is not None and len(first) > slot.high:
            return
        least = max(worth.least, len(first), 1)
        for count in dict.fromkeys((least, max(worth.most or 0, least))):
            yield (*first, *(Hole(slot, fixed=len(first)) for _ in range(count - len(first))))

    def _things(self, filling: Filling, hole: Hole, value: tuple[Any, ...], place: int) -> Sequence[str | int]:
        """Return the things for one place of a list; in a list that counts things their order does not matter."""
        values = self.worth_trying(filling, hole.hole_slot).values
        if not hole.hole_slot.counted or place <= hole.hole_fixed or is_hole(value[place - 1]):
            return values
        return values[values.index(value[place - 1]) :]

    def worth_trying(self, filling: Filling, slot: Slot) -> SlotValues:
        """Return the values worth trying in a slot: those that the game names, or all."""
        known = _Known((n, v) for n, v in filling.items() if n != slot.name and not has_hole(v))
        read = self._read.setdefault(slot.name, set())
        key = (slot.name, *(known.get(name) for name in sorted(read)))
        if key not in self._worth:
            found = self._values_of(slot, known)
            found = all_values(slot) if found is None else self._within(slot, found)
            read |= known.read
            self._worth[slot.name, *(known.get(name) for name in sorted(read))] = found
            return found
        return self._worth[key]

    def _within(self, slot: Slot, worth: SlotValues) -> SlotValues:
        """Return the values that can be written in a slot: forms that share an order have words of their own."""
        if slot.name not in self._words:
            self._words[slot.name] = frozenset(choice.value for choice in slot.choices)
        words = self._words[slot.name]
        values = tuple(v for v in worth.values if (v in words if slot.choices else in_bounds(slot, v)))
        return worth if len(values) == len(worth.values) else replace(worth, values=values)


def all_values(slot: Slot) -> SlotValues:
    """Return every value of a slot, and of a number without bounds the first."""
    if slot.choices:
        return SlotValues(tuple(choice.value for choice in slot.choices), slot.low or 1)
    if slot.text:
        return SlotValues((SAMPLE_TEXT,))
    low = slot.low or 0
    return SlotValues(range(low, (slot.high if slot.high is not None else low + LISTED - 1) + 1))

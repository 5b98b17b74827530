"""Parsing of the slots of one form: finds every way to match the words, each with a cost for what it forgives."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Final, NamedTuple

from engine.kernel.catalogues import Words
from engine.kernel.forms import Form, Slot
from engine.kernel.keywords import AND, FILLERS, WORDS, all_spellings, is_omissible, skip_keyword
from engine.kernel.spelling import MARKS, SPACED_DASH, Text, Vocabulary, fold_tokens, numbers, vocabulary_of

_MINUS: Final = frozenset(("-", *WORDS("small.minus").all_forms()))
_BETWEEN: Final = frozenset((",", ":", SPACED_DASH))
_FUEL: Final = 3000
_MOST: Final = 20
"""The highest count before or after a thing, for slots without amounts."""
_TIMES: Final = "x"

Values = Mapping[str, object]
"""Slot values by slot name."""
NO_VALUES: Final[Values] = MappingProxyType({})


@dataclass(frozen=True)
class ParseFailure:
    """Why parsing stopped: the token index, the code, the words as typed, and what had been parsed so far.

    `weight`: decides between failures at the same token; the highest is reported.
    `found`: indexes of the choices that the words may mean.
    `shown`: keywords to offer instead.
    """

    place: int
    weight: int
    code: str
    word: str = ""
    slot: Slot | None = None
    found: tuple[int, ...] = ()
    form: Form | None = None
    values: Values | None = None
    shown: tuple[Words, ...] = ()


class ParseFailures:
    """The failures of one parse; `worst` is the one furthest into the text."""

    def __init__(self) -> None:
        self.worst: ParseFailure | None = None
        self.unclear: list[ParseFailure] = []
        self.form: Form | None = None
        self.begun: int | None = None

    def add(self, fault: ParseFailure) -> None:
        """Record a failure; it becomes `worst` if it is further on, or has more weight there, or more choices."""
        if fault.code == "ambiguous":
            self.unclear.append(fault)
        worst = self.worst
        if worst is None or _rank(fault) > _rank(worst):
            self.worst = fault


def _rank(fault: ParseFailure) -> tuple[int, int, int]:
    return fault.place, fault.weight, len(fault.found)


class SlotMatch(NamedTuple):
    """One way to fill the slots: its cost, the values, and the index of the token after it."""

    cost: int
    values: Values
    end: int


_Lot = tuple[object, int]
"""A thing and its count."""


class _Read(NamedTuple):
    value: object
    end: int
    cost: int


class SlotParser:
    """One search through the slots of a form.

    Slots without a lead word are filled in order, except that a number and a name may change places. Slots with a lead
    word may come anywhere. The search is bounded: a line that exceeds its budget counts as not understood.
    """

    def __init__(
        self, text: Text, stop: int, fuzzy: bool, faults: ParseFailures, form: Form | None, whole: bool
    ) -> None:
        """`whole`: the slots must take every token up to `stop`. If False, a match may end at any token."""
        self.text, self.stop, self.fuzzy, self.whole = text, stop, fuzzy, whole
        self.faults, self.form = faults, form
        self.out: list[SlotMatch] = []
        self.fuel = _FUEL
        self.values: Values = {}
        self.named: tuple[Vocabulary, ...] = ()

    def fill(self, slots: Sequence[Slot], start: int, values: Values = NO_VALUES) -> list[SlotMatch]:
        """Return every way to fill the slots from token `start`, cheapest first. `values`: those of other slots."""
        self.named = tuple(vocabulary_of(slot.choices) for slot in slots if slot.choices)
        self._walk(start, tuple(slots), values, 0)
        return sorted(self.out, key=lambda f: f.cost)

    def _walk(self, at: int, left: tuple[Slot, ...], values: Values, cost: int) -> None:
        self.fuel -= 1
        if self.fuel < 0:
            return
        self.values = values
        if (at == self.stop or not self.whole) and all(s.optional for s in left):
            self.out.append(SlotMatch(cost, values, at))
        if at >= self.stop:
            self._missing(at, left)
            return
        for slot in left:
            self.values = values
            self._take(slot, at, left, values, cost)
        if self.whole:
            self._fault(at, 1, "extra_words", self.text.typed(at, self.stop))
        if self._skips(self.text.words[at], left):
            self._walk(at + 1, left, values, cost + (self.text.words[at] not in _BETWEEN))

    def _skips(self, word: str, left: tuple[Slot, ...]) -> bool:
        """Return True if a token may be skipped; the first words of free text may not, nor what is a name here."""
        if any(s.text for s in left):
            return False
        if self.form is not None and (word,) in all_spellings(self.form.fillers):
            return True
        if word in FILLERS:
            return not any(names.has_exactly(word) for names in self.named)
        if word == SPACED_DASH and any(_may_be_negative(s) for s in left):
            return False
        return word in _BETWEEN and (self.whole or word != ":")

    def _take(self, slot: Slot, at: int, left: tuple[Slot, ...], values: Values, cost: int) -> None:
        start, extra = at, 0
        if slot.lead is not None:
            start = skip_keyword(slot.lead, self.text.words, at, self.stop)
            if start == at and any(s.lead is None and not s.optional for s in left):
                return
            extra = 3 if start == at and not is_omissible(slot.lead) else 0
        elif not _can_follow(slot, left):
            return
        if start == self.stop:
            self._missing(start, (slot,))
        for value, end, more in self._values(slot, start):
            rest = tuple(s for s in left if s is not slot and not _is_left_out(s, slot, left))
            late = 2 if slot.lead is None and left[0] is not slot else 0
            self._walk(end, rest, {**values, slot.name: value}, cost + extra + more + late)

    def _values(self, slot: Slot, at: int) -> list[_Read]:
        if at >= self.stop:
            return []
        if slot.text:
            return self._text(at)
        if slot.amounts:
            return self._amounts(slot, at)
        if slot.many:
            read = self._parse_several(slot, at, (), 0)
            return [_Read(tuple([v for v, n in lots for _ in range(n)]), end, cost) for lots, end, cost in read]
        return list(self._parse_one(slot, at))

    def _amounts(self, slot: Slot, at: int) -> list[_Read]:
        """Parse amounts of things and add them up. Words with two possible meanings are refused as ambiguous."""
        found: dict[tuple[int, int], list[Mapping[object, int]]] = {}
        for lots, end, cost in self._parse_several(slot, at, (), 0):
            amounts = Counter[object]()
            for thing, count in lots:
                amounts[thing] += count
            said = found.setdefault((end, cost), [])
            if amounts not in said:
                said.append(amounts)
        for (end, _), said in found.items():
            if len(said) > 1:
                self._fault(end, 5, "ambiguous", self.text.typed(at, end), slot)
        reads = list[_Read]()
        for (end, cost), said in found.items():
            if len(said) == 1 and self._check_sum(slot, said[0], at, end):
                reads.append(_Read(dict(said[0]), end, cost))
        return reads

    def _check_sum(self, slot: Slot, amounts: Mapping[object, int], at: int, end: int) -> bool:
        good = _within(slot, sum(amounts.values()))
        if not good:
            self._fault(end, 4, "sum_out_of_range", self.text.typed(at, end), slot)
        return good

    def _parse_several(
        self, slot: Slot, at: int, got: tuple[_Lot, ...], cost: int
    ) -> Iterator[tuple[tuple[_Lot, ...], int, int]]:
        self.fuel -= 1
        if self.fuel < 0:
            return
        for lot, end, more in self._parse_some(slot, at):
            following = end
            while following < self.stop and (self.text.words[following] == "," or self._is_and(following)):
                following += 1
            if following < self.stop:
                yield from self._parse_several(slot, following, (*got, lot), cost + more)
            yield (*got, lot), end, cost + more

    def _parse_some(self, slot: Slot, at: int) -> Iterator[tuple[_Lot, int, int]]:
        """Parse one thing, or several of one kind with a number before or after it if the slot is counted."""
        for value, end, more in self._parse_one(slot, at):
            if slot.counted:
                behind = self._times(slot, self._skip_sign(end))
                yield from ((_make_lot(slot, value, n), after_it, more) for n, after_it in behind)
            yield (value, 1), end, more
        if slot.counted:
            for n, end in self._times(slot, at):
                things = self._next(slot, self._skip_sign(end))
                yield from ((_make_lot(slot, value, n), after_it, more) for value, after_it, more in things)

    def _next(self, slot: Slot, at: int) -> Iterable[_Read]:
        """Parse the thing that follows a number."""
        if at < self.stop:
            return self._parse_one(slot, at)
        self._missing(at, (slot,))
        return ()

    def _times(self, slot: Slot, at: int) -> Iterator[tuple[int, int]]:
        """Parse a count of things, 1 or more."""
        most = _MOST if not slot.amounts else slot.high
        for n, end in numbers(self.text.words, at, self.stop):
            if n is not None and n >= 1 and (most is None or n <= most):
                yield n, end
            elif slot.amounts:
                self._fault(end, 4, "out_of_range", self.text.typed(at, end), slot)

    def _skip_sign(self, at: int) -> int:
        """Return the index after a multiplication sign, if there is one."""
        return at + (at < self.stop and self.text.words[at] == _TIMES)

    def _is_and(self, at: int) -> bool:
        return (self.text.words[at],) in all_spellings(AND)

    def _parse_one(self, slot: Slot, at: int) -> Iterable[_Read]:
        return self._parse_named(slot, at) if slot.choices else self._number(slot, at)

    def _parse_named(self, slot: Slot, at: int) -> list[_Read]:
        vocabulary, words = vocabulary_of(slot.choices), self.text.words
        furthest = at
        while furthest < min(self.stop, at + vocabulary.longest + 1) and words[furthest] not in MARKS:
            furthest += 1
        found: list[_Read] = []
        for end in range(furthest, at, -1):
            hit = vocabulary.find(words[at:end], self.fuzzy)
            values = {slot.choices[p].value for p in hit.positions}
            if len(values) == 1:
                found.append(_Read(slot.choices[hit.positions[0]].value, end, hit.cost + self._is_dashed(at, end)))
            elif values:
                self._fault(end, 4, "ambiguous", self.text.typed(at, end), slot, hit.positions)
        if not found:
            self._fault(at, _weight(slot, 2), "unknown_name", self._unknown(at), slot)
        return found

    def _is_dashed(self, at: int, end: int) -> bool:
        """Return True if a dash stands between some words: they are rather two names, as in `SWE - DEN`."""
        starts, ends, raw = self.text.starts, self.text.ends, self.text.raw
        return any("-" in raw[ends[n] : starts[n + 1]] for n in range(at, end - 1))

    def _unknown(self, at: int) -> str:
        """Return the unknown words as typed, up to the next mark or number."""
        end = at + 1
        while end < self.stop and self.text.words[end].isalpha() and self.text.words[end] not in FILLERS:
            end += 1
        return self.text.typed(at, end)

    def _number(self, slot: Slot, at: int) -> list[_Read]:
        words = self.text.words
        minus = words[at] in _MINUS
        found: list[_Read] = []
        for size, end in numbers(words, at + minus, self.stop):
            value = -size if size is not None and minus else size
            if value is None or not _within(slot, value):
                self._fault(end, 4, "out_of_range", self.text.typed(at, end), slot)
                continue
            found.append(_Read(value, end, 0))
            if end < self.stop and words[end] in _title_words(slot.title):
                found.append(_Read(value, end + 1, 1))
        if not found:
            self._fault(at, _weight(slot, 1), "number_expected", self.text.typed(at, at + 1), slot)
        return found

    def _text(self, at: int) -> list[_Read]:
        """Parse text in quotation marks; without quotation marks, all words to the end."""
        text = self.text
        limit = text.starts[self.stop] if self.stop < len(text.words) else len(text.raw)
        opening = text.raw.find('"', text.ends[at - 1] if at else 0, text.starts[at])
        if opening < 0:
            return [_Read(_to_plain(text.raw[text.starts[at] : limit]), self.stop, 0)]
        beyond = next((n for n in range(self.stop, len(text.words)) if text.words[n] not in MARKS), len(text.words))
        limit = text.starts[beyond] if beyond < len(text.words) else len(text.raw)  # include marks at the end
        closing = text.raw.find('"', opening + 1, limit)
        if closing < 0:
            return []
        end = next((n for n in range(at, self.stop) if text.starts[n] >= closing), self.stop)
        return [_Read(_to_plain(text.raw[opening + 1 : closing]), end, 0)]

    def _missing(self, at: int, left: Sequence[Slot]) -> None:
        slot = next((s for s in left if not s.optional or len(left) == 1), None)
        if slot is not None:
            self._fault(at, 3, "missing", "", slot)

    def _fault(
        self, at: int, weight: int, code: str, word: str, slot: Slot | None = None, found: tuple[int, ...] = ()
    ) -> None:
        self.faults.add(ParseFailure(at, weight, code, word, slot, found, self.form, self.values))


def _weight(slot: Slot, weight: int) -> int:
    """Return the weight of a failure: 0 for an optional slot, which cannot stop a parse; more after a lead word."""
    if slot.lead is not None:
        return weight + 1
    return 0 if slot.optional else weight


def _make_lot(slot: Slot, thing: object, count: int) -> _Lot:
    """Return a thing and its count, as the slot writes them."""
    return (slot.unit_choices.get(str(thing), thing) if count == 1 else thing), count


def _to_plain(text: str) -> str:
    return " ".join(text.split())


def _within(slot: Slot, value: int) -> bool:
    return (slot.low is None or value >= slot.low) and (slot.high is None or value <= slot.high)


def _is_number(slot: Slot) -> bool:
    return not slot.choices and not slot.text


def _may_be_negative(slot: Slot) -> bool:
    return _is_number(slot) and (slot.low is None or slot.low < 0)


def _slots_before(slot: Slot, left: tuple[Slot, ...]) -> Iterator[Slot]:
    for earlier in left:
        if earlier is slot:
            return
        if earlier.lead is None:
            yield earlier


def _can_follow(slot: Slot, left: tuple[Slot, ...]) -> bool:
    """Return True if a slot may be filled now: all unfilled slots before it are optional or of the other sort."""
    return all(s.optional or _is_number(s) != _is_number(slot) for s in _slots_before(slot, left))


def _is_left_out(earlier: Slot, taken: Slot, left: tuple[Slot, ...]) -> bool:
    """Return True if filling `taken` means that `earlier`, a slot of the same sort, was left out."""
    if taken.lead is not None or _is_number(earlier) != _is_number(taken):
        return False
    return any(s is earlier for s in _slots_before(taken, left))


@lru_cache(maxsize=512)
def _title_words(title: Words) -> frozenset[str]:
    """Return the words of a slot's title, with their singular forms: `8 tokens`, `1 token`."""
    words = {w for spelt in title.all_forms() for w in fold_tokens(spelt)}
    return frozenset(words | {w.removesuffix("s") for w in words} - {""})

"""The legal answers to a question behind the lines of a draft, one slot at a time.

The values that a slot can take are those with which the judge accepts the order, for some values of the other slots.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from types import MappingProxyType
from typing import Any, Final, Generic

from engine.kernel.events import Event
from engine.kernel.forms import Form, Slot
from engine.kernel.holes import NOTHING_FITS, POINTLESS, Filling, Found, OutOfFuel, SlotSearch, SlotValues
from engine.kernel.lazy import LazyMapping
from engine.kernel.orders import Clause, Line, Order, Orders, Problem, Question, always_requests_new_answer
from engine.kernel.phrasebook import in_bounds
from engine.kernel.position import B, Position
from engine.kernel.rules import NarrowsSlots, Rules
from engine.kernel.secrets import deep_copy, seen_by
from engine.kernel.spelling import fold_tokens
from engine.kernel.validation import UNREACHED, S, Trial, TrialStopped, run_trial, spend_nothing

ENDED: Final = Problem("behind_the_end")
MISSING: Final = Problem("missing", {"word": "", "candidates": (), "accepted": ""})
Values = Mapping[str, Any]
"""Slot values by slot name, as `Form.parse` returns them."""
MOST_THINGS: Final = 200
"""The most things of a list."""
NO_VALUES: Final[Values] = MappingProxyType({})


@dataclass(frozen=True)
class SlotChoices:
    """What a slot can take, or a list that has some things already.

    `legal`: the values with which an order is legal, in the order of the slot; of a number, those worth listing.
    `refused`: the other values, each with why; computed when it is read.
    `stop`: why the slot cannot be left as it is: without a value, or with the things that it has; None if it can.
    `least`, `most`: how many things a list takes, as far as the game says.
    """

    slot: Slot
    legal: tuple[str | int, ...]
    refused: Mapping[Any, Problem]
    stop: Problem | None
    least: int = 1
    most: int | None = None


@dataclass(frozen=True)
class Outcome(Generic[B]):
    """The result of one more order, if no other player moved and every draw were won.

    `before`, `after`: the positions, for figures. `events`: of this order alone. `notes`: remarks, such as odds.
    """

    before: Position[B]
    after: Position[B]
    events: tuple[Event, ...]
    notes: tuple[Problem, ...]


class _DraftTrial(Trial[B]):
    """A trial that stops where a further line would be carried out: then `at_end` is True."""

    at_end = False

    def next_order(self, step: S) -> tuple[object, S]:  # type: ignore[override]
        found, rest = super().next_order(step)
        if found is None:
            self.at_end = True
            raise TrialStopped
        return found, rest


class Moves(Generic[B]):
    """The legal answers to one question, from the view of the seat that is asked."""

    def __init__(
        self,
        rules: Rules[B],
        seen: Position[B],
        decision: Question,
        draft: Orders = (),
        spend: Callable[[], None] = spend_nothing,
    ) -> None:
        """`seen`: the seat's redacted position. `draft`: the lines before the one to write.

        `spend`: called before each refusal and each step of the draft; it may raise to limit the work.

        A question that takes one order has no draft: a new answer replaces the old one. Of orders for a question that
        is not asked yet only the form is judged, so that everything is legal.
        """
        self.rules, self.seen, self.decision = rules, seen, decision
        self.draft, self._spend = draft, spend
        key = decision.gate, decision.seat, decision.topic
        self.is_asked = any((d.gate, d.seat, d.topic) == key for d in seen.core.questions)
        self.unfinished = 0
        self._searches: dict[int, SlotSearch] = {}
        self._narrow = rules.slot_values if isinstance(rules, NarrowsSlots) and self.is_asked else None
        with seen_by(decision.seat):
            self.forms: Sequence[Form] = rules.forms(seen, decision)

    def refusal(self, form: Form, values: Values = NO_VALUES) -> Problem | None:
        """Return why no order has these values, whatever those of other slots; None if one is legal."""
        return self._look_up(form, values).problem

    def complete(self, form: Form, values: Values = NO_VALUES) -> Order | None:
        """Return a legal order with these values, which leaves out what it can; None if there is none."""
        problem, filling = self._look_up(form, values)
        return self._search(form).make(filling) if problem is None else None

    def choices(self, form: Form, values: Values, slot: Slot) -> SlotChoices:
        """Return what a slot can take, given values of other slots; of a list, what can follow those that it has.

        An optional slot without a value may still get one; its default says that it is left out.
        """
        with seen_by(self.decision.seat):
            return self._choices(self._search(form), to_filling(form, values), slot)

    def can_take(self, form: Form, values: Values, slot: Slot, value: str | int) -> bool:
        """Return True if a slot can take a value, or a list one thing more, given values of other slots."""
        with seen_by(self.decision.seat):
            search = self._search(form)
            return self._find(search, _with_value(search, to_filling(form, values), slot, value)).problem is None

    def worth_trying(self, form: Form, values: Values, slot: Slot) -> Sequence[str | int]:
        """Return the values of a slot among which the legal ones are; none for free text."""
        with seen_by(self.decision.seat):
            worth = self._search(form).worth_trying(to_filling(form, values), slot)
        if worth.lists is not None:
            return tuple(dict.fromkeys(value for things in worth.lists for value in things))
        return () if slot.text else worth.values

    def closest(self, form: Form, values: Values) -> Order | None:
        """Return a legal order that keeps the first of these values that go together; of a number the nearest."""
        kept: dict[str, Any] = {}
        for slot in form.slots:
            if slot.name not in values or self.refusal(form, kept) is not None:
                continue
            wanted = values[slot.name]
            if self.refusal(form, {**kept, slot.name: wanted}) is None:
                kept[slot.name] = wanted
            elif slot.many and not slot.amounts and isinstance(wanted, tuple):
                kept |= self._keep_things(form, kept, slot, wanted)
            elif isinstance(wanted, int) and not slot.choices:
                near = self.choices(form, kept, slot).legal
                if near:
                    kept[slot.name] = min(near, key=lambda one: abs(int(one) - wanted))
        return self.complete(form, kept)

    def _keep_things(self, form: Form, kept: Values, slot: Slot, wanted: tuple[Any, ...]) -> Values:
        """Return the slot with the things of a list that go together; nothing if they are too few."""
        has: tuple[Any, ...] = ()
        for thing in wanted:
            if self.can_take(form, {**kept, slot.name: has}, slot, thing):
                has = (*has, thing)
        return {slot.name: has} if has and self.refusal(form, {**kept, slot.name: has}) is None else {}

    def outcome(self, order: Order) -> Outcome[B]:
        """Return what a legal order would change behind the draft."""
        with seen_by(self.decision.seat):
            end = self._end
            if end is None:
                return Outcome(self.seen, self.seen, (), ())
            after = self._try_lines((*self.draft, Line((Clause(order),))))
        notes = tuple(after.notes.get(len(self.draft), ()))
        return Outcome(end.position, after.position, tuple(after.events[len(end.events) :]), notes)

    # -- slots

    def _choices(self, search: SlotSearch, given: Filling, slot: Slot) -> SlotChoices:
        has: tuple[Any, ...] = given.get(slot.name, ()) if slot.many else ()
        others = {name: value for name, value in given.items() if name != slot.name}
        worth = search.worth_trying(others, slot)

        words: Sequence[str | int] = [choice.value for choice in slot.choices]
        values = () if slot.text else words or worth.values
        whole = search.refuse_unread(search.start(others))
        if whole is not None:
            return SlotChoices(slot, (), dict.fromkeys(values, whole), whole, worth.least, worth.most)
        started = partial(_with_value, search, given, slot)
        named = has if slot.choices and not slot.counted else ()  # to name a thing again would say nothing more
        offered = (value for value in values if value in worth and value not in named)
        tried = {value: self._find(search, started(value)).problem for value in offered}
        legal = tuple(value for value, problem in tried.items() if problem is None)
        refused: dict[Any, Any] = {
            value: lambda v=value: tried.get(v) or search.explain(started(v)) or POINTLESS
            for value in values
            if tried.get(value, POINTLESS) is not None
        }
        stop = self._stop(search, others, slot, has)
        return SlotChoices(slot, legal, LazyMapping(self.decision.seat, refused), stop, worth.least, worth.most)

    def _stop(self, search: SlotSearch, others: Filling, slot: Slot, has: tuple[Any, ...]) -> Problem | None:
        """Return why a slot cannot be left with the things that it has, or None."""
        if not has and not slot.optional:
            return MISSING
        filling = search.start({**others, slot.name: has or slot.default})
        return self._find(search, filling).problem

    def _look_up(self, form: Form, values: Values) -> Found:
        with seen_by(self.decision.seat):
            search = self._search(form)
            return self._find(search, search.start(to_filling(form, values)))

    def _find(self, search: SlotSearch, filling: Filling) -> Found:
        try:
            return search.find(filling)
        except OutOfFuel:
            self.unfinished += 1
            return Found(search.explain(filling) or NOTHING_FITS, filling)

    def _search(self, form: Form) -> SlotSearch:
        if id(form) not in self._searches:
            self._searches[id(form)] = SlotSearch(form, self._refuse, partial(self._worth_trying, form))
        return self._searches[id(form)]

    def _worth_trying(self, form: Form, slot: Slot, known: Filling) -> SlotValues | None:
        if self._narrow is None:
            return None
        return self._narrow(self._behind, self.decision, form, slot, known)

    # -- behind the draft

    def _refuse(self, order: Order) -> Problem | None:
        """Return why the judge would refuse the order behind the draft, or None."""
        self._spend()
        if not self.is_asked:
            return None
        if self._end is None:
            return self.rules.refusal(self.seen, self.decision, order)
        if self._unreached is not None:
            return self._unreached
        problem = self.rules.refusal(self._behind, self._trial_question, order)
        if problem is not None:
            return problem
        # The judge also asks what nothing in the phase can change, before the first line.
        problem = self.rules.refusal(self.seen, self.decision, order)
        return problem if problem is not None and problem.lasting else None

    @cached_property
    def takes_lines(self) -> bool:
        """Return True if the answer is a set of lines, and False if it is one order."""
        return self.rules.execution_of(self.decision, ()) is not None

    @cached_property
    def _end(self) -> _DraftTrial[B] | None:
        """The trial of the draft; None for a question that takes one order, or is not asked yet."""
        return self._try_lines(self.draft) if self.takes_lines and self.is_asked else None

    @cached_property
    def _behind(self) -> Position[B]:
        return self.seen if self._end is None else self._end.position

    @cached_property
    def _trial_question(self) -> Question:
        return Question(self.decision.gate, self.decision.seat, self.decision.topic)

    @cached_property
    def _unreached(self) -> Problem | None:
        """Why no line behind the draft is carried out, or None."""
        if any(always_requests_new_answer(line) for line in self.draft):
            return UNREACHED
        return None if self._end is None or self._end.at_end else ENDED

    def _try_lines(self, lines: Orders) -> _DraftTrial[B]:
        seen = deep_copy(self.seen)
        step = self.rules.execution_of(self.decision, lines)
        assert step is not None, "a question for lines"
        trial = _DraftTrial(self.rules, seen, lines)
        run_trial(self.rules, trial, step, self._spend)
        return trial


def _with_value(search: SlotSearch, given: Filling, slot: Slot, value: str | int) -> Filling:
    """Return the filling with a value in a slot, or with one thing more in a list that may go on."""
    if not slot.many:
        return search.start({**given, slot.name: value})
    return search.start({**given, slot.name: (*given.get(slot.name, ()), value)}, growing=slot.name)


def to_filling(form: Form, values: Values) -> Filling:
    """Return values with amounts as things that are repeated."""
    amounts = {slot.name for slot in form.slots if slot.amounts}
    return {
        n: tuple(Counter(v).elements()) if n in amounts and isinstance(v, Mapping) else v for n, v in values.items()
    }


def check_values(form: Form, given: Mapping[str, object]) -> Values:
    """Return values as `Form.parse` would, with lists as tuples, and nothing as the default of an optional slot.

    Raises ValueError for a name, a type or a value that cannot be written.
    """
    slots = {slot.name: slot for slot in form.slots}
    if unknown := given.keys() - slots.keys():
        raise ValueError(f"no slot is called {min(unknown)}")
    there = {name: value for name, value in given.items() if slots[name].optional or value not in _NOTHING}
    return {name: _check_value(slots[name], value) for name, value in there.items()}


_NOTHING: Final[tuple[object, ...]] = ([], {}, ())
"""A list of nothing yet: as if the slot had no value."""


def _check_value(slot: Slot, value: object) -> object:
    if slot.optional and (value is None or value in (*_NOTHING, slot.default)):
        return slot.default
    things: Sequence[object] = [value]
    if slot.amounts and isinstance(value, Mapping):
        things = list(value)
        counts = list(value.values())
        if not all(type(count) is int and count > 0 for count in counts) or sum(counts) > (slot.high or MOST_THINGS):
            raise ValueError(f"{slot.name}: these amounts cannot be written")
    elif slot.many and isinstance(value, list | tuple) and len(value) <= MOST_THINGS:
        things = value = tuple(value)
    elif slot.many:
        raise ValueError(f"{slot.name}: several values are expected")
    if not all(_can_write(slot, thing) for thing in things):
        raise ValueError(f"{slot.name}: this value cannot be written")
    return value


def _can_write(slot: Slot, thing: object) -> bool:
    if slot.choices:
        return any(choice.value == thing for choice in slot.choices)
    if slot.text:
        return isinstance(thing, str) and bool(fold_tokens(thing))
    return type(thing) is int and in_bounds(slot, thing)

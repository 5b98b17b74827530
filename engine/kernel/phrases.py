"""Parsing of one line: keyword, slots, conditions, alternatives, repeats and ELSE.

Each part is tried as a whole before it is split at a connective, so a name may contain OR or ET.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from engine.kernel.catalogues import Words
from engine.kernel.forms import Fact, Form, Slot
from engine.kernel.keywords import (
    ALWAYS,
    AND,
    ASK_ME,
    ELSE,
    IF,
    NOT,
    OR,
    THEN,
    TIMES,
    UNLESS,
    UP_TO,
    Keywords,
    all_spellings,
    is_exactly,
    is_omissible,
    keywords,
    skip_keyword,
)
from engine.kernel.negation import skip_condition_word
from engine.kernel.orders import AskMe, Clause, Condition, Line, Order
from engine.kernel.slots import ParseFailure, ParseFailures, SlotMatch, SlotParser, Values
from engine.kernel.spelling import SHORTENED, Text, numbers

MAX_TRIES: Final = 99
Conditions = tuple[Condition, ...]
Plan = tuple[Clause, ...]


@dataclass(frozen=True)
class SectionLanguage:
    """The order language of one section: forms of orders, and facts for conditions.

    `plans`: a line may end in ASK ME.
    """

    forms: tuple[Form, ...]
    facts: tuple[Fact, ...] = ()
    plans: bool = True

    @property
    def orders(self) -> Keywords:
        """Return the keywords of the forms, in their order."""
        return keywords(tuple([f.keyword for f in self.forms]))

    @property
    def questions(self) -> Keywords:
        """Return the keywords of the facts, in their order."""
        return keywords(tuple([f.keyword for f in self.facts]))


@dataclass(frozen=True)
class Match:
    """An order found in a text, its cost, and the form that parsed it."""

    order: Order
    cost: int
    form: Form | None = None


class _Like(NamedTuple):
    """What an order behind OR or ELSE need not say again: its form, and the value of the slot before the keyword."""

    form: Form
    subject: Values


class _Opening(NamedTuple):
    """How a text may begin: a form, the index after its keyword, the cost, and what the slots before it hold.

    `named`: the index after the slot before the keyword. `left`: the slots to fill.
    """

    form: Form
    end: int
    cost: int
    left: tuple[Slot, ...]
    values: Values
    named: int


class Phrases:
    """A parser of one text in one section's language.

    `fuzzy`: misspellings are forgiven. `faults`: failures, for the refusal. `cost`: the cost of the line parsed last.
    """

    def __init__(self, text: Text, tongue: SectionLanguage, fuzzy: bool) -> None:
        self.text, self.words, self.tongue, self.fuzzy = text, text.words, tongue, fuzzy
        self.faults = ParseFailures()
        self._orders, self._questions = tongue.orders, tongue.questions
        self._known: dict[tuple[int, int, int], Match | None] = {}
        """By start, stop and, if the keyword is left out, the identity of what it is like."""
        self.cost = 0
        self.short = False
        self._hopeless: set[tuple[int, int, int, Words]] = set()
        """Splits that failed before: start, stop, the previous form, the connective."""
        self._said: dict[tuple[int, int, bool], list[tuple[Condition, int]]] = {}
        """Conditions by start, stop and whether they are negated."""
        self._likes: dict[tuple[int, object], _Like] = {}
        self._cuts: dict[Words, list[tuple[int, int]]] = {}
        """Where each connective stands in the text."""

    # -- a line -----------------------------------------------------------------------------------------------

    def line(self, start: int, stop: int) -> Line | None:
        """Return the Line that the tokens from `start` to `stop` say, or None.

        A keyword may be missing after OR and ELSE (`ATTACK Mill OR Ford`) if the line cannot be parsed without this.
        """
        self.short = False
        whole = self._line(start, stop)
        if whole is None:
            self.short = True
            self._hopeless.clear()
            whole = self._line(start, stop)
        return whole

    def _line(self, start: int, stop: int) -> Line | None:
        self.cost = 0
        plain = self._parse_attempts(start, stop)
        if plain is not None:
            return Line(*plain)
        for cut, following in self._split_points(ELSE, start, stop):
            first = self._parse_attempts(start, cut)
            rest = self._parse_fallback(following, stop, self._like_of(first[0][-1])) if first is not None else None
            if first is not None and rest is not None:
                return Line(first[0], first[1], rest)
        return None

    def _parse_fallback(self, start: int, stop: int, like: _Like | None) -> Plan | None:
        """Parse the clauses after ELSE; a further ELSE only adds clauses."""
        plain = self._plan(start, stop, (), like)
        if plain is not None:
            return plain
        key = (start, stop, id(like), ELSE)
        if key in self._hopeless:
            return None
        for cut, following in self._split_points(ELSE, start, stop):
            first = self._plan(start, cut, (), like)
            rest = self._parse_fallback(following, stop, self._like_of(first[-1])) if first is not None else None
            if first is not None and rest is not None:
                return (*first, *rest)
        self._hopeless.add(key)
        return None

    def _parse_attempts(self, start: int, stop: int) -> tuple[Plan, int] | None:
        """Parse a plan and how many times it may be tried."""
        plan = self._plan(start, stop, ())
        if plan is not None:
            return plan, 1
        for times, cut in _repeats(self.words, start, stop):
            plan = self._plan(start, cut, ())
            if plan is not None and times > 1 and not Line(plan).may_retry:
                self.faults.add(ParseFailure(stop, 4, "not_retried", self.text.typed(cut, stop)))
                continue
            if plan is not None and 1 <= times <= MAX_TRIES:
                return plan, times
            if plan is not None:
                self.faults.add(ParseFailure(stop, 4, "out_of_range", self.text.typed(cut, stop)))
        return None

    def _plan(self, start: int, stop: int, when: Conditions, like: _Like | None = None) -> Plan | None:
        """Parse clauses separated by OR; a condition governs the alternatives after it, up to the next condition.

        `like`: the order before OR or ELSE, whose keyword and subject may be left out.
        """
        whole = self._clause(start, stop, when, like)
        if whole is not None:
            return (whole,)
        key = (start, stop, id(like), OR)
        if key in self._hopeless:
            return None
        for cut, following in self._split_points(OR, start, stop):
            first = self._clause(start, cut, when, like)
            rest = self._plan(following, stop, first.conditions, self._like_of(first)) if first is not None else None
            if first is not None and rest is not None:
                return (first, *rest)
        self._hopeless.add(key)
        return None

    def _clause(self, start: int, stop: int, when: Conditions, like: _Like | None) -> Clause | None:
        freed = skip_keyword(ALWAYS, self.words, start, stop)
        if freed != start:
            found = self.order(self._past_mark(freed, stop), stop, like)
            return None if found is None else Clause(found.order)
        if skip_condition_word(self.words, start, stop) == start:
            found = self.order(start, stop, like)
            return None if found is None else Clause(found.order, when)
        for said, end in self._conditions(start, stop):
            found = self.order(self._past_mark(end, stop), stop, like)
            if found is not None:
                return Clause(found.order, said)
        return None

    def _like_of(self, clause: Clause) -> _Like | None:
        """Return what need not be said again behind a clause; the same object for the same form and subject."""
        taken = (found for found in self._known.values() if found is not None and found.order is clause.order)
        form = next((found.form for found in taken), None)
        if form is None:
            return None
        if form.subject is None:
            return self._likes.setdefault((id(form), None), _Like(form, {}))
        said = (form.parse(clause.order) or {}).get(form.subject.name)
        return self._likes.setdefault((id(form), said), _Like(form, {form.subject.name: said}))

    def _past_mark(self, at: int, stop: int) -> int:
        """Return the index after the comma, colon or THEN between a condition and its order."""
        while at < stop and (self.words[at] in (",", ":") or (self.words[at],) in all_spellings(THEN)):
            at += 1
        return at

    def _split_points(self, word: Words, start: int, stop: int) -> Iterator[tuple[int, int]]:
        """Yield (start, end) of each connective that has words before and after it, for each spelling."""
        if word not in self._cuts:
            spellings, words = all_spellings(word), self.words
            self._cuts[word] = [
                (at, at + len(spelt))
                for at in range(len(words))
                for spelt in spellings
                if words[at : at + len(spelt)] == spelt
            ]
        return ((at, end) for at, end in self._cuts[word] if start < at and end < stop)

    # -- conditions -------------------------------------------------------------------------------------------

    def _conditions(self, start: int, stop: int) -> Iterator[tuple[Conditions, int]]:
        """Yield the ways to parse IF ... AND ... at `start`, with the index where each ends: one for each end."""
        unless = skip_keyword(UNLESS, self.words, start, stop)
        begin = unless if unless != start else skip_keyword(IF, self.words, start, stop)
        yield from self._chain(begin, stop, (), unless != start, set())

    def _chain(
        self, start: int, stop: int, got: Conditions, negated: bool, seen: set[int]
    ) -> Iterator[tuple[Conditions, int]]:
        """`seen`: where conditions ended before; what follows there was tried, so work grows with the words."""
        for said, end in self._condition(start, stop, negated):
            if end in seen:
                continue
            seen.add(end)
            following = skip_keyword(AND, self.words, end, stop)
            if following != end:
                yield from self._chain(following, stop, (*got, said), False, seen)
            yield (*got, said), end

    def _condition(self, start: int, stop: int, negated: bool) -> list[tuple[Condition, int]]:
        key = (start, stop, negated)
        if key not in self._said:
            self._said[key] = self._parse_condition(start, stop, negated)
        return self._said[key]

    def _parse_condition(self, start: int, stop: int, negated: bool) -> list[tuple[Condition, int]]:
        after_not = skip_keyword(NOT, self.words, start, stop)
        negated ^= after_not != start
        openings = self._questions.find_at(self.words, after_not, stop, self.fuzzy)
        asked = [(self.tongue.facts[place], end, cost) for place, end, cost in openings.matches]
        told: list[tuple[Fact, int, int, Values]] = [(f, end, cost, {}) for f, end, cost in asked if f.subject is None]
        found: list[tuple[int, Condition, int]] = []
        for fact, end, cost, subject in (*told, *self._match_fact(after_not, stop)):
            filling = SlotParser(self.text, stop, self.fuzzy, self.faults, None, whole=False)
            for more, values, until in filling.fill(fact.predicate, end):
                found.append((cost + more, fact.make(_condition_values(fact, {**subject, **values}), negated), until))
        if not found and not told:
            self._unknown_fact(after_not, stop, openings.ambiguous)
        return [(said, until) for _, said, until in sorted(found, key=lambda f: (f[0], f[2]))]

    def _match_fact(self, start: int, stop: int) -> list[tuple[Fact, int, int, Values]]:
        """Return the facts whose subject begins at `start`, followed by the keyword: `Firenze IS EMPTY`."""
        found: list[tuple[Fact, int, int, Values]] = []
        for fact in self.tongue.facts:
            if fact.subject is None:
                continue
            filling = SlotParser(self.text, stop, self.fuzzy, ParseFailures(), None, whole=False)
            for more, values, at in filling.fill((fact.subject,), start):
                verbs = keywords((fact.keyword,)).find_at(self.words, at, stop, self.fuzzy)
                found += [(fact, verb.end, more + verb.cost, values) for verb in verbs.matches]
        return found

    def _unknown_fact(self, start: int, stop: int, unclear: tuple[int, ...]) -> None:
        shown = tuple(self.tongue.facts[p].keyword for p in unclear or range(len(self.tongue.facts)))
        until = next((n for n in range(start, stop) if self.words[n] in (",", ":")), stop)
        code = "ambiguous" if unclear else "unknown_fact"
        self.faults.add(ParseFailure(start, 3, code, self.text.typed(start, until), shown=shown))

    # -- an order ---------------------------------------------------------------------------------------------

    def order(self, start: int, stop: int, like: _Like | None = None) -> Match | None:
        """Return the order that exactly these tokens say, or None.

        `like`: an order whose keyword and subject may be left out, if `line` allows that.
        """
        key = (start, stop, 0)
        if key not in self._known:
            asks = is_exactly(ASK_ME, self.words, start, stop)
            if asks and not self.tongue.plans:
                self.faults.add(ParseFailure(start, 9, "no_asking_here", self.text.typed(start, stop)))
            if asks and self.tongue.plans:
                self._known[key] = Match(AskMe(), 0)
            else:
                self._known[key] = self._order(start, stop) if start < stop else None
        found = self._known[key]
        if found is None and like is not None and self.short:
            found = self._parse_slots(like, start, stop)
        if found is not None:
            self.cost = max(self.cost, found.cost)
        return found

    def _parse_slots(self, like: _Like, start: int, stop: int) -> Match | None:
        """Parse the slots of a form without its keyword. Free text and misspellings are not accepted here."""
        form = like.form
        key = (start, stop, id(like))
        if key not in self._known:
            spoken = any(slot.text for slot in form.slots)
            parser = SlotParser(self.text, stop, False, ParseFailures(), form, whole=True)
            ways = [] if spoken else parser.fill(form.predicate, start, like.subject)
            plainest = [form.make(way.values) for way in ways if way.cost == ways[0].cost]
            sure = bool(plainest) and all(order == plainest[0] for order in plainest)
            self._known[key] = Match(plainest[0], ways[0].cost, form) if sure else None
        return self._known[key]

    def _order(self, start: int, stop: int) -> Match | None:
        openings = self._orders.find_at(self.words, start, stop, self.fuzzy)
        if openings.ambiguous and not openings.matches:
            shown = tuple(self.tongue.forms[p].keyword for p in openings.ambiguous)
            self.faults.add(ParseFailure(start + 1, 4, "ambiguous", self.text.typed(start, start + 1), shown=shown))
        begun = [
            _Opening(self.tongue.forms[place], end, cost, self.tongue.forms[place].slots, {}, start)
            for place, end, cost in openings.matches
        ]
        begun += self._find_subjects(start, stop, self.faults)
        if begun and (self.faults.begun is None or start < self.faults.begun):
            self.faults.begun, self.faults.form = start, begun[0].form
        return self._best_match(self._readings(begun, stop), start, stop)

    def _find_subjects(self, start: int, stop: int, faults: ParseFailures) -> list[_Opening]:
        """Return the forms whose subject begins at `start`, followed by the keyword: `A PAR H`."""
        found: list[_Opening] = []
        filled: dict[int, Sequence[SlotMatch]] = {}
        for form in self.tongue.forms:
            if form.subject is None:
                continue
            if id(form.subject) not in filled:
                parser = SlotParser(self.text, stop, self.fuzzy, faults, form, whole=False)
                filled[id(form.subject)] = parser.fill((form.subject,), start)
            for cost, values, at in filled[id(form.subject)]:
                verbs = keywords((form.keyword,)).find_at(self.words, at, stop, self.fuzzy).matches
                found += [_Opening(form, v.end, cost + v.cost, form.predicate, values, at) for v in verbs]
                if is_omissible(form.keyword):
                    found.append(_Opening(form, at, cost, form.predicate, values, at))
        return found

    def _readings(self, openings: Sequence[_Opening], stop: int) -> list[tuple[int, int, Form, Order]]:
        """Return (cost, index after the keyword, form, order) of every form that takes all the tokens."""
        self.faults.unclear = []
        found = []
        for form, end, cost, left, values, _ in openings:
            filled = SlotParser(self.text, stop, self.fuzzy, self.faults, form, whole=True).fill(left, end, values)
            if filled:
                found.append((cost + filled[0].cost, end, form, form.make(filled[0].values)))
        return found

    def _best_match(self, found: list[tuple[int, int, Form, Order]], start: int, stop: int) -> Match | None:
        """Return the cheapest parse, with the longest keyword.

        Refuse two different orders that tie as ambiguous.
        """
        if not found:
            return None
        cost, end, form, order = min(found, key=lambda f: (f[0], -f[1]))
        rivals = [f for f in found if f[0] == cost and f[1] == end and f[3] != order]
        doubts = [f for f in self.faults.unclear if f.form is not form] if cost >= SHORTENED else []
        if rivals or doubts:
            word = doubts[0].word if doubts else self.text.typed(start, stop)
            shown = tuple(f[2].keyword for f in (found if rivals else ()))
            slot, places = (doubts[0].slot, doubts[0].found) if doubts else (None, ())
            self.faults.add(ParseFailure(stop, 5, "ambiguous", word, slot, places, form, {}, shown))
            return None
        return Match(order, cost, form)

    def parse_bare(self, start: int, stop: int) -> Line | None:
        """Return the line of an order written without its keyword, if exactly one form fits; else None."""
        found: list[Order] = []
        for form in self.tongue.forms:
            if form.slots and not form.slots[0].text:
                filled = SlotParser(self.text, stop, self.fuzzy, self.faults, form, whole=True).fill(form.slots, start)
                if filled and start < stop:
                    found.append(form.make(filled[0].values))
        return Line((Clause(found[0]),)) if len(found) == 1 else None

    # -- does it look like one? -------------------------------------------------------------------------------

    def starts_order(self, start: int, stop: int) -> bool:
        """Return True if the tokens begin like the keyword of a form, or like what comes before one."""
        openings = self._orders.find_at(self.words, start, stop, self.fuzzy)
        return bool(openings.matches or openings.ambiguous) or self._starts_with_subject(start, stop)

    def _starts_with_subject(self, start: int, stop: int) -> bool:
        """Return True if a subject of several words, or a subject and a keyword, begin the tokens.

        One word alone may be an ordinary one (`Par`, `War`).
        """
        faults = ParseFailures()
        found = self._find_subjects(start, stop, faults)
        return any(o.named > start + 1 or o.end > o.named for o in found) or any(
            " " in fault.word for fault in faults.unclear
        )

    def starts_in_full(self, stop: int) -> bool:
        """Return True if the first tokens are the keyword of a form, or a subject and its keyword, spelt in full."""
        if any(found.cost == 0 for found in self._orders.find_at(self.words, 0, stop, fuzzy=False).matches):
            return True
        subjects = self._find_subjects(0, stop, ParseFailures())
        return any(found.cost == 0 and found.end > found.named for found in subjects)

    def looks_conditional(self, start: int, stop: int) -> bool:
        """Return True if the line begins with a condition: IF and a known fact, or IF and an order after it.

        The order comes after a colon, THEN or comma. After a comma it must parse: `If you want, play nice` is not an
        order.
        """
        until = skip_condition_word(self.words, start, stop)
        if until == start:
            return False
        after_not = skip_keyword(NOT, self.words, until, stop)
        question = self._questions.find_at(self.words, after_not, stop, self.fuzzy)
        if question.matches or question.ambiguous or self._match_fact(after_not, stop):
            return True
        for at in range(until, stop - 1):
            if self.words[at] not in (":", ",") and (self.words[at],) not in all_spellings(THEN):
                continue
            begins = bool(self._orders.find_at(self.words, at + 1, stop, fuzzy=False).matches)
            if begins and (self.words[at] != "," or self.line(at + 1, stop) is not None):
                return True
        return False


def _condition_values(fact: Fact, values: Values) -> dict[str, str | int]:
    unsaid = {s.name: s.default for s in fact.slots if s.optional and s.default is not None}
    return {name: v for name, v in {**unsaid, **values}.items() if isinstance(v, str | int)}


def _repeats(words: Sequence[str], start: int, stop: int) -> Iterator[tuple[int, int]]:
    """Yield (times, index where the words before it end) for `UP TO 2 TIMES`, `2 fois`, `x2` at the end of a plan."""
    while stop > start and words[stop - 1] == ",":
        stop -= 1
    for at in range(max(start + 1, stop - 5), stop):
        for read in (_times_after_limit, _x_times, _count_times):
            times = read(words, at, stop)
            if times is not None:
                yield times, at


def _times_after_limit(words: Sequence[str], at: int, stop: int) -> int | None:
    begins = skip_keyword(UP_TO, words, at, stop)
    return _count_times(words, begins, stop) if begins != at else None


def _count_times(words: Sequence[str], at: int, stop: int) -> int | None:
    if at < stop and words[at] == "twice" and at + 1 == stop:
        return 2
    return next((_bounded(n) for n, end in numbers(words, at, stop) if _ends_with_times(words, end, stop)), None)


def _ends_with_times(words: Sequence[str], at: int, stop: int) -> bool:
    return at < stop and skip_keyword(TIMES, words, at, stop) == stop


def _x_times(words: Sequence[str], at: int, stop: int) -> int | None:
    if words[at] != "x":
        return None
    return next((_bounded(n) for n, end in numbers(words, at + 1, stop) if end == stop), None)


def _bounded(number: int | None) -> int:
    return MAX_TRIES + 1 if number is None else number

"""Laws of every game's order language: it says every order, reads what it prints, and explains itself."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import GAMES
from engine.kernel.forms import Fact, Form, Slot
from engine.kernel.grammar import Grammar, Section
from engine.kernel.languages import LANGUAGES
from engine.kernel.names import Seat
from engine.kernel.orders import Clause, Condition, Line, Order
from engine.kernel.parse import read_letter
from engine.kernel.printing import help_rows, printed, printed_rider
from engine.kernel.rules import Meta
from engine.kernel.ruleset import ChapteredRules


@dataclass(frozen=True)
class Tongue:
    """What one game may be told: forms by question, facts, and which orders answer which question."""

    meta: Meta
    forms: Mapping[str, tuple[Form, ...]]
    facts: tuple[Fact, ...]
    answers: Mapping[str, tuple[type[Order], ...]]

    def read(self, asks: str, text: str, spoken: str = "en") -> Any:
        """One line in answer to a question."""
        section = Section(self.meta.topic(asks), self.forms[asks], open=True)
        (found,) = (
            read_letter([text], Grammar((section,), (), self.facts, spoken, self.meta.topics)).sets[section.key].lines
        )
        return found


def _tongue(title: str) -> Tongue:
    rules: Any = GAMES[title]
    chapters = rules.language.chapters
    forms = {asks: tuple(given) for asks, given in chapters.forms.items()}
    facts = tuple(rules.facts(None, Seat("")))
    return Tongue(rules.meta, forms, facts, {asks: tuple(orders) for asks, orders in chapters.answers.items()})


TONGUES = {title: _tongue(title) for title, rules in GAMES.items() if isinstance(rules, ChapteredRules)}


def _forms() -> Iterator[Any]:
    for title, tongue in TONGUES.items():
        for asks, forms in tongue.forms.items():
            yield from (pytest.param(title, asks, n, id=f"{title}-{asks}-{n}") for n in range(len(forms)))


FACTS = [pytest.param(title, fact, id=f"{title}-{fact.name}") for title, t in TONGUES.items() for fact in t.facts]


def values(slot: Slot) -> st.SearchStrategy[Any]:
    """What may stand in a slot; None leaves out what may be left out."""
    if slot.choices:
        one: st.SearchStrategy[Any] = st.sampled_from([choice.value for choice in slot.choices])
    else:
        one = st.integers(-40 if slot.low is None else slot.low, 99 if slot.high is None else slot.high)
    if slot.amounts:
        return st.lists(one, min_size=slot.low or 1, max_size=slot.high or 9).map(Counter).map(dict)
    if slot.many:
        one = st.lists(one, min_size=1, max_size=4).map(tuple)
    return st.none() | one if slot.optional else one


def filled(form: Form, data: st.DataObject) -> Mapping[str, object]:
    """Values for the slots of a form."""
    drawn = {slot.name: data.draw(values(slot), label=slot.name) for slot in form.slots}
    return {name: value for name, value in drawn.items() if value is not None}


@pytest.mark.parametrize(("title", "asks", "n"), list(_forms()))
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_every_form_reads_what_it_prints(title: str, asks: str, n: int, data: st.DataObject) -> None:
    """In either language, in a set and as a rider, whatever stands in its slots."""
    tongue, spoken = TONGUES[title], data.draw(st.sampled_from(LANGUAGES))
    forms, topic = tongue.forms[asks], tongue.meta.topic(asks)
    line = Line((Clause(forms[n].make(filled(forms[n], data))),))
    if topic.rider:
        section = Section(topic, forms)
        text = printed_rider(section, line, spoken)
        rider = read_letter([text], Grammar((), (section,), tongue.facts, "en", tongue.meta.topics)).riders[asks]
        assert rider.line == line, (text, rider.problem)
    text = printed(forms, line, spoken)
    read = tongue.read(asks, text)
    assert read.line == line, (text, read.problem)


@pytest.mark.parametrize(("title", "fact"), FACTS)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_every_fact_reads_what_it_prints(title: str, fact: Fact, data: st.DataObject) -> None:
    """A condition and its denial, in either language; it keeps the name of its fact and of each slot."""
    tongue = TONGUES[title]
    asks = next(topic.asks for topic in tongue.meta.topics if topic.lines)
    form = data.draw(st.sampled_from(tongue.forms[asks]))
    condition = fact.make({slot.name: data.draw(values(slot)) for slot in fact.slots}, data.draw(st.booleans()))
    line = Line((Clause(form.make(filled(form, data)), (condition,)),))
    text = printed(tongue.forms[asks], line, data.draw(st.sampled_from(LANGUAGES)), tongue.facts)
    read = tongue.read(asks, text, "fr")
    assert read.line == line, (text, read.problem)
    assert isinstance(condition, Condition)
    assert set(condition.about) == {slot.name for slot in fact.slots}


@pytest.mark.parametrize("title", TONGUES)
def test_every_question_has_forms_for_all_that_answers_it(title: str) -> None:
    """No order that the rules take is without words, and no topic without forms."""
    tongue = TONGUES[title]
    assert set(tongue.forms) == {topic.asks for topic in tongue.meta.topics} == set(tongue.answers)
    for asks, answers in tongue.answers.items():
        assert {form.order for form in tongue.forms[asks]} == set(answers)


@pytest.mark.parametrize("title", TONGUES)
def test_every_form_is_explained_in_both_languages(title: str) -> None:
    """Help shows a usage, a sentence that ends, and an example that is read, if any without a position."""
    tongue = TONGUES[title]
    for asks, forms in tongue.forms.items():
        section = Section(tongue.meta.topic(asks), forms)
        for spoken in LANGUAGES:
            for row in help_rows(section, spoken):
                assert row.usage
                assert row.about.endswith(".")
                assert not row.example or tongue.read(asks, row.example, spoken).problem is None, row.example

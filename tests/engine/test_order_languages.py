"""Laws of every game's order language: it says every order, reads what it prints, and explains itself."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import GAMES
from engine.kernel.forms import Fact, Form, Slot
from engine.kernel.grammar import Grammar, Section
from engine.kernel.languages import LANGUAGES
from engine.kernel.orders import Clause, Line, Order
from engine.kernel.parse import parse_letter
from engine.kernel.printing import help_rows, print_clause, print_reaction
from engine.kernel.rules import Meta
from engine.kernel.ruleset import ChapteredRules
from engine.kernel.viewers import Seat
from tests.budget import budget


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
            parse_letter([text], Grammar((section,), (), self.facts, spoken, self.meta.topics)).sets[section.key].lines
        )
        return found


def _tongue(title: str) -> Tongue:
    rules: Any = GAMES[title]
    chapters = rules.language.chapters
    forms = {asks: tuple(given) for asks, given in chapters.forms.items()}
    facts = tuple(rules.facts(None, Seat("")))
    return Tongue(rules.meta, forms, facts, {asks: tuple(orders) for asks, orders in chapters.answers.items()})


TONGUES = {title: _tongue(title) for title, rules in GAMES.items() if isinstance(rules, ChapteredRules)}


EACH = pytest.mark.parametrize("title", TONGUES)


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


@EACH
@settings(max_examples=budget(3, 60))
@given(data=st.data())
def test_every_form_reads_what_it_prints(title: str, data: st.DataObject) -> None:
    """In either language, in a set and as a reaction, whatever stands in its slots."""
    tongue, spoken = TONGUES[title], data.draw(st.sampled_from(LANGUAGES))
    for asks, forms in tongue.forms.items():
        for form in forms:
            topic, line = tongue.meta.topic(asks), Line((Clause(form.make(filled(form, data))),))
            if topic.is_reaction:
                section = Section(topic, forms)
                text = print_reaction(section, line, spoken)
                reaction = parse_letter(
                    [text], Grammar((), (section,), tongue.facts, "en", tongue.meta.topics)
                ).reactions[asks]
                assert reaction.line == line, (text, reaction.problem)
            text = print_clause(forms, line, spoken)
            read = tongue.read(asks, text)
            assert read.line == line, (text, read.problem)


@EACH
@settings(max_examples=budget(4, 60))
@given(data=st.data())
def test_every_fact_reads_what_it_prints(title: str, data: st.DataObject) -> None:
    """A condition and its denial, in either language; it keeps the name of its fact and of each slot."""
    tongue = TONGUES[title]
    asks = next(topic.key for topic in tongue.meta.topics if topic.lines)
    for fact in tongue.facts:
        form = data.draw(st.sampled_from(tongue.forms[asks]))
        condition = fact.make({slot.name: data.draw(values(slot)) for slot in fact.slots}, data.draw(st.booleans()))
        line = Line((Clause(form.make(filled(form, data)), (condition,)),))
        text = print_clause(tongue.forms[asks], line, data.draw(st.sampled_from(LANGUAGES)), tongue.facts)
        read = tongue.read(asks, text, "fr")
        assert read.line == line, (text, read.problem)
        assert set(condition.about) == {slot.name for slot in fact.slots}


@EACH
def test_every_question_has_forms_for_all_that_answers_it(title: str) -> None:
    """No order that the rules take is without words, and no topic without forms."""
    tongue = TONGUES[title]
    assert set(tongue.forms) == {topic.key for topic in tongue.meta.topics} == set(tongue.answers)
    for asks, answers in tongue.answers.items():
        assert {form.order for form in tongue.forms[asks]} == set(answers)


@EACH
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

"""Laws of the order language: it says every order, reads what it prints, and offers only what is accepted."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.kernel.forms import LANGUAGES, Fact, Form, Slot
from engine.kernel.grammar import Grammar, Section
from engine.kernel.orders import Clause, Line
from engine.kernel.parse import read_letter
from engine.kernel.printing import help_rows, printed, printed_rider
from engine.renaissance.catalogue import KINDS, NATIONS, TOWNS
from engine.renaissance.chapters import ANSWERS
from engine.renaissance.conditions import _IN_BATTLE, _JUDGES, FACTS
from engine.renaissance.forms import FORMS
from engine.renaissance.meta import META
from engine.renaissance.orders import Pillage

WRITABLE = [(asks, n) for asks, forms in FORMS.items() for n in range(len(forms))]


def values(slot: Slot) -> st.SearchStrategy[Any]:
    """What may stand in a slot; None leaves out what may be left out."""
    if slot.choices:
        one: st.SearchStrategy[Any] = st.sampled_from([choice.value for choice in slot.choices])
    else:
        one = st.integers(0 if slot.low is None else slot.low, 99 if slot.high is None else slot.high)
    if slot.many:
        one = st.lists(one, min_size=1, max_size=4).map(tuple)
    return st.none() | one if slot.optional else one


def filled(form: Form, data: st.DataObject) -> Mapping[str, object]:
    """Values for the slots of a form."""
    drawn = {slot.name: data.draw(values(slot), label=slot.name) for slot in form.slots}
    return {name: value for name, value in drawn.items() if value is not None}


@pytest.mark.parametrize(("asks", "n"), WRITABLE)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_every_form_reads_what_it_prints(asks: str, n: int, data: st.DataObject) -> None:
    """In either language, in a set or as a rider, whatever stands in its slots."""
    form = FORMS[asks][n]
    order = form.make(filled(form, data))
    topic, spoken = META.topic(asks), data.draw(st.sampled_from(LANGUAGES))
    line = Line((Clause(order),))
    section = Section(topic, FORMS[asks], open=not topic.rider)
    if topic.rider:
        text = printed_rider(section, line, spoken)
        read = read_letter([text], Grammar((), (section,), FACTS, "en", META.topics)).riders[asks]
        assert read.line == line, (text, read.problem)
        section = Section(topic, FORMS[asks], open=True)
    text = printed(FORMS[asks], line, spoken)
    (again,) = read_letter([text], Grammar((section,), (), FACTS, "en", META.topics)).sets[asks, None].lines
    assert again.line == line, (text, again.problem)


@pytest.mark.parametrize("fact", FACTS, ids=[fact.name for fact in FACTS])
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_every_fact_reads_what_it_prints(fact: Fact, data: st.DataObject) -> None:
    """A condition and its denial, in either language."""
    about = {slot.name: data.draw(values(slot)) for slot in fact.slots}
    condition = fact.make(about, data.draw(st.booleans()))
    line = Line((Clause(Pillage("pisa"), (condition,)),))
    text = printed(FORMS["combat"], line, data.draw(st.sampled_from(LANGUAGES)), FACTS)
    grammar = Grammar((Section(META.topic("combat"), FORMS["combat"], open=True),), (), FACTS, "fr", META.topics)
    (read,) = read_letter([text], grammar).sets["combat", None].lines
    assert read.line == line, (text, read.problem)


def test_every_question_has_forms_for_all_that_answers_it() -> None:
    """No order that the rules take is without words, and no topic without forms."""
    assert set(FORMS) == {topic.asks for topic in META.topics}
    for asks, answers in ANSWERS.items():
        assert {form.order for form in FORMS[asks]} == set(answers)


def test_every_form_is_explained_in_both_languages() -> None:
    """Help shows a usage, a sentence that ends, and an example that is read."""
    for asks, forms in FORMS.items():
        section = Section(META.topic(asks), forms, open=True)
        for spoken in LANGUAGES:
            for row in help_rows(section, spoken):
                assert row.usage
                assert row.about.endswith(".")
                read = read_letter([row.example], Grammar((section,), (), FACTS, spoken, META.topics))
                assert read.sets[asks, None].lines[0].problem is None, row.example


def test_every_fact_is_judged() -> None:
    """What IF may ask has an answer, and nothing else has."""
    assert set(_JUDGES) | set(_IN_BATTLE) == {fact.name for fact in FACTS}


@pytest.mark.parametrize("things", [TOWNS, NATIONS, KINDS], ids=["cities", "nations", "cards"])
def test_every_alias_names_one_thing_alone(things: Mapping[str, Any]) -> None:
    """No name of a city, nation or card is another's, so that what is written is never a guess between the two."""
    names = [(spelt.casefold(), thing.id) for thing in things.values() for spelt in thing.words.every()]
    assert len({name for name, _ in names}) == len(set(names))


LETTERS = [
    ("fr", "combat", "ATTAQUER Milan DEPUIS Pavie AVEC canon, chevaliers ET ingénieur"),
    ("en", "combat", "attack Milano from Pavia with cannon, knights and engineer"),
    ("en", "combat", "ATTACK Milano FROM Pavia WITH cannon AND cannon"),
    ("en", "combat", "IF Milano FELL: ATTACK Piacenza WITH pikemen, knights"),
    ("en", "combat", "IF I HAVE 2 blue cards AND NOT I HOLD Pisa: RIDE Pisa WITH swiss, condottiere"),
    ("fr", "combat", "SI j'ai en main ambassadeur : AMBASSADE CORROMPRE Sienne RUINER Pise"),
    ("fr", "combat", "artiste à Florence"),
    ("en", "combat", "LURE Venezia TO Firenze"),
    ("fr", "purchases", "acheter 3 cartes"),
    ("fr", "purchases", "palais à Rome"),
    ("en", "purchases", "build a fortress in Pisa"),
    ("en", "expansion", "EXPAND Siena FROM Firenze OR EXPAND Pisa"),
    ("fr", "expansion", "prendre Sienne depuis Florence"),
    ("fr", "vote", "VOTER guerre"),
    ("fr", "deals", "donner 3 ducats à Rome"),
    ("en", "deals", "OFFER Pisa FOR Siena"),
]


@pytest.mark.parametrize(("language", "asks", "text"), LETTERS, ids=[text for *_, text in LETTERS])
def test_lines_as_players_write_them_are_read(language: str, asks: str, text: str) -> None:
    """Names of either language, small words, conditions before and alternatives behind."""
    section = Section(META.topic(asks), FORMS[asks], open=True)
    (read,) = read_letter([text], Grammar((section,), (), FACTS, language, META.topics)).sets[asks, None].lines
    assert read.problem is None, read.problem


RIDERS = [
    ("fr", "defence", "EN CAS DE DÉFENSE : POSER la plus forte AVEC ingénieur"),
    ("en", "defence", "ON DEFENCE: IF Milano IS ATTACKED: LAY strongest WITH engineer OR IN ANY CASE: LAY weakest"),
    ("en", "sales", "ON SALES: SELL TO attacker"),
    ("en", "traitor", "ON BETRAYAL: BRIBE 2"),
    ("en", "sign", "ON SIGN OF GOD: IF IT DECIDES: DOUBLE strongest"),
    ("fr", "retreat", "SUR RETRAITE : REPRENDRE suisses, canon"),
    ("fr", "counter", "SUR CONTRE : CONTRER"),
]


@pytest.mark.parametrize(("language", "asks", "text"), RIDERS, ids=[text for *_, text in RIDERS])
def test_standing_instructions_are_read(language: str, asks: str, text: str) -> None:
    """Per city or in general, by conditions: what a defender files for a turn."""
    sections = tuple(Section(topic, FORMS[topic.asks]) for topic in META.topics if topic.rider)
    read = read_letter([text], Grammar((), sections, FACTS, language, META.topics)).riders[asks]
    assert read.problem is None, read.problem
    assert read.line is not None

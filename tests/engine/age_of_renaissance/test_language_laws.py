"""Laws of the order language: it says every order, reads what it prints, and offers only what is accepted."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.age_of_renaissance import language
from engine.age_of_renaissance.board import Phase
from engine.age_of_renaissance.catalogue import CARDS, FACE, PROVINCES
from engine.age_of_renaissance.chapters import ANSWERS
from engine.age_of_renaissance.conditions import _JUDGES, FACTS
from engine.age_of_renaissance.forms import FORMS
from engine.age_of_renaissance.meta import META
from engine.age_of_renaissance.orders import BuyCard, Play
from engine.age_of_renaissance.ruleset import RULES
from engine.kernel.bots import Bot, Played, Temper, chooser, play_out
from engine.kernel.forms import LANGUAGES, Form, Slot
from engine.kernel.grammar import Grammar, Section
from engine.kernel.names import Seat
from engine.kernel.orders import Clause, Condition, Decision, Line
from engine.kernel.parse import read_letter
from engine.kernel.printing import help_rows, printed, printed_rider
from engine.kernel.secrets import redact, seen_by
from engine.kernel.standing import check, stands
from tests.engine.age_of_renaissance import build

WRITABLE = [(asks, n) for asks, forms in FORMS.items() for n in range(len(forms))]


def values(slot: Slot) -> st.SearchStrategy[Any]:
    """What may stand in a slot; None leaves out what may be left out."""
    if slot.choices:
        one: st.SearchStrategy[Any] = st.sampled_from([choice.value for choice in slot.choices])
    else:
        one = st.integers(-40 if slot.low is None else slot.low, 99 if slot.high is None else slot.high)
    if slot.many:
        one = st.lists(one, min_size=1, max_size=4).map(tuple)
    return st.none() | one if slot.optional else one


def filled(form: Form, data: st.DataObject) -> Mapping[str, object]:
    """Values for the slots of a form."""
    drawn = {slot.name: data.draw(values(slot), label=slot.name) for slot in form.slots}
    return {name: value for name, value in drawn.items() if value is not None}


@pytest.mark.parametrize(("asks", "n"), WRITABLE)
@settings(max_examples=40)
@given(data=st.data())
def test_every_form_reads_what_it_prints(asks: str, n: int, data: st.DataObject) -> None:
    """In either language, in a set or as a rider, whatever stands in its slots."""
    form = FORMS[asks][n]
    order = form.make(filled(form, data))
    topic, spoken = META.topic(asks), data.draw(st.sampled_from(LANGUAGES))
    section = Section(topic, FORMS[asks], open=not topic.rider)
    line = Line((Clause(order),))
    if topic.rider:
        text = printed_rider(section, line, spoken)
        read = read_letter([text], Grammar((), (section,), FACTS, "en", META.topics)).riders[asks]
    else:
        text = printed(FORMS[asks], line, spoken)
        grammar = Grammar((section,), (), FACTS, "en", META.topics)
        (read,) = read_letter([text], grammar).sets[asks, None].lines
    assert read.line == line, (text, read.problem)


@pytest.mark.parametrize("fact", FACTS, ids=[fact.name for fact in FACTS])
@settings(max_examples=40)
@given(data=st.data())
def test_every_fact_reads_what_it_prints(fact: Any, data: st.DataObject) -> None:
    """A condition and its denial, in either language."""
    about = {slot.name: data.draw(values(slot)) for slot in fact.slots}
    condition = fact.make(about, data.draw(st.booleans()))
    line = Line((Clause(BuyCard(), (condition,)),))
    text = printed(FORMS["expansion"], line, data.draw(st.sampled_from(LANGUAGES)), FACTS)
    grammar = Grammar((Section(META.topic("expansion"), FORMS["expansion"], open=True),), (), FACTS, "fr", META.topics)
    (read,) = read_letter([text], grammar).sets["expansion", None].lines
    assert read.line == line, (text, read.problem)


def test_every_question_has_forms_for_all_that_answers_it() -> None:
    """No order that the rules take is without words, and no topic without forms."""
    assert set(FORMS) == {topic.asks for topic in META.topics}
    for asks, answers in ANSWERS.items():
        assert {form.order for form in FORMS[asks]} == set(answers)


def test_every_card_has_one_form_to_play_it() -> None:
    """64 cards, each played by exactly one of the forms with the keyword PLAY."""
    for card in CARDS:
        writers = [f for f in FORMS["history"] if FACE[card] in {c.value for s in f.slots for c in s.choices}]
        good = CARDS[card].goods[0] if len(CARDS[card].goods) > 1 else ""
        assert len([f for f in writers if f.read(Play(card, good=good)) is not None]) == 1


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
    assert set(_JUDGES) == {fact.name for fact in FACTS}


def test_every_alias_of_a_province_names_it_alone() -> None:
    """No name of a province is another's, so that what is written is never a guess between the two."""
    names = [(spelt.casefold(), p.id) for p in PROVINCES.values() for spelt in p.words.every()]
    assert len({name for name, _ in names}) == len(set(names))


# --- whole games


SEATS = tuple(Seat(name) for name in ("ann", "bob", "cleo", "dan", "eve", "finn"))


def game(seats: int, **options: str) -> Played[Any]:
    """A whole game between bots that miss no deadline and do not leave."""
    temper, seed = Temper(meddling=0, absent=0), f"language/{seats}".encode()
    bots = {seat: Bot(RULES, seat, chooser(seed + seat.encode()), temper) for seat in SEATS[:seats]}
    return play_out(RULES, SEATS[:seats], options, seed, bots)


@pytest.mark.parametrize(("seats", "pace"), [(3, "sealed"), (4, "order")])
def test_what_is_offered_is_accepted_now(seats: int, pace: str) -> None:
    """Each suggestion stands alone; each likely value stands in some accepted line of its form."""
    offered = 0
    for entry in game(seats, pace=pace).entries[::8]:
        for decision in entry.after.position.core.open:
            seen = redact(entry.after.position, decision.seat)
            with seen_by(decision.seat):
                lines, forms = language.suggest(seen, decision), language.forms(seen, decision)
            assert all(stands(check(RULES, seen, decision, (line,))) for line in lines)
            offered += len(lines)
            _likely_stands(forms, lines)
    assert offered > 100


def _likely_stands(forms: Any, lines: Any) -> None:
    for form in forms:
        read = [values for line in lines if (values := form.read(line.plan[0].order)) is not None]
        for slot in form.slots:
            for value in slot.likely:
                assert any(value == v[slot.name] or value in _several(v[slot.name]) for v in read)


def _several(value: object) -> tuple[object, ...]:
    return value if isinstance(value, tuple) else ()


def test_forms_of_a_later_turn_do_not_look_at_the_board() -> None:
    """Orders for a phase of another turn are judged when it opens; until then every name is as likely."""
    position = build.game(phase=Phase.EXPANSION)
    build.tokens(position, build.YELLOW, 9)
    with seen_by(build.YELLOW):
        offered = language.forms(position, Decision("expansion/3", build.YELLOW, "expansion"))
    assert offered == FORMS["expansion"]


def test_a_condition_is_read_by_the_name_of_its_fact() -> None:
    """Conditions kept in a journal name a fact of the list and its slots."""
    for fact in FACTS:
        made = fact.make({slot.name: 1 if not slot.choices else slot.choices[0].value for slot in fact.slots}, False)
        assert isinstance(made, Condition)
        assert set(made.about) == {slot.name for slot in fact.slots}

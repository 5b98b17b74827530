"""What help shows as an example can be sent as it stands, in the position where it is shown."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest

import engine
from engine.kernel.forms import Form
from engine.kernel.grammar import Grammar, Section, build_grammar, section_of
from engine.kernel.orders import Order, Question, single_order
from engine.kernel.parse import parse_letter
from engine.kernel.printing import form_of, help_rows
from engine.kernel.secrets import redact, seen_by
from engine.kernel.validation import check_orders
from engine.kernel.viewers import Seat
from tests.bot_games import OURS, plain
from tests.budget import budget


@pytest.mark.parametrize("title", OURS)
@pytest.mark.parametrize("language", ["en", pytest.param("fr", marks=pytest.mark.night)])
def test_every_example_of_help_would_be_accepted_where_it_is_shown(title: str, language: str) -> None:
    """At each kind of question, in a whole game, what help shows for an open question can be sent as it stands."""
    rules = engine.rules(title)
    seen_topics: Counter[str] = Counter()
    for entry in plain(rules).entries:
        for decision in entry.after.position.core.questions:
            if seen_topics[decision.topic] < budget(1, 3):
                seen_topics[decision.topic] += 1
                seen = redact(entry.after.position, decision.seat)
                assert list(_refused_examples(rules, seen, decision, language)) == [], decision
    assert len(seen_topics) > min(5, len(rules.meta.topics) // 2)


def _refused_examples(rules: Any, seen: Any, decision: Question, language: str) -> Iterator[tuple[str, Any]]:
    with seen_by(decision.seat):
        section = section_of(rules, seen, decision, True)
        shown = [row.example for row in help_rows(section, language)]
        facts = rules.facts(seen, decision.seat)
        alone = Grammar((section,), (), facts, language, rules.meta.topics)
    for example in filter(None, shown):
        (read,) = parse_letter([example], alone).sets[section.key].lines
        if read.line is None:
            yield example, read.problem
        else:
            (found,) = check_orders(rules, seen, decision, (read.line,), own=True)
            yield from [(example, found.problem)] if found.problem else []


OWN: Mapping[str, Callable[[Any, Seat], str]] = {
    "age_of_renaissance": lambda board, seat: board.powers[seat].capital,
    "renaissance": lambda board, seat: board.powers[seat].nation,
    "patchistory": lambda board, seat: board.players[seat].colour,
    "amalfi": lambda board, seat: "",
    "diplomacy": lambda board, seat: board.powers[seat].power,
}
"""How orders name their own author."""
PLAYERS = ("power", "nation", "player")
"""The kinds of slots that name players."""


@pytest.mark.parametrize("title", OURS)
def test_no_example_names_its_reader_or_one_thing_twice(title: str) -> None:
    """Of what can be written now or ahead in a whole game, each example is read, and is one that could be meant."""
    rules = engine.rules(title)
    met = 0
    entries = plain(rules).entries
    for entry in entries[:: min(budget(15, 5), len(entries) // 8)]:
        position = entry.after.position
        for seat in position.core.seats:
            own = OWN[title](position.board, seat)
            for section, order in _examples(rules, redact(position, seat), seat):
                form = form_of(section.forms, order)
                assert form is not None
                met += 1
                assert _senseless(section, form, form.parse(order) or {}, own) == "", order
    assert met > 100


def _examples(rules: Any, seen: Any, seat: Seat) -> Iterator[tuple[Section, Order]]:
    """What each example of help says, in the section where it is shown."""
    with seen_by(seat):
        grammar = build_grammar(rules, seen, seat, "fr")
        for section in (*grammar.sections, *grammar.reactions):
            alone = replace(grammar, sections=(replace(section, open=True),), reactions=())
            for row in help_rows(section, "fr"):
                if row.example:
                    order = single_order(parse_letter([row.example], alone).sets[section.key].orders)
                    assert order is not None, row.example
                    yield section, order


def _senseless(section: Section, form: Form, values: Mapping[str, Any], own: str) -> str:
    """Why an example makes no sense; empty where it does."""
    sisters = [other for other in section.forms if other.keyword == form.keyword and other is not form]
    told_apart = [slot for slot in form.slots if slot.optional and slot.lead is not None]
    if sisters and told_apart and all(values[slot.name] == slot.default for slot in told_apart):
        return "it reads like another form"
    named = [(slot, thing) for slot in form.slots if slot.choices for thing in _things(values[slot.name])]
    twice = Counter((slot.kind, thing) for slot, thing in named if not slot.optional)
    if max(twice.values(), default=1) > 1:
        return "one thing is named twice"
    return "it names its reader" if own and own in [thing for slot, thing in named if slot.kind in PLAYERS] else ""


def _things(value: Any) -> set[str]:
    return set(value) if isinstance(value, tuple | Mapping) else {value} - {None, ""}

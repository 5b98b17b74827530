"""What help shows as an example can be sent as it stands, in the position where it is shown."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

import engine
from engine.kernel.grammar import Grammar, section_of
from engine.kernel.orders import Decision
from engine.kernel.parse import read_letter
from engine.kernel.printing import help_rows
from engine.kernel.secrets import redact, seen_by
from engine.kernel.standing import check
from tests.games import OURS, plain


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("title", OURS)
def test_every_example_of_help_would_be_accepted_where_it_is_shown(title: str, language: str) -> None:
    """At each kind of question, in a whole game, what help shows for an open question can be sent as it stands."""
    rules = engine.rules(title)
    seen_topics: Counter[str] = Counter()
    for entry in plain(rules).entries:
        for decision in entry.after.position.core.open:
            if seen_topics[decision.asks] < 3:
                seen_topics[decision.asks] += 1
                seen = redact(entry.after.position, decision.seat)
                assert list(_refused_examples(rules, seen, decision, language)) == [], decision
    assert len(seen_topics) > 5


def _refused_examples(rules: Any, seen: Any, decision: Decision, language: str) -> Iterator[tuple[str, Any]]:
    with seen_by(decision.seat):
        section = section_of(rules, seen, decision, True)
        shown = [row.example for row in help_rows(section, language)]
        facts = rules.facts(seen, decision.seat)
        alone = Grammar((section,), (), facts, language, rules.meta.topics)
    for example in filter(None, shown):
        (read,) = read_letter([example], alone).sets[section.key].lines
        if read.line is None:
            yield example, read.problem
        else:
            (found,) = check(rules, seen, decision, (read.line,), own=True)
            yield from [(example, found.problem)] if found.problem else []

"""What simulated games must show: named in the catalogue, and held by tests that are marked for it.

In 200 games each for one to four players with the usual options, and some 40 for each other way of dealing, the bots
brought about every card, tile, title, decree, order form and question but what is named below.
"""

from collections import Counter

import pytest

from engine.amalfi.coverage import COVERAGE, RULINGS
from engine.amalfi.ruleset import RULES
from engine.kernel.coverage import Thing
from pbem.simulation import Job, outcome_of, table_of
from tests.holding import held

NAME = RULES.meta.name
GAMES = (
    Job(NAME, 1, 0, 3, {"rival": "genes", "unanswered": "ask"}, coverage=True),
    Job(NAME, 1, 1, 3, {"hands": "personal"}, coverage=True),
    Job(NAME, 2, 2, 3, {"pace": "sealed", "hands": "full_draft", "failures": "again"}, coverage=True),
    Job(NAME, 3, 3, 3, {"hands": "score_draft"}, coverage=True),
    Job(NAME, 3, 6, 3, {"failures": "drop"}, coverage=True),
    Job(NAME, 1, 7, 3, {}, coverage=True),
    Job(NAME, 4, 4, 3, {"hands": "blind"}, coverage=True),
    Job(NAME, 4, 11, 3, {}, coverage=True),
)
"""A few games whose options differ; the command plays many more."""
SHOWN = ("ending", "event", "fact", "option")
"""Kinds of things of which so few games show each, or a test is marked to hold it."""
NEVER_MET = {("destination", "napoli"), ("event", "amalfi.QueueDropped"), ("form", "ANNULER ACTIONS")}
"""What none of the many games brought about, options and rulings apart."""


@pytest.mark.night
def test_no_event_and_no_option_is_missing() -> None:
    """Each event, ending, condition and value of an option occurs in a few games, or a test is marked to hold it."""
    seen: Counter[Thing] = Counter()
    for job in GAMES:
        outcome = outcome_of(job)
        assert outcome.finished
        assert outcome.problems == ()
        seen += outcome.seen
    kinds = (thing.partition("/") for thing in table_of(RULES, seen)["missing"])
    absent = {(kind, name) for kind, _, name in kinds if kind in SHOWN}
    assert absent - held(NAME).keys() == set()


def test_every_ruling_has_its_test() -> None:
    """A1 to A26, and what bots never bring about; no mark names a thing that is not there."""
    things = held(NAME).keys()
    assert {name for kind, name in things if kind == "ruling"} == set(RULINGS)
    assert things >= NEVER_MET
    expected = {(kind, name) for kind, names in COVERAGE.expected.items() for name in names}
    assert {thing for thing in things if thing[0] in COVERAGE.expected} <= expected

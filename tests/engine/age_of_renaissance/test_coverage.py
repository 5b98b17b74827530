"""Completeness: every card, advance, event, order form, question, reaction, option and ending occurs somewhere.

Either in the simulated games below, or in a test that is marked to hold it; `pbem dev simulate --coverage` prints the
same table for any number of games.
"""

from collections import Counter
from functools import cache
from typing import Any

import pytest

from engine.age_of_renaissance.catalogue import ADVANCES, CARDS
from engine.age_of_renaissance.forms import FORMS
from engine.age_of_renaissance.meta import META
from engine.age_of_renaissance.ruleset import RULES
from engine.kernel.coverage import CoverageItem
from pbem.ops.simulation import Job, format_table, judge_game
from tests.every_game import own_events
from tests.rule_marks import held

GAMES = (
    Job(META.name, 3, 0, 7, {}, coverage=True),
    Job(META.name, 4, 0, 7, {"pace": "order", "failures": "again", "unanswered": "ask"}, coverage=True),
    Job(META.name, 5, 0, 7, {"epochs": "1-2", "failures": "drop", "tiers": "phase"}, coverage=True),
    Job(META.name, 6, 1, 7, {"cash": "piled", "tied_rank": "first"}, coverage=True),
    Job(META.name, 3, 1, 7, {"pace": "order", "war_bonus": "each", "prerequisites": "printed"}, coverage=True),
)
"""A few games whose bots and options differ; more of them are played by the command."""


@cache
def table() -> dict[str, Any]:
    """What occurred in the games, and what did not."""
    seen: Counter[CoverageItem] = Counter()
    for job in GAMES:
        outcome = judge_game(job)
        assert outcome.finished
        assert outcome.problems == ()
        seen += outcome.seen
    return format_table(RULES, seen)


def absent() -> set[CoverageItem]:
    """What did not occur in the games."""
    kinds = (thing.partition("/") for thing in table()["missing"])
    return {(kind, name) for kind, _, name in kinds}


@pytest.mark.night
def test_nothing_is_missing() -> None:
    """Each thing of the game occurs in a simulated game, or a test is marked to hold it."""
    assert absent() - held(META.name).keys() == set()


@pytest.mark.night
def test_the_table_counts_what_the_game_is_made_of() -> None:
    """64 cards, 26 advances, every event, order form, question, reaction, ending and value of an option."""
    kinds = {kind: set(names) for kind, names in table()["coverage"].items()}
    assert kinds["card"] == set(CARDS)
    assert kinds["advance"] == set(ADVANCES)
    assert own_events(RULES) <= kinds["event"]
    assert kinds["form"] == {form.keyword.printed("fr") for forms in FORMS.values() for form in forms}
    assert kinds["topic"] == {topic.key for topic in META.topics}
    assert {topic.key for topic in META.topics if topic.is_reaction} <= kinds["reaction"]
    assert kinds["ending"] == set(META.endings)
    played = [option for option in META.options if not option.table]
    assert kinds["option"] == {f"{option.name}={value}" for option in played for value in option.values}

"""What simulated games must show: named in the catalogue, and held by tests that are marked for it.

In 200 games each for one to four players with the usual options, and some 40 for each other way of dealing, the bots
brought about every card, tile, title, decree, order form and question but what is named below.
"""

from engine.amalfi.coverage import COVERAGE
from engine.amalfi.ruleset import RULES
from tests.rule_marks import held

NAME = RULES.meta.name
NEVER_MET = {("destination", "napoli"), ("event", "amalfi.QueueDropped"), ("form", "ANNULER ACTIONS")}
"""What none of the many games brought about, options apart."""


def test_what_bots_never_meet_has_its_test() -> None:
    """What bots never bring about; no mark names a thing that is not there."""
    things = held(NAME).keys()
    assert things >= NEVER_MET
    expected = {(kind, name) for kind, names in COVERAGE.expected.items() for name in names}
    assert {thing for thing in things if thing[0] in COVERAGE.expected} <= expected

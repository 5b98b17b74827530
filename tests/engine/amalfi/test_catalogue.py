"""What is printed: counts and ranges of the rulebook, and that nothing is missing."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from engine.amalfi import catalogue as c
from engine.amalfi import events as e
from engine.amalfi import figures
from engine.amalfi import orders as o
from engine.amalfi.coverage import COVERAGE, RULINGS
from engine.amalfi.phases.effects import carried_out
from engine.amalfi.ruleset import RULES
from engine.amalfi.workload import WORKLOAD
from engine.kernel.bots import Entry
from engine.kernel.languages import LANGUAGES
from engine.kernel.secrets import redact
from tests.engine.amalfi.build import ANN, act, game


def test_there_are_as_many_pieces_as_the_rulebook_counts() -> None:
    """Matériel: 54 artworks, 36 tiles, 16 titles, 10 decrees, 75 characters in six packets of six and others."""
    assert (len(c.ARTWORKS), len(c.PRIVATE), len(c.TITLES), len(c.DECREES), len(c.CHARACTERS)) == (54, 36, 16, 10, 75)
    categories = Counter(card.category for card in c.CHARACTERS.values())
    assert categories[c.Category.END_GAME] == 15
    assert [len(set(hand.cards)) for hand in c.HANDS.values()] == [6] * 6
    assert len(c.EVOLVING) == 3


@pytest.mark.parametrize(
    ("kind", "costs", "points"),
    [("book", (4, 8), (4, 10)), ("painting", (5, 9), (5, 11)), ("monument", (6, 10), (6, 13))],
)
def test_artworks_keep_the_ranges_of_their_type(kind: str, costs: tuple[int, int], points: tuple[int, int]) -> None:
    """Les types d'œuvres."""
    cards = [card for card in c.ARTWORKS.values() if card.type == kind]
    assert (min(card.cost for card in cards), max(card.cost for card in cards)) == costs
    assert (min(card.vp for card in cards), max(card.vp for card in cards)) == points


def test_every_verb_that_is_printed_is_carried_out() -> None:
    """Nothing on a card is without effect."""
    assert carried_out() == frozenset(c.Verb)


def test_every_source_is_explained_and_nothing_reconstructed_is_called_printed() -> None:
    """Each row names where it is from."""
    tables: tuple[Mapping[str, Any], ...] = (c.DESTINATIONS, c.ARTWORKS, c.CHARACTERS, c.TITLES, c.DECREES, c.HANDS)
    assert {thing.source for table in tables for thing in table.values()} <= set(c.SOURCES)
    assert all(c.SOURCES[card.source]["tag"] == "reconstructed" for card in c.ARTWORKS.values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_tell_things_apart(language: str) -> None:
    """No two cards, tiles or destinations share a name."""
    tables: tuple[Mapping[str, Any], ...] = (c.DESTINATIONS, c.ARTWORKS, c.CHARACTERS)
    names = [thing.words.printed(language) for table in tables for thing in table.values()]
    assert len(set(names)) == len(names)


def test_figures_are_counted_for_everybody() -> None:
    """Points, bread, ships and the rest lie open."""
    at = game()
    view = RULES.present(redact(at, ANN), ANN)
    counted = figures.count(view)
    assert set(counted) == set(figures.FIGURES)
    assert (counted["ships"][ANN], counted["bread"][ANN], counted["artworks"][ANN]) == (4, 6, 0)


def test_coverage_sees_what_was_played() -> None:
    """Each kind of thing by the fact that shows it; every ruling is expected somewhere."""
    at = game()
    went = act(at, o.Sail("ragusa"))
    facts = (
        e.Acquired(seat=ANN, artwork="book01", slot=0, points=4),
        e.Discovered(seat=ANN, destination="pd01", slot=0, points=4),
        e.Invited(seat=ANN, character="c01"),
        e.Engaged(seat=ANN, character="c57"),
        e.TitleEarned(seat=ANN, title="amiral", rank=1, points=24),
        e.DecreeScored(seat=ANN, decree="conseil", counted={}, parts={}),
    )
    entry = Entry("action/1/ann/1", {}, (), b"", at, replace(went, events=(*went.events, *facts)))
    found = set(COVERAGE.witness(entry))
    assert {kind for kind, _ in found} == set(COVERAGE.expected) - {"ruling"}
    assert all(name in COVERAGE.expected[kind] for kind, name in found)
    assert COVERAGE.expected["ruling"] == RULINGS
    assert len(RULINGS) == 26


def test_the_bench_counts_what_came_to_pass() -> None:
    """Sailing, and what was lowered."""
    at = game()
    WORKLOAD.filled(at.board)
    assert WORKLOAD.fought(act(at, o.Sail("ragusa")).events) == 1

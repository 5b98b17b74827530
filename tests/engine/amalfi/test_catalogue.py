"""What is printed: counts and ranges of the rulebook, and that nothing is missing."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from engine.amalfi import catalogue as c
from engine.amalfi import figures
from engine.amalfi.phases.effects import VERBS
from engine.amalfi.ruleset import RULES
from engine.kernel.secrets import redact
from tests.engine.amalfi.build import ANN, game


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
    assert VERBS.keys() == frozenset(c.Verb)


def test_every_source_is_explained_and_nothing_reconstructed_is_called_printed() -> None:
    """Each row names where it is from."""
    tables: tuple[Mapping[str, Any], ...] = (c.DESTINATIONS, c.ARTWORKS, c.CHARACTERS, c.TITLES, c.DECREES, c.HANDS)
    assert {thing.source for table in tables for thing in table.values()} <= set(c.SOURCES)
    assert all(c.SOURCES[card.source]["tag"] == "reconstructed" for card in c.ARTWORKS.values())


def test_figures_are_counted_for_everybody() -> None:
    """Points, bread, ships and the rest lie open."""
    at = game()
    view = RULES.present_view(redact(at, ANN), ANN)
    counted = figures.count(view)
    assert set(counted) == set(figures.FIGURES)
    assert (counted["ships"][ANN], counted["bread"][ANN], counted["artworks"][ANN]) == (4, 6, 0)

"""Odds in per cent: certain and impossible are said of nothing else."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.kernel.languages import LANGUAGES, Language
from engine.kernel.odds import to_percent, to_shares

CHANCES = st.integers(1, 100_000).flatmap(lambda of: st.tuples(st.integers(0, of), st.just(of)))


@given(CHANCES, st.sampled_from(tuple(LANGUAGES)))
def test_only_what_is_certain_reads_as_all_and_only_the_impossible_as_nothing(
    chance: tuple[int, int], language: Language
) -> None:
    """In every language, and exactly then."""
    wins, of = chance
    said = to_percent(wins, of, language)
    assert (said == to_percent(1, 1, language)) == (wins == of)
    assert (said == to_percent(0, 1, language)) == (wins == 0)


@given(CHANCES, st.sampled_from(tuple(LANGUAGES)))
def test_what_is_said_is_true_within_half_a_per_cent(chance: tuple[int, int], language: Language) -> None:
    """One number is said; what is beyond the last one that may be said is beyond it in truth too."""
    wins, of = chance
    (number,) = map(int, re.findall(r"\d+", to_percent(wins, of, language)))
    assert (
        abs(100 * wins - number * of) <= of / 2 or (number, wins < of) == (99, True) or (number, wins > 0) == (1, True)
    )
    assert 0 <= number <= 100
    if not to_percent(wins, of, language)[0].isdigit():
        assert 99 * of < 100 * wins < 100 * of or 0 < 100 * wins < of


def test_each_language_writes_it_in_its_own_way() -> None:
    """215 throws of 216 may still fail; a French per cent sign keeps its space on the line."""
    assert [to_percent(n, 216, "en") for n in (0, 1, 108, 215, 216)] == ["0%", "under 1%", "50%", "over 99%", "100%"]
    assert [to_percent(n, 216, "fr") for n in (1, 108, 215)] == ["moins de 1\u00a0%", "50\u00a0%", "plus de 99\u00a0%"]


@given(st.lists(st.integers(0, 1000), min_size=1, max_size=8).filter(any), st.sampled_from(tuple(LANGUAGES)))
def test_the_parts_of_a_whole_are_a_hundred_together(parts: list[int], language: Language) -> None:
    """Each within one per cent of the truth."""
    said = [int(re.findall(r"\d+", one)[0]) for one in to_shares(parts, language)]
    assert sum(said) == 100
    assert all(abs(n * sum(parts) - 100 * part) < sum(parts) for n, part in zip(said, parts, strict=True))


def test_what_is_no_chance_and_no_part_of_a_whole_is_refused() -> None:
    """More wins than cases, fewer than none, no cases at all; no whole, or less than nothing of it."""
    for wins, of in ((1, 0), (-1, 6), (7, 6)):
        with pytest.raises(ValueError, match="no chance"):
            to_percent(wins, of, "en")
    for parts in ((0, 0), (-1, 2)):
        with pytest.raises(ValueError, match="no shares"):
            to_shares(parts, "en")

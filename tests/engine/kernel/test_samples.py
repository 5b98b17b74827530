"""The board that strangers are shown of a game."""

import pytest

from engine import GAMES
from engine.diplomacy.shapes import SIZE
from engine.kernel.languages import DEFAULT
from engine.kernel.pictures import Theme
from engine.kernel.samples import build_sample


@pytest.mark.parametrize(
    "title", [title if title == "diplomacy" else pytest.param(title, marks=pytest.mark.long) for title in GAMES]
)
def test_each_game_has_a_sample_board(title: str) -> None:
    """With as many bots as can play it; of a map in one zone the whole is shown."""
    sample = build_sample(GAMES[title], DEFAULT, Theme.LIGHT)
    assert sample.startswith("<svg")
    assert title != "diplomacy" or f'viewBox="0 0 {SIZE[0]} ' in sample

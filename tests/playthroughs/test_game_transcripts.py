"""Whole games, told as they were when somebody last read them."""

from typing import Any

import pytest

from tests.playthroughs.game_transcripts import tables, text_of
from tests.playthroughs.make import place


def _marked(title: str, players: int) -> Any:
    """The first game with the fewest players; the others in long runs, other numbers of players at night."""
    fewest = min(players for other, players in tables() if other == title)
    several, first = players != fewest, title == next(title for title, _ in tables())
    return pytest.param(title, players, marks=pytest.mark.night if several else () if first else pytest.mark.long)


@pytest.mark.parametrize(("title", "players"), [_marked(*table) for table in tables()])
def test_a_whole_game_is_told_as_it_was(title: str, players: int) -> None:
    """Orders, draws, sentences and views of a game come out as kept; `python -m tests.playthroughs.make` keeps anew."""
    kept = place(title, players).read_text(encoding="utf-8").splitlines()
    now = text_of(title, players).splitlines()
    different = next((n for n, (old, new) in enumerate(zip(kept, now, strict=False)) if old != new), None)
    if different is not None:
        around = "\n".join(f"- {line}" for line in kept[different : different + 3])
        around += "\n" + "\n".join(f"+ {line}" for line in now[different : different + 3])
        pytest.fail(f"from line {different + 1} on it is told otherwise:\n{around}", pytrace=False)
    assert len(kept) == len(now)

"""§7.11  What the release saved is read by this version: positions, facts, orders; and the facts still add up."""

from functools import cache
from pathlib import Path

import pytest

import engine
from engine.kernel.codec import load
from engine.kernel.events import Event, QuestionsAsked
from engine.kernel.run import empty_state, fold
from tests.saves import HERE, MOST_BYTES, SavedGame, again, path_of, read

FILES = sorted(HERE.glob("*.xz"))
saves = pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])


@cache
def game(path: Path) -> SavedGame:
    """A file, read once."""
    return read(path)


def test_every_game_has_a_save() -> None:
    """§10  Each registered game has a save; `python -m tests.saves.make` writes a missing one."""
    assert sorted(path_of(rules) for rules in engine.GAMES.values()) == FILES


@saves
def test_a_save_is_small(path: Path) -> None:
    """A save can be kept with the sources for ever."""
    assert path.stat().st_size <= MOST_BYTES


@saves
def test_a_saved_game_is_loaded_and_was_finished(path: Path) -> None:
    """Every position, fact, draw and answer of a whole game is read back; somebody was asked until it was over."""
    saved = game(path)
    events = [event for entry in saved.entries for event in load(entry.events)]
    assert all(isinstance(event, Event) for event in events)
    assert any(isinstance(event, QuestionsAsked) for event in events)
    last = load(saved.entries[-1].position)
    assert last.core.over
    assert last.core.seats == saved.seats
    assert sum(len(load(entry.answers)) for entry in saved.entries) > 50


@saves
def test_saved_facts_fold_to_the_saved_positions(path: Path) -> None:
    """The facts of each entry, folded over the position before it, are the position after it; from the blank one on."""
    saved = game(path)
    rules = engine.rules(path.stem)
    position = empty_state(rules, saved.seats, saved.options, saved.seed)
    for entry in saved.entries:
        position = fold(rules, position, load(entry.events))
        assert position == load(entry.position)


@saves
def test_saved_things_are_written_again_as_they_were(path: Path) -> None:
    """What was saved is written again in the same words."""
    for entry in game(path).entries:
        for text in (entry.answers, entry.events, entry.draws, entry.position):
            assert again(text) == text

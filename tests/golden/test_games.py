"""The kept letters of the other games: of each a turn by mail, in both languages, as it was read and found good."""

import pytest

from tests.golden.games import LETTERS, STORIES, WHOLE, WHOLE_GAMES, make_letters, make_whole_game

BEGINNING = 2
"""Answers that are played in short runs."""


def _kept(title: str) -> dict[str, str]:
    """The kept letters of a game, by path."""
    return {path.relative_to(LETTERS).as_posix(): path.read_text("utf-8") for path in (LETTERS / title).rglob("*.txt")}


@pytest.mark.parametrize("title", STORIES)
def test_the_first_letters_of_a_game_are_as_they_were_read(title: str) -> None:
    """A changed letter fails until it is read and written anew: `python -m tests.golden.games`."""
    kept, found = _kept(title), dict(make_letters(title, BEGINNING))
    assert found
    assert [path for path, text in found.items() if kept.get(path) != text] == []


@pytest.mark.long
@pytest.mark.parametrize("title", STORIES)
def test_the_letters_of_a_turn_of_a_game_are_as_they_were_read(title: str) -> None:
    """To the beginning of the next period, round, turn or year."""
    kept, found = _kept(title), dict(make_letters(title))
    assert sorted(found) == sorted(kept)
    assert [path for path, text in found.items() if kept[path] != text] == []


@pytest.mark.long
@pytest.mark.parametrize("title", WHOLE)
def test_the_letters_of_a_whole_game_are_as_they_were_read(title: str) -> None:
    """Played to its end from what its letters say."""
    kept = {path.relative_to(WHOLE_GAMES).as_posix(): path.read_text("utf-8") for path in WHOLE_GAMES.rglob("*/*.txt")}
    found = make_whole_game(title)
    assert sorted(found) == sorted(path for path in kept if path.startswith(title))
    assert [path for path, text in found.items() if kept[path] != text] == []


def test_each_game_keeps_a_letter_of_every_kind_in_both_languages() -> None:
    """A first letter, questions, receipts, a refusal, a reminder, and words from another player."""
    for title in STORIES:
        letters = _kept(title)
        kinds = {path.rpartition("-")[2] for path in letters}
        assert {"started.txt", "report.txt", "receipt.txt", "reminder.txt"} <= kinds, title
        said = " ".join(letters.values())
        assert "RIEN N'EST CHANGÉ" in said.replace("\u00a0", " ") or "NOTHING WAS CHANGED" in said, title


def test_a_message_names_the_power_of_its_author() -> None:
    """Players of a game with powers know each other by these."""
    assert "Message from Romain (England) to Zoe (Turkey):" in _kept("diplomacy")["diplomacy/s2.en/04-talk.txt"]


def test_help_offers_no_second_try_where_nothing_fails_by_chance() -> None:
    """The orders of Diplomacy are adjudicated together, once."""
    said = " ".join(_kept("diplomacy").values())
    assert "HOW TO ANSWER" in said
    assert "UP TO n TIMES" not in said


def test_the_lines_of_a_plan_are_no_alternatives() -> None:
    """They stand below one heading, and say so."""
    plan = _kept("amalfi")["amalfi/s2.en/06-report.txt"].partition("; --- action 1")[2].partition("; ---")[0]
    assert plan.splitlines()[0] == " and your turns after it, a line each, in this order"
    assert plan.count("ACTION 1") == 1


def test_a_receipt_says_what_a_placement_would_change() -> None:
    """Levels, and what each Production brings, beside what they are now."""
    receipt = " ".join(_kept("patchistory")["patchistory/s2.en/10-receipt.txt"].split())
    assert "Line 1: you would have 2 Politics instead of 1, 2 Military instead of 1; each Production" in receipt

"""Names that people take for one another on a screen."""

import sys

import pytest

from pbem.common.confusables import is_confusable, make_distinct, skeleton

SAME = (
    ("Rose", "ROSE"),
    ("Rose", "Ｒｏｓｅ"),
    ("Rose", "Rоse"),
    ("Rose", "𝐑𝐨𝐬𝐞"),
    ("Rose", "R0se"),
    ("Rose", "Rose\ufe0f"),
    ("Rose", "Ro\u034f\u200dse"),
    ("Rose", "Rose\u2800"),
    ("Rose", "\u3164Rose"),
    ("Anna B", "Anna\u2003 B"),
    ("Zoé", "Zoe\u0301"),
    ("Carmen", "Carrnen"),
    ("Ian", "lan"),
    ("Ian", "IAN"),
    ("Paul", "PAU1"),
    ("Hugo", "Нugo"),
    ("HUGO", "Нugo"),
    ("Max", "Мах"),
    ("Αννα", "Avva"),
    ("O'Neil", "O’Neil"),
    ("Анна", "АННА"),
    ("Anna", "anna."),
    ("Anna", "a n n a"),
    ("Anna", "A.N.N.A"),
    ("Anna", "-Anna-"),
    ("Anna B", "Anna-B"),
)
APART = (
    ("Anna", "Анна"),
    ("Ana", "Ана"),
    ("Maria", "Мария"),
    ("Мария", "Μαρία"),
    ("Nikos", "Νίκος"),
    ("Eva", "Ева"),
    ("Zoé", "Zoe"),
    ("Anna B", "Annab"),
    ("p1", "p2"),
    ("Bern", "Beren"),
    ("🦊", "🐻"),
    ("...", "!?"),
)


@pytest.mark.parametrize(("name", "other"), SAME)
def test_names_that_look_the_same_are_alike(name: str, other: str) -> None:
    """Case, width, invisible signs and letters of other scripts set no names apart, either way round."""
    assert is_confusable(name, other)
    assert is_confusable(other, name)


@pytest.mark.parametrize(("name", "other"), APART)
def test_names_that_can_be_told_apart_are_not_alike(name: str, other: str) -> None:
    """An honest name of another script, or with an accent more, stands beside one like it."""
    assert not is_confusable(name, other)
    assert is_confusable(name, name)
    assert is_confusable(other, other)


@pytest.mark.parametrize("name", ["\u3164", "\u2800 \u034f", "\ufe0f", " \u200b"])
def test_a_name_without_a_visible_sign_shows_nothing(name: str) -> None:
    """Signs that leave a blank on the screen are no name."""
    assert skeleton(name) == ""


def test_a_number_sets_a_name_apart() -> None:
    """What is proposed is like none of the names that are taken, and not too long."""
    assert make_distinct("Rose", ["Rose", "RОSE 2"], 80) == "Rose 3"
    assert make_distinct("R" * 80, ["R" * 80], 80) == "R" * 78 + " 2"
    assert make_distinct("Paul", ["paul"], 80) == "Paul 2"


def test_the_data_of_the_library_is_not_held() -> None:
    """A process that compares names holds what it needs for that, and not ten times as much."""
    assert is_confusable("Ian", "lan")
    assert "confusable_homoglyphs.confusables" not in sys.modules

"""One whole turn's letters in both languages, as they were read and found good."""

from collections.abc import Mapping

import pytest

from tests.golden.make import LETTERS, READINGS, make_letters
from tests.golden.script import KEPT

EACH_READING = pytest.mark.parametrize(
    "languages", [READINGS[0], *(pytest.param(other, marks=pytest.mark.long) for other in READINGS[1:])], ids="-".join
)
"""In the first one seat reads French and the other English; the others, in long runs, change them about."""


@pytest.fixture(scope="module")
def letters() -> Mapping[str, str]:
    """The letters of both readings, as they are kept."""
    return {path.relative_to(LETTERS).as_posix(): path.read_text("utf-8") for path in sorted(LETTERS.rglob("*.txt"))}


@EACH_READING
def test_the_letters_of_a_turn_are_as_they_were_read(languages: tuple[str, str], letters: Mapping[str, str]) -> None:
    """A changed letter fails until it is read and written anew: `python -m tests.golden.make`."""
    folders = tuple(f"{seat}.{language}/" for seat, language in zip(KEPT, languages, strict=True))
    before = {path: text for path, text in letters.items() if path.startswith(folders)}
    now = make_letters([languages])
    assert sorted(now) == sorted(before)
    assert [path for path in now if now[path] != before[path]] == []


def test_the_turn_has_a_letter_of_every_kind_that_a_game_sends(letters: Mapping[str, str]) -> None:
    """Reports, receipts taken and refused, a preview, help, a reminder, a notice, the end; for either seat a report."""
    kinds = {path.rpartition("-")[2].removesuffix(".txt") for path in letters}
    assert kinds == {"started", "joined", "receipt", "report", "reminder", "notice", "game_over", "invitation"}
    said = "\n".join(letters.values())
    english = ("NOTHING WAS CHANGED", "Part of your letter was accepted", "This is a preview", "HOW TO ANSWER")
    french = ("RIEN N'EST CHANGÉ", "Une partie de votre lettre", "Ceci est un essai", "COMMENT RÉPONDRE")
    for words in (*english, *french):
        assert words in said.replace("\u00a0", " "), words


def test_a_turn_takes_each_seat_five_exchanges_at_most(letters: Mapping[str, str]) -> None:
    """From the purchase of tokens to the next one a seat has answered five questions, in sealed pace."""
    reports = [text for path, text in sorted(letters.items()) if path.startswith("s1.fr") and "report" in path]
    asked = [text.partition(":")[2].splitlines()[0] for text in reports if "À VOUS" in text]
    assert 0 < len(asked) <= 5

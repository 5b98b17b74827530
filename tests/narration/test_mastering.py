"""Each sentence to and about game masters exists in both languages, and each is used."""

import re
from pathlib import Path

import pytest

from engine.kernel.languages import LANGUAGES
from pbem.narration import facts as f
from pbem.narration.folders import templates
from pbem.narration.mastering import sentences
from pbem.narration.narrator import Untold
from tests.narration.played import A, frame
from tests.narration.told_master import TERMS

PROGRAM = Path(f.__file__).parents[1]


def macros(language: str) -> set[str]:
    """Every sentence that a language has."""
    text = (templates() / "letters" / language / "master.said.j2").read_text("utf-8")
    return {name for name in re.findall(r"{% macro (\w+)\(", text) if not name.startswith("_")}


def said_by_the_program() -> set[str]:
    """The codes that the program writes out."""
    files = [*(PROGRAM / "service").rglob("*.py")]
    found: set[str] = set()
    for file in files:
        text = file.read_text("utf-8")
        found |= set(re.findall(r'Said\(\s*"(\w+)"', text))
        if file.parent.name == "master" and "tables" not in file.name:
            found |= {f"no_{code}" for code in re.findall(r'Refused\(\s*"(\w+)"', text)}
    return found


def test_both_languages_say_the_same() -> None:
    """Whatever one language can say of a master, the other can."""
    assert macros("fr") == macros("en")


def test_everything_that_the_program_says_has_its_sentence() -> None:
    """No code without words; what the command line alone says, an example, and what has a Problem are apart."""
    assert said_by_the_program() - macros("en") <= {"no_no_such_table", "rename", "renamed", "no_ruling"}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", sorted(TERMS))
def test_a_sentence_is_one(code: str, language: str) -> None:
    """It begins like a sentence, ends like one or with a line to copy, and says its terms."""
    made = frame(A, language)
    (sentence,) = sentences(made, (f.Said(code, TERMS[code]),))
    assert sentence[0].isupper() or sentence[0].isdigit() or sentence[0] in "“«"
    assert sentence[-1] in ".!" or re.search(r"[A-ZÉÈ]{4,}|\d\d:\d\d$", sentence)
    if "name" in TERMS[code]:
        assert "Zoé" in sentence


def test_a_code_without_words_is_an_error() -> None:
    """A code without words raises instead of printing a blank."""
    with pytest.raises(Untold, match="no macro nonsense"):
        sentences(frame(A, "fr"), (f.Said("nonsense"),))

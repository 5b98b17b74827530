"""Each sentence to and about game masters exists in both languages, and each is used."""

import re
from pathlib import Path

import pytest

from engine.kernel.languages import LANGUAGES
from pbem.narration import facts as f
from pbem.narration.command_results import build_sentences
from pbem.narration.narrator import MissingTemplate
from tests.narration.cases import A, case_of
from tests.narration.master_terms import TERMS, macros

AGE = case_of("age_of_renaissance")
PROGRAM = Path(f.__file__).parents[1]


def codes_of_the_program() -> set[str]:
    """The codes that the program writes out."""
    files = [*(PROGRAM / "service").rglob("*.py")]
    found: set[str] = set()
    for file in files:
        text = file.read_text("utf-8")
        found |= set(re.findall(r'Message\(\s*"(\w+)"', text))
        if file.parent.name == "masters" and "tables" not in file.name:
            found |= {f"no_{code}" for code in re.findall(r'RequestRefused\(\s*"(\w+)"', text)}
    return found


def test_both_languages_say_the_same() -> None:
    """Whatever one language can say of a master, the other can."""
    assert set(macros("fr")) == set(macros("en"))


def test_everything_that_the_program_says_has_its_sentence() -> None:
    """No code without words; what the command line alone says, an example, and what has a Problem are apart."""
    assert codes_of_the_program() - set(macros("en")) <= {"no_no_such_table", "no_ruling", "rename", "renamed"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_is_one(language: str) -> None:
    """It begins like a sentence, ends like one or with what follows it, and says its terms."""
    for code, terms in TERMS.items():
        (sentence,) = build_sentences(AGE.frame(A, language), (f.Message(code, terms),))
        assert sentence[0].isupper() or sentence[0].isdigit() or sentence[0] in "“«", sentence
        assert sentence[-1] in ".!:" or re.search(r"[A-ZÉÈ]{4,}|\d\d:\d\d$", sentence), sentence
        assert "name" not in terms or "Zoé" in sentence


def test_a_code_without_words_is_an_error() -> None:
    """A code without words raises instead of printing a blank."""
    with pytest.raises(MissingTemplate, match="no macro nonsense"):
        build_sentences(AGE.frame(A, "fr"), (f.Message("nonsense"),))

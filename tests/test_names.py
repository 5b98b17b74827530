"""Names: what an engineer who knows Flask, SQLAlchemy and Celery reads without a dictionary."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.product_sources import sources

ROOT: Final = Path(__file__).parents[1]

BANNED: Final = frozenset(
    "anew asked ballot ballots beside courier gone heard laid lie lies look looked mine onlooker otherwise ours parcel"
    " rider riders said shunt stand stands swing tell theirs told uncovered unwanted vouch wanted watcher whatever"
    " whoever".split()
)
"""Words that name nothing, or that stand for a word of the field: orders, reaction, spectator, notify, ..."""

TRUTH: Final = re.compile(r"\b(bool|TypeGuard)\b")
"""What a predicate returns, or what it makes returns."""


def _defined() -> Iterator[str]:
    """Every module, function and class of the product, by its dotted name."""
    for source in sources():
        if source.path.parts[0] != "engine":
            yield source.module
            yield from (f"{source.module}{name}" for name in source.defined)


def _words(name: str) -> set[str]:
    """`OrderReactions._look` has the words of its last part: look."""
    return set(re.findall(r"[a-z]+", re.sub(r"([A-Z])", r"_\1", name.rpartition(".")[2]).lower()))


def test_no_function_class_or_module_is_named_by_a_word_that_says_nothing() -> None:
    """Neither in the product nor in the worker."""
    assert [name for name in _defined() if _words(name) & BANNED] == []


def test_what_is_named_as_a_question_answers_yes_or_no() -> None:
    """`is_`, `has_`, `can_` and `needs_` begin the name of what returns a bool, or a test that does."""
    answers = [(f"{source.path}.{name}", answer) for source in sources() for name, answer in source.answers]
    assert answers
    assert [name for name, answer in answers if not TRUTH.search(answer)] == []


def test_no_module_of_tests_is_named_by_a_word_that_says_nothing() -> None:
    """Neither the tests nor what supports them."""
    modules = sorted((ROOT / "tests").rglob("*.py"))
    assert [path.name for path in modules if _words(path.stem) & BANNED] == []

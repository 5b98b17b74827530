"""Names: what an engineer who knows Flask, SQLAlchemy and Celery reads without a dictionary."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

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
    """Every function and class of the product, by its dotted name; a function within another is its own."""
    for path in sorted(path for package in ("pbem", "worker") for path in (ROOT / package).rglob("*.py")):
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        yield module
        yield from _within(ast.parse(path.read_text("utf-8")), module)


def _within(node: ast.AST, place: str) -> Iterator[str]:
    for child in ast.iter_child_nodes(node):
        named = isinstance(child, (ast.FunctionDef, ast.ClassDef))
        here = f"{place}.{child.name}" if isinstance(child, (ast.FunctionDef, ast.ClassDef)) else place
        if named:
            yield here
        yield from _within(child, here)


def _answers() -> Iterator[tuple[str, str, str]]:
    """Every function of the product and the engine: its file, its name, and what it says that it returns."""
    for path in sorted(path for package in ("engine", "pbem", "worker") for path in (ROOT / package).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.returns is not None:
                yield path.relative_to(ROOT).as_posix(), node.name, ast.unparse(node.returns)


def _words(name: str) -> set[str]:
    """`OrderReactions._look` has the words of its last part: look."""
    return set(re.findall(r"[a-z]+", re.sub(r"([A-Z])", r"_\1", name.rpartition(".")[2]).lower()))


def test_no_function_class_or_module_is_named_by_a_word_that_says_nothing() -> None:
    """Neither in the product nor in the worker."""
    assert [name for name in _defined() if _words(name) & BANNED] == []


def test_what_is_named_as_a_question_answers_yes_or_no() -> None:
    """`is_`, `has_`, `can_` and `needs_` begin the name of what returns a bool, or a test that does."""
    asked = re.compile(r"_?(is|has|can|needs)_")
    assert [
        f"{place}.{name}" for place, name, answer in _answers() if asked.match(name) and not TRUTH.search(answer)
    ] == []


def test_no_module_of_tests_is_named_by_a_word_that_says_nothing() -> None:
    """Neither the tests nor what supports them."""
    modules = sorted((ROOT / "tests").rglob("*.py"))
    assert [path.name for path in modules if _words(path.stem) & BANNED] == []

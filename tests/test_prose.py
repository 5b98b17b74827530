"""What the project says of people: in docstrings, comments, names of functions and pages of documentation."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = ("engine", "pbem", "worker", "tests")
PAGES = [
    str(page.relative_to(ROOT))
    for pattern in ("*.md", *(f"{room}/**/*.md" for room in ("engine", "pbem", "deploy", "mail_templates")))
    for page in ROOT.glob(pattern)
]
PRONOUN = re.compile(r"(?<![^\W_])(?:he|him|his|himself|she|her|hers|herself)(?![^\W_])", re.IGNORECASE)
"""A pronoun for one man or woman, as a word or as a part of a name."""

Said = tuple[int, str]
"""The number of a line, and what stands there."""


def documented(source: str) -> Iterator[Said]:
    """Docstrings, and names of functions and classes; other strings are left alone."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Expr(value=ast.Constant(value=str(text))):
                yield from enumerate(text.split("\n"), node.lineno)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.lineno, node.name


def commented(source: str) -> Iterator[Said]:
    """The comments of a module."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def said(path: Path) -> Iterator[Said]:
    """All prose of a module, or of a page of documentation."""
    source = path.read_text("utf-8")
    if path.suffix == ".md":
        yield from enumerate(source.split("\n"), 1)
    else:
        yield from documented(source)
        yield from commented(source)


def found(path: Path, root: Path) -> Iterator[str]:
    """The lines of a file that call a person by another pronoun than "they"."""
    for number, text in said(path) if PRONOUN.search(path.read_text("utf-8")) else ():
        if PRONOUN.search(text):
            yield f"{path.relative_to(root)}:{number}: {text.strip()}"


@pytest.mark.parametrize("room", ROOMS)
def test_a_person_is_they_in_the_code(room: str) -> None:
    """Docstrings, comments and names of functions call every person "they"."""
    assert [line for path in sorted((ROOT / room).rglob("*.py")) for line in found(path, ROOT)] == []


@pytest.mark.parametrize("page", PAGES)
def test_a_person_is_they_in_the_documentation(page: str) -> None:
    """Each page of documentation calls every person "they"."""
    assert list(found(ROOT / page, ROOT)) == []

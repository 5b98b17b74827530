"""The sources of the product, parsed once in a process: what the tests of names, imports and packages ask of them."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
PACKAGES: Final = ("engine", "pbem", "worker")
QUESTION: Final = re.compile(r"_?(is|has|can|needs)_")
"""How the name of a predicate begins."""


@dataclass(frozen=True)
class Import:
    """`import module`, or `from module import names`, wherever it stands in a file."""

    line: int
    module: str
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Source:
    """One module of the product.

    `path`: from the root. `defined`: its functions and classes by their dotted names; a function within another is its
    own. `answers`: the name of each function that is named as a question, and what it says that it returns.
    """

    path: Path
    imports: tuple[Import, ...]
    defined: tuple[str, ...]
    answers: tuple[tuple[str, str], ...]

    @property
    def module(self) -> str:
        """Its dotted name; that of a package is the package's."""
        return ".".join(self.path.with_suffix("").parts).removesuffix(".__init__")


@cache
def sources() -> tuple[Source, ...]:
    """All modules of the product."""
    return tuple(_read(path) for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py")))


def _read(path: Path) -> Source:
    tree = ast.parse(path.read_bytes())
    imports, answers = list[Import](), list[tuple[str, str]]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imports += (Import(node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            imports.append(Import(node.lineno, node.module, tuple(alias.name for alias in node.names)))
        elif isinstance(node, ast.FunctionDef) and node.returns is not None and QUESTION.match(node.name):
            answers.append((node.name, ast.unparse(node.returns)))
    return Source(path.relative_to(ROOT), tuple(imports), tuple(_defined(tree, "")), tuple(answers))


def _defined(node: ast.AST, place: str) -> Iterator[str]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.FunctionDef, ast.ClassDef)):
            yield (here := f"{place}.{child.name}")
            yield from _defined(child, here)
        elif not isinstance(child, ast.expr):
            yield from _defined(child, place)

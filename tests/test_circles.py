"""No circle of imports anywhere, those for type checkers and those inside functions counted."""

import ast
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("engine", "pbem", "worker")


@dataclass(frozen=True, order=True)
class Import:
    """One module names another, at a line."""

    importer: str
    imported: str
    path: str
    line: int


def modules(root: Path, packages: tuple[str, ...] = PACKAGES) -> Mapping[str, Path]:
    """Every module below some packages, by its name."""
    paths = (path.relative_to(root) for package in packages for path in (root / package).rglob("*.py"))
    return {".".join(path.with_suffix("").parts).removesuffix(".__init__"): path for path in paths}


def imports(root: Path, known: Mapping[str, Path]) -> list[Import]:
    """Every import of one of these modules by another, wherever in the file it stands."""
    return [
        Import(name, imported, str(path), line)
        for name, path in known.items()
        for imported, line in _named(ast.parse((root / path).read_bytes()), known)
        if imported != name
    ]


def _named(tree: ast.AST, known: Mapping[str, Path]) -> Iterator[tuple[str, int]]:
    """What a file imports, and where: `from package import module` names the module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            full = [f"{node.module}.{alias.name}" for alias in node.names]
            found = [name if name in known else node.module for name in full]
        else:
            continue
        yield from ((name, node.lineno) for name in found if name in known)


def circles(found: list[Import]) -> list[list[Import]]:
    """Imports that lead back to where they begin: for each module of a circle the shortest one, each circle once."""
    leaving: dict[str, list[Import]] = {}
    for one in found:
        leaving.setdefault(one.importer, []).append(one)
    shortest = (_back_to(start, leaving) for start in sorted(leaving))
    unique = {frozenset(one.importer for one in circle): circle for circle in shortest if circle}
    return list(unique.values())


def _back_to(start: str, leaving: Mapping[str, list[Import]]) -> list[Import]:
    """The shortest way from a module back to itself; empty if there is none."""
    ways = deque([[one] for one in leaving[start]])
    seen = set[str]()
    while ways:
        way = ways.popleft()
        here = way[-1].imported
        if here == start:
            return way
        if here not in seen:
            seen.add(here)
            ways.extend([*way, one] for one in leaving.get(here, []))
    return []


@pytest.fixture(scope="module")
def ours() -> list[Import]:
    """The imports of the whole project."""
    return imports(ROOT, modules(ROOT))


def shown(circle: list[Import]) -> str:
    """A circle, an import a line."""
    return "\n".join(f"  {one.path}:{one.line} imports {one.imported}" for one in circle)


def test_no_imports_lead_in_a_circle(ours: list[Import]) -> None:
    """No module of engine, server or workers needs, by whatever way, a module that needs it."""
    found = circles(ours)
    assert found == [], "These imports lead in a circle:\n" + "\n\n".join(map(shown, found))


@pytest.mark.parametrize(
    "line",
    [
        "import pbem.one\n",
        "from pbem import one\n",
        "from pbem.one import thing\n",
        "def f():\n    from pbem.one import thing\n",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from pbem.one import thing\n",
    ],
)
def test_a_circle_is_found_however_it_is_written(line: str, tmp_path: Path) -> None:
    """An import counts at the head of a file, inside a function and for type checkers; it is named by file and line."""
    package = tmp_path / "pbem"
    package.mkdir()
    for name, text in {"__init__": "", "one": "from pbem import two\n", "two": line}.items():
        (package / f"{name}.py").write_text(text, encoding="utf-8")
    found = circles(imports(tmp_path, modules(tmp_path, ("pbem",))))
    assert [sorted((one.path, one.imported) for one in circle) for circle in found] == [
        [("pbem/one.py", "pbem.two"), ("pbem/two.py", "pbem.one")]
    ]
    assert f"pbem/two.py:{line.count(chr(10))} imports pbem.one" in shown(found[0])

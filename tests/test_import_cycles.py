"""No circle of imports anywhere, those for type checkers and those inside functions counted."""

import ast
from collections.abc import Container, Iterator
from graphlib import TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGES = ("engine", "pbem", "worker")


def imported(tree: ast.AST, known: Container[str]) -> Iterator[str]:
    """Each module that a file imports, wherever in the file; `from package import module` names the module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            full = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (name if name in known else node.module for name in full)


def test_no_imports_lead_in_a_circle() -> None:
    """No module of engine, server or workers needs, directly or not, a module that needs it."""
    paths = (path.relative_to(ROOT) for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
    known = {".".join(path.with_suffix("").parts).removesuffix(".__init__"): path for path in paths}
    assert len(known) > 100
    sorter = TopologicalSorter[str]()
    for name, path in known.items():
        found = set(imported(ast.parse((ROOT / path).read_bytes()), known))
        sorter.add(name, *(found & known.keys() - {name}))
    sorter.prepare()  # raises CycleError with the modules of the circle

"""No circle of imports anywhere, those for type checkers and those inside functions counted."""

from collections.abc import Container, Iterator
from graphlib import TopologicalSorter

from tests.product_sources import Source, sources


def imported(source: Source, known: Container[str]) -> Iterator[str]:
    """Each module that a file imports, wherever in the file; `from package import module` names the module."""
    for one in source.imports:
        full = [f"{one.module}.{name}" for name in one.names]
        yield from (name if name in known else one.module for name in full or [one.module])


def test_no_imports_lead_in_a_circle() -> None:
    """No module of engine, server or workers needs, directly or not, a module that needs it."""
    known = {source.module: source for source in sources()}
    assert len(known) > 100
    sorter = TopologicalSorter[str]()
    for name, source in known.items():
        sorter.add(name, *(set(imported(source, known)) & known.keys() - {name}))
    sorter.prepare()  # raises CycleError with the modules of the circle

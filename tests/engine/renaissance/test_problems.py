"""Every reason for which something is refused is declared, so that it can be worded; and no other is."""

import importlib
import pkgutil
import re
from pathlib import Path

import engine.renaissance

ROOMS = [
    importlib.import_module(room.name)
    for room in pkgutil.walk_packages(engine.renaissance.__path__, "engine.renaissance.")
]
DECLARED = {code for room in ROOMS for code in (*getattr(room, "PROBLEMS", ()), *getattr(room, "NOTES", ()))}
TEXT = "\n".join(Path(str(room.__file__)).read_text(encoding="utf-8") for room in ROOMS)


def test_every_problem_is_declared_and_every_declared_problem_is_raised() -> None:
    """The codes raised are those of PROBLEMS and NOTES."""
    plain = set(re.findall(r'(?:Problem|Uncorrectable)\(\s*"(\w+)"', TEXT))
    chosen = {code for pair in re.findall(r'Problem\("(\w+)" if .*? else "(\w+)"', TEXT) for code in pair}
    assert plain | chosen == DECLARED


def test_every_declared_problem_says_its_terms() -> None:
    """A comment beside each code names the terms of its sentence."""
    lines = re.findall(r'^    "(\w+)",\s*(#?)', TEXT, re.M)
    assert {code for code, comment in lines if not comment} & DECLARED == set()

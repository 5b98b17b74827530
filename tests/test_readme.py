"""Every promise of README names a test that holds it."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def test_each_promise_names_a_test_that_exists() -> None:
    """Each row of the table in `tests/README.md` ends with a test that its file has."""
    text = (ROOT / "tests/README.md").read_text("utf-8")
    named = re.findall(r"^\| .+ \| `(\S+)::(\w+)` \|$", text, re.M)
    assert len(named) == text.count("\n| ") - 1
    for file, name in named:
        functions = [
            node for node in ast.parse((ROOT / file).read_text("utf-8")).body if isinstance(node, ast.FunctionDef)
        ]
        assert name in [function.name for function in functions], (file, name)

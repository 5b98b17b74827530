"""How to add a game: what the guide quotes and runs is the code as it stands."""

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "engine" / "README.md").read_text(encoding="utf-8")
QUOTED = re.findall(r"^```python\n# (\S+)\n(.*?)^```$", TEXT, re.M | re.S)
SESSIONS = re.findall(r"^```python doctest\n(.*?)^```$", TEXT, re.M | re.S)


@pytest.mark.parametrize(("path", "code"), QUOTED, ids=[f"{path}:{n}" for n, (path, _) in enumerate(QUOTED)])
def test_what_the_guide_quotes_stands_in_the_code(path: str, code: str) -> None:
    """Each quotation is found, line for line, in the file that it names."""
    assert code.strip()
    assert code in (ROOT / path).read_text(encoding="utf-8")


@pytest.mark.parametrize("session", SESSIONS)
def test_what_the_guide_runs_gives_what_it_prints(session: str) -> None:
    """The example of the guide runs as it is printed."""
    example = doctest.DocTestParser().get_doctest(session, {}, "engine/README.md", None, None)
    assert doctest.DocTestRunner(verbose=False).run(example).failed == 0


def test_every_block_of_code_in_the_guide_is_checked() -> None:
    """Each block is a quotation that names its file, or a session that is run."""
    assert TEXT.count("```python") == len(QUOTED) + len(SESSIONS)
    assert len(QUOTED) >= 8
    assert len(SESSIONS) == 1

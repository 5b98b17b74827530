"""Which places of the program name a language."""

import re
from pathlib import Path

from engine.kernel.languages import LANGUAGES

ROOT = Path(__file__).parents[2]
NAMED = re.compile(rf"""["'](?:{"|".join(LANGUAGES)})["']""")
KNOWN = {
    "pbem/narration/grammars.py": 1,  # the French preposition `en`
}
"""How many lines of a file name one, and why they may."""


def test_no_code_names_a_language() -> None:
    """Outside the registry, no line of the program or its pages names a language, but for those that are listed."""
    files = [f for part in ("engine", "pbem", "worker", "mail_templates") for f in (ROOT / part).rglob("*")]
    found = {
        str(file.relative_to(ROOT)): sum(bool(NAMED.search(line)) for line in file.read_text("utf-8").splitlines())
        for file in files
        if file.suffix in (".py", ".html", ".j2", ".js")
    }
    assert {path: lines for path, lines in found.items() if lines} == KNOWN

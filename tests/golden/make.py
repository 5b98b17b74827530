"""`python -m tests.golden.make`: write the kept letters anew; what changed is then read and committed, or mended."""

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.golden.script import kept

LETTERS = Path(__file__).parent / "letters"
READINGS = (("fr", "en"), ("en", "fr"))
"""The languages of the two seats; played twice, each seat is written to in both."""


def make_letters(readings: Sequence[Sequence[str]] = READINGS) -> Mapping[str, str]:
    """All letters of these readings, by path."""
    found: dict[str, str] = {}
    for languages in readings:
        with TemporaryDirectory() as folder:
            found.update({letter.path: letter.text for letter in kept(Path(folder), languages)})
    return found


def write() -> int:
    """Write all letters; returns how many."""
    letters = make_letters()
    shutil.rmtree(LETTERS, ignore_errors=True)
    for path, text in letters.items():
        (LETTERS / path).parent.mkdir(parents=True, exist_ok=True)
        (LETTERS / path).write_text(text, encoding="utf-8")
    return len(letters)


if __name__ == "__main__":
    print(f"{write()} letters written to {LETTERS}")

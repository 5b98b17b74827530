"""`python -m tests.playthroughs.make`: play the whole games anew; what changed is read and committed, or mended."""

from pathlib import Path

from tests.games import OURS
from tests.playthroughs.whole import text_of

WHOLE = Path(__file__).parent / "whole"


def place(title: str) -> Path:
    """Where the text of a game is kept."""
    return WHOLE / f"{title}.txt"


if __name__ == "__main__":
    WHOLE.mkdir(exist_ok=True)
    for title in OURS:
        text = text_of(title)
        place(title).write_text(text, encoding="utf-8")
        print(f"{place(title)}: {text.count(chr(10))} lines")

"""`python -m tests.playthroughs.make`: play the whole games anew; what changed is read and committed, or mended."""

from pathlib import Path

from tests.playthroughs.game_transcripts import tables, text_of

WHOLE = Path(__file__).parent / "whole"


def place(title: str, players: int) -> Path:
    """Where the text of a game is kept."""
    return WHOLE / f"{title}-{players}.txt"


if __name__ == "__main__":
    WHOLE.mkdir(exist_ok=True)
    for table in tables():
        text = text_of(*table)
        place(*table).write_text(text, encoding="utf-8")
        print(f"{place(*table)}: {text.count(chr(10))} lines")

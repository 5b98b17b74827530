"""A finished game of each kind as it was saved by the release: what later versions must go on reading.

One file for a game, `NAME.xz`: a line of JSON for what the game was started with, then one for each entry, whose parts
are the texts that the codec wrote.  `python -m tests.saves.make` writes the files that are missing.  A published file
is never written again: players' saves must stay readable.
"""

import json
import lzma
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.kernel.bots import Entry
from engine.kernel.codec import dump, load
from engine.kernel.rules import Rules
from engine.kernel.viewers import Seat

HERE = Path(__file__).parent
MOST_BYTES = 200_000
"""No save is larger."""


@dataclass(frozen=True)
class SavedEntry:
    """The texts of one entry: what was answered, what came of it."""

    gate: str
    answers: str
    events: str
    draws: str
    position: str


@dataclass(frozen=True)
class SavedGame:
    """A file, read but not yet loaded."""

    seats: tuple[Seat, ...]
    options: Mapping[str, str]
    seed: bytes
    entries: tuple[SavedEntry, ...]


def path_of(rules: Rules[Any]) -> Path:
    """Return the path of the save of a game."""
    return HERE / f"{rules.meta.name}.xz"


def written(entry: Entry[Any]) -> SavedEntry:
    """An entry as texts of the codec."""
    after = entry.after
    return SavedEntry(
        entry.gate, dump(dict(entry.answers)), dump(after.events), dump(after.draws), dump(after.position)
    )


def write(path: Path, game: SavedGame) -> None:
    """One line for the beginning, one for each entry."""
    head = {"seats": game.seats, "options": dict(game.options), "seed": game.seed.hex()}
    lines: Sequence[object] = (head, *(vars(entry) for entry in game.entries))
    text = "\n".join(json.dumps(line, ensure_ascii=False, sort_keys=True) for line in lines)
    path.write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))


def read(path: Path) -> SavedGame:
    """The lines of a file."""
    head, *entries = (json.loads(line) for line in lzma.decompress(path.read_bytes()).decode().splitlines())
    seats = tuple(Seat(name) for name in head["seats"])
    return SavedGame(seats, head["options"], bytes.fromhex(head["seed"]), tuple(SavedEntry(**e) for e in entries))


def again(text: str) -> str:
    """What the codec makes of its own text."""
    return dump(load(text))

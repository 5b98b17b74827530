"""How a database grows: what a whole game of bots takes, by entry and by turn, and what is left once it is over.

The games are written down as a play worker writes them, in SQLite; their letters count as sent.
"""

import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from sqlalchemy import delete, update

import engine
from engine.kernel.names import Seat
from pbem.app import services_of
from pbem.bench.tables import named, played, write_down
from pbem.config import Settings
from pbem.service.base.services import Services
from pbem.service.post import key_rotation
from pbem.service.records import compaction
from pbem.states import LetterOutState
from pbem.store.models import LetterOut, LetterOutContent
from pbem.store.schema import create
from pbem.vault import KeyFolder

_KB: Final = 1024
_PARTS: Final = {
    "positions that viewers saw": "SELECT sum(length(sealed)) FROM views WHERE kind = 'view'",
    "what viewers were told": "SELECT sum(length(sealed)) FROM views WHERE kind = 'events'",
    "records": "SELECT sum(length(entry_sealed)) FROM journal",
    "positions": "SELECT sum(length(position_sealed)) FROM journal",
    "public parts": "SELECT sum(length(public)) FROM journal",
}


def measure(title: str, seats: int) -> dict[str, Any]:
    """Kilobytes of the database an entry and a turn, those of its greatest parts, and of the game once compacted."""
    rules, chairs = engine.rules(title), tuple(Seat(f"s{n + 1}") for n in range(seats))
    course = played(rules, chairs, 1)
    entries, turns = len(course.entries), len({rules.turn(entry.after.position) for entry in course.entries})
    with tempfile.TemporaryDirectory(prefix="pbem-growth-") as folder:
        settings = Settings.embedded(Path(folder), relay_port=9)
        KeyFolder.create(settings.keys_dir)
        create(settings.database_url)
        post, play = (services_of(settings, role) for role in ("post", "play"))
        key_rotation.turn(post)
        path = Path(str(play.db.url.database))
        empty = _pages(path)
        write_down(play, course, 0)
        _sent(play)
        whole, parts = _pages(path) - empty, _sizes(path, entries)
        compaction.compact(play, named(0))
        left = _pages(path) - empty
        for services in (post, play):
            services.db.close()
    return {
        "title": title,
        "seats": seats,
        "entries": entries,
        "turns": turns,
        "kb_an_entry": _rounded(whole / entries),
        "kb_a_turn": _rounded(whole / turns),
        "parts_kb_an_entry": parts,
        "kb_an_entry_once_over": _rounded(left / entries),
    }


def _sent(services: Services) -> None:
    with services.db.writing() as session:
        session.execute(update(LetterOut).values(state=LetterOutState.SENT))
        session.execute(delete(LetterOutContent))


def _asked(path: Path, ask: Callable[[sqlite3.Connection], Any]) -> Any:
    with closing(sqlite3.connect(path)) as connection:
        return ask(connection)


def _pages(path: Path) -> int:
    """The bytes of all pages that are in use."""

    def used(connection: sqlite3.Connection) -> int:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        pages, free, size = (
            int(connection.execute(f"PRAGMA {name}").fetchone()[0])
            for name in ("page_count", "freelist_count", "page_size")
        )
        return (pages - free) * size

    return int(_asked(path, used))


def _sizes(path: Path, entries: int) -> dict[str, float]:
    def sizes(connection: sqlite3.Connection) -> dict[str, float]:
        sums = {name: connection.execute(query).fetchone()[0] for name, query in _PARTS.items()}
        return {name: _rounded(int(size or 0) / entries) for name, size in sums.items()}

    found: dict[str, float] = _asked(path, sizes)
    return found


def _rounded(size: float) -> float:
    return round(size / _KB, 1)

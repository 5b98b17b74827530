"""Servers that are brought to some point once in a process, and copied for each test that begins there."""

import atexit
import shutil
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from sqlalchemy import event

from engine import GAMES
from pbem.crypto import KeyFolder
from pbem.store.database import Database
from tests import server_templates
from tests.service.server_fixtures import TITLES, ServerHarness, staffed


@dataclass(frozen=True)
class Point:
    """Where a server was: its keys and rows, the letters it had sent, its clock, and a table on it."""

    keys: Path
    database: Path
    sent: tuple[Any, ...]
    moment: datetime
    game: str


_points: dict[Hashable, Point] = {}


def copied(
    folder: Path, name: Hashable, make: Callable[[Path], tuple[ServerHarness, str]]
) -> tuple[ServerHarness, str]:
    """Return a copy in `folder` of the server and table that `make` builds in an empty folder, by `name` only once."""
    if name not in _points:
        made = Path(mkdtemp(prefix="pbem-point-"))
        atexit.register(shutil.rmtree, made, ignore_errors=True)
        harness, game = make(made)
        _points[name] = Point(
            made / "keys", server_templates.kept(harness.web.db), tuple(harness.sent), harness.current_time, game
        )
        harness.web.db.close()
    point = _points[name]
    shutil.copytree(point.keys, folder / "keys")
    shutil.copyfile(point.database, folder / "test.sqlite3")
    db = Database(f"sqlite:///{folder}/test.sqlite3")
    event.listen(db.engine, "connect", lambda connection, _: connection.execute("PRAGMA synchronous=OFF"))
    harness = staffed(db, KeyFolder(folder / "keys"), {**GAMES, **TITLES})
    harness.sent, harness.current_time = list(point.sent), point.moment
    return harness, point.game

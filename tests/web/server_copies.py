"""Servers that are brought to some point once in a run, and copied for each test that begins there."""

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
from pbem.store.database import Database
from tests import made_once, server_templates
from tests.service.server_fixtures import GAME_TYPES, ServerHarness, build_on_database


@dataclass(frozen=True)
class ServerSnapshot:
    """Where a server was: its keys and rows, the letters it had sent, its clock, and a table on it."""

    keys: Path
    database: Path
    sent: tuple[Any, ...]
    moment: datetime
    game: str


_snapshots: dict[Hashable, ServerSnapshot] = {}


def copy_server(
    folder: Path, name: Hashable, make: Callable[[Path], tuple[ServerHarness, str]]
) -> tuple[ServerHarness, str]:
    """Return a copy in `folder` of the server and table that `make` builds in an empty folder, by `name` only once."""
    if name not in _snapshots:
        _snapshots[name] = made_once.load_or_make(f"copy of {name!r}", lambda: _make_snapshot(make))
    point = _snapshots[name]
    keys = server_templates.link_key_folder(point.keys, folder / "keys")
    shutil.copyfile(point.database, folder / "test.sqlite3")
    db = server_templates.share_compiled_statements(Database(f"sqlite:///{folder}/test.sqlite3"))
    event.listen(db.engine, "connect", lambda connection, _: connection.execute("PRAGMA synchronous=OFF"))
    harness = build_on_database(db, keys, {**GAMES, **GAME_TYPES})
    harness.sent, harness.current_time = list(point.sent), point.moment
    return harness, point.game


def _make_snapshot(make: Callable[[Path], tuple[ServerHarness, str]]) -> ServerSnapshot:
    made = Path(mkdtemp(prefix="pbem-point-", dir=made_once.run_folder()))
    if made_once.run_folder() is None:
        atexit.register(shutil.rmtree, made, ignore_errors=True)
    harness, game = make(made)
    database = server_templates.save_copy(harness.web.db)
    harness.web.db.close()
    return ServerSnapshot(made / "keys", database, tuple(harness.sent), harness.current_time, game)

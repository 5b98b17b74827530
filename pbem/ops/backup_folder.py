"""The backups that a server has: where they are, which is the newest, and which are kept at their age."""

import re
import time
from calendar import timegm
from collections.abc import Collection
from pathlib import Path
from typing import Final

from pbem.config.settings import Settings

SERVER_FOLDER: Final = Path("/var/backups/pbem")
"""Where a server with a user for each process keeps its backups; that of one user keeps them in its state folder."""
DAY_S: Final = 86_400
SPANS: Final = ((2, 0), (14, 1), (56, 7), (365, 30))
"""Up to so many days old, one backup stays in each stretch of so many; 0: all."""
POSTGRESQL, SQLITE, ENCRYPTED = b"PGDMP", b"SQLite format 3\0", b"age-encryption.org/"
"""How a backup begins: one of pg_dump's custom format, a database of SQLite, a file of age."""
STAMP: Final = "%Y%m%dT%H%M%SZ"
_NAME: Final = re.compile(r"pbem-(\d{8}T\d{6}Z)\.[a-z0-9.]+")


def is_one_user(settings: Settings) -> bool:
    """Return True if one user runs all processes, as at home."""
    return settings.variables.get("PBEM_ALLOW_SHARED_USER") == "yes"


def default_folder(settings: Settings) -> Path:
    """The folder of the daily backups of a server."""
    return settings.state_dir / "backups" if is_one_user(settings) else SERVER_FOLDER


def newest(folder: Path) -> tuple[Path, int] | None:
    """The newest backup of a folder, and when it was made (seconds); raises OSError if the folder cannot be read."""
    return max(_moments(folder).items(), key=lambda found: found[1], default=None)


def begins_as_backup(path: Path) -> bool:
    """Return True if a file begins as a backup does; raises OSError.

    It got its name when all of it had been read back.
    """
    with path.open("rb") as file:
        return file.read(32).startswith((POSTGRESQL, SQLITE, ENCRYPTED))


def thin(folder: Path) -> None:
    """Delete the backups of a folder that are not kept at their age."""
    moments = _moments(folder)
    stay = select_kept(set(moments.values()), time.time())
    for path, moment in moments.items():
        if moment not in stay:
            path.unlink()


def select_kept(stamps: Collection[int], now: float) -> set[int]:
    """Those of the moments (seconds) whose backups stay: in each stretch the oldest, so that it can grow old.

    All of two days stay, then one a day for two weeks, one a week for eight, one a month for a year; the newest in any
    case.
    """
    found, stretches = set[int](), set[object]()
    for moment in sorted(stamps):
        days = (now - moment) / DAY_S
        span = next((step for most, step in SPANS if days <= most), None)
        if span is None:
            continue
        stretch: object = (span, moment // (span * DAY_S)) if span else moment
        if stretch not in stretches:
            stretches.add(stretch)
            found.add(moment)
    return found | set(sorted(stamps)[-1:])


def _moments(folder: Path) -> dict[Path, int]:
    """When each backup of a folder was made, by its name (seconds); other files are passed over."""
    names = {path: _NAME.fullmatch(path.name) for path in folder.iterdir() if path.suffix != ".part"}
    return {path: timegm(time.strptime(name[1], STAMP)) for path, name in names.items() if name}

"""The disks that a server writes to, and whether they have room."""

import shutil
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from sqlalchemy.engine import make_url

from pbem.config.settings import Settings

MIN_FREE_BYTES: Final = 500_000_000
"""A disk with less room than this will be full before somebody looks again."""


def folders(settings: Settings) -> tuple[Path, ...]:
    """The folder for state, and that of the database where it is a file."""
    url = make_url(settings.database_url)
    own = Path(url.database).parent if url.get_backend_name() == "sqlite" and url.database else settings.state_dir
    return tuple(dict.fromkeys((settings.state_dir, own)))


def check(folder: Path) -> int | None:
    """How many bytes are left on the disk of a folder, if they are too few; raises OSError where it cannot be asked."""
    room = shutil.disk_usage(folder).free
    return room if room < MIN_FREE_BYTES else None


def lowest(asked: Iterable[Path]) -> int | None:
    """The fewest bytes that are left on any of these disks, if they are too few; who cannot be asked is passed over."""
    found = list[int]()
    for folder in asked:
        with suppress(OSError):
            room = check(folder)
            found += [room] if room is not None else []
    return min(found, default=None)

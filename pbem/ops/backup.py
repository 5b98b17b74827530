"""Backups of the database: written while it is in use, proven as they are written, thinned by age, and put back.

No file ever holds in clear what is to be encrypted, and no command line the password of the database.
"""

import os
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from io import BytesIO
from pathlib import Path
from typing import IO, Any, Final
from urllib.parse import parse_qsl, unquote, urlsplit

from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError

from pbem.config import settings as config
from pbem.config.settings import Settings
from pbem.ops import backup_folder
from pbem.ops.backup_folder import ENCRYPTED, POSTGRESQL, SQLITE
from pbem.ops.servers import ServerError, find_server
from pbem.service.deadlines.interruptions import record_restore
from pbem.store.database import Database

_LIBPQ: Final = {
    "dbname": "PGDATABASE",
    "application_name": "PGAPPNAME",
    "target_session_attrs": "PGTARGETSESSIONATTRS",
}


class BackupError(Exception):
    """A backup cannot be made or put back; the text says why, and what would help."""


# --- make one


def write(settings: Settings, place: Path) -> Path:
    """Write a backup to a new file, or into a folder under a name of this moment; raises BackupError.

    The file has its name once all of it was written and read back; old ones of a folder are then thinned.

    Returns the file.
    """
    url, recipient = settings.database_url, settings.variables.get("PBEM_BACKUP_AGE_RECIPIENT", "")
    target = place
    if place.is_dir():
        kind = "sqlite3" if _sqlite_file(url) else "dump"
        target = place / f"pbem-{time.strftime(backup_folder.STAMP, time.gmtime())}.{kind}{'.age' if recipient else ''}"
    if target.exists():
        raise BackupError(f"{target} exists already; a backup is written to a new file, or into a folder.")
    part = target.with_name(f"{target.name}.part")
    try:
        with _opened_by_owner(part) as file:
            _write_stream(url, recipient, file)
        part.replace(target)
    except OSError as error:
        raise BackupError(f"{target} cannot be written: {error.strerror}.") from None
    finally:
        part.unlink(missing_ok=True)
    if place.is_dir():
        backup_folder.thin(place)
    return target


@contextmanager
def _opened_by_owner(part: Path) -> Iterator[IO[bytes]]:
    """A file that the owner of its folder alone may read, on the disk when it is closed."""
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        if os.geteuid() == 0:
            folder = part.parent.stat()
            os.fchown(file.fileno(), folder.st_uid, folder.st_gid)
        yield file
        file.flush()
        os.fsync(file.fileno())


def _write_stream(url: str, recipient: str, file: IO[bytes]) -> None:
    with _proven_copy(url) as source:
        if not recipient:
            shutil.copyfileobj(source, file)
            return
        import pyrage

        try:
            pyrage.encrypt_io(source, file, [pyrage.x25519.Recipient.from_str(recipient)])
        except (pyrage.EncryptError, pyrage.RecipientError) as error:
            raise BackupError(f"The backup cannot be encrypted to PBEM_BACKUP_AGE_RECIPIENT: {error}.") from None


def _proven_copy(url: str) -> Any:
    """A copy of a database at one moment, to be read to its end; raises BackupError if it would not do."""
    place = _sqlite_file(url)
    return _copied_sqlite(place) if place else _dumped_postgresql(url)


@contextmanager
def _copied_sqlite(place: Path) -> Iterator[IO[bytes]]:
    """SQLite knows no stream: it is copied into memory, and opened there."""
    try:
        base = sqlite3.connect(f"{place.absolute().as_uri()}?mode=rw", uri=True, isolation_level=None)
        try:
            copy = base.serialize()
        finally:
            base.close()
        _check_sqlite(copy)
    except sqlite3.Error as error:
        raise BackupError(f"The database {place} cannot be copied: {error}.") from None
    yield BytesIO(copy)


def _check_sqlite(copy: bytes) -> None:
    opened = sqlite3.connect(":memory:")
    with memoryview(copy) as seen:  # bytes 18 and 19: a journal instead of a write-ahead log, which memory has not
        opened.deserialize(b"".join((seen[:18], b"\1\1", seen[20:])))
    try:
        if opened.execute("PRAGMA integrity_check").fetchone() != ("ok",):
            raise BackupError("The database is damaged: put an earlier backup back.")
    finally:
        opened.close()


class _Tee:
    """What a program writes, given to a second one that proves it as it is read."""

    def __init__(self, source: IO[bytes], proof: IO[bytes]) -> None:
        self._source, self._proof = source, proof

    def read(self, size: int = 65_536) -> bytes:
        """The next bytes."""
        found = self._source.read(size if size > 0 else 65_536)
        with suppress(BrokenPipeError):  # its end is judged by its exit code
            self._proof.write(found)
        return found


@contextmanager
def _dumped_postgresql(url: str) -> Iterator[Any]:
    """What pg_dump writes; pg_restore reads it to its end at the same time."""
    env = _environment(url)
    dump, proof = [_client("pg_dump"), "--format=custom"], [_client("pg_restore"), "--file=/dev/null"]
    with (
        subprocess.Popen(dump, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env) as dumping,
        subprocess.Popen(proof, stdin=subprocess.PIPE, stderr=subprocess.PIPE, env=env) as reading,
    ):
        assert dumping.stdout is not None
        assert reading.stdin is not None
        try:
            yield _Tee(dumping.stdout, reading.stdin)
        except BaseException:
            dumping.kill()
            raise
        finally:
            with suppress(BrokenPipeError):
                reading.stdin.close()
            reading.stdin = None
        _require_success("pg_dump", dumping)
        _require_success("pg_restore", reading)


def _require_success(name: str, process: "subprocess.Popen[bytes]") -> None:
    _, said = process.communicate()
    if process.returncode:
        lines = said.decode(errors="replace").strip().splitlines() if said else []
        raise BackupError(f"{name} failed: {lines[0] if lines else f'exit code {process.returncode}'}")


# --- put one back


def put_back(settings: Settings, copy: Path, identity: Path | None) -> None:
    """Replace the database by a backup, and mark it as restored; raises BackupError.

    `identity`: the file with the key of an encrypted one. Everything after the backup is lost.
    """
    head = _head(copy)
    if not head.startswith((POSTGRESQL, SQLITE, ENCRYPTED)):
        raise BackupError(f"{copy} is no backup: it begins like none of pg_dump, SQLite or age.")
    if head.startswith(ENCRYPTED) and identity is None:
        raise BackupError(
            f"{copy} is encrypted: name the file that holds its key, pbem restore {copy} --identity FILE."
        )
    place = _sqlite_file(settings.database_url)
    if not head.startswith((ENCRYPTED, SQLITE if place else POSTGRESQL)):
        raise BackupError(f"{copy} is of {'PostgreSQL' if place else 'SQLite'}, and PBEM_DATABASE_URL is not.")
    if place:
        _put_back_sqlite(place, copy, identity)
        return
    line = [_client("pg_restore"), "--clean", "--if-exists", "--no-owner", "--single-transaction", "--dbname"]
    env = _environment(settings.database_url)
    with subprocess.Popen(
        [*line, env["PGDATABASE"]], stdin=subprocess.PIPE, stderr=subprocess.PIPE, env=env
    ) as restoring:
        assert restoring.stdin is not None
        try:
            _copy_open(copy, identity, restoring.stdin)
            restoring.stdin.close()
            restoring.stdin = None
        except BrokenPipeError:
            restoring.stdin = None
        except BaseException:
            restoring.kill()  # at once, before it takes what broke off for whole
            raise
        _require_success("pg_restore", restoring)
    mark_restored(settings.database_url)


def mark_restored(url: str) -> None:
    """Mark a database as put back: at its next start the server gives back the lost time and tells the players."""
    database = Database(url)
    with database.transaction() as session:
        record_restore(session, int(time.time() * 1000))
    database.close()


def _put_back_sqlite(place: Path, copy: Path, identity: Path | None) -> None:
    part = place.with_name(f"{place.name}.part")
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            _copy_open(copy, identity, file)
        _check_sqlite(part.read_bytes())
        mark_restored(f"sqlite:///{part.absolute()}")
        if place.exists():
            shutil.copymode(place, part)
            os.chown(part, place.stat().st_uid, place.stat().st_gid)
        for name in ("-wal", "-shm"):
            place.with_name(place.name + name).unlink(missing_ok=True)
        part.replace(place)
    except (sqlite3.Error, SQLAlchemyError):
        raise BackupError(f"{copy} is no database of this server, and nothing was changed.") from None
    except OSError as error:
        raise BackupError(f"{place} cannot be written: {error.strerror}.") from None
    finally:
        part.unlink(missing_ok=True)


def _copy_open(copy: Path, identity: Path | None, target: IO[bytes]) -> None:
    """Give what a backup holds to who reads it, decrypted on its way; raises BackupError."""
    with copy.open("rb") as file:
        if not _head(copy).startswith(ENCRYPTED):
            shutil.copyfileobj(file, target)
            return
        import pyrage

        assert identity is not None
        try:
            lines = identity.read_text(encoding="ascii").split()
            key = pyrage.x25519.Identity.from_str(next(line for line in lines if line.startswith("AGE-SECRET-KEY-")))
        except (OSError, ValueError, StopIteration, pyrage.IdentityError):
            raise BackupError(f"{identity} holds no key of age; expected a line AGE-SECRET-KEY-1...") from None
        try:
            pyrage.decrypt_io(file, target, [key])
        except (pyrage.DecryptError, OSError) as error:
            if isinstance(error, OSError) and error.errno:  # not of pyrage: the reader is gone, or the disk full
                raise
            raise BackupError(f"{copy} cannot be opened with the key in {identity}: {error}.") from None


def _head(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(32)
    except OSError as error:
        raise BackupError(f"{path} cannot be read: {error.strerror}.") from None


# --- databases


def _sqlite_file(url: str) -> Path | None:
    """The file of a database of SQLite; None for PostgreSQL."""
    parsed = make_url(url)
    return Path(parsed.database or "") if parsed.get_backend_name() == "sqlite" else None


def _client(name: str) -> str:
    """One of PostgreSQL's programs, from PATH or beside its server; raises BackupError."""
    if found := shutil.which(name):
        return found
    with suppress(ServerError):
        beside = find_server("postgres").with_name(name)
        if beside.exists():
            return str(beside)
    raise BackupError(f"PostgreSQL's own {name} is not installed here; on Debian: apt-get install postgresql-client.")


def _environment(url: str) -> dict[str, str]:
    """What PostgreSQL's programs find in their environment, where no other user can read it."""
    return {**config.current_environment(), **libpq_variables(url)}


def libpq_variables(url: str) -> Mapping[str, str]:
    """The variables of libpq for an address as SQLAlchemy writes it."""
    parts = urlsplit(url)
    query = parse_qsl(parts.query)
    hosts = [value for name, value in query if name == "host"]
    several = len(hosts) > 1  # each with its own port, as libpq tries one after the other
    found = {
        "PGHOST": ",".join(host.partition(":")[0] for host in hosts) if several else parts.hostname,
        "PGPORT": ",".join(host.partition(":")[2] or "5432" for host in hosts) if several else parts.port,
        "PGUSER": parts.username and unquote(parts.username),
        "PGPASSWORD": parts.password and unquote(parts.password),
        "PGDATABASE": unquote(parts.path.removeprefix("/")),
    }
    found |= {_LIBPQ.get(name, f"PG{name.upper()}"): value for name, value in query if not (several and name == "host")}
    return {name: str(value) for name, value in found.items() if value}

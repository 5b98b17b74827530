"""`pbem backup`, `pbem restore`, `pbem upgrade`: each says its steps, and stops at the first that fails."""

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import click

from pbem.cli.terminal import load_settings

_RUNS = (
    "The server runs, or did within the last minute, and nothing known here stops it. Stop it (at home by Ctrl-C where "
    "pbem up runs), then try again."
)


def _settings() -> Any:
    """The settings that need no key."""
    return load_settings("scheduler", keys_exist=False)


@click.command("backup")
@click.argument("place", type=click.Path(path_type=Path), required=False)
def backup(place: Path | None) -> None:
    """Write a backup of the database to a new file, while the server runs, and read it back to its end.

    PLACE is that file, or a folder: the backup is then named by the date, and old ones are deleted by age. Without it,
    the folder is that of the daily backups. The keys are not in it.
    """
    from pbem.ops import backup as backups
    from pbem.ops.backup_folder import default_folder

    settings = _settings()
    if place is None:
        place = default_folder(settings)
        try:
            place.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise click.ClickException(f"{place} cannot be made: {error.strerror}.") from None
    try:
        made = backups.write(settings, place)
    except backups.BackupError as error:
        raise click.ClickException(str(error)) from None
    click.echo(f"{made}: {made.stat().st_size} bytes, read back to the end. The keys are not in it.")


@click.command("restore")
@click.argument("file", type=click.Path(path_type=Path), required=False)
@click.option("--identity", type=click.Path(path_type=Path), help="The file with the key of an encrypted backup.")
@click.option("--as-it-is", is_flag=True, help="The database was put back in another way: check and mark it.")
def restore(file: Path | None, identity: Path | None, as_it_is: bool) -> None:
    """Put a backup back: stop, replace the database, migrate, check, and start again what ran.

    Everything after the backup is lost. At its next start the server tells every player, and gives back the time.
    """
    from pbem.ops import backup as backups

    if (file is None) != as_it_is:
        raise click.UsageError("Name the file of a backup, or --as-it-is.")
    settings = _settings()
    manager = _stop(settings)
    try:
        if file is None:
            backups.mark_restored(settings.database_url)
        else:
            click.echo(f"The database is replaced by {file} ...")
            backups.put_back(settings, file, identity)
    except backups.BackupError as error:
        raise click.ClickException(f"{error}{_start_hint(manager)}") from None
    for title, words in (("Tables", ("migrate",)), ("Check", ("replay", "--last"))):
        click.echo(f"{title}: pbem {' '.join(words)} ...")
        if _call(*words):
            told = "The database was replaced, but does not fit the keys and this version"
            raise click.ClickException(f"{told}: see above. Repair it or restore another backup.{_start_hint(manager)}")
    click.echo("The backup is good: its keys open it, and the last entry of each game replays the same.")
    if manager is None:
        click.echo("Start the server (pbem up); then ask pbem doctor.")
        return
    _start(settings, manager)


def _start_hint(manager: Any) -> str:
    return f" The server is stopped; this starts it: {manager.start_line}" if manager is not None else ""


@click.command("upgrade")
def upgrade() -> None:
    """After installing a new version: back up, stop, migrate, replay the running games, start, and ask the doctor."""
    from pbem.ops import backup as backups
    from pbem.ops import service_manager
    from pbem.ops.backup_folder import default_folder

    settings = _settings()
    manager = _find_manager(settings)
    if manager is None and service_manager.count_alive(settings):
        raise click.ClickException(_RUNS)
    unchanged = "Nothing was changed."
    copies: list[Path] = []

    def back_up() -> None:
        folder = default_folder(settings)
        folder.mkdir(mode=0o700, exist_ok=True)
        copies.append(backups.write(settings, folder))
        click.echo(f"  {copies[0]}, read back to the end")

    _step("1. Backup", back_up, unchanged)
    start = manager.start_line if manager is not None else "pbem up"
    if manager is not None:
        _step("2. Stop", manager.stop, f"{unchanged} This starts it: {start}")
    else:
        click.echo("2. Stop: nothing runs")
    sealed = " --identity FILE" if copies[0].suffix == ".age" else ""
    back = f"To go back: install the version that you had, then pbem restore {copies[0]}{sealed}"
    _step("3. Tables", lambda: _require("migrate"), back)
    _step("4. Replay of the running games", lambda: _require("replay"), back)
    if manager is None:
        click.echo("5. Start it: pbem up\n6. Then ask: pbem doctor")
        click.echo(f"{back}.")
        return
    _step("5. Start", lambda: _start(settings, manager), back)
    _step("6. Doctor", lambda: _require("doctor"), f"The server runs. Repair what is named. {back}")
    click.echo("Upgraded.")


def _step(title: str, act: Callable[[], None], go_back: str) -> None:
    """Say a step and do it; at a failure say how to go back, and end."""
    from pbem.ops.backup import BackupError
    from pbem.ops.service_manager import ServiceError

    click.echo(f"{title} ...")
    try:
        act()
    except (BackupError, ServiceError, OSError, click.ClickException) as error:
        _give_up(title, str(error.message if isinstance(error, click.ClickException) else error), go_back)


def _give_up(title: str, why: str, go_back: str) -> NoReturn:
    raise click.ClickException(f"{title} failed: {why}\n{go_back}")


def _require(*words: str) -> None:
    if _call(*words):
        raise click.ClickException(f"pbem {' '.join(words)} says what is wrong, above")


def _call(*words: str) -> int:
    """A command of ours in a process of its own, which may step down to the user whose keys it needs."""
    from pbem.ops.supervisor import python

    return subprocess.run([python(), "-m", "pbem.cli.main", *words], check=False).returncode


def _find_manager(settings: Any) -> Any:
    from pbem.config.settings import current_environment
    from pbem.ops.service_manager import find_manager

    return find_manager(settings, current_environment())


def _stop(settings: Any) -> Any:
    """Stop the server, and return what can start it again, None if nothing ran; raises ClickException."""
    from pbem.ops import service_manager

    manager = _find_manager(settings)
    if manager is None:
        if service_manager.count_alive(settings):
            raise click.ClickException(_RUNS)
        return None
    click.echo("The server is stopped ...")
    try:
        manager.stop()
    except service_manager.ServiceError as error:
        raise click.ClickException(f"{error}. Nothing was changed.") from None
    return manager


def _start(settings: Any, manager: Any) -> None:
    from pbem.ops.service_manager import ServiceError, wait_until_alive

    click.echo("The server is started ...")
    try:
        manager.start()
    except ServiceError as error:
        raise click.ClickException(str(error)) from None
    wait_until_alive(settings)

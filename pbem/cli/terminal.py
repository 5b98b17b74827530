"""What all commands share: where their settings come from, and that a mistake in them is a sentence."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import click

_NO_MAIL_KEY = "The letters to the players cannot be sealed before the mailer has run: start it once, and try again."


class CliErrorGroup(click.Group):
    """Commands whose errors with settings, keys, archives and servers are sentences: which, and what would help."""

    sections: Mapping[str, tuple[str, ...]] = {}
    """Headings of the help, and the commands below each; empty: one list of all."""

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands under the heading of who uses them."""
        if not self.sections:
            return super().format_commands(context, formatter)
        width = formatter.width - 6 - max(map(len, self.commands))
        for heading, names in self.sections.items():
            with formatter.section(heading):
                formatter.write_dl([(name, self.commands[name].get_short_help_str(width)) for name in names])
        return None

    def invoke(self, context: click.Context) -> Any:
        """Run the command; raises ClickException for errors that have a sentence of their own."""
        try:
            return super().invoke(context)
        except Exception as error:
            from pbem.config.env_reader import ConfigError  # here: a command that goes well needs none of these
            from pbem.crypto import CryptoError
            from pbem.ops.servers import ServerError
            from pbem.service.archive.files import ArchiveError
            from pbem.service.base.services import NoMailKey
            from pbem.store.grants import RolesMissing

            if isinstance(error, NoMailKey):
                raise click.ClickException(_NO_MAIL_KEY) from None
            if isinstance(error, (ArchiveError, ConfigError, CryptoError, RolesMissing, ServerError)):
                raise click.ClickException(str(error)) from None
            raise


SETTINGS_FILES: Final = (Path("/etc/pbem/pbem.env"), Path("~/pbem/pbem.env"))
"""The settings of an installed server, and of one at home: commands read the first if they are given no others."""


def load_default_env() -> None:
    """Take the settings of the server here, if there is one, this user may read them, and none are set."""
    from pbem.config.settings import current_environment

    here = next((path for path in map(Path.expanduser, SETTINGS_FILES) if os.access(path, os.R_OK)), None)
    if "PBEM_STATE_DIR" not in current_environment() and here is not None:
        load_env_option(here)


def load_env_option(path: Path) -> None:
    """Take the variables of a file into the environment; raises ClickException."""
    from pbem.config.env_file import parse_env_file
    from pbem.config.settings import load_env_file

    try:
        load_env_file(parse_env_file(path.read_text(encoding="utf-8")))
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise click.ClickException(f"The variables of {path} cannot be read: {why}.") from None


def load_settings(role: Any = "all", *, keys_exist: bool = True) -> Any:
    """Load the settings of a role from the environment, as the user of its process; raises ConfigError."""
    from pbem.config.settings import PARTS, Settings, current_environment
    from pbem.ops.privileges import step_down

    if role in PARTS and keys_exist and (user := step_down(current_environment(), role)):
        click.echo(f"As {user}, whose keys this command needs:", err=True)
    return Settings.from_env(current_environment(), role, keys_exist=keys_exist)


def load_settings_in(folder: Path | None, role: Any = "all") -> Any:
    """Load the settings of the server in a folder, as the demo has them; without one, those of the environment.

    Raises ConfigError, and ClickException where there is no such folder.
    """
    from pbem.config.settings import Settings

    if folder is None:
        return load_settings(role)
    if not folder.is_dir():
        raise click.ClickException(f"There is no folder {folder}; --state names one that a server keeps its state in.")
    return Settings.with_embedded(folder, role=role)


def print_result(thing: Mapping[str, Any], as_json: bool) -> None:
    """One JSON object, or its parts a line each."""
    if as_json:
        click.echo(json.dumps(thing))
        return
    for name, value in thing.items():
        click.echo(f"{name}: {value}")


TITLE = click.option("--title", help="The game; by default the first one installed.")


def require_game_type(title: str | None, players: int | None = None) -> str:
    """The name of an installed game that takes this many players; raises ClickException."""
    from engine import GAMES
    from pbem.games import load_rules

    try:
        meta = load_rules(title or next(iter(GAMES))).meta
    except KeyError as error:
        raise click.ClickException(str(error.args[0])) from None
    if players is not None and players not in meta.seats:
        known = ", ".join(map(str, meta.seats))
        raise click.ClickException(f"{meta.name} is not for {players} players; it is for {known}.")
    return meta.name

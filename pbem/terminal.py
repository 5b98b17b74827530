"""What all commands share: where their settings come from, and that a mistake in them is a sentence."""

from pathlib import Path
from typing import Any

import click


class Sentences(click.Group):
    """Commands whose trouble with keys is a sentence: which file, and what would help."""

    def invoke(self, context: click.Context) -> Any:
        """Run the command; raises ClickException where keys cannot be used."""
        try:
            return super().invoke(context)
        except Exception as error:
            from pbem.vault import VaultError  # here: most commands need no vault

            if isinstance(error, VaultError):
                raise click.ClickException(str(error)) from None
            raise


def settings(role: Any = "all", *, keys_exist: bool = True) -> Any:
    from pbem.config import ConfigError, Settings, environment

    try:
        return Settings.from_env(environment(), role, keys_exist=keys_exist)
    except ConfigError as error:
        raise click.ClickException(str(error)) from None


def settings_in(folder: Path | None, role: Any = "all") -> Any:
    """The settings of the server in a folder, as the demo has them; without one, those of the environment."""
    from pbem.config import ConfigError, Settings

    if folder is None:
        return settings(role)
    if not folder.is_dir():
        raise click.ClickException(f"There is no folder {folder}; --state names one that a server keeps its state in.")
    try:
        return Settings.embedded(folder, role=role)
    except ConfigError as error:
        raise click.ClickException(str(error)) from None

"""The command that tries orders on a position, without a server."""

import json
import sys
from pathlib import Path

import click


def _require_language(context: click.Context, option: click.Parameter, written: str | None) -> str:
    """Return a language of the games, by default their default; raises BadParameter."""
    from engine.kernel.languages import DEFAULT, LANGUAGES

    if written is not None and written not in LANGUAGES:
        raise click.BadParameter(f"“{written}” is none of {', '.join(LANGUAGES)}.")
    return written or DEFAULT


@click.command("try")
@click.argument("file", required=False, type=click.Path(path_type=Path, dir_okay=False, exists=True))
@click.option("--cases", type=click.Path(path_type=Path, dir_okay=False, exists=True), help="A list of cases to check.")
@click.option("--language", callback=_require_language, help="The language of orders and sentences.")
def try_position(file: Path | None, cases: Path | None, language: str) -> None:
    """Try orders on a position: print what comes of them, as JSON; or check what a list of cases expects.

    A position names its "game"; one of Diplomacy also its units and centres. Any other game is tried at its start, with
    figures changed as a game master may change them (`{"ducats of Venice": 40}`). Exits with 1 if a case fails.
    """
    if (file is None) == (cases is None):
        raise click.UsageError("Give either FILE, or --cases FILE.")
    from pbem.cli import position_trials  # here, for it loads every game

    if file is not None:
        answer = json.dumps(position_trials.try_file(file, language), ensure_ascii=False, indent=1)
        click.echo(answer.encode("utf-8", "backslashreplace"))
    elif cases is not None and not position_trials.check_file(cases):
        sys.exit(1)

"""The command that tries orders on a position, without a server."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from engine.kernel.languages import LANGUAGES
from engine.kernel.sandbox import PositionError, WritesPositions, check_case, try_orders

_MOST_BYTES = 64_000_000


@click.command("try")
@click.argument("file", required=False, type=click.Path(path_type=Path, dir_okay=False, exists=True))
@click.option("--cases", type=click.Path(path_type=Path, dir_okay=False, exists=True), help="A list of cases to check.")
@click.option("--language", type=click.Choice(LANGUAGES), default="en", show_default=True)
def try_position(file: Path | None, cases: Path | None, language: str) -> None:
    """Try orders on a position: print what comes of them, as JSON; or check what a list of cases expects.

    Exits with 1 if a case fails.
    """
    if (file is None) == (cases is None):
        raise click.UsageError("Give either FILE, or --cases FILE.")
    try:
        if file is not None:
            written = _load(file, dict)
            click.echo(json.dumps(try_orders(_game_of(written), written, language), ensure_ascii=False, indent=1))
        elif cases is not None and not _check(_load(cases, list)):
            sys.exit(1)
    except PositionError as error:
        raise click.ClickException(f"{error}.") from None


def _load(file: Path, kind: type[Any]) -> Any:
    """Return the JSON of a file. Raises ClickException if it is none, or not of a kind."""
    if file.stat().st_size > _MOST_BYTES:
        raise click.ClickException(f"{file} is larger than {_MOST_BYTES} bytes.")
    try:
        written = json.loads(file.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise click.ClickException(f"{file} is no JSON: {error}") from None
    if not isinstance(written, kind):
        raise click.ClickException(f"{file} must hold {'a list of cases' if kind is list else 'one position'}.")
    return written


def _game_of(written: Any) -> WritesPositions:
    """Return the game that a position names; without a name, the only one that has positions of its own."""
    from engine import POSITIONS

    named = written.get("game", next(iter(POSITIONS)) if len(POSITIONS) == 1 else "")
    if named not in POSITIONS:
        raise click.ClickException(f"Positions of {named!r} cannot be tried; those of {', '.join(POSITIONS)} can.")
    return POSITIONS[named]


def _check(cases: list[Any]) -> bool:
    """Print each case that differs, and how many there are of both kinds. Return True if none differs."""
    failed = passed = 0
    for name, difference in _results(cases):
        failed, passed = failed + bool(difference), passed + (not difference)
        if difference:
            click.echo(f"{name}: {difference}")
    click.echo(f"{passed} passed, {failed} failed")
    return not failed


def _results(cases: list[Any]) -> Iterator[tuple[str, str]]:
    for number, case in enumerate(cases, 1):
        if not isinstance(case, dict):
            yield f"case {number}", "is not a position"
            continue
        try:
            yield from check_case(_game_of(case), case)
        except (PositionError, KeyError) as error:
            yield str(case.get("id", f"case {number}")), f"cannot be read: {error}"

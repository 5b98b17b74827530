"""The command that tries orders on a position, without a server."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from engine.kernel.changed_start import try_at_start
from engine.kernel.charts import HasStatistics
from engine.kernel.languages import DEFAULT, LANGUAGES, Language
from engine.kernel.sandbox import PositionError, WritesPositions, check_case, try_orders
from engine.kernel.secrets import redact, seen_by
from engine.kernel.viewers import PUBLIC
from pbem.cli.terminal import require_game_type

_MOST_BYTES = 64_000_000


@click.command("try")
@click.argument("file", required=False, type=click.Path(path_type=Path, dir_okay=False, exists=True))
@click.option("--cases", type=click.Path(path_type=Path, dir_okay=False, exists=True), help="A list of cases to check.")
@click.option("--language", type=click.Choice(LANGUAGES), default=DEFAULT, show_default=True)
def try_position(file: Path | None, cases: Path | None, language: Language) -> None:
    """Try orders on a position: print what comes of them, as JSON; or check what a list of cases expects.

    A position names its "game"; one of Diplomacy also its units and centres. Any other game is tried at its start, with
    figures changed as a game master may change them (`{"ducats of Venice": 40}`). Exits with 1 if a case fails.
    """
    if (file is None) == (cases is None):
        raise click.UsageError("Give either FILE, or --cases FILE.")
    try:
        if file is not None:
            answer = json.dumps(_try(_load(file, dict), language), ensure_ascii=False, indent=1)
            click.echo(answer.encode("utf-8", "backslashreplace"))
        elif cases is not None and not _check(_load(cases, list)):
            sys.exit(1)
    except PositionError as error:
        raise click.ClickException(f"{error}.") from None


def _try(written: dict[str, Any], language: Language) -> dict[str, Any]:
    """Return what comes of orders, worded: by a game that writes its positions, or at the start of another one."""
    from engine import POSITIONS
    from pbem.games import load_rules
    from pbem.narration.narrator import Context, narrator

    if "game" not in written:
        raise click.ClickException('The position has no "game"; `pbem game types` lists the games.')
    if written["game"] in POSITIONS:
        return try_orders(_game_of(written), written, language)
    title = require_game_type(str(written["game"]))
    rules = load_rules(title)
    attempt, told = try_at_start(rules, written, language), narrator(title, language)
    position = redact(attempt.board, PUBLIC)
    names = {seat: f"P{number}" for number, seat in enumerate(position.core.seats, 1)}
    context = Context(PUBLIC, position, names)
    sentences = (told.sentence(event, PUBLIC, context) for event in attempt.events)
    with seen_by(PUBLIC):
        figures = rules.count(rules.present_view(position, PUBLIC)) if isinstance(rules, HasStatistics) else {}
    return {
        "figures": {figure: dict(numbers) for figure, numbers in figures.items()},
        "next": [[question.seat, question.topic] for question in position.core.questions],
        "refused": {
            seat: [[line, told.problem(problem, context)] for line, problem in refused]
            for seat, refused in attempt.refused.items()
        },
        "events": [sentence for sentence in sentences if sentence],
    }


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
    """Return the game that a case names; without a name, the only one that has positions of its own."""
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

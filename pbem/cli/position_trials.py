"""Orders tried on a position of a file, and positions that a list of cases expects, without a server."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from engine import POSITIONS
from engine.kernel.changed_start import try_at_start
from engine.kernel.charts import HasStatistics
from engine.kernel.languages import Language
from engine.kernel.sandbox import PositionError, WritesPositions, check_case, try_orders
from engine.kernel.secrets import redact, seen_by
from engine.kernel.viewers import PUBLIC
from pbem.cli.terminal import require_game_type
from pbem.games import load_rules
from pbem.narration.narrator import Context, narrator

_MOST_BYTES = 64_000_000


@contextmanager
def _as_sentences() -> Iterator[None]:
    """Turn an error in a position into a ClickException."""
    try:
        yield
    except PositionError as error:
        raise click.ClickException(f"{error}.") from None


@_as_sentences()
def try_file(file: Path, language: Language) -> dict[str, Any]:
    """Return what comes of the orders in a file. Raises ClickException if they cannot be tried."""
    return _try(_load(file, dict), language)


@_as_sentences()
def check_file(file: Path) -> bool:
    """Print each case of a file that differs. Return True if none does. Raises ClickException."""
    return _check(_load(file, list))


def _try(written: dict[str, Any], language: Language) -> dict[str, Any]:
    """Return what comes of orders, worded: by a game that writes its positions, or at the start of another one."""
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

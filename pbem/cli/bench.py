"""`pbem dev bench`: measure how fast the server is."""

from collections.abc import Callable, Mapping
from contextlib import nullcontext
from typing import Any, TypeVar

import click

from pbem.cli.terminal import TITLE, print_result, require_game_type

F = TypeVar("F", bound=Callable[..., Any])
JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


def _seats(default: int) -> Callable[[F], F]:
    return click.option("--seats", type=click.IntRange(1), default=default, show_default=True)


def _games(default: int) -> Callable[[F], F]:
    return click.option("--games", type=click.IntRange(2, 100_000), default=default, show_default=True)


def _say(text: str) -> None:
    click.echo(text, err=True)


class Benches(click.Group):
    """Benches; a game that one cannot measure is a sentence."""

    def invoke(self, context: click.Context) -> Any:
        """Run the bench; raises ClickException for a game that it cannot measure."""
        try:
            return super().invoke(context)
        except LookupError as error:
            raise click.ClickException(str(error)) from None


@click.group(cls=Benches)
def bench() -> None:
    """Measure how fast the server is.  Compare figures of one machine only."""


@bench.command("engine")
@TITLE
@click.option("--runs", type=click.IntRange(2, 10_000), default=300, show_default=True)
@JSON
def bench_engine(title: str | None, runs: int, as_json: bool) -> None:
    """Time the heaviest gate of a game, early and late, and loading a game behind a long journal."""
    from pbem.bench.engine import measure

    print_result(measure(require_game_type(title), runs), as_json)


@bench.command("moves")
@TITLE
@_games(20)
@JSON
def bench_moves(title: str | None, games: int, as_json: bool) -> None:
    """Time what is legal in answer to every question of whole games between bots."""
    from pbem.bench.moves import measure

    print_result(measure(require_game_type(title), games), as_json)


@bench.command("exchanges")
@TITLE
@_games(4)
@JSON
def bench_exchanges(title: str | None, games: int, as_json: bool) -> None:
    """Count how often a table waits in a turn: one answer a letter, the template's plan, the page."""
    from pbem.bench.exchanges import measure

    print_result(measure(require_game_type(title), games), as_json)


@bench.command("cycle")
@TITLE
@_seats(6)
@_games(8)
@click.option("--mailers", type=click.IntRange(1, 64), default=1, show_default=True, help="Mailers.")
@click.option("--resolvers", type=click.IntRange(1, 64), default=1, show_default=True, help="Resolvers.")
@click.option("--postgres", is_flag=True, help="On a PostgreSQL of its own, which flushes nothing.")
@click.option("--cpu", is_flag=True, help="In one process instead: CPU time, statements and lock time by role.")
@click.option("--cycles", type=click.IntRange(1, 1000), default=20, show_default=True, help="With --cpu.")
@JSON
def bench_cycle(
    title: str | None,
    seats: int,
    games: int,
    mailers: int,
    resolvers: int,
    postgres: bool,
    cpu: bool,
    cycles: int,
    as_json: bool,
) -> None:
    """Time whole exchanges of letters in a closed loop: each seat writes, and gets a receipt and a report.

    The letters go through a whole server by SMTP; the players use the same processors.
    """
    name = require_game_type(title, seats)
    found: Mapping[str, Any]
    if cpu:
        from pbem.bench.cpu import measure as measure_cpu

        found = measure_cpu(name, seats, games, cycles)
    else:
        from pbem.bench.cycle import measure
        from pbem.ops.servers import Postgres

        with Postgres() if postgres else nullcontext() as server:
            found = measure(name, seats, games, mailers, resolvers, server.url if server is not None else "")
    print_result(found, as_json)


@bench.command("clock")
@TITLE
@_seats(4)
@_games(1000)
@click.option("--due", type=click.IntRange(1, 100_000), default=100, show_default=True, help="Games due at once.")
@click.option("--looks", type=click.IntRange(2, 10_000), default=50, show_default=True, help="Looks with nothing due.")
@JSON
def bench_clock(title: str | None, seats: int, games: int, due: int, looks: int, as_json: bool) -> None:
    """Measure what deadlines cost a server with many games, with nothing due and with many questions due at once."""
    from pbem.bench.clock import measure

    print_result(measure(require_game_type(title, seats), seats, games, due, looks, _say), as_json)


@bench.command("pages")
@TITLE
@_seats(4)
@_games(40)
@click.option("--rate", type=click.FloatRange(0.1, 1000), default=20, show_default=True, help="Requests a second.")
@JSON
def bench_pages(title: str | None, seats: int, games: int, rate: float, as_json: bool) -> None:
    """Time pages, maps, checks and pulses of many games, early and late, and weigh what is sent and stored."""
    from pbem.bench.pages import measure

    print_result(measure(require_game_type(title, seats), seats, games, rate, _say), as_json)


@bench.command("fairness")
@TITLE
@click.option("--workers", type=click.IntRange(1, 64), multiple=True, default=(1, 2, 4), show_default=True)
@click.option("--postgres", is_flag=True, help="On a PostgreSQL of its own, which flushes nothing.")
@JSON
def bench_fairness(title: str | None, workers: tuple[int, ...], postgres: bool, as_json: bool) -> None:
    """Time one quiet player's pages, checks and receipts while somebody floods the server, and without that.

    The floods are checks, letters of strangers, letters of many orders, large letters, and gates that close together.
    """
    from pbem.bench.fairness import measure

    name = require_game_type(title, 4)
    found = {f"{many} workers": measure(name, many, postgres, _say) for many in workers}
    print_result({"title": name, "database": "PostgreSQL" if postgres else "SQLite", **found}, as_json)

"""Commands that measure how fast the server is."""

import json
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import click

from pbem.terminal import TITLE, out, titled


@click.group()
def bench() -> None:
    """Measure how fast the server is."""


@bench.command("engine")
@TITLE
@click.option("--json", "as_json", is_flag=True)
def bench_engine(title: str | None, as_json: bool) -> None:
    """Time the heaviest step of a game, in milliseconds: early, late, and with a long journal."""
    from pbem.bench.engine import measure

    try:
        out(measure(titled(title)), as_json)
    except LookupError as error:
        raise click.ClickException(str(error)) from None


@bench.command("cycle")
@TITLE
@click.option("--seats", type=click.IntRange(1, 6), default=6, show_default=True)
@click.option("--games", type=click.IntRange(1, 100), help="Tables in play.  [default: 8; 2 with --cpu]")
@click.option("--cpu", is_flag=True, help="Without sockets and queue: the processor's time by role and stage.")
@click.option("--post", type=click.IntRange(1, 64), default=1, show_default=True, help="Post workers, without --cpu.")
@click.option("--play", type=click.IntRange(1, 64), default=1, show_default=True, help="Play workers, without --cpu.")
@click.option("--postgres", is_flag=True, help="On a PostgreSQL of its own, which flushes nothing; without --cpu.")
@click.option("--cycles", type=click.IntRange(1, 1000), help="With --cpu: cycles of a run.  [default: 20]")
@click.option("--runs", type=click.IntRange(1, 100), help="With --cpu: how often the same is done.  [default: 5]")
@click.option(
    "--compare",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="With --cpu: what --json printed before, to compare with.",
)
@click.option("--json", "as_json", is_flag=True)
def bench_cycle(
    title: str | None,
    seats: int,
    games: int | None,
    cpu: bool,
    post: int,
    play: int,
    postgres: bool,
    cycles: int | None,
    runs: int | None,
    compare: Path | None,
    as_json: bool,
) -> None:
    """Time whole exchanges of letters, in a closed loop: every seat writes, and gets a receipt and a report.

    The letters go through the real entrance of a whole server, and the players share its processors. With --cpu all is
    done in one process, the same each time: what a cycle costs the processor, by role and stage, with statements,
    commits, bytes and how long the write lock is held. To compare two versions, keep the figures of one with --json and
    name the file with --compare; figures are comparable on one machine only.
    """
    name = titled(title, seats)
    if not cpu and (cycles or runs or compare):
        raise click.UsageError("--cycles, --runs and --compare go with --cpu.")
    try:
        if cpu:
            from pbem.bench.cpu import Plan

            _bench_cpu(Plan(name, seats, games or 2, cycles or 20, runs or 5), compare, as_json)
        else:
            from pbem.bench.cycle import measure
            from pbem.servers import Postgres

            with Postgres() if postgres else nullcontext() as server:
                database = server.url if server is not None else ""
                out(measure(name, seats, games or 8, post=post, play=play, database=database), as_json)
    except LookupError as error:
        raise click.ClickException(str(error)) from None


def _bench_cpu(plan: Any, compare: Path | None, as_json: bool) -> None:
    """Raises ClickException for a file of other figures, before anything is measured."""
    from pbem.bench.cpu import measure
    from pbem.bench.kept import comparable, table

    try:
        before = comparable(plan, compare.read_bytes()) if compare else None
    except ValueError as error:
        raise click.ClickException(f"{compare}: {error}") from None
    found = measure(plan, lambda text: click.echo(text, err=True))
    click.echo(json.dumps(found) if as_json else table(found, before))


@bench.command("clock")
@TITLE
@click.option("--seats", type=click.IntRange(1, 6), default=4, show_default=True)
@click.option("--games", type=click.IntRange(1, 100_000), default=1000, show_default=True, help="Tables that wait.")
@click.option("--due", type=click.IntRange(0, 100_000), default=100, show_default=True, help="Tables due at once.")
@click.option("--looks", type=click.IntRange(2, 10_000), default=50, show_default=True, help="With nothing due.")
@click.option(
    "--tables", type=click.Path(path_type=Path), help="Folder of the tables, written down there if it is not there."
)
@click.option(
    "--play", type=click.IntRange(1, 64), help="Then a whole server with so many play workers, by the wall clock."
)
@click.option("--json", "as_json", is_flag=True)
def bench_clock(
    title: str | None,
    seats: int,
    games: int,
    due: int,
    looks: int,
    tables: Path | None,
    play: int | None,
    as_json: bool,
) -> None:
    """Time what the clock costs a server with many tables, with nothing due and with many questions due at once.

    At the tables that are due all seats but one have sent their orders. First all is done in one process, and measured
    on the processor alone. With --play and --tables a whole server then closes and tells what is due.
    """
    from pbem.bench import rush
    from pbem.bench.clock import Plan, measure, seed

    plan = Plan(titled(title, seats), seats, games, min(due, games), looks)
    if play and tables is None:
        raise click.UsageError("--play goes with --tables.")
    try:
        if tables is not None and not tables.exists():
            seed(plan, tables, lambda text: click.echo(text, err=True))
        found = measure(plan, lambda text: click.echo(text, err=True), tables)
        server = rush.measure(tables, play) if play and tables is not None else {}
        out({**found, "server": server} if server else found, as_json)
    except LookupError as error:
        raise click.ClickException(str(error)) from None


@bench.command("growth")
@TITLE
@click.option("--seats", type=click.IntRange(1, 6), default=4, show_default=True)
@click.option("--json", "as_json", is_flag=True)
def bench_growth(title: str | None, seats: int, as_json: bool) -> None:
    """Measure how much of the database a whole game takes, by entry and by turn, and once it is over."""
    from pbem.bench.growth import measure

    out(measure(titled(title, seats), seats), as_json)


@bench.command("pages")
@TITLE
@click.option("--seats", type=click.IntRange(1, 6), default=4, show_default=True)
@click.option("--games", type=click.IntRange(4, 1000), default=100, show_default=True)
@click.option("--clients", type=click.IntRange(1, 64), default=8, show_default=True)
@click.option("--rate", type=click.FloatRange(0.1, 1000), default=20, show_default=True, help="Pages a second.")
@click.option("--json", "as_json", is_flag=True)
def bench_pages(title: str | None, seats: int, games: int, clients: int, rate: float, as_json: bool) -> None:
    """Time how long players wait for their pages and maps, early and late in many games.

    Then pages, checks and looks whether anything is new come at a steady rate; and what all of that weighs.
    """
    from pbem.bench.pages import measure

    out(measure(titled(title, seats), seats, games, clients, rate, lambda text: click.echo(text, err=True)), as_json)


@bench.command("bots")
@TITLE
@click.option("--players", type=click.IntRange(1, 6), help="At the table.  [default: each number the game allows]")
@click.option("--games", type=click.IntRange(1, 10_000), default=200, show_default=True)
@click.option("--json", "as_json", is_flag=True)
def bench_bots(title: str | None, players: int | None, games: int, as_json: bool) -> None:
    """Play one bot of the tables among such as take what is suggested: games won, and what chance would win.

    It sits in each seat in turn. Alone at the table, both kinds play the same deals.
    """
    from pbem.bench.bots import measure
    from pbem.games import rules_of

    name = titled(title, players)
    counts = (players,) if players else rules_of(name).meta.seats
    out(measure(name, counts, games, lambda text: click.echo(text, err=True)), as_json)


@bench.command("soak")
@TITLE
@click.option("--seats", type=click.IntRange(1, 6), default=3, show_default=True)
@click.option("--games", type=click.IntRange(1, 1000), default=200, show_default=True)
@click.option("--weeks", type=click.IntRange(1, 520), default=52, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--plots", type=click.Path(file_okay=False, path_type=Path), help="A folder for a chart of each figure.")
@click.option("--json", "as_json", is_flag=True)
def bench_soak(
    title: str | None, seats: int, games: int, weeks: int, seed: int, plots: Path | None, as_json: bool
) -> None:
    """Simulate months of many tables, with people who are late, away or gone, and with faults by chance.

    It tells each week's figures while it runs, and at the end which games are stuck, which letters got no answer, and
    what grew. Exits with 1 if a game is stuck or a letter was lost.
    """
    from pbem.bench.soak import FIGURES, Plan, measure

    plan = Plan(titled(title, seats), seats, games, weeks, seed)
    found = measure(plan, lambda text: click.echo(text, err=True), plots)
    if as_json:
        click.echo(json.dumps(found))
    else:
        names = ("week", *FIGURES, "cpu_s")
        click.echo(f"| {' | '.join(names)} |\n|{'---|' * len(names)}")
        for week in found["weeks"]:
            click.echo(f"| {' | '.join(str(week[name]) for name in names)} |")
        out({name: found[name] for name in ("counts", "growth", "stuck", "lost", "complaints")}, as_json)
    if found["stuck"] or found["lost"] or found["counts"].get("letters in two shapes"):
        raise click.ClickException("Something was lost, or stands still.")


@bench.command("hours")
@TITLE
@click.option("--seats", type=click.IntRange(1, 6), default=4, show_default=True)
@click.option("--games", type=click.IntRange(1, 100), default=8, show_default=True, help="Tables in play.")
@click.option("--minutes", type=click.IntRange(1, 10_000), default=60, show_default=True)
@click.option("--rate", type=click.FloatRange(0.01, 100), default=1, show_default=True, help="Cycles a second.")
@click.option("--seed", type=int, default=1, show_default=True, help="Who is killed.")
@click.option("--postgres", is_flag=True, help="On a PostgreSQL of its own, which flushes nothing.")
@click.option("--plots", type=click.Path(file_okay=False, path_type=Path), help="A folder for a chart of each figure.")
@click.option("--json", "as_json", is_flag=True)
def bench_hours(
    title: str | None,
    seats: int,
    games: int,
    minutes: int,
    rate: float,
    seed: int,
    postgres: bool,
    plots: Path | None,
    as_json: bool,
) -> None:
    """Let a whole server play at a calm pace for a long time; in the first half, kill one of its processes each minute.

    It tells each minute's figures while it runs, and at the end which tables stand still, which letters got no answer,
    and what grew. Exits with 1 if a table stands still or a letter was lost.
    """
    from pbem.bench.hours import Plan, measure
    from pbem.servers import Postgres

    plan = Plan(titled(title, seats), seats, games, minutes, rate, seed)
    with Postgres() if postgres else nullcontext() as server:
        database = server.url if server is not None else ""
        found = measure(plan, lambda text: click.echo(text, err=True), database, plots)
    out(found if as_json else {**found, "minutes": len(found["minutes"])}, as_json)
    if found["stood_still"] or found["lost"] or found["counts"].get("letters in two shapes"):
        raise click.ClickException("Something was lost, or stands still.")

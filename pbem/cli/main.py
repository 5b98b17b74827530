"""The command line: thin over the services.  What a command needs is imported when it runs."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import click

from pbem.cli.bench import bench
from pbem.cli.bot import bot
from pbem.cli.master import gm
from pbem.cli.operator import enrol, list_channels, mail, print_discord_commands
from pbem.cli.record import archive, replay, transfer
from pbem.cli.sandbox import try_position
from pbem.cli.setup import setup
from pbem.cli.terminal import TITLE, CliErrorGroup, load_default_env, load_env_option, print_result, require_game_type
from pbem.cli.terminal import load_settings as _settings
from pbem.cli.upkeep import backup, restore, upgrade
from pbem.ops.memory import run_in_subprocess


def _print_version(context: click.Context, option: click.Parameter, wanted: bool) -> None:
    """Print the version and end, if that is wanted."""
    if wanted:
        from pbem.ops.version import describe_version

        click.echo(f"pbem {describe_version()}")
        context.exit()


@click.group(cls=CliErrorGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--version", is_flag=True, callback=_print_version, expose_value=False, is_eager=True, help="Print it.")
@click.option(
    "--env",
    type=click.Path(path_type=Path),
    help="A file of settings, for those that are not set; by default /etc/pbem/pbem.env or ~/pbem/pbem.env.",
)
def main(env: Path | None) -> None:
    """A play-by-mail server for board games with secret orders."""
    from pbem.config.settings import import_safely

    import_safely()
    if env is not None:
        load_env_option(env)
    else:
        load_default_env()


def _env_option(written: str) -> tuple[str, str]:
    name, sign, value = written.partition("=")
    if not sign:
        raise click.ClickException(f"“{written}” is not an option; write NAME=VALUE.")
    return name, value


# --- running a server


@main.command("up")
def run_up() -> None:
    """Run all processes of a server, configured by the environment; Ctrl-C stops them."""
    from pbem.ops.supervisor import Supervisor

    settings = _settings()
    with (
        _run_command("game", "types") as games,
        _run_command("migrate") as migrating,
    ):  # the first asks nothing of the database
        if migrating.wait():
            games.kill()
            sys.exit(migrating.returncode)  # its own words stand above
    if games.returncode:
        sys.exit(games.returncode)
    _stop_for(run_in_subprocess(_prepare_mailer, settings))
    whose = f"{settings.mailbox_local_part}@" if settings.mailbox_local_part else ""
    click.echo(f"Serving {settings.public_url} and mail for {whose}{settings.mail_domain}.")
    Supervisor(settings).run()


def _run_command(*words: str) -> subprocess.Popen[bytes]:
    """A command of ours in a process of its own, so that we need not hold what it needs."""
    from pbem.ops.supervisor import python

    return subprocess.Popen([python(), "-m", "pbem.cli.main", *words], stdout=subprocess.DEVNULL)


@main.command()
def migrate() -> None:
    """Create the tables of the database, or bring them up to date."""
    from pbem.store.schema import upgrade

    upgrade(_settings(keys_exist=False).database_url)
    click.echo("The database is up to date.")


def _prepare_mailer(settings: Any) -> list[str]:
    """Do what a mailer does first; or return why nothing can be started."""
    from pbem.app import prepare_worker

    faults = _start_faults(settings, "mailer")
    if not faults:
        prepare_worker(settings, "mailer")
    return faults


def _start_faults(settings: Any, role: Any) -> list[str]:
    """A sentence for each reason why a process cannot work with this database."""
    from pbem.app import list_key_problems
    from pbem.ops.doctor import check_schema

    return check_schema(settings.database_url) or list_key_problems(settings, role)


def _stop_for(faults: list[str]) -> None:
    for fault in faults:
        raise click.ClickException(fault)


@main.command()
@click.argument("role", type=click.Choice(["web", "smtp", "mailer", "resolver", "scheduler", "metrics"]))
def run(role: Any) -> None:
    """Run one process of a server: web, smtp, mailer, resolver, scheduler, or metrics (for Prometheus)."""
    from pbem.ops import logs
    from pbem.ops.supervisor import WORKERS, role_command

    settings = _settings(role)
    _stop_for(run_in_subprocess(_start_faults, settings, role))
    logs.configure(settings.production, role)
    if role in WORKERS:
        from pbem.app import prepare_worker

        prepare_worker(settings, role)
        line = role_command(role)
        os.execv(line[0], line)  # noqa: S606 - the worker takes this process's place, so that signals reach it
    if role == "smtp":
        from pbem.app import build_services
        from pbem.broker.task_queue import TaskQueue
        from pbem.smtp_process import serve

        serve(build_services(settings, "smtp", TaskQueue(settings)), settings)
    elif role == "metrics":
        from pbem.ops.metrics import serve as serve_figures

        if settings.metrics_listen is None:
            raise click.ClickException(
                "PBEM_METRICS_LISTEN is missing; expected a host and a port, such as 127.0.0.1:9464."
            )
        serve_figures(settings)
    else:
        from pbem.app import create_app
        from pbem.web.serve import serve as serve_pages

        serve_pages(create_app(settings), settings)


@main.command()
@click.option("--auto", is_flag=True, help="Bots play all seats by mail; their letters have no pictures.")
@click.option("--turns", type=click.IntRange(1, 99), default=3, show_default=True, help="Stop after so many turns.")
@click.option("--state", type=click.Path(path_type=Path), default=Path("var/demo"), show_default=True)
@TITLE
@click.option("--players", type=click.IntRange(1, 7), help="By default 4, or the fewest that the game takes.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on the last line.")
def demo(auto: bool, turns: int, state: Path, title: str | None, players: int | None, as_json: bool) -> None:
    """Deal a game and play it by mail, on this machine only."""
    from pbem.cli.game_check import list_problems
    from pbem.demo.run import USUAL_PLAYERS
    from pbem.demo.run import run as play_demo
    from pbem.games import load_rules

    chosen = require_game_type(title, players)
    if wrong := list_problems(chosen):
        raise click.ClickException("\n".join(wrong))
    seats = load_rules(chosen).meta.seats
    players = players or (USUAL_PLAYERS if USUAL_PLAYERS in seats else min(seats))
    sys.exit(play_demo(state, title=chosen, players=players, turns=turns, auto=auto, as_json=as_json))


@main.group()
def keys() -> None:
    """Manage the keys of an installation."""


@keys.command("init")
def keys_init() -> None:
    """Make keys for all processes; existing keys are never overwritten."""
    from pbem.crypto import KeyFolder

    folder = KeyFolder.create(_settings(keys_exist=False).keys_dir)
    click.echo(f"Keys were made in {folder.path}: give each folder in it to the user of that process.")


@keys.command("rotate")
@click.argument("kind", type=click.Choice(["master", "view", "session", "mailer", "resolver", "signing"]))
def keys_rotate(kind: Any) -> None:
    """Make a new key of one kind; the old one still opens what it sealed.  `master` also wraps every game anew."""
    from pbem.crypto import KeyFolder

    settings = _settings()
    KeyFolder(settings.keys_dir).rotate(kind)
    if kind == "master":
        from pbem.app import build_services
        from pbem.service.game.journal import rewrap_game_keys

        click.echo(f"Games wrapped anew: {rewrap_game_keys(build_services(settings, 'resolver'))}.")
    click.echo("Restart the processes to use the new key.")


@keys.command("share-daily")
def keys_share_daily() -> None:
    """Let mailers on several machines make the same keys of the day; run it once, before any of them starts."""
    from pbem.app import DAY_KEYS
    from pbem.crypto import CryptoError, DerivedKeyChain

    try:
        made = DerivedKeyChain(_settings(keys_exist=False).state_dir / DAY_KEYS).create()
    except (CryptoError, OSError) as error:
        raise click.ClickException(str(error)) from None
    click.echo(f"Give {made.parent}, with what is in it, to the mailer's user, and put the same at the same place on")
    click.echo("each machine that runs a mailer, before it starts there; leave it out of copies of the machine.")


@keys.command("prune")
@click.argument("kind", type=click.Choice(["master", "view", "session", "mailer", "resolver", "signing"]))
@click.confirmation_option(prompt="Whatever older keys of this kind sealed can never be opened again. Continue?")
def keys_prune(kind: Any) -> None:
    """Delete all keys of one kind but the newest; for `master`, every game is wrapped anew first."""
    from pbem.crypto import KeyFolder

    settings = _settings()
    if kind == "master":
        from pbem.app import build_services
        from pbem.service.game.journal import rewrap_game_keys

        rewrap_game_keys(build_services(settings, "resolver"))
    if kind == "signing":
        from pbem.service.tasks.replay import resign_all_rows
        from pbem.store.database import Database

        resign_all_rows(Database(settings.database_url), KeyFolder(settings.keys_dir))
    KeyFolder(settings.keys_dir).prune(kind)
    click.echo("The older keys are gone; restart the processes.")


@main.group(invoke_without_command=True)
@click.option("--mail", is_flag=True, help="Mail what has changed to PBEM_ADMIN_EMAIL, and print nothing.")
@click.pass_context
def doctor(context: click.Context, mail: bool) -> None:
    """Check the server and list its problems, as far as this user may look; exits with 1 if there are any."""
    if context.invoked_subcommand is not None:
        return
    from pbem.app import build_services, list_key_problems, relay_settings
    from pbem.config.settings import current_environment
    from pbem.ops import doctor as asked
    from pbem.service.tasks.health import last_run, list_problems, list_unsigned

    settings = asked.settings_of_role(current_environment())
    relay = relay_settings(settings) if settings.relay is not None else None
    tables = asked.check_schema(settings.database_url)
    role = "resolver" if settings.role == "all" else settings.role
    tables = tables or list_key_problems(settings, role)
    if not tables:
        services = build_services(settings, role)
        tables = list_problems(services)
        if settings.variables.get("PBEM_LMTP_LISTEN"):  # only then the mail server is this server's own
            tables += list_unsigned(services)
        if (ticked := last_run(services)) is not None and not mail:
            click.echo(f"The clock ticked {ticked} s ago.")
    found = [*asked.list_problems(settings, relay), *tables, *_missing_games(), *_unnarrated_games()]
    if mail:
        _mail_report(settings, relay, found)
        return
    if unseen := asked.UNSEEN[settings.role]:
        click.echo(unseen, err=True)
    for line in found:
        click.echo(line)
    if off := asked.list_off(settings):
        click.echo("\n- ".join(("Off, because it is not set:", *off)), err=True)
    if found:
        sys.exit(1)
    click.echo("No problems found.")


def _mail_report(settings: Any, relay: Any, found: list[str]) -> None:
    from pbem.ops.doctor import write_report

    if not settings.admin_email or relay is None:
        no_email = not settings.admin_email
        lacking = "PBEM_ADMIN_EMAIL is not set" if no_email else "the settings of the mailer are not here"
        raise click.ClickException(f"Nothing can be mailed: {lacking}.")
    if why := write_report(settings, relay, found):
        raise click.ClickException(why)


main.add_command(replay)
main.add_command(archive)
main.add_command(transfer)
main.add_command(gm)
main.add_command(mail)
main.add_command(setup)
main.add_command(try_position)
main.add_command(backup)
main.add_command(restore)
main.add_command(upgrade)


@main.group()
def dev() -> None:
    """Write a game, play it by bots alone, and measure."""


dev.add_command(bench)
dev.add_command(bot)


@dev.command("new-game")
@click.argument("name")
@click.option("--into", type=click.Path(path_type=Path), default=Path(), show_default="this folder")
def new_game(name: str, into: Path) -> None:
    """Write the package of a new game, which can be played at once, below a folder."""
    from pbem.stub import write

    try:
        written = write(name, into)
    except (ValueError, OSError) as error:
        raise click.ClickException(str(error)) from None
    for path in written:
        click.echo(path)
    click.echo(f"Install it with `pip install --no-deps --editable {into / name}`; then `pbem demo --title {name}`.")


def _missing_games() -> list[str]:
    """A sentence for each game of a package that could not be loaded."""
    from pbem.games import install_games

    return [
        f"The game {name} could not be loaded, and its tables are held: {fault}."
        for name, fault in install_games().items()
    ]


def _unnarrated_games() -> list[str]:
    """A sentence for each reason why a game cannot be told or shown."""
    from engine import GAMES
    from pbem.cli.game_check import list_problems

    return [line for title in GAMES for line in list_problems(title)]


@main.group()
def game() -> None:
    """Look at the games of this server."""


@game.command("list")
@click.option("--json", "as_json", is_flag=True)
def game_list(as_json: bool) -> None:
    """List all games and how far they have got."""
    from pbem.app import build_services
    from pbem.service.tasks.health import list_games

    for row in list_games(build_services(_settings(), "web")):
        click.echo(json.dumps(row) if as_json else "  ".join(str(value) for value in row.values()))


@game.command("types")
def game_types() -> None:
    """List the games that can be played; end with 1 if one cannot be loaded, told or shown."""
    from engine import GAMES
    from engine.kernel.languages import DEFAULT

    missing = _missing_games()
    for line in missing:
        click.echo(line, err=True)
    for title, rules in GAMES.items():
        click.echo(f"{title}  {rules.meta.version}  {rules.meta.title.printed(DEFAULT)}")
    found = _unnarrated_games()
    for line in found:
        click.echo(line, err=True)
    if missing or found:
        sys.exit(1)


@game.command("resume")
@click.argument("game_id", metavar="GAME")
def game_resume(game_id: str) -> None:
    """Let a game go on that stopped after too many failures; for when the trouble is mended."""
    from pbem.app import build_services
    from pbem.broker.task_queue import TaskQueue
    from pbem.service.tasks.resolve_game import resume_game

    settings = _settings()
    if not resume_game(build_services(settings, "web", TaskQueue(settings)), game_id):
        raise click.ClickException(f"There is no game {game_id} that could go on; pbem game list shows all.")
    click.echo("The game is tried again; pbem doctor says whether that helped.")


@game.command("accept-version")
@click.argument("title")
@click.confirmation_option(prompt="Did `pbem replay` find nothing that this version tells otherwise?")
def game_accept_version(title: str) -> None:
    """Let tables that are held for their game's version go on by the version that is installed."""
    from pbem.app import build_services
    from pbem.service.deadlines.interruptions import accept_version

    chosen = require_game_type(title)
    click.echo(f"{accept_version(build_services(_settings(), 'web'), chosen)} tables go on.")


game.add_command(list_channels)
game.add_command(print_discord_commands)
keys.add_command(enrol)


# --- without a server


@dev.command()
@click.argument("title")
@click.option("--players", type=click.IntRange(1, 6), default=4, show_default=True)
@click.option("--games", type=click.IntRange(1, 100_000), default=1, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True)
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the game.")
@click.option("--coverage", is_flag=True, help="Count how often each card, advance, event, form and ruling occurred.")
@click.option("--json", "as_json", is_flag=True)
def simulate(
    title: str, players: int, games: int, seed: int, options: tuple[str, ...], coverage: bool, as_json: bool
) -> None:
    """Play whole games with bots through the engine alone, and check every position."""
    from pbem.ops.simulation import simulate as play_games

    try:
        chosen = dict(_env_option(option) for option in options)
        result = play_games(
            title, players, games, seed, chosen, coverage=coverage, say=lambda t: click.echo(t, err=True)
        )
    except (ValueError, KeyError) as error:
        raise click.ClickException(str(error.args[0])) from None
    print_result(result, as_json)
    if result["problems"] or result["finished"] != games:
        sys.exit(1)


main.sections = {
    "For players": ("demo",),
    "For game masters": ("gm",),
    "For operators": (
        "setup", "up", "doctor", "backup", "restore", "upgrade",
        "game", "mail", "keys", "archive", "transfer", "run", "migrate",
    ),
    "For developers": ("try", "replay", "dev"),
}  # fmt: skip


if __name__ == "__main__":
    main()

"""The game masters' acts at the operator's command line: the same lines as in letters and on pages."""

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.terminal import load_settings_in

if TYPE_CHECKING:
    from pbem.narration.command_results import MasterText


@click.command("gm")
@click.argument("game_id", metavar="GAME")
@click.argument("lines", metavar="LINE", nargs=-1)
@click.option(
    "--as", "address", default="", metavar="ADDRESS", help="The master or player who acts; by default the first master."
)
@click.option("--confirm", default="", metavar="WORD", help="The word given for an act that asks twice.")
@click.option("--state", type=click.Path(path_type=Path), help="The folder of a server, such as the demo's.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def gm(game_id: str, lines: tuple[str, ...], address: str, confirm: str, state: Path | None, as_json: bool) -> None:
    """Carry out a game master's acts, one per LINE: `pbem gm GAME STATUS`, `pbem gm GAME HELP`.

    An act that asks twice prints a word; the same command with --confirm WORD carries it out.  Exits with 1 if an act
    was refused, with 2 if one waits to be confirmed or agreed to.
    """
    from pbem.app import build_services
    from pbem.broker.task_queue import TaskQueue
    from pbem.narration.command_results import build_text
    from pbem.service.base.services import RequestRefused
    from pbem.service.masters import api
    from pbem.service.masters.registry import OPERATOR

    settings = load_settings_in(state, "web")
    services = build_services(settings, "web", TaskQueue(settings))
    try:
        user = api.find_acting_master(services, game_id, address)
        asked = list(lines) or ["STATUS"]
        facts = api.execute(services, game_id, user, asked, confirm, OPERATOR)
    except RequestRefused as refused:
        raise click.ClickException(_problem_text(refused.code, game_id, address)) from None
    answer = build_text(facts)
    if as_json:
        click.echo(json.dumps(asdict(answer), ensure_ascii=False))
    else:
        _print_lines(answer)
    outcomes = {act.outcome for act in answer.acts}
    sys.exit(1 if "refused" in outcomes else 2 if outcomes & {"confirm", "agree"} else 0)


def _problem_text(code: str, game_id: str, address: str) -> str:
    """Why no act could be asked for."""
    return {
        "no_such_table": f"There is no game {game_id}; `pbem game list` lists them all.",
        "not_your_table": f"{address} has no role at game {game_id}: --as takes a master or a player of it.",
        "no_such_person": f"No player has the address {address}.",
    }.get(code, code)


def _print_lines(answer: "MasterText") -> None:
    """The answer, a line each."""
    for sentence in answer.lead:
        click.echo(sentence)
    for act in answer.acts:
        click.echo(f"{act.line or act.written}: {act.outcome}")
        for sentence in act.sentences:
            click.echo(f"  {sentence}")
        if act.outcome == "confirm":
            click.echo(f"  Not done yet; the same command with --confirm {act.word} does it, until {answer.until}.")
    for _, text in answer.skipped:
        click.echo(f"{text}: not read as an act")
    for line, about in answer.forms:
        click.echo(f"{line}: {about}")
    for line, about, example in answer.corrections:
        click.echo(f"{line}: {about}{f' For example: {example}' if example else ''}")

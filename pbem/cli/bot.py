"""The command that plays through the interface for programs."""

import random
import sys
from pathlib import Path

import click


def _language(context: click.Context, option: click.Parameter, tag: str | None) -> str:
    """A language that there is; looked up here, for a process of a server need not hold all games for it."""
    from engine.kernel.languages import DEFAULT, LANGUAGES

    if tag is not None and tag not in LANGUAGES:
        raise click.BadParameter(f"“{tag}” is not one of {', '.join(LANGUAGES)}.")
    return tag or DEFAULT


@click.command("bot")
@click.option("--url", required=True, help="The server, as in https://games.example.org.")
@click.option("--token", default="", help="A token from your settings page; - reads it from standard input.")
@click.option(
    "--token-file", type=click.Path(path_type=Path, dir_okay=False, exists=True), help="A file that holds the token."
)
@click.option("--once", is_flag=True, help="Answer the orders due now, then stop.")
@click.option("--every", type=click.FloatRange(min=1), default=60.0, show_default=True, help="Seconds between checks.")
@click.option("--language", metavar="TAG", callback=_language, help="The language of the lines; by default the first.")
@click.option("--seed", type=int, help="Choose the same lines each time.")
@click.option("--in-the-clear", is_flag=True, help="Send the token over http:// to another machine anyway.")
def bot(
    url: str,
    token: str,
    token_file: Path | None,
    once: bool,
    every: float,
    language: str,
    seed: int | None,
    in_the_clear: bool,
) -> None:
    """Play likely lines through a server's interface for programs, with a token that may play.

    Everyone on the machine can read a command line: prefer --token - or --token-file.
    """
    from http.client import HTTPException

    from pbem.bot import ApiError, BadAddress, Bot, Client, play_forever

    try:
        client = Client(url, _token(token, token_file), language, in_the_clear)
        player = Bot(client, random.Random(seed), click.echo)  # noqa: S311 - it chooses lines, no secret
        if not once:
            play_forever(player, every)
        answered = player.once()
    except BadAddress as error:
        raise click.ClickException(str(error)) from None
    except ApiError as refusal:
        raise click.ClickException(f"{refusal} {refusal.problem.get('instead', '')}".strip()) from None
    except (OSError, HTTPException) as error:
        raise click.ClickException(f"The server could not be reached: {type(error).__name__}.") from None
    except KeyboardInterrupt:
        return
    click.echo(f"answered: {answered}")


def _token(token: str, file: Path | None) -> str:
    """The token from the option, the file or standard input; raises ClickException for none, or for two."""
    if bool(token) == (file is not None):
        raise click.ClickException("Give the token once: --token TOKEN, --token - or --token-file FILE.")
    if file is not None:
        token = file.read_text(encoding="utf-8", errors="replace")
    elif token == "-":  # noqa: S105 - it says where the token comes from
        token = sys.stdin.readline()
    found = token.strip()
    if not found or not found.isascii() or not found.isprintable():
        raise click.ClickException("That is not a token: copy the whole token from your settings page.")
    return found

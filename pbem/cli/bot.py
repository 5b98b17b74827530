"""The command that plays through the interface for programs."""

import random
from typing import IO

import click


def _language(context: click.Context, option: click.Parameter, tag: str | None) -> str:
    """A language that there is; looked up here, for a process of a server need not hold all games for it."""
    from engine.kernel.languages import DEFAULT, LANGUAGES

    if tag is not None and tag not in LANGUAGES:
        raise click.BadParameter(f"“{tag}” is not one of {', '.join(LANGUAGES)}.")
    return tag or DEFAULT


@click.command("bot")
@click.option("--url", required=True, help="The server, as in https://games.example.org.")
@click.option(
    "--token-file",
    type=click.File(encoding="utf-8", errors="replace"),
    required=True,
    help="A file that holds a token from your settings page; - is standard input.",
)
@click.option("--once", is_flag=True, help="Answer the orders due now, then stop.")
@click.option("--every", type=click.FloatRange(min=1), default=60.0, show_default=True, help="Seconds between checks.")
@click.option("--language", metavar="TAG", callback=_language, help="The language of the lines; by default the first.")
def bot(url: str, token_file: IO[str], once: bool, every: float, language: str) -> None:
    """Play likely lines through a server's interface for programs, with a token that may play."""
    from http.client import HTTPException

    from pbem.bot import ApiError, BadAddress, Bot, Client, play_forever

    try:
        client = Client(url, _read_token(token_file), language)
        player = Bot(client, random.Random(), click.echo)  # noqa: S311 - it chooses lines, no secret
        if not once:
            play_forever(player, every)
        answered = player.play_once()
    except BadAddress as error:
        raise click.ClickException(str(error)) from None
    except ApiError as refusal:
        raise click.ClickException(f"{refusal} {refusal.problem.get('instead', '')}".strip()) from None
    except (OSError, HTTPException) as error:
        raise click.ClickException(f"The server could not be reached: {type(error).__name__}.") from None
    except KeyboardInterrupt:
        return
    click.echo(f"answered: {answered}")


def _read_token(file: IO[str]) -> str:
    """Read the token; raises ClickException if the file holds none."""
    token = file.readline().strip()
    if not token or not token.isascii() or not token.isprintable():
        raise click.ClickException("That is not a token: copy the whole token from your settings page.")
    return token

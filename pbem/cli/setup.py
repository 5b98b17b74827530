"""`pbem setup`: five questions, a letter to ourselves, and a server at home that can be started."""

import sys
from pathlib import Path

import click


@click.command()
@click.option("--folder", type=click.Path(path_type=Path), default=Path("~/pbem"), show_default=True, help="Where.")
@click.option("--address", help="The mailbox of the games; asked for if not given, like all that follows.")
@click.option("--password-file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--incoming", metavar="HOST[:PORT]", help="The server that letters are fetched from, by IMAP.")
@click.option("--outgoing", metavar="HOST[:PORT]", help="The server that letters are sent through.")
@click.option("--catch-all/--plus", default=None, help="Whether all addresses of the domain come to this mailbox.")
@click.option("--url", default="http://127.0.0.1:8000", show_default=True, help="The address of the pages.")
@click.option("--zone", help="The time zone of people who have not said theirs; by default this machine's.")
@click.option("--wait", type=click.IntRange(1, 3600), default=120, show_default=True, help="Seconds for the letter.")
def setup(
    folder: Path,
    address: str | None,
    password_file: Path | None,
    incoming: str | None,
    outgoing: str | None,
    catch_all: bool | None,
    url: str,
    zone: str | None,
    wait: int,
) -> None:
    """Set up a server at home: one machine, one user, and an ordinary mailbox in place of a mail server."""
    from pbem.config.env_reader import ConfigError
    from pbem.ops import setup_home
    from pbem.ops.servers import ServerError, find_server

    try:
        find_server("valkey-server")
        place = setup_home.require_empty_folder(folder)
        ours = setup_home.parse_address(address or click.prompt("1. The mailbox of the games, one of their own"))
        domain = ours.rpartition("@")[2]
        password = _read_password(password_file)
        fetched = incoming or click.prompt("3. The server that letters are fetched from", f"imap.{domain}:993")
        sent = outgoing or click.prompt("4. The server that letters are sent through", f"smtp.{domain}:465")
        whole = click.confirm(f"5. Do all addresses of {domain} come to it?") if catch_all is None else catch_all
        answers = setup_home.SetupAnswers(
            ours,
            password,
            setup_home.guess_server(fetched, 993),
            setup_home.guess_server(sent, 465),
            setup_home.guess_name(ours, catch_all=whole),
        )
        click.echo("A letter goes out to ourselves, and should come in again ...")
        others = setup_home.probe_mailbox(answers, wait)
        env = setup_home.write_configuration(place, answers, url, zone or setup_home.local_zone())
    except (setup_home.SetupError, ServerError, ConfigError) as error:
        raise click.ClickException(str(error)) from None
    click.echo(_print_sentence(env, url, others))


def _read_password(file: Path | None) -> str:
    if file is not None:
        return file.read_text(encoding="utf-8").split("\n", 1)[0]
    return str(click.prompt("2. Its password, or one for programs", hide_input=sys.stdin.isatty()))


def _print_sentence(env: Path, url: str, others: int) -> str:
    """What to do next."""
    apart = f"{others} letters lie in the mailbox: what is not the games' goes to its folder “Not ours”.\n"
    return (
        "It came: letters go out and come in.\n"
        f"{apart if others else ''}"
        f"Everything is in {env.parent}. Now:\n"
        f"  1. Start the server:  pbem --env {env} up\n"
        f"  2. Open {url}, sign in with your own address (the link comes by letter), make a table, invite.\n"
        f"  3. Keep a copy of {env.parent / 'keys'} elsewhere: without it nothing that was sealed can be opened.\n"
        "Your players need letters only. For pages that they can open, let a tunnel with https lead to this machine,\n"
        f"and set PBEM_PUBLIC_URL in {env.name} to its address."
    )

"""`pbem setup`: a few questions, a letter to ourselves, and a server at home that can be started."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from pbem.ops.setup_home import SetupAnswers

LOCAL_URL = "http://127.0.0.1:8000"
"""Where the pages are for who sits at this machine."""
_WEB = """6. Can your friends open this machine's pages by the web? If so, their address, such as https://games.example.org.
   If not, press Enter: then letters hold no web links, and everything in them is answered by letter"""


@dataclass
class _Answers:
    """What was given by options or typed; None: still to be asked. `typed`: those that can be asked again."""

    address: str | None
    password: str | None
    incoming: str | None
    outgoing: str | None
    catch_all: bool | None
    typed: frozenset[str] = frozenset()

    def ask(self) -> None:
        """Ask for what is missing."""
        before = {"address": self.address, "password": self.password, "incoming": self.incoming}
        before["outgoing"] = self.outgoing
        self.typed |= {name for name, value in before.items() if value is None}
        self.address = self.address or click.prompt("1. The mailbox of the games, one of their own")
        domain = self.address.rpartition("@")[2]
        self.password = self.password or str(
            click.prompt("2. Its password, or one for programs", hide_input=sys.stdin.isatty())
        )
        self.incoming = self.incoming or click.prompt(
            "3. The server that letters are fetched from", f"imap.{domain}:993"
        )
        self.outgoing = self.outgoing or click.prompt(
            "4. The server that letters are sent through", f"smtp.{domain}:465"
        )
        if self.catch_all is None:
            self.catch_all = click.confirm(f"5. Do all addresses of {domain} come to it?")

    def can_repeat(self, question: str) -> bool:
        """Forget the answer that was wrong, and return True; False where it was not typed.

        With a password the address may be wrong, which is asked again too.
        """
        if question not in self.typed:
            return False
        names = ("address", "password") if question == "password" and "address" in self.typed else (question,)
        for name in names:
            setattr(self, name, None)
        return True

    def parse(self) -> "SetupAnswers":
        """Return the answers; raises SetupError."""
        from pbem.ops import setup_home

        address = setup_home.parse_address(self.address or "")
        return setup_home.SetupAnswers(
            address,
            self.password or "",
            setup_home.guess_server(self.incoming or "", 993, "incoming"),
            setup_home.guess_server(self.outgoing or "", 465, "outgoing"),
            setup_home.guess_name(address, catch_all=bool(self.catch_all)),
        )


@click.command()
@click.option("--folder", type=click.Path(path_type=Path), default=Path("~/pbem"), show_default=True, help="Where.")
@click.option("--address", help="The mailbox of the games; asked for if not given, like all that follows.")
@click.option("--password-file", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--incoming", metavar="HOST[:PORT]", help="The server that letters are fetched from, by IMAP.")
@click.option("--outgoing", metavar="HOST[:PORT]", help="The server that letters are sent through.")
@click.option("--catch-all/--plus", default=None, help="Whether all addresses of the domain come to this mailbox.")
@click.option("--url", help=f"The pages' address for your friends; {LOCAL_URL} if they cannot open any.")
@click.option("--person", help="Your own address: who is told when something is wrong, and whom players can write to.")
@click.option("--login/--no-login", default=None, help="Whether it is started now and whenever you log in (systemd).")
@click.option("--zone", help="The time zone of people who have not said theirs; by default this machine's.")
@click.option("--wait", type=click.IntRange(1, 3600), default=120, show_default=True, help="Seconds for the letter.")
def setup(
    folder: Path,
    address: str | None,
    password_file: Path | None,
    incoming: str | None,
    outgoing: str | None,
    catch_all: bool | None,
    url: str | None,
    person: str | None,
    login: bool | None,
    zone: str | None,
    wait: int,
) -> None:
    """Set up a server at home: one machine, one user, and an ordinary mailbox in place of a mail server."""
    from pbem.config.env_reader import ConfigError
    from pbem.ops import setup_home
    from pbem.ops.servers import ServerError, find_server

    password = password_file.read_text(encoding="utf-8").split("\n", 1)[0] if password_file is not None else None
    asked = _Answers(address, password, incoming, outgoing, catch_all)
    try:
        find_server("valkey-server")
        place = setup_home.require_empty_folder(folder)
        answers, others = _ask_and_probe(asked, wait)
        pages = setup_home.parse_url(url if url is not None else click.prompt(_WEB, "", show_default=False), LOCAL_URL)
        owner = person if person is not None else click.prompt("7. Your own address", "", show_default=False)
        owner = setup_home.parse_address(owner) if owner else ""
        env = setup_home.write_configuration(place, answers, pages, zone or setup_home.local_zone(), owner)
    except (setup_home.SetupError, ServerError, ConfigError) as error:
        raise click.ClickException(str(error)) from None
    click.echo(_print_sentence(env, pages, others, _start_at_login(env, login)))


def _start_at_login(env: Path, wanted: bool | None) -> str:
    """Start the server now and at each log-in if that is wanted and systemd can; returns how it is started."""
    from pbem.config.settings import current_environment
    from pbem.ops import service_manager

    by_hand = f"Start the server:  {_call(env)} up"
    variables = current_environment()
    if not service_manager.has_user_manager(variables):
        return f"{by_hand}\n     At each start of this machine, by crontab -e:  {service_manager.login_line(env)}"
    if wanted is None:
        wanted = click.confirm("8. Start the server now, and whenever you log in?", default=True)
    if not wanted:
        return by_hand
    try:
        unit = service_manager.start_at_login(env, variables)
    except (service_manager.ServiceError, OSError) as error:
        click.echo(f"It is not started at log-in: {error}", err=True)
        return by_hand
    return (
        f"It runs, by {unit}; systemctl --user stop {unit.name} stops it.\n"
        "     loginctl enable-linger lets it run while you are not logged in."
    )


def _ask_and_probe(asked: _Answers, wait: int) -> "tuple[SetupAnswers, int]":
    """Ask until a letter goes out and comes in; an answer that is wrong is asked again, and the others stay.

    Returns the answers, and how many other letters lie in the mailbox. Raises SetupError for what was not typed.
    """
    from pbem.ops import setup_home

    while True:
        asked.ask()
        try:
            answers = asked.parse()
            click.echo("A letter goes out to ourselves, and should come in again ...")
            return answers, setup_home.probe_mailbox(answers, wait)
        except setup_home.SetupError as error:
            if not asked.can_repeat(error.question):
                raise
            click.echo(f"{error}\nAgain:", err=True)


def _call(env: Path) -> str:
    """How our commands are called for this server: without a word more where they look for it by themselves."""
    from pbem.cli.terminal import SETTINGS_FILES

    return "pbem" if env in map(Path.expanduser, SETTINGS_FILES) else f"pbem --env {env}"


def _print_sentence(env: Path, url: str, others: int, started: str) -> str:
    """What to do next; `started`: how the server is started."""
    apart = f"{others} letters lie in the mailbox: what is not the games' goes to its folder “Not ours”.\n"
    pages = (
        "Your players need letters only. If they are to open pages, let a tunnel with https lead to this machine,\n"
        f"and set PBEM_PUBLIC_URL in {env.name} to its address."
        if url == LOCAL_URL
        else f"Let {url} lead to 127.0.0.1:8000 of this machine: letters hold links to it."
    )
    return (
        "It came: letters go out and come in.\n"
        f"{apart if others else ''}"
        f"Everything is in {env.parent}. Now:\n"
        f"  1. {started}\n"
        f"  2. Open {LOCAL_URL}, sign in with your own address (the link comes by letter), make a table, invite.\n"
        f"  3. Keep a copy of {env.parent / 'keys'} elsewhere: without it nothing that was sealed can be opened.\n"
        f"  4. Back it up (it does so each day, into {env.parent / 'backups'}):  {_call(env)} backup FILE\n"
        f"     Put a backup back:  {_call(env)} restore FILE\n"
        f"     Upgrade, once a new version is installed:  {_call(env)} upgrade\n"
        f"     Move: stop it, copy {env.parent} to the same place on the other machine, install and start it there.\n"
        f"{pages}"
    )

"""A real server on the loopback: all its processes, its broker, its mail; and players who answer their letters.

Everything that is left to chance comes out the same each time, so that two servers play the same game: the bytes of
`same-chance` for keys of luck, and players who always take the first line that their letter offers.
"""

import itertools
import math
import os
import re
import signal
import smtplib
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psutil
from sqlalchemy import func, select, text, update

from engine import GAMES
from engine.kernel.codec import dump
from pbem.app import build_services
from pbem.broker.task_queue import TaskQueue
from pbem.config.settings import Settings
from pbem.demo.players import reply_to, template_lines
from pbem.demo.post_office import Mail, PostOffice
from pbem.demo.run import settings_of
from pbem.ops.servers import Child, Postgres
from pbem.ops.supervisor import ROLES, Supervisor, role_command
from pbem.service.access import users
from pbem.service.base.services import Services
from pbem.service.game.journal import load_entry, load_game_keys, load_state
from pbem.service.mail import daily_keys
from pbem.service.seats import tables
from pbem.store.models import Game, InboundEmail, OutboundEmail
from pbem.store.schema import upgrade
from tests.bot_games import nearest


class UnforkedSupervisor(Supervisor):
    """The same processes, each begun by a command line of its own, in an environment that a test may add to."""

    def command(self, role: str) -> list[str]:
        """How a process is begun."""
        return role_command(role)

    def variables(self) -> Mapping[str, str]:
        """What its environment has besides."""
        return {}

    def _launch(self, role: str) -> None:
        heard = {"NOTIFY_SOCKET": str(self._listeners[role].place)}
        child = Child(role, self.logs / f"{role}.log", signal.SIGKILL)
        child.launch(self.command(role), {**self._environment(), **self.variables(), **heard})
        self.children[role] = child
        self._began[role] = time.monotonic()
        self._heard_at[role] = self._began[role] + PATIENCE_S


PEOPLE = tuple(f"{name}@players.localhost" for name in "anna bruno cleo dora emil fanny gaspard".split())
ADDRESSES = PEOPLE[:3]
"""Who plays a game that three can play."""
LANGUAGES = ("fr", "en")
OPERATOR = "root@players.localhost"
TABLE = "Rose"
"""What the table is called."""
REACTIONS = {
    "age_of_renaissance": "ON CIVIL WAR: MONEY",
    "renaissance": "ON SALES: SELL attacker",
    "patchistory": "ON NEGOTIATION: PEACE",
    "amalfi": "ON LIGHTHOUSE: ERECT Ragusa",
}
"""A line for each game that may be sent beside any orders: an answer to a question that is not asked yet."""
OPTIONS: Mapping[str, Mapping[str, str]] = {"amalfi": {"hands": "blind", "pace": "sealed"}}
"""Options with which a game asks all its players at once, where it usually asks one after the other."""
PATIENCE_S = 300.0
"""How long anything may take on a busy machine."""
SWEEP_S = 0.3
"""How often all work in hand is made to look old while a test waits for quiet."""
AN_AGE_MS = 600_000
"""Longer than any claim and any patience of the server."""


@dataclass(frozen=True)
class Outcome:
    """What a game has come to: where it stands, every draw, and the letters that told it."""

    entry: int
    position: str
    draws: tuple[Any, ...]
    gates: tuple[str, ...]
    reports: frozenset[str]
    receipts: tuple[int, ...]


@dataclass
class Server:
    """One server with one game; made by `opened`."""

    settings: Settings
    title: str
    game: str = ""
    written: dict[str, list[bytes]] = field(init=False)
    resent: int = 0
    """How often a connection to the door broke before it had said yes."""
    pids: dict[str, int] = field(default_factory=dict)
    deaths: list[str] = field(default_factory=list)
    answered: set[str] = field(default_factory=set)
    watch: Callable[[], None] = lambda: None

    def __post_init__(self) -> None:
        self.written = {address: [] for address in self.players}

    @property
    def players(self) -> tuple[str, ...]:
        """The addresses of who plays: three people, or as many as the game needs."""
        return PEOPLE[: nearest(GAMES[self.title], len(ADDRESSES))]

    def start(self, roles: Sequence[str]) -> None:
        """Open the players' post office, then the server."""
        relay = self.settings.relay
        assert relay is not None
        self.post = PostOffice(self.settings.state_dir / "mailboxes", relay.port, lambda mail: None)
        self.post.start()
        self.server = Supervisor(self.settings, roles, 0.0)
        self.server.start()
        self.services: Services = build_services(self.settings, "web", TaskQueue(self.settings))

    def stop(self) -> None:
        """Stop everything that was started."""
        self.server.stop()
        self.post.stop()
        self.services.db.close()

    # --- waiting

    def until(self, what: str, ready: Callable[[], bool]) -> None:
        """Keep the server's processes alive until something is so."""
        end = time.monotonic() + PATIENCE_S
        while not ready():
            self.check_processes()
            assert time.monotonic() < end, f"{self.troubles()}\n{what} did not come about"
            time.sleep(0.05)

    def check_processes(self) -> None:
        """Start again what has died, as an operator does."""
        self.server.check_processes()
        pids = self.server.pids()
        self.deaths += [role for role, pid in pids.items() if self.pids.get(role, pid) != pid]
        self.pids.update(pids)
        self.watch()

    def kill(self, *roles: str) -> None:
        """End processes as a crash would."""
        for role in roles:
            self.signal(role, signal.SIGKILL)

    def signal(self, role: str, which: signal.Signals) -> None:
        """Send a signal to a process."""
        os.kill(self.server.pids()[role], which)

    def hold(self, *roles: str) -> None:
        """Let processes stand still until `play_on`, none of them within a transaction that writes.

        SQLite has one lock for all who write: a process that stood still with it would stop the whole server.  Nobody
        starts them again, however long they give no sign of life.
        """
        self.server.silent_s = math.inf
        with self.services.db.transaction() as session:
            session.connection()
            for role in roles:
                self.signal(role, signal.SIGSTOP)
                self.until(f"the rest of {role}", partial(_is_stopped, self.server.pids()[role]))

    def go_on(self, *roles: str) -> None:
        """Let processes that stand still go on."""
        for role in roles:
            self.signal(role, signal.SIGCONT)

    def quiet(self) -> bool:
        """Return True if every process runs and nothing is left to do: no letter in or out, no wish to play."""
        if len(self.server.pids()) <= len(self.server.roles):
            return False
        with self.services.db.snapshot() as session:
            letters = session.scalar(
                select(func.count())
                .select_from(OutboundEmail)
                .where(OutboundEmail.state.in_(("queued", "rendered", "held")))
            )
            arrived = session.scalar(
                select(func.count()).select_from(InboundEmail).where(InboundEmail.state == "received")
            )
            wanted = session.scalar(
                select(func.count()).select_from(Game).where(Game.resolve_requested_at.is_not(None))
            )
        return not (letters or arrived or wanted)

    def settle(self) -> None:
        """Wait until nothing is left to do; what a dead process held is found sooner, for time is made to pass."""
        now = time.monotonic()

        def calm() -> bool:
            nonlocal now
            if time.monotonic() - now > SWEEP_S:
                now = time.monotonic()
                self.pass_time()
            return self.quiet()

        self.until("quiet", calm)

    def pass_time(self) -> None:
        """Make all work in hand look old, so that the sweep need not wait for claims to run out.

        One transaction each: a worker that holds a game waits for its letters, and must not be waited for meanwhile.
        """
        now = self.services.now()
        waiting = OutboundEmail.state.in_(("queued", "rendered", "held"))
        held = OutboundEmail.claimed_at < now - 1000
        wanted = Game.resolve_requested_at.is_not(None)
        for aged in (
            update(InboundEmail).values(received_at=InboundEmail.received_at - AN_AGE_MS),
            update(OutboundEmail).where(held).values(claimed_at=OutboundEmail.claimed_at - AN_AGE_MS),
            update(OutboundEmail).where(waiting, OutboundEmail.due_at >= now).values(due_at=now - 1),
            update(Game)
            .where(wanted)
            .values(resolve_requested_at=Game.resolve_requested_at - AN_AGE_MS, resolve_attempts=0),
        ):
            with self.services.db.transaction() as session:
                session.execute(aged)
        self.services.enqueue("requeue_stuck_work", "")

    def troubles(self) -> str:
        """What stands in the way, for the message of a test that fails."""
        with self.services.db.snapshot() as session:
            games = session.execute(
                text("select state, entry, resolve_requested_at, resolve_attempts, failure from games")
            ).all()
            post = session.execute(text("select key, state, error from outbound_emails where state != 'sent'")).all()
            letters = session.execute(
                text("select id, state, error from inbound_emails where state != 'processed'")
            ).all()
        logs = {log.stem: log.read_text(errors="replace")[-500:] for log in sorted(self.server.logs.iterdir())}
        taken = f"{self.taken_in()} taken in, {self.deaths} died, {self.resent} sent again"
        return f"games {games}, letters out {post}, in {letters}, {taken}, processes {self.server.pids()}, logs {logs}"

    def can_seal(self) -> bool:
        """Return True if post has made the key of today."""
        with self.services.db.snapshot() as session:
            return daily_keys.current(session) is not None

    def has_lost(self, processes: int) -> bool:
        """Return True if so many processes have died so far."""
        return len(self.deaths) >= processes

    # --- playing

    def deal(self, options: Mapping[str, str] | None = None) -> None:
        """A table, created by the host and joined by letters."""
        self.until("a key to seal letters to", self.can_seal)
        with self.services.db.transaction() as session:
            people = [
                users.get_or_create_user(self.services, session, address, address.partition("@")[0].title(), language)
                for address, language in zip(self.players, itertools.cycle(LANGUAGES))
            ]
        chosen = dict(options or OPTIONS.get(self.title, {}))
        self.game = tables.create(self.services, people[0].id, self.title, TABLE, len(self.players), chosen)
        tables.invite(self.services, self.game, people[0].id, self.players[1:])
        self.until("the invitations", lambda: all(self.post.boxes.get(address) for address in self.players[1:]))
        for address in self.players[1:]:
            self.write(address, self.post.boxes[address][0], [f"JOIN {address[::-1].partition('@')[2]}"])
        self.until("the deal", lambda: any(map(self.last_question, self.players)))
        self.settle()

    def last_question(self, address: str) -> Mail | None:
        """The newest letter to somebody that asks for orders and was not answered yet."""
        box = self.post.boxes.get(address, [])
        last = next((mail for mail in reversed(box) if _read_contents(mail).report), None)
        return (
            last
            if last is not None and _read_contents(last).asks and _read_contents(last).key not in self.answered
            else None
        )

    def round(
        self,
        extra: Callable[[str, int], Iterable[str]] = lambda address, number: (),
        before: Callable[[int], None] = lambda number: None,
    ) -> None:
        """Every player who is asked answers their last letter, once all have come; then all that follows happens.

        `extra`: what else a player writes. `before` is called before each letter is sent, with its number.
        """
        self.until("a question", lambda: any(map(self.last_question, self.players)))
        self.settle()
        self.answer_all(extra, before)
        self.settle()

    def answer_all(
        self,
        extra: Callable[[str, int], Iterable[str]] = lambda address, number: (),
        before: Callable[[int], None] = lambda number: None,
    ) -> None:
        """Every player who is asked answers their last letter, and nobody waits for what follows."""
        questions = {address: self.last_question(address) for address in self.players}
        for number, (address, mail) in enumerate(questions.items()):
            if mail is not None:
                before(number)
                lines = [lines[0] for lines in template_lines(mail.text)]
                self.write(address, mail, [*lines, *extra(address, number)])

    def write(self, address: str, mail: Mail, lines: Sequence[str]) -> None:
        """Answer a letter; where the door dies with it, the same letter is sent again, as mail servers do."""
        message = mail.message()
        self.answered.add(str(message["Message-ID"]))
        answer = EmailMessage()
        answer["From"], answer["To"] = address, reply_to(message)
        answer["Subject"] = "Re: the game"
        answer["Message-ID"] = f"<{address.partition('@')[0]}.{len(self.written[address])}@players.localhost>"
        answer.set_content("\n".join(lines) + "\n")
        wire = answer.as_bytes()
        self.written[address].append(wire)
        self.until("a letter's reception", partial(self._sent, address, reply_to(message), wire))

    def _sent(self, sender: str, recipient: str, wire: bytes) -> bool:
        entrance = self.settings.smtp_listen
        assert entrance is not None
        try:
            line = smtplib.SMTP(entrance.host, entrance.port, timeout=60)
        except (OSError, smtplib.SMTPException):  # it does not answer yet, or is dying and answers no more
            return False
        try:
            with line:
                line.sendmail(sender, [recipient], wire)
        except (OSError, smtplib.SMTPException):
            self.resent += 1
            return False
        return True

    # --- what came of it

    def taken_in(self) -> int:
        """How many letters the door has stored."""
        with self.services.db.snapshot() as session:
            return session.scalar(select(func.count()).select_from(InboundEmail)) or 0

    def outcome(self) -> Outcome:
        """Where the game stands, opened with the keys of play."""
        services = build_services(self.settings, "resolver")
        with services.db.snapshot() as session:
            game = session.get_one(Game, self.game)
            keys = load_game_keys(services, game)
            records = [load_entry(session, keys, game, number) for number in range(1, game.entry + 1)]
            position = dump(load_state(session, keys, game))
        services.db.close()
        boxes = self.post.boxes.items()
        mails = {address: [_untimed(str(mail.message()["Message-ID"])) for mail in box] for address, box in boxes}
        return Outcome(
            game.entry,
            position,
            tuple(record.draws for record in records),
            tuple(record.gate for record in records),
            frozenset(key for box in mails.values() for key in box if not key.startswith("<receipt.")),
            tuple(sum(key.startswith("<receipt.") for key in mails.get(address, ())) for address in self.players),
        )


def _untimed(key: str) -> str:
    """The key of an email without the moment that those of an invitation hold: no two servers send it at the same."""
    return re.sub(r"\.\d{13}(?=\.)", "", key)


@dataclass(frozen=True)
class MailContents:
    """What a waiting test asks of a letter again and again: is it a report, does it ask for orders, its key."""

    report: bool
    asks: bool
    key: str


@cache
def _read_contents(mail: Mail) -> MailContents:
    message = mail.message()
    report = str(message["Auto-Submitted"]) == "auto-generated"
    return MailContents(report, report and bool(template_lines(mail.text)), str(message["Message-ID"]))


def _is_stopped(pid: int) -> bool:
    return bool(psutil.Process(pid).status() == psutil.STATUS_STOPPED)


@contextmanager
def kept_on(kind: str) -> Iterator[str]:
    """Where a server keeps what it knows, on `sqlite` or `postgresql`; empty for its own file."""
    if kind == "sqlite":
        yield ""
        return
    with Postgres() as found:
        yield found.url


def opened(
    folder: Path, title: str, words: str = "the same chance for all", database: str = "", workers: int = 1
) -> Server:
    """A server for a game of this title in a folder, not started yet; `database`: where it keeps what it knows.

    `workers`: how many of post, and of play.
    """
    settings = settings_of(folder)
    many = {
        "PBEM_MAILER_WORKERS": str(workers),
        "PBEM_RESOLVER_WORKERS": str(workers),
        "PBEM_OPERATOR_EMAILS": OPERATOR,
    }
    kept = {"PBEM_DATABASE_URL": database} if database else {}
    settings = Settings.from_env({**settings.variables, **many, **kept})
    (folder / "same-chance").write_text(words, encoding="ascii")
    upgrade(settings.database_url)
    return Server(settings, title)


@contextmanager
def running(title: str, database: str = "", workers: int = 1) -> Iterator[Server]:
    """All processes of a server, with a game dealt; stopped at the end."""
    with TemporaryDirectory(prefix="pbem-st-") as folder:
        server = opened(Path(folder), title, database=database, workers=workers)
        server.start(ROLES)
        try:
            server.deal()
            yield server
        finally:
            server.stop()

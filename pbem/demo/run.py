"""The demo: a server, a table of players who write letters, and an end that can be measured."""

import json
import random
import secrets
import signal
import smtplib
import sys
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from itertools import cycle, islice
from pathlib import Path

import click

from engine.kernel.languages import LANGUAGES
from pbem.app import build_services, prepare_worker
from pbem.broker.task_queue import TaskQueue
from pbem.config.settings import Settings
from pbem.crypto import KeyFolder
from pbem.demo.mailbox import Mailbox
from pbem.demo.players import Player
from pbem.demo.post_office import Mail, PostOffice
from pbem.ops.servers import free_port
from pbem.ops.supervisor import Supervisor
from pbem.service.access import users
from pbem.service.base.services import Services
from pbem.service.pages.game_summary import load_progress
from pbem.service.seats import sign_in, tables
from pbem.store.schema import upgrade

ME = "you@players.localhost"
USUAL_PLAYERS = 4
NAMES = ("Romain", "Roland", "Édouard", "Aliénor", "Dante", "Greta", "Inès")
SPOKEN = tuple(islice(cycle(LANGUAGES), len(NAMES)))
WATCH_S = 0.5


@dataclass
class Demo:
    """A running demo."""

    settings: Settings
    players: int
    title: str
    auto: bool
    say: Callable[[str], None]
    server: Supervisor = field(init=False)
    post: PostOffice = field(init=False)
    services: Services = field(init=False)
    seats: dict[str, Player] = field(default_factory=dict)
    game: str = ""
    began: float = 0.0
    host: int = 0
    over: bool = False
    first_turn: int = 0
    """0 before the first turn; a game may call it 1901."""
    started: ExitStack = field(default_factory=ExitStack)
    """Stops what has been started so far, the last first."""

    def start(self) -> None:
        """Start the server and the post office, deal a game, let the players answer their invitations."""
        self.began = time.monotonic()
        relay, smtp = self.settings.relay, self.settings.smtp_listen
        if relay is None or smtp is None:
            raise LookupError("the demo needs an entrance and a relay")
        self.services = build_services(self.settings, "web", TaskQueue(self.settings))
        self.started.callback(self.services.db.close)
        self.post = PostOffice(self.settings.state_dir / "mailboxes", relay.port, self._arrived)
        self.post.start()
        self.started.callback(self.post.stop)
        prepare_worker(self.settings, "mailer")
        self.server = Supervisor(self.settings)
        self.started.callback(self.server.stop)
        self.server.start()
        self.say("The server is up: broker, web, smtp, mailer, resolver and scheduler.")
        self._seat(smtp.port)

    def _seat(self, port: int) -> None:
        chance = random.SystemRandom()
        addresses = [ME, *(f"player{number}@players.localhost" for number in range(2, self.players + 1))]
        for address, name in zip(addresses, NAMES, strict=False):
            if address != ME or self.auto:
                seed = chance.getrandbits(64)
                self.seats[address] = Player(address, name, port, random.Random(seed))  # noqa: S311
        with self.services.db.transaction() as session:
            host, *guests = (
                users.get_or_create_user(self.services, session, address, name, language, "Europe/Paris")
                for address, name, language in zip(addresses, NAMES, SPOKEN, strict=False)
            )
        self.host = host.id
        self.game = tables.create(self.services, host.id, self.title, "Rose", self.players, {})
        tables.invite(self.services, self.game, host.id, [guest.email for guest in guests])

    def _arrived(self, mail: Mail) -> None:
        player = self.seats.get(mail.to)
        if player is not None:
            threading.Thread(target=self._answer, args=(player, mail), daemon=True).start()

    def _answer(self, player: Player, mail: Mail) -> None:
        for wait in (0.5, 2.0, 5.0):
            try:
                return player.read(mail)
            except (OSError, smtplib.SMTPException):  # the smtp process is being started again, or the demo is over
                if self.over:
                    return None
                time.sleep(wait)
        return self.say(f"A letter of {player.name} could not be sent.")

    def watch(self, turns: int) -> bool:
        """Show progress until so many turns are over or the game is; False if nothing moves any more."""
        shown, moved = -1, time.monotonic()
        while True:
            time.sleep(WATCH_S)
            self.server.check_processes()
            now = load_progress(self.services, self.game)
            if now.entry != shown:
                shown, moved = now.entry, time.monotonic()
                self.say(f"turn {now.turn}, entry {now.entry}: {now.letters_in} letters in, {now.reports} reports")
            self.first_turn = self.first_turn or now.turn
            if now.is_over or (self.first_turn and now.turn >= self.first_turn + turns):
                return True
            if time.monotonic() - moved > 120:
                return False

    def result(self) -> dict[str, object]:
        """What was played, in numbers."""
        now = load_progress(self.services, self.game)
        return {
            "game": self.title,
            "turns": now.turn - self.first_turn + now.is_over,
            "gates": now.entry,
            "letters_in": now.letters_in,
            "receipts": now.receipts,
            "reports": now.reports,
            "seconds": round(time.monotonic() - self.began, 1),
        }

    def stop(self) -> None:
        """Stop everything that was started."""
        self.over = True
        self.started.close()


def settings_of(state: Path, *, pictures: bool = False) -> Settings:
    """The demo's settings: everything in one folder, on free ports of the loopback; keys are made if there are none."""
    settings = Settings.with_embedded(
        state,
        http_port=free_port(),
        smtp_port=free_port(),
        lmtp_port=free_port(),
        relay_port=free_port(),
        pictures=pictures,
    )
    if not settings.keys_dir.exists():
        KeyFolder.create(settings.keys_dir)
    return settings


def run(state: Path, *, title: str, players: int, turns: int, auto: bool, as_json: bool) -> int:
    """Play the demo; the exit code."""
    folder = state / f"run-{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(2)}"
    settings = settings_of(folder, pictures=not auto)
    upgrade(settings.database_url)

    def say(text: str) -> None:
        click.echo(text, err=as_json)

    demo = Demo(settings, players, title, auto, say)
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(143))
    try:
        demo.start()
        return _auto(demo, turns, as_json) if auto else _by_hand(demo)
    except KeyboardInterrupt:
        return 0
    finally:
        demo.stop()


def _auto(demo: Demo, turns: int, as_json: bool) -> int:
    moved = demo.watch(turns)
    result = demo.result()
    if demo.post.differing:
        demo.say(f"{len(demo.post.differing)} letters came twice with other bytes.")
    if not moved:
        demo.say(f"Nothing has moved for two minutes; {demo.server.logs} says more.")
    if as_json:
        click.echo(json.dumps(result))
    return 0 if moved and not demo.post.differing else 1


def _by_hand(demo: Demo) -> int:
    box = Mailbox(
        demo.post,
        demo.settings,
        (ME, NAMES[0]),
        partial(sign_in.create_sign_in_link, demo.services, demo.host),
        partial(users.set_language, demo.services, demo.host),
    )
    box.start(free_port())
    demo.say(f"Begin here:   {box.url} (everybody's letters, and your way in, in your browser's language)")
    demo.say(f"Sign in:      {sign_in.create_sign_in_link(demo.services, demo.host)}")
    demo.say("In this demo one user holds all keys: nothing is secret from its owner. Ctrl-C stops everything.")
    try:
        while True:
            demo.server.check_processes()
            time.sleep(WATCH_S)
    finally:
        box.stop()

"""A whole server in one process: every role's keys, a real database, and letters kept instead of sent."""

import hashlib
import itertools
import os
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

import pytest
from sqlalchemy import select, update

from engine.kernel.position import Position
from engine.kernel.rules import Rules
from pbem.app import parse_recipient
from pbem.crypto import KeyFolder, MailerKeys, ResolverKeys, SmtpKeys, WebKeys
from pbem.service.access import users
from pbem.service.base.calendar import DeadlinePolicy
from pbem.service.base.services import ParsedEmail, PrintedText, Recipient, RenderedEmail, Services, with_keys
from pbem.service.game.journal import load_game_keys, load_state
from pbem.service.mail import daily_keys, delivery, inbox, inbox_queue, pictures
from pbem.service.seats import tables
from pbem.service.tasks import bot_turns, inbound_handler, jobs, operator_page, resolve_game
from pbem.service.tasks.recipients import find_payers
from pbem.store.database import Database
from pbem.store.models import Base, Game, Heartbeat, InboundEmail, InboundEmailBody, OutboundEmailBody, SeatRow
from tests import made_once, server_templates
from tests.bot_games import nearest
from tests.toy.rules import Toy

M = TypeVar("M", bound=Base)
T = TypeVar("T")
GAME_TYPES: Mapping[str, Rules[Any]] = {"toy": Toy()}


@dataclass(repr=False)
class ServerHarness:
    """The roles of one server, its clock, and what it would have sent."""

    web: Services
    mailer: Services
    resolver: Services
    smtp: Services
    scheduler: Services
    current_time: datetime = server_templates.START_TIME
    initial_roles: tuple[Services, ...] = ()
    verify_key: bytes = b""
    """Tells one folder of keys from another."""
    sent: list[tuple[Recipient, Any]] = field(default_factory=list)
    queued_tasks: list[tuple[str, str]] = field(default_factory=list)

    def is_unused(self) -> bool:
        """Return True if it is as it was built, clock, chance and all, and nothing was done yet."""
        same = all(now is then for now, then in zip(self.roles(), self.initial_roles, strict=True))
        return (
            same
            and not self.sent
            and self.current_time == ServerHarness.current_time
            and server_templates.is_unopened(self.web.db)
        )

    def roles(self) -> tuple[Services, ...]:
        """The services of each role."""
        return self.web, self.mailer, self.resolver, self.smtp, self.scheduler

    def run_scheduled_jobs(self) -> None:
        """Run the jobs of the mailer and of the scheduler once."""
        jobs.run_mail_jobs(self.mailer)
        jobs.enqueue_due_games(self.scheduler)

    def advance_time(self, **span: float) -> None:
        """Advance the time of all roles; heartbeats that exist follow."""
        self.current_time += timedelta(**span)
        with self.mailer.db.transaction() as session:
            session.execute(
                update(Heartbeat)
                .where(Heartbeat.name.in_(("mail_jobs", "scheduler")))
                .values(beat_at=self.mailer.now())
            )

    def simulate_downtime(self, **span: float) -> None:
        """Advance the time while no process runs: heartbeats stay behind."""
        self.current_time += timedelta(**span)

    def run_queued_tasks(self) -> None:
        """Run queued tasks until none is left."""
        while self.queued_tasks:
            self.run_task(*self.queued_tasks.pop(0))

    def run_task(self, task: str, subject: str) -> None:
        """Run one task, as a worker would."""
        if task == "process_inbound_emails":
            inbox.process_batch(self.mailer, inbound_handler, delivery, most=1)
        elif task == "resolve_game":
            resolve_game.run(self.resolver, subject)
        elif task == "run_operator_actions":
            operator_page.execute_pending_actions(self.resolver)
        elif task == "send_outbound_emails":
            delivery.deliver(self.mailer)
        elif task == "render_picture":
            pictures.render_next_picture(self.mailer)
        elif task == "play_bot_turns":
            bot_turns.play_turn(self.mailer, subject)

    def requeue_stuck_work(self) -> None:
        """Advance the time, find forgotten work, and do it."""
        self.advance_time(seconds=6)
        jobs.requeue_stuck_work(self.scheduler)
        self.run_queued_tasks()

    def configure(self, **fields: Any) -> None:
        """Change the same fields of all roles."""
        self.web, self.mailer = replace(self.web, **fields), replace(self.mailer, **fields)
        self.resolver, self.smtp = replace(self.resolver, **fields), replace(self.smtp, **fields)
        self.scheduler = replace(self.scheduler, **fields)

    def sent_facts(self, kind: str) -> list[Any]:
        """The facts of all letters of a kind that were sent."""
        return [facts for address, facts in self.sent if address.kind == kind]

    def notification_kinds(self, to: str) -> list[str]:
        """The kinds of the notices that went to a mail address."""
        return [facts.kind for address, facts in self.sent if address.kind == "notice" and address.to_address == to]

    def last_recipient(self, seat: str) -> Recipient:
        """The address part of the last letter to a seat."""
        found: Recipient = next(address for address, _ in reversed(self.sent) if address.seat == seat)
        return found

    def reply_token(self, seat: str) -> str:
        """The reply token of the last report to a seat."""
        kinds = ("report", "started", "game_over", "reminder", "ruling")
        return next(str(a.token) for a, _ in reversed(self.sent) if a.seat == seat and a.kind in kinds)

    def reply(self, seat: str, *lines: str) -> Any:
        """Reply to the seat's last report and run what follows; returns the receipt, or None."""
        before = len(self.sent_facts("receipt"))
        self.receive_reply(self.reply_token(seat), lines)
        self.run_queued_tasks()
        return self.sent_facts("receipt")[-1] if len(self.sent_facts("receipt")) > before else None

    def receive_reply(self, token: str, lines: Sequence[str], message_id: str = "", sender: str = "") -> None:
        """Receive an email to a reply address over SMTP."""
        arrived = ParsedEmail("ordinary", False, "reply", token, sender, message_id, "Re:", tuple(lines))
        self.receive_email(arrived)

    def receive_email(self, arrived: ParsedEmail) -> None:
        """Receive any email over SMTP; its bytes are a number that the parser looks up."""
        self.received.append(arrived)
        number = str(len(self.received) - 1).encode()
        mark = {"reply": "o", "bounce": "b", "table": "t"}.get(arrived.route, "")
        recipients = (f"{mark}+{arrived.token}@games.test",)
        payers = find_payers(self.smtp, recipients, "")
        inbox_queue.store_message(self.smtp, recipients, number, payers=payers)

    received: list[ParsedEmail] = field(default_factory=list)
    template: tuple[str, ...] = ()
    printed: tuple[str, ...] = ()
    """The orders template and the lines of every email that is rendered: no test that needs them reads the words."""

    def load_game(self, game_id: str) -> Game:
        """A game's row."""
        with self.resolver.db.snapshot() as session:
            return session.scalars(select(Game).where(Game.id == game_id)).one()

    def load_state(self, game_id: str) -> Position[Any]:
        """Where a game stands, as only play can know."""
        with self.resolver.db.snapshot() as session:
            game = session.get_one(Game, game_id)
            return load_state(session, load_game_keys(self.resolver, game), game)

    def load_rows(self, model: type[M]) -> list[M]:
        """All rows of a table; seats stand in their order."""
        found = select(model)
        with self.resolver.db.snapshot() as session:
            return list(session.scalars(found.order_by(SeatRow.seat) if model is SeatRow else found))

    def load_bodies(self) -> dict[str, bytes]:
        """What is in letters that are not done, in and out, sealed, by their keys."""
        coming = {row.email_key: row.content_ciphertext for row in self.load_rows(InboundEmailBody)}
        return coming | {row.email_key: row.content_ciphertext for row in self.load_rows(OutboundEmailBody)}

    def load_inbound_emails(self) -> list[InboundEmail]:
        """All rows of letters taken in."""
        with self.resolver.db.snapshot() as session:
            return list(session.scalars(select(InboundEmail)))


def build(folder: Path, url: str = "", installed: Mapping[str, Rules[Any]] = GAME_TYPES) -> ServerHarness:
    """A server on an empty database."""
    keys = server_templates.link_keys(folder / "keys", _server_counts[_current_test()] % server_templates.MAX_SERVERS)
    db = _tables_at(url) if url else server_templates.copy_database(folder / "test.sqlite3", keys)
    harness = build_on_database(db, keys, installed)
    if url:
        daily_keys.rotate(harness.mailer)
    return harness


class DeterministicBytes:
    """Random bytes that are the same in each run: the next ones of a source that has these words for a name."""

    def __init__(self, words: str) -> None:
        self.words, self._numbers = words, itertools.count()

    def __call__(self, count: int) -> bytes:
        return hashlib.shake_256(f"{self.words} {next(self._numbers)}".encode()).digest(count)


_server_counts = Counter[str]()
"""How many servers each test has built; they have keys of their own."""


def _current_test() -> str:
    return os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]


def _random_source() -> DeterministicBytes:
    """Each server of a test has its own source, so that a test plays the same games whenever it runs."""
    _server_counts[_current_test()] += 1
    return DeterministicBytes(f"{_current_test()} {_server_counts[_current_test()]}")


def build_on_database(db: Database, keys: KeyFolder, installed: Mapping[str, Rules[Any]] = GAME_TYPES) -> ServerHarness:
    """A server on a database and a folder of keys that are there already."""
    base = Services(db, installed, "https://games.test", "games.test")
    harness = ServerHarness(base, base, base, base, base)
    common = replace(
        base,
        clock=lambda: harness.current_time,
        enqueue=lambda task, subject: harness.queued_tasks.append((task, subject)),
        random_bytes=_random_source(),
    )
    harness.web = with_keys(common, WebKeys.load(keys.folder_of("web")))
    harness.resolver = with_keys(common, ResolverKeys.load(keys.folder_of("resolver")))
    harness.smtp = replace(with_keys(common, SmtpKeys.load(keys.folder_of("smtp"))), parse_recipient=parse_recipient)
    harness.mailer = replace(
        with_keys(common, MailerKeys.load(keys.folder_of("mailer"))),
        parse_email=lambda raw, recipient, null: harness.received[int(raw)],
        parse_recipient=parse_recipient,
        render_email=lambda facts, address: _record_sent(harness, facts, address),
        send_email=lambda message: None,
    )
    harness.scheduler = replace(common, db=copy(db))
    harness.scheduler.db.watched_role = "scheduler"  # type: ignore[attr-defined]
    harness.initial_roles = harness.roles()
    harness.verify_key = (keys.folder_of("web") / "verify.pub").read_bytes()
    return harness


def _tables_at(url: str) -> Database:
    db = Database(url)
    Base.metadata.create_all(db.engine)
    return db


def _record_sent(harness: ServerHarness, facts: Any, address: Recipient) -> RenderedEmail:
    harness.sent.append((address, facts))
    said = harness.template, harness.printed, harness.printed
    printed = PrintedText(address.token, address.kind, *said) if address.token else None
    return RenderedEmail(address.key.encode(), "b+x@games.test", address.to_address, printed)


def start_game(
    harness: ServerHarness, title: str, players: int, hours: int | None = None, *, stop: bool = False, **options: str
) -> str:
    """A running game whose seats are p1@, p2@ ...; returns its id.  `stop`: the invitations are left unanswered.

    `players`: how many play, or the next number that the game is for.
    """
    return start_game_with_policy(harness, title, players, hours, options, stop=stop)


def start_game_with_policy(
    harness: ServerHarness,
    title: str,
    players: int,
    hours: int | None,
    options: Mapping[str, str],
    schedule: DeadlinePolicy | None = None,
    *,
    stop: bool = False,
) -> str:
    """The same with the deadlines of a schedule."""

    players = nearest(harness.web.installed[title], players)

    def make() -> str:
        with harness.web.db.transaction() as session:
            host = users.get_or_create_user(harness.web, session, "p1@games.test", "Player 1")
        game = tables.create(harness.web, host.id, title, "Rose", players, options, hours, schedule)
        harness.run_queued_tasks()
        before = len(harness.sent)
        if players > 1:
            tables.invite(harness.web, game, host.id, [f"p{n}@games.test" for n in range(2, players + 1)])
        harness.run_queued_tasks()
        for address, facts in harness.sent[before:]:
            if address.kind == "invitation" and not stop:
                tables.join(harness.web, facts.frame.links.act.rpartition("/")[2], words="luck")
        harness.run_queued_tasks()
        return game

    return restore_or_make(harness, (title, players, hours, stop, repr(schedule), tuple(options.items())), make)


def restore_or_make(harness: ServerHarness, name: Hashable, make: Callable[[], T]) -> T:
    """Bring a new server into a state, and return what `make` returns; `name` tells this state from others.

    It is one state for all tests of the run: made once, then copied, with its clock and its letters.  What `make`
    changes of the roles is undone.  On a server that was used already, `make` is simply called.
    """
    if not harness.is_unused():
        return make()
    wanted = (harness.verify_key, tuple((title, type(rules)) for title, rules in harness.web.installed.items()), name)
    made_here = False

    def make_state() -> SavedState:
        nonlocal made_here
        made_here = True
        harness.configure(random_bytes=DeterministicBytes(repr(wanted[1:])))
        made = make()
        harness.web, harness.mailer, harness.resolver, harness.smtp, harness.scheduler = harness.initial_roles
        return SavedState(
            server_templates.save_copy(harness.web.db),
            harness.current_time,
            tuple(harness.sent),
            tuple(harness.received),
            tuple(harness.queued_tasks),
            made,
        )

    if wanted not in _states:
        _states[wanted] = _share(repr(wanted), make_state)
    state = _states[wanted]
    if not made_here:
        server_templates.restore_copy(state.database, harness.web.db)
        harness.current_time = state.current_time
        harness.sent.extend(state.sent)
        harness.received.extend(state.received)
        harness.queued_tasks.extend(state.queued_tasks)
    found: T = state.made
    return found


@dataclass(frozen=True)
class SavedState:
    """What a server has come to: its database, its clock, letters out and in, and what was returned of it."""

    database: Path
    current_time: datetime
    sent: tuple[tuple[Recipient, Any], ...]
    received: tuple[ParsedEmail, ...]
    queued_tasks: tuple[tuple[str, str], ...]
    made: Any


_states: dict[Hashable, SavedState] = {}
_share: Callable[[str, Callable[[], SavedState]], SavedState] = made_once.load_or_make


def forget_saved_states(patch: pytest.MonkeyPatch) -> None:
    """States that are made from here on come from no other test, and go to none: what they begin with was changed."""
    patch.setattr("tests.service.server_fixtures._states", {})
    patch.setattr("tests.service.server_fixtures._share", lambda name, make: make())

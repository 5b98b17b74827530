"""A whole server in one process: every role's keys, a real database, and letters kept instead of sent."""

import hashlib
import itertools
import os
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
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
from pbem.service.base.calendar import DeadlinePolicy
from pbem.service.base.services import ParsedEmail, Recipient, RenderedEmail, Services, with_keys
from pbem.service.game.journal import load_game_keys, load_state
from pbem.service.mail import daily_keys, delivery, inbox, intake, pictures
from pbem.service.seats import tables
from pbem.service.tasks import bot_turns, inbound_handler, jobs, operator_page, resolve_game
from pbem.store.database import Database
from pbem.store.models import Base, Game, Heartbeat, InboundEmail, InboundEmailBody, OutboundEmailBody, SeatRow
from tests import server_templates
from tests.toy.rules import Toy

M = TypeVar("M", bound=Base)
T = TypeVar("T")
TITLES: Mapping[str, Rules[Any]] = {"toy": Toy()}


@dataclass(repr=False)
class Hall:
    """The roles of one server, its clock, and what it would have sent."""

    web: Services
    post: Services
    play: Services
    door: Services
    clock: Services
    moment: datetime = server_templates.BEGAN
    begun: tuple[Services, ...] = ()
    keys: bytes = b""
    """Tells one folder of keys from another."""
    sent: list[tuple[Recipient, Any]] = field(default_factory=list)
    woken: list[tuple[str, str]] = field(default_factory=list)

    def untouched(self) -> bool:
        """Return True if it is as it was built, clock, chance and all, and nothing was done yet."""
        same = all(now is then for now, then in zip(self.roles(), self.begun, strict=True))
        return same and not self.sent and self.moment == Hall.moment and server_templates.untouched(self.web.db)

    def roles(self) -> tuple[Services, ...]:
        """The services of each role."""
        return self.web, self.post, self.play, self.door, self.clock

    def tick(self) -> None:
        """Look at the clock, as the post does when the clock tells it to, and then the clock by itself."""
        jobs.run_mail_jobs(self.post)
        jobs.enqueue_due_games(self.clock)

    def pass_time(self, **span: float) -> None:
        """Let the clock run, and be looked at all the while if it ever was."""
        self.moment += timedelta(**span)
        with self.post.db.transaction() as session:
            session.execute(
                update(Heartbeat).where(Heartbeat.name.in_(("mail_jobs", "scheduler"))).values(beat_at=self.post.now())
            )

    def stand_still(self, **span: float) -> None:
        """Let the clock run while the server is down."""
        self.moment += timedelta(**span)

    def settle(self) -> None:
        """Do what was woken until nothing is left to do."""
        while self.woken:
            self.work(*self.woken.pop(0))

    def work(self, task: str, subject: str) -> None:
        """Do one task, as a worker would."""
        if task == "process_inbound_email":
            inbox.process_email(self.post, subject, inbound_handler, sender=delivery)
        elif task == "resolve_game":
            resolve_game.run(self.play, subject)
        elif task == "run_operator_actions":
            operator_page.execute_pending_actions(self.play)
        elif task == "send_outbound_emails":
            delivery.deliver(self.post)
        elif task == "render_picture":
            pictures.render_next_picture(self.post)
        elif task == "play_bot_turns":
            bot_turns.play_turn(self.post, subject)

    def sweep(self) -> None:
        """Let a while pass, find what was forgotten, and do it."""
        self.pass_time(seconds=6)
        jobs.requeue_stuck_work(self.clock)
        self.settle()

    def everywhere(self, **fields: Any) -> None:
        """Change the same fields of all roles."""
        self.web, self.post = replace(self.web, **fields), replace(self.post, **fields)
        self.play, self.door = replace(self.play, **fields), replace(self.door, **fields)
        self.clock = replace(self.clock, **fields)

    def of(self, kind: str) -> list[Any]:
        """The facts of all letters of a kind that were sent."""
        return [facts for address, facts in self.sent if address.kind == kind]

    def notices(self, to: str) -> list[str]:
        """The kinds of the notices that went to a mail address."""
        return [facts.kind for address, facts in self.sent if address.kind == "notice" and address.to_address == to]

    def last(self, seat: str) -> Recipient:
        """The address part of the last letter to a seat."""
        found: Recipient = next(address for address, _ in reversed(self.sent) if address.seat == seat)
        return found

    def token(self, seat: str) -> str:
        """The reply token of the last report to a seat."""
        kinds = ("report", "started", "over", "reminder", "ruling")
        return next(str(a.token) for a, _ in reversed(self.sent) if a.seat == seat and a.kind in kinds)

    def say(self, seat: str, *lines: str) -> Any:
        """A letter in answer to the seat's last report, with all that comes of it; its receipt, or None."""
        before = len(self.of("receipt"))
        self.write_in(self.token(seat), lines)
        self.settle()
        return self.of("receipt")[-1] if len(self.of("receipt")) > before else None

    def write_in(self, token: str, lines: Sequence[str], message_id: str = "", sender: str = "") -> None:
        """A letter to a reply address, through the door."""
        arrived = ParsedEmail("ordinary", False, "reply", token, sender, message_id, "Re:", tuple(lines))
        self.letter_in(arrived)

    def letter_in(self, arrived: ParsedEmail) -> None:
        """Any letter, through the door; its bytes are a number that the reader looks up."""
        self.arrivals.append(arrived)
        number = str(len(self.arrivals) - 1).encode()
        mark = {"reply": "o", "bounce": "b", "table": "t"}.get(arrived.route, "")
        intake.store_message(self.door, (f"{mark}+{arrived.token}@games.test",), number)

    arrivals: list[ParsedEmail] = field(default_factory=list)

    def game(self, game_id: str) -> Game:
        """A game's row."""
        with self.play.db.snapshot() as session:
            return session.scalars(select(Game).where(Game.id == game_id)).one()

    def position(self, game_id: str) -> Position[Any]:
        """Where a game stands, as only play can know."""
        with self.play.db.snapshot() as session:
            game = session.get_one(Game, game_id)
            return load_state(session, load_game_keys(self.play, game), game)

    def rows(self, model: type[M]) -> list[M]:
        """All rows of a table; seats stand in their order."""
        found = select(model)
        with self.play.db.snapshot() as session:
            return list(session.scalars(found.order_by(SeatRow.seat) if model is SeatRow else found))

    def contents(self) -> dict[str, bytes]:
        """What is in letters that are not done, in and out, sealed, by their keys."""
        coming = {row.email_key: row.content_ciphertext for row in self.rows(InboundEmailBody)}
        return coming | {row.email_key: row.content_ciphertext for row in self.rows(OutboundEmailBody)}

    def letters_in(self) -> list[InboundEmail]:
        """All rows of letters taken in."""
        with self.play.db.snapshot() as session:
            return list(session.scalars(select(InboundEmail)))


def build(folder: Path, url: str = "", installed: Mapping[str, Rules[Any]] = TITLES) -> Hall:
    """A server on an empty database."""
    keys = server_templates.keys(folder / "keys", _built[_test()] % server_templates.SERVERS)
    db = _tables_at(url) if url else server_templates.database(folder / "test.sqlite3", keys)
    hall = staffed(db, keys, installed)
    if url:
        daily_keys.rotate(hall.post)
    return hall


class Steady:
    """Random bytes that are the same in each run: the next ones of a source that has these words for a name."""

    def __init__(self, words: str) -> None:
        self.words, self._numbers = words, itertools.count()

    def __call__(self, count: int) -> bytes:
        return hashlib.shake_256(f"{self.words} {next(self._numbers)}".encode()).digest(count)


_built = Counter[str]()
"""How many servers each test has built; they have keys of their own."""


def _test() -> str:
    return os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]


def _own() -> Steady:
    """Each server of a test has its own source, so that a test plays the same games whenever it runs."""
    _built[_test()] += 1
    return Steady(f"{_test()} {_built[_test()]}")


def staffed(db: Database, keys: KeyFolder, installed: Mapping[str, Rules[Any]] = TITLES) -> Hall:
    """A server on a database and a folder of keys that are there already."""
    base = Services(db, installed, "https://games.test", "games.test")
    hall = Hall(base, base, base, base, base)
    common = replace(
        base,
        clock=lambda: hall.moment,
        enqueue=lambda task, subject: hall.woken.append((task, subject)),
        random_bytes=_own(),
    )
    hall.web = with_keys(common, WebKeys.load(keys.folder_of("web")))
    hall.play = with_keys(common, ResolverKeys.load(keys.folder_of("resolver")))
    hall.door = with_keys(common, SmtpKeys.load(keys.folder_of("smtp")))
    hall.post = replace(
        with_keys(common, MailerKeys.load(keys.folder_of("mailer"))),
        parse_email=lambda raw, recipient, null: hall.arrivals[int(raw)],
        parse_recipient=parse_recipient,
        render_email=lambda facts, address: _keep(hall, facts, address),
        send_email=lambda message: None,
    )
    hall.clock = common
    hall.begun = hall.roles()
    hall.keys = (keys.folder_of("web") / "verify.pub").read_bytes()
    return hall


def _tables_at(url: str) -> Database:
    db = Database(url)
    Base.metadata.create_all(db.engine)
    return db


def _keep(hall: Hall, facts: Any, address: Recipient) -> RenderedEmail:
    hall.sent.append((address, facts))
    return RenderedEmail(address.key.encode(), "b+x@games.test", address.to_address)


def seated(
    hall: Hall, title: str, players: int, hours: int | None = None, *, stop: bool = False, **options: str
) -> str:
    """A running game whose seats are p1@, p2@ ...; returns its id.  `stop`: the invitations are left unanswered."""
    return opened(hall, title, players, hours, options, stop=stop)


def opened(
    hall: Hall,
    title: str,
    players: int,
    hours: int | None,
    options: Mapping[str, str],
    schedule: DeadlinePolicy | None = None,
    *,
    stop: bool = False,
) -> str:
    """The same with the deadlines of a schedule."""

    def make() -> str:
        with hall.web.db.transaction() as session:
            host = tables.get_or_create_user(hall.web, session, "p1@games.test", "Player 1")
        game = tables.create(hall.web, host.id, title, "Rose", players, options, hours, schedule)
        hall.settle()
        before = len(hall.sent)
        if players > 1:
            tables.invite(hall.web, game, host.id, [f"p{n}@games.test" for n in range(2, players + 1)])
        hall.settle()
        for address, facts in hall.sent[before:]:
            if address.kind == "invitation" and not stop:
                tables.join(hall.web, facts.frame.links.act.rpartition("/")[2], words="luck")
        hall.settle()
        return game

    return shared(hall, (title, players, hours, stop, repr(schedule), tuple(options.items())), make)


def shared(hall: Hall, name: Hashable, make: Callable[[], T]) -> T:
    """Bring a new server into a state, and return what `make` returns; `name` tells this state from others.

    It is one state for all tests of the process: made once, then copied, with its clock and its letters.  What `make`
    changes of the roles is undone.  On a server that was used already, `make` is simply called.
    """
    if not hall.untouched():
        return make()
    wanted = (hall.keys, tuple((title, type(rules)) for title, rules in hall.web.installed.items()), name)
    if wanted not in _states:
        hall.everywhere(random_bytes=Steady(repr(wanted[1:])))
        made = make()
        hall.web, hall.post, hall.play, hall.door, hall.clock = hall.begun
        _states[wanted] = State(
            server_templates.kept(hall.web.db),
            hall.moment,
            tuple(hall.sent),
            tuple(hall.arrivals),
            tuple(hall.woken),
            made,
        )
    else:
        state = _states[wanted]
        server_templates.put(state.database, hall.web.db)
        hall.moment = state.moment
        hall.sent.extend(state.sent)
        hall.arrivals.extend(state.arrivals)
        hall.woken.extend(state.woken)
    found: T = _states[wanted].made
    return found


@dataclass(frozen=True)
class State:
    """What a server has come to: its database, its clock, letters out and in, and what was returned of it."""

    database: Path
    moment: datetime
    sent: tuple[tuple[Recipient, Any], ...]
    arrivals: tuple[ParsedEmail, ...]
    woken: tuple[tuple[str, str], ...]
    made: Any


_states: dict[Hashable, State] = {}


def unshared(patch: pytest.MonkeyPatch) -> None:
    """States that are made from here on come from no other test, and go to none: what they begin with was changed."""
    patch.setattr("tests.service.server_fixtures._states", {})

"""What a service function may reach.  The application wires it; services never look elsewhere.

Also: work in the background, whether a process is ready, and the points at which a test may stop it.
"""

import logging
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Final, Protocol

from sqlalchemy import text

from engine.kernel.languages import Language
from engine.kernel.rules import Rules
from engine.kernel.viewers import Seat
from pbem.common.addresses import make_internal
from pbem.common.memory_counters import MemoryCounters
from pbem.common.outage_log import is_connection_error
from pbem.common.states import SignUp
from pbem.crypto import (
    MailerKeys,
    ResolverKeys,
    SigningKey,
    SmtpKeys,
    VerifyKeys,
    WebKeys,
)
from pbem.service.base.webhook_ports import WebhookPort
from pbem.store.database import Database
from pbem.store.row_signatures import RowSigner


class MissingKeyError(Exception):
    """This process does not hold the keys for what it was asked to do."""


class NoMailKey(Exception):
    """There is no key to seal emails to: the mailer has made none yet, or none since the database was restored."""


@dataclass(frozen=True)
class BodyLine:
    """A line of an email, and what it was taken for: `own`, `signature`, `quoted` or `older` (see `Part`).

    `text`: in plain characters.  `written`: as it was written.
    """

    part: str
    text: str = field(repr=False)
    written: str = field(repr=False)


@dataclass(frozen=True)
class ParsedEmail:
    """An email as the mail layer understood it, and what the address that it was sent to stands for.

    `kind`: ordinary, empty, oversized, encrypted, calendar, unreadable, or one of the automatic ones (`automatic`).
    `route`: `reply`, `bounce`, `table` or `unknown`, with its `token`. `warnings`: cut_short, attachment_ignored ...
    `delivery`: what a bounce says of our email `returned_id` (failed, delayed, delivered), in the words `server_reply`.
    `in_reply_to`: the Message-ID of the email that it answers.
    `signature`: what stands below a line that begins a signature.  `machine`: it reads like the email of an answering
    machine, though no header says so.  `body`: every line.
    `signed`: of a letter of ours that came in again, whether it has a DKIM signature of our domain; not verified.

    Known only once the emails of ours are known to which it was sent (`printed_emails.recognize`): `uncommented`, lines
    that the sender changed in our orders template, where it is quoted; `unread`, those that others may have written.
    """

    kind: str
    automatic: bool
    route: str
    token: str
    from_address: str = ""
    message_id: str = ""
    subject: str = ""
    lines: tuple[str, ...] = ()
    quoted: bool = False
    forwarded: bool = False
    attachments: bool = False
    delivery: str = ""
    server_reply: str = ""
    returned_id: str = ""
    in_reply_to: str = ""
    warnings: tuple[str, ...] = ()
    signature: tuple[str, ...] = ()
    machine: bool = False
    signed: bool = False
    body: tuple[BodyLine, ...] = field(default=(), repr=False)
    uncommented: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()


@dataclass(frozen=True)
class PrintedText:
    """What an email says to who answers to its `token`: its orders template, its lines, and the blocks of its HTML."""

    token: str
    kind: str
    template: tuple[str, ...]
    lines: tuple[str, ...]
    blocks: tuple[str, ...]


@dataclass(frozen=True)
class RenderedEmail:
    """A finished message: its bytes, from whom and to whom the envelope says, and what it says if it can be answered.

    `printed`: None for an email that cannot be answered, or that was rendered before.
    """

    wire: bytes
    sender: str
    recipient: str
    printed: PrintedText | None = field(default=None, repr=False)


class EmailRenderer(Protocol):
    """Makes a message of an email's facts; the application gives the one that knows templates and MIME."""

    def __call__(self, facts: Any, address: "Recipient") -> RenderedEmail:
        """Render once; the same facts give the same bytes."""
        ...


@dataclass(frozen=True)
class Recipient:
    """Everything about an email that is not its content."""

    key: str
    kind: str
    created_at: int
    to_address: str
    to_name: str
    language: str
    zone: str
    game: str | None
    title: str | None
    rules: str | None
    seat: str | None
    token: str | None
    thread: str | None
    life: str = ""
    """What sets its Message-ID apart from those that were given out before a copy of the database was put back."""
    picture: bytes = field(default=b"", repr=False)


@dataclass(frozen=True)
class DeliveryFailure:
    """The relay did not take a message; `reason` is a code or a class of error, `reply` its words.

    `is_permanent`: the recipient's own address or mailbox is at fault, for good. `without_picture`: they were refused
    without a reason, which is theirs only if the relay takes others. `away`: the relay cannot be used at all just now.
    """

    reason: str
    is_permanent: bool = False
    without_picture: bool = False
    away: bool = False
    reply: str = ""


class Sender(Protocol):
    """Hands a message to the relay; None when it was taken."""

    def __call__(self, message: RenderedEmail) -> DeliveryFailure | None:
        """Send once."""
        ...


@dataclass(frozen=True)
class SearchWords:
    """A finished game as it is told: its words by language, each with the entries that hold it, and what seats played.

    A power is the kind of its name and its id, with a colon between them; empty where a seat never had one.
    """

    words: Mapping[str, Mapping[str, frozenset[int]]] = field(default_factory=dict)
    powers: Mapping[Seat, str] = field(default_factory=dict)


class SearchIndexer(Protocol):
    """Tells a finished game; the application gives the one that has words."""

    def __call__(self, title: str, names: Mapping[Seat, str], last: Any, entries: Any) -> SearchWords:
        """`entries`: numbers with facts; `last`: how the game ended."""
        ...


def _no_queue(task: str, subject: str) -> None:
    """Nobody is woken: the sweep will find the work."""


class Count(Protocol):
    """Counts what is limited, where all processes see it."""

    def __call__(self, key: str, seconds: int, amount: int = 1) -> int:
        """Count so many more under a key, which is forgotten after so many seconds; how many there were."""
        ...

    def count_all(self, counts: Sequence[tuple[str, int, int]]) -> Sequence[int]:
        """Count under several keys at once, each with its seconds and amount; how many there were under each."""
        ...

    def read(self, keys: Sequence[str]) -> Sequence[int]:
        """How many there were under each of these keys, asked at once."""
        ...


def _no_fault(name: str) -> None:
    """Nothing happens at this point."""


def _disk_ok() -> None:
    """No disk is asked."""


@dataclass(frozen=True)
class Services:
    """What a service function may reach.

    `enqueue(task, key)` is called after a commit and may be lost: the database is the truth.  `fault_point(name)` marks
    the places at which the crash tests kill the process (`fault_points`).  `parse_email(raw, recipient, null_sender)`
    understands an email, `parse_recipient(recipient)` the address that it came to; `max_message_bytes` is the longest
    that is read. `mailbox_local_part`: of the one mailbox at `mail_domain` that our emails come to; empty where all of
    the domain is ours. `probe(token, moment)` writes an email to ourselves, of which one is sent every
    `mail_probe_interval_minutes`; None: none is. `random_bytes` gives the random bytes that a game depends on (its
    number, seed, nonces and the salts of its commitments), so that a test can play the same one twice.  `webhook_port`
    writes to webhooks.  `pictures`: whether the board goes along with emails; `render_picture` makes PNG of SVG.
    `time_zone`: of people who have not said theirs. `beacon`: whether tables may choose the public beacon;
    `fetch_round` brings the signature of a round that fits, or None. `operator_emails`: the addresses that may see the
    operator's page.  `sign_up`: who may have an account, open tables and practise.  `silent_roles`: the roles of which
    no worker has shown that it is alive.  `check_disk`: how many bytes are left on the fullest disk of this machine
    that the server writes to, if they are too few.
    """

    db: Database
    installed: Mapping[str, Rules[Any]]
    public_url: str
    mail_domain: str
    mailbox_local_part: str = ""
    web: WebKeys | None = None
    mailer: MailerKeys | None = None
    resolver: ResolverKeys | None = None
    smtp: SmtpKeys | None = None
    clock: Callable[[], datetime] = field(default=lambda: datetime.now(UTC))
    enqueue: Callable[[str, str], None] = _no_queue
    fault_point: Callable[[str], None] = _no_fault
    parse_email: Callable[[bytes, str, bool], ParsedEmail] | None = None
    parse_recipient: Callable[[str], tuple[str, str]] | None = None
    render_email: EmailRenderer | None = None
    send_email: Sender | None = None
    limits: Mapping[str, int] = field(default_factory=dict)
    max_message_bytes: int = 1_000_000
    time_zone: str = "UTC"
    probe: Callable[[str, int], RenderedEmail] | None = None
    mail_probe_interval_minutes: int = 15
    random_bytes: Callable[[int], bytes] = os.urandom
    rate_counter: Count = field(default_factory=MemoryCounters)
    search_words: SearchIndexer | None = None
    webhook_port: WebhookPort | None = None
    pictures: bool = False
    render_picture: Callable[[str], bytes] | None = None
    beacon: bool = False
    operator_emails: frozenset[str] = frozenset()
    sign_up: SignUp = "open"
    fetch_round: Callable[[int], bytes | None] | None = None
    silent_roles: Callable[[], tuple[str, ...]] = tuple
    check_disk: Callable[[], int | None] = _disk_ok

    def shared_snapshot(self) -> AbstractContextManager[None]:
        """Have all that is read in here be of one moment, for who shows it together."""
        return self.db.shared_snapshot()

    def now(self) -> int:
        """Milliseconds since 1970, UTC."""
        return int(self.clock().timestamp() * 1000)

    def reply_address(self, token: str) -> str:
        """Where emails with this token go."""
        return make_internal("o", token, self.mail_domain, self.mailbox_local_part)

    def rules(self, title: str) -> Rules[Any]:
        """The rules of a title; raises KeyError."""
        return self.installed[title]

    def game_title(self, title: str, language: Language) -> str:
        """How players call a game in a language; by its plain name where it is not installed."""
        rules = self.installed.get(title)
        return rules.meta.title.printed(language) if rules is not None else title

    @property
    def resolver_keys(self) -> ResolverKeys:
        """The keys of the resolver; raises MissingKeyError elsewhere."""
        if self.resolver is None:
            raise MissingKeyError("only a resolver can do this")
        return self.resolver

    @property
    def mailer_keys(self) -> MailerKeys:
        """The keys of the mailer; raises MissingKeyError elsewhere."""
        if self.mailer is None:
            raise MissingKeyError("only a mailer can do this")
        return self.mailer

    @property
    def order_keys(self) -> WebKeys | MailerKeys:
        """The keys of a process that accepts orders: web or mailer; raises MissingKeyError elsewhere."""
        keys = self.web or self.mailer
        if keys is None:
            raise MissingKeyError("only the web server or a mailer can do this")
        return keys

    @property
    def view_keys(self) -> WebKeys | MailerKeys | ResolverKeys:
        """The keys of a process that reads what seats are shown; raises MissingKeyError in smtp and the clock."""
        keys = self.web or self.mailer or self.resolver
        if keys is None:
            raise MissingKeyError("this process reads no views")
        return keys

    @property
    def signing_key(self) -> SigningKey:
        """The key with which this process signs; raises MissingKeyError in the clock, which has none."""
        return self._any.signing

    @property
    def verify(self) -> VerifyKeys:
        """The public halves of all roles' signing keys; raises MissingKeyError in the clock, which reads nothing."""
        return self._any.verify

    @property
    def _any(self) -> WebKeys | MailerKeys | ResolverKeys | SmtpKeys:
        keys = self.web or self.mailer or self.resolver or self.smtp
        if keys is None:
            raise MissingKeyError("the clock holds no keys")
        return keys


def with_keys(services: Services, keys: WebKeys | MailerKeys | ResolverKeys | SmtpKeys) -> Services:
    """The same services with the keys of a role, under which they sign and check rows."""
    db = services.db.with_signer(RowSigner(keys.signing, keys.verify))
    match keys:
        case WebKeys():
            return replace(services, web=keys, db=db)
        case MailerKeys():
            return replace(services, mailer=keys, db=db)
        case ResolverKeys():
            return replace(services, resolver=keys, db=db)
        case SmtpKeys():
            return replace(services, smtp=keys, db=db)


class RequestRefused(Exception):
    """What was asked cannot be done; `code` and `terms` are for the narrator."""

    def __init__(self, code: str, **terms: object) -> None:
        """`code` names the reason."""
        super().__init__(code)
        self.code, self.terms = code, terms


_LOG = logging.getLogger(__name__)


class BackgroundJob:
    """One such work; called while it is under way, it does nothing."""

    def __init__(self, name: str, work: Callable[[Services], object]) -> None:
        """`name`: of the thread, and in the log."""
        self._name, self._work = name, work
        self._under_way = threading.Lock()

    def __call__(self, services: Services) -> None:
        """Begin it, unless it is under way."""
        if self._under_way.acquire(blocking=False):
            threading.Thread(target=self._run, args=(services,), name=self._name, daemon=True).start()

    def _run(self, services: Services) -> None:
        try:
            self._work(services)
        except Exception as error:  # noqa: BLE001 - told by its class; the next call tries again
            if not is_connection_error(error):
                _LOG.error("%s failed: %s", self._name, type(error).__name__)
        finally:
            self._under_way.release()


def is_ready(services: Services) -> bool:
    """Return True if the database answers."""
    try:
        with services.db.snapshot() as session:
            session.execute(text("SELECT 1"))
    except Exception as error:
        if is_connection_error(error):
            return False
        raise
    return True


INTAKE_POINTS: Final = ("intake.before_commit", "intake.after_commit", "intake.enqueued")
INBOX_POINTS: Final = (
    "inbox.claimed",
    "inbox.unsealed",
    "inbox.analyzed",
    "inbox.answered",
    "inbox.before_commit",
    "inbox.after_commit",
    "inbox.enqueued",
)
RESOLVER_POINTS: Final = (
    "resolver.locked",
    "resolver.unsealed",
    "resolver.advanced",
    "resolver.appended",
    "resolver.published",
    "resolver.receipts",
    "resolver.before_commit",
    "resolver.after_commit",
)
BEACON_POINTS: Final = ("beacon_draws.fixed", "beacon_draws.fetched")
"""Passed only at tables with the public beacon."""
DELIVERY_POINTS: Final = (
    "delivery.claimed",
    "delivery.rendered",
    "delivery.stored",
    "delivery.sent",
    "delivery.recorded",
)
FILE_POINTS: Final = ("files.prepared", "files.before_commit", "files.after_commit")
"""Passed once a game, at its end."""

PICTURE_POINTS: Final = ("pictures.claimed", "pictures.rendered")
"""Passed only where pictures go along with emails, and by nobody's order."""

REMINDER_POINTS: Final = ("reminders.prepared", "reminders.before_commit", "reminders.after_commit")
"""Passed where a question is due soon, by nobody's order."""

BOT_POINTS: Final = ("bot_turns.chosen", "bot_turns.filed", "bot_turns.recorded")
"""Passed where a bot owes an answer, by nobody's order."""

DAILY_KEY_POINTS: Final = ("daily_keys.created", "daily_keys.stored", "daily_keys.resealed", "daily_keys.deleted")
"""Passed once a day, by nobody's order; the third where an email waits, the last where a key is a day old."""

ORDER_POINTS: Final = (*INTAKE_POINTS, *INBOX_POINTS, *RESOLVER_POINTS, *DELIVERY_POINTS)
"""All that an order passes, from its email to the reports."""

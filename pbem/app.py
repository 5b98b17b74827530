"""The only wiring: settings and keys become services, services become a web application, a listener, a worker."""

import hashlib
import logging
import os
import signal
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from email.message import EmailMessage
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import quote, urlencode, urlsplit

from engine import GAMES
from engine.kernel.keywords import COMMANDS
from engine.kernel.languages import Language
from engine.kernel.printing import to_keyword
from engine.kernel.viewers import Seat
from pbem import games
from pbem.beacon_client import Beacons
from pbem.broker.rate_counters import RateCounters
from pbem.broker.worker_heartbeats import SilentRoles
from pbem.config.settings import Settings
from pbem.crypto import MailerKeys, ResolverKeys, SmtpKeys, WebKeys
from pbem.discord.notify import Webhooks
from pbem.mail import parser
from pbem.mail import smtp_client as wire
from pbem.mail.addresses import bounce_address, parse_address, reply_address, table_address
from pbem.mail.classify import clean_reply
from pbem.mail.parsed_email import EmailKind, EmailWarning, ParsedLine
from pbem.narration.facts import AccountFacts, InvitationFacts, Links, Reader
from pbem.narration.letters import render
from pbem.ops import disk_space
from pbem.service.base.services import (
    BodyLine,
    DeliveryFailure,
    ParsedEmail,
    PrintedText,
    Recipient,
    RenderedEmail,
    SearchWords,
    Services,
    with_keys,
)
from pbem.service.base.wording import WORDS
from pbem.service.mail import daily_keys
from pbem.service.mail.pictures import CONTENT_ID
from pbem.store.database import Database

if TYPE_CHECKING:
    from flask import Flask

_LOG = logging.getLogger(__name__)

DAY_KEYS = "day-keys"
"""Where a mailer keeps its keys that live a day, in its folder for state; its other keys it may only read."""

Role = Literal["web", "smtp", "mailer", "resolver", "scheduler", "metrics"]
Enqueue = Callable[[str, str], None]


def build_services(settings: Settings, role: Role, wake: Enqueue | None = None) -> Services:
    """The services of one role: its keys and no other's, and every game that is installed."""
    games.install_games()
    services = Services(
        Database(settings.database_url),
        GAMES,
        settings.public_url,
        settings.mail_domain,
        settings.mailbox_local_part,
        fault_point=fault_points(settings),
        limits={"letters": settings.limits.emails_per_hour},
        max_message_bytes=settings.limits.max_message_bytes,
        time_zone=settings.time_zone,
        random_bytes=random_bytes(settings),
        rate_counter=RateCounters(settings.redis_url),
        pictures=settings.pictures,
        beacon=bool(settings.beacons),
        operator_emails=settings.operator_emails,
        sign_up=settings.sign_up,
        silent_roles=SilentRoles(settings.redis_url),
        check_disk=partial(disk_space.lowest, disk_space.folders(settings)),
    )
    if wake is not None:
        services = replace(services, enqueue=wake)
    if role == "scheduler" or role == "metrics":
        return services
    folder = settings.key_folder_of(role)
    match role:
        case "web":
            return replace(with_keys(services, WebKeys.load(folder)), webhook_port=webhooks(settings, services))
        case "smtp":
            return replace(with_keys(services, SmtpKeys.load(folder)), parse_recipient=parse_recipient)
        case "resolver":
            return replace(with_keys(services, ResolverKeys.load(folder)), search_words=index_words)
        case "mailer":
            return replace(
                with_keys(services, MailerKeys.load(folder, settings.state_dir / DAY_KEYS)),
                parse_email=partial(to_inbound_email, settings),
                parse_recipient=parse_recipient,
                render_email=partial(render_email, settings),
                send_email=partial(deliver_message, smtp_client(settings)),
                probe=partial(build_probe, settings) if settings.mail_probe_interval_minutes else None,
                mail_probe_interval_minutes=settings.mail_probe_interval_minutes,
                webhook_port=webhooks(settings, services),
                render_picture=render_png if settings.pictures else None,
                fetch_round=Beacons(settings.beacons, settings.chat.allow_loopback_webhooks)
                if settings.beacons
                else None,
            )


def list_key_problems(settings: Settings, role: Role) -> list[str]:
    """A sentence if the keys of a process are not those by which the others write in the database."""
    if role == "scheduler" or role == "metrics":
        return []
    services = build_services(settings, role)
    try:
        if not daily_keys.has_foreign_signature(services):
            return []
    finally:
        services.db.close()
    own = settings.key_folder_of(role)
    folder = settings.keys_dir if settings.role == "all" else own
    told = f"The keys in {folder} are not those of this database: its newest key for letters is signed by none that"
    remedy = f"Copy the folder {folder} from a machine that serves this database, or from your copy of the keys"
    return [f"{told} {own}/verify.pub names. {remedy}; pbem keys init is for the first machine only."]


def prepare_worker(settings: Settings, role: Role) -> None:
    """What a worker does before its first task: keys that cannot serve are told, and letters have a key of today."""
    services = build_services(settings, role)
    if services.mailer is not None:
        daily_keys.rotate(services)
    services.db.close()


def webhooks(settings: Settings, services: Services) -> Webhooks:
    """The way to channels of chat services."""
    return Webhooks(settings.public_url, services.clock, settings.chat.allow_loopback_webhooks)


# --- pages


def create_app(settings: Settings, wake: Enqueue | None = None) -> "Flask":
    """The pages of a server as a WSGI application.

    Pages are loaded here and not above: the other processes do not need them.
    """
    from pbem.broker.task_queue import TaskQueue
    from pbem.discord.endpoint import mount
    from pbem.web import WebConfig, create_pages

    parts = urlsplit(settings.public_url)
    config = WebConfig(
        is_secure=parts.scheme == "https",
        host=parts.hostname if settings.production else None,
        requests_per_minute=settings.limits.requests_per_minute,
        trusted_proxies=settings.trusted_proxies,
        time_zone=settings.time_zone,
        discord=bool(settings.chat.discord_public_key),
    )
    services = build_services(settings, "web", wake or TaskQueue(settings))
    app = create_pages(services, config)
    if settings.chat.discord_public_key:
        mount(app, services, settings.chat)
    return app


# --- letters in

_WARNINGS = {
    EmailWarning.CUT_SHORT: "cut_short",
    EmailWarning.ATTACHMENT_NOT_READ: "attachment_ignored",
}
_WORST = ("failed", "delayed", "delivered")
"""What a bounce may say of several recipients that an address of ours leads to; the first of these counts."""


def parse_recipient(recipient: str) -> tuple[str, str]:
    """Which way an address of ours leads, and its token, in the words of the services."""
    address = parse_address(recipient)
    return address.kind.name.lower(), address.token


def to_inbound_email(settings: Settings, raw: bytes, recipient: str, null_sender: bool) -> ParsedEmail:
    """What the mail layer makes of a letter, in the words of the services."""
    sender = "" if null_sender else None
    way, token = parse_recipient(recipient)
    letter = parser.parse_message(
        raw,
        domain=settings.mail_domain,
        name=settings.mailbox_local_part,
        envelope_sender=sender,
        limit=settings.limits.max_message_bytes,
        to_bounces=way == "bounce",
    )
    worst = min(letter.failures, key=lambda failure: _WORST.index(failure.outcome), default=None)
    return ParsedEmail(
        letter.kind.value,
        letter.kind.is_automatic,
        way,
        token,
        letter.from_address,
        letter.message_id,
        letter.subject,
        letter.lines,
        letter.quoted,
        EmailWarning.FORWARD_NOT_READ in letter.warnings,
        EmailWarning.ATTACHMENT_NOT_READ in letter.warnings,
        worst.outcome if worst is not None else "",
        worst.reply if worst is not None else "",
        letter.returned_id,
        letter.in_reply_to,
        tuple(_WARNINGS[w] for w in letter.warnings if w in _WARNINGS),
        letter.signature,
        EmailWarning.SOUNDS_AUTOMATIC in letter.warnings,
        letter.kind is EmailKind.LOOP and parser.is_signed(raw, settings.mail_domain),
        parts_of(letter.body),
    )


def parts_of(body: Iterable[ParsedLine]) -> tuple[BodyLine, ...]:
    """The lines of a letter, in the words of the services."""
    return tuple(BodyLine(part.value, text, written) for part, text, written in body)


# --- finished games


def index_words(title: str, names: Mapping[Seat, str], last: Any, entries: Any) -> SearchWords:
    """The words of a finished game, and what its seats played.

    What tells is loaded here and not above: a resolver needs it once in a game.
    """
    from pbem.narration.index import index_words, power_names

    return SearchWords(index_words(title, names, last, entries), power_names(title, last))


# --- letters out


def render_png(svg: str) -> bytes:
    """A picture for a letter.  What draws is loaded here and not above: only a mailer needs it, and not at once."""
    from pbem.pictures import raster

    return raster.png(svg)


def render_email(settings: Settings, facts: Any, to: Recipient) -> RenderedEmail:
    """Render a letter's facts and build the message; the same facts give the same bytes."""
    domain, name = settings.mail_domain, settings.mailbox_local_part
    picture = f"{CONTENT_ID}.{hashlib.sha256(f'{to.key}{to.life}'.encode()).hexdigest()[:20]}@{domain}"
    facts, to = _with_picture(facts, to, picture)
    frame, file = facts.frame, facts.file if isinstance(facts, AccountFacts) else ""
    links = replace(frame.links, human=settings.admin_email)
    if not settings.has_public_pages:
        links = _links_by_mail(links, to, frame.reader)
    frame = replace(frame, links=links)
    rendered = render(replace(facts, frame=frame))
    own = to.token or _token_of("desk")
    table = table_address(_token_of(to.game or "desk"), domain, name)
    thread = f"<{to.thread}@{domain}>" if to.thread else ""
    answered = wire.safe_message_id(facts.frame.answers)
    letter = wire.EmailMessageSpec(
        message_id=f"<{to.key}{to.life}@{domain}>",
        date=datetime.fromtimestamp(to.created_at / 1000, UTC),
        domain=domain,
        table_name=to.title or "pbem",
        sender=table,
        reply_to=reply_address(to.token, domain, name) if to.token else table,
        to=to.to_address,
        subject=rendered.subject,
        text=rendered.text,
        html=rendered.html,
        references=tuple(filter(None, (thread, answered))),
        in_reply_to=answered or thread,
        list_id=to.game or "",
        unsubscribe_url=links.never or links.mute,
        language=to.language,
        answers=to.kind in ("receipt", "notice"),
        attachments=(
            *((wire.Attachment("board.png", "image/png", to.picture, picture),) if to.picture else ()),
            *((wire.Attachment("pbem.json", "application/json", file.encode()),) if file else ()),
        ),
    )
    said = (rendered.template, tuple(rendered.text.split("\n")), rendered.blocks)
    printed = PrintedText(to.token, to.kind, *said) if to.token else None
    return RenderedEmail(wire.build_message(letter), bounce_address(own, domain, name), to.to_address, printed)


_CONSENT_LETTERS = frozenset({"invitation", "seat", "deputy"})
"""Kinds of letters that YES, NO and NEVER answer."""


def _links_by_mail(links: Links, to: Recipient, reader: Reader) -> Links:
    """Return links that work where nobody can open our pages: to letters with the words that do what the pages do.

    A sign-in letter keeps its link: who asked for it is on the page.
    """
    if to.kind == "signin":
        return links
    bare = Links(answer=links.answer, human=links.human)
    if not links.answer:
        return bare

    def write(*words: str) -> str:
        return (
            f"mailto:{links.answer}?{urlencode({'subject': to.title or '', 'body': ' '.join(words)}, quote_via=quote)}"
        )

    def keyword(name: str) -> str:
        return to_keyword(COMMANDS[name], reader.language)

    yes, never, sure = (to_keyword(WORDS(f"answers.{name}"), reader.language) for name in ("take", "never", "sure"))
    if to.kind in _CONSENT_LETTERS:
        return replace(bare, act=write(yes), never=write(never) if links.never else "")
    if to.kind == "account":
        return replace(bare, act=write(yes) if links.act else "")
    if not reader.seat or to.kind == "talk":
        return bare
    leave = write(keyword("resign"), sure) if links.leave else ""
    return replace(bare, mute=write(keyword("mute")) if links.mute else "", leave=leave)


def _with_picture(facts: Any, to: Recipient, picture: str) -> tuple[Any, Recipient]:
    """A letter that calls its picture by name: the board drawn for it, or one of its game for who is invited."""
    if isinstance(facts, InvitationFacts) and facts.picture:
        to = replace(to, picture=sample_board(facts.frame.table.game, facts.frame.reader.language))
        facts = replace(facts, picture="")
    return (replace(facts, picture=picture), to) if to.picture else (facts, to)


@cache
def sample_board(game: str, language: Language) -> bytes:
    """A board as its game is shown to who does not know it, drawn once in a process; empty where it cannot be.

    What plays and draws is loaded here and not above: only a mailer needs it.
    """
    from engine.kernel.pictures import Theme
    from engine.kernel.samples import build_sample

    try:
        return render_png(build_sample(GAMES[game], language, Theme.LIGHT))
    except Exception as error:  # noqa: BLE001 - whatever is wrong with a picture, the letter says everything without it
        _LOG.warning("no board of %s can be drawn for invitations: %s", game, type(error).__name__)
        return b""


def build_probe(settings: Settings, token: str, now: int) -> RenderedEmail:
    """A letter to ourselves: it goes out by the relay and comes in by the smtp process, or mail is in trouble."""
    domain, name = settings.mail_domain, settings.mailbox_local_part
    sender, back = bounce_address(_token_of("probe"), domain, name), reply_address(token, domain, name)
    letter = EmailMessage()
    letter["From"] = table_address(_token_of("probe"), domain, name)
    letter["To"] = back
    letter["Subject"] = "probe"
    letter["Date"] = datetime.fromtimestamp(now / 1000, UTC)
    letter["Message-ID"] = f"<probe.{token}@{domain}>"
    letter["Auto-Submitted"] = "auto-generated"  # RFC 3834 §5: nobody answers it
    letter.set_content("A letter of this server to itself.\n")
    return RenderedEmail(letter.as_bytes(), sender, back)


def _token_of(text: str) -> str:
    """An address token made of a public name."""
    kept = "".join(sign for sign in text.lower() if sign.isalnum())[:26]
    return kept if len(kept) >= 6 else kept.ljust(6, "0")


def smtp_client(settings: Settings) -> wire.SmtpClient:
    """The way to the relay; LookupError for a process that has none."""
    return wire.SmtpClient(relay_settings(settings))


def relay_settings(settings: Settings) -> wire.Relay:
    """The relay as the mail layer knows it; LookupError for a process that has none."""
    relay = settings.relay
    if relay is None:
        raise LookupError("this process has no relay")
    return wire.Relay(
        relay.host,
        relay.port,
        relay.user or "",
        relay.password or "",
        "implicit" if relay.tls == "tls" else relay.tls,
        settings.mail_domain,
    )


def deliver_message(courier: wire.SmtpClient, message: RenderedEmail) -> DeliveryFailure | None:
    """Hand a message to the relay."""
    answer = courier.send(message.wire, message.sender, message.recipient)
    if isinstance(answer, wire.Accepted):
        return None
    why = f"{answer.subject} {answer.code} {answer.status}".rstrip()
    reply = clean_reply(f"{answer.code} {answer.text}" if answer.code else answer.text)
    return DeliveryFailure(why, answer.permanent, answer.is_unexplained, answer.subject == "relay", reply)


# --- crashing on purpose


def random_bytes(settings: Settings) -> Callable[[int], bytes]:
    """Where random bytes come from: the operating system; or, for a test that plays the same game twice, nowhere.

    Such a test leaves a file `same-chance` in the state folder: from the same words come the same bytes, however often
    they are asked for and by whichever process.  It is never looked for in production.
    """
    fixed = settings.state_dir / "same-chance"
    if settings.production or not fixed.exists():
        return os.urandom
    return partial(_derive_bytes, fixed.read_bytes())


def _derive_bytes(words: bytes, count: int) -> bytes:
    return hashlib.shake_256(words).digest(count)


def fault_points(settings: Settings) -> Callable[[str], None]:
    """What happens at the named points of a gate's life: nothing, unless a test of crashes asks for one.

    Such a test leaves a file `crash-at` (a point's name, and how often it is passed before) in the state folder; it
    is never looked for in production.
    """
    order = settings.state_dir / "crash-at"
    if settings.production:
        return lambda name: None
    return partial(_kill_process, order)


def _kill_process(order: Path, name: str) -> None:
    try:
        wanted, _, count = order.read_text(encoding="ascii").strip().partition(" ")
    except OSError:
        return
    if wanted != name:
        return
    left = int(count or 0)
    if left > 0:
        order.write_text(f"{name} {left - 1}", encoding="ascii")
        return
    try:
        order.unlink()
    except FileNotFoundError:  # another worker passed this point at the same moment, and dies
        return
    os.kill(os.getpid(), signal.SIGKILL)

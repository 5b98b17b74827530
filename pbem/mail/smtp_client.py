"""The mail exit: a rendered letter to bytes, and bytes to the relay.

The same letter always gives the same bytes: date and Message-ID come from the
caller and every boundary follows from the Message-ID, so that a second delivery
can be known for what it is.  A letter names its reader and its table, and
nobody else.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import re
import smtplib
import ssl
import time
from base64 import encodebytes
from binascii import b2a_qp
from dataclasses import dataclass, field, replace
from datetime import datetime
from email.header import Header
from email.utils import format_datetime

from pbem.common.addresses import is_address, parse_mail_address
from pbem.common.network_errors import describe
from pbem.common.outage_log import OutageLog
from pbem.common.text import to_one_line
from pbem.mail.addresses import AddressKind, in_domain, parse_address
from pbem.mail.classify import LOOP_HEADER
from pbem.mail.smtp_commands import run_pipelined, run_sequential

_LOG = logging.getLogger(__name__)

_ID = re.compile(r"<[!-;=?A-~]{1,120}@[!-;=?A-~]{1,120}>")
_TYPE = re.compile(r"[a-z]+/[a-z0-9.+-]{1,60}")
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,80}")
_CONTENT_ID = re.compile(r"[A-Za-z0-9._-]{1,60}(?:@[A-Za-z0-9.-]{1,120})?")
_URL = re.compile(r"(?:https?://|mailto:)[!-;=?-~]{1,900}")
_TOO_LONG = re.compile(rb"=(?:20|09)(?<=[^\r\n]{77})(?=\r\n)")
"""The blank at the end of a line for which binascii makes that line one octet longer than RFC 2045 §6.7 allows."""
_LINE_LONGEST = 76
_SUBJECT_LONGEST = 180
_NAME_LONGEST = 60
_THREAD_LONGEST = 20


@dataclass(frozen=True)
class Attachment:
    """A file that goes along; with `content_id` it is a picture inside the HTML (`cid:...`)."""

    filename: str
    mime_type: str
    content: bytes = field(repr=False)
    content_id: str = ""


@dataclass(frozen=True)
class EmailMessageSpec:
    """A letter, rendered, for one reader.

    `sender` is the table's address and `reply_to` the reader's own token
    address, both at `domain`; `references` runs from the first letter of the
    thread to the one that this one follows; `answers` tells a receipt from a
    report (RFC 3834 §5).
    """

    message_id: str
    date: datetime
    domain: str
    table_name: str
    sender: str
    reply_to: str
    to: str
    subject: str
    text: str = field(repr=False)
    html: str | None = field(default=None, repr=False)
    attachments: tuple[Attachment, ...] = ()
    references: tuple[str, ...] = ()
    in_reply_to: str = ""
    list_id: str = ""
    unsubscribe_url: str = field(default="", repr=False)
    language: str = ""
    answers: bool = False


def build_message(letter: EmailMessageSpec) -> bytes:
    """The letter as it goes over the wire, with CRLF line ends; ValueError if an address or id is malformed.

    Words that people chose (table name, subject) are made safe for a header;
    addresses, ids and links are the program's own and must be right.  Headers
    are written out here: the standard library wraps long ids and links into
    encoded words, which no mail program undoes.  Bodies too: `email.message`
    gives other bytes for most letters, and takes five times as long.
    """
    _validate_headers(letter)
    headers = [*_address_headers(letter), *_thread_headers(letter), *_list_headers(letter), "MIME-Version: 1.0"]
    head = "\r\n".join(headers).encode("utf-8")
    return head + b"\r\n" + _content(letter).to_bytes(letter.message_id)


def safe_message_id(message_id: str) -> str:
    """A Message-ID of others as it may stand in a header of ours; empty for one that may not."""
    return message_id if _ID.fullmatch(message_id) else ""


def _validate_headers(letter: EmailMessageSpec) -> None:
    """Refuse what cannot stand in a header; the text of the error holds none of it."""
    _require_own_address(letter.sender, AddressKind.TABLE, letter.domain)
    if letter.reply_to != letter.sender:  # a letter that asks for nothing is answered to its table, which reads nothing
        _require_own_address(letter.reply_to, AddressKind.REPLY, letter.domain)
    if not is_address(letter.to):
        raise ValueError("A reader's address is one mailbox, without a name.")
    ids = (letter.message_id, *letter.references, *([letter.in_reply_to] if letter.in_reply_to else []))
    if not all(map(_ID.fullmatch, ids)):
        raise ValueError("A message id is <left@right> in printable ASCII.")
    if letter.unsubscribe_url and not _URL.fullmatch(letter.unsubscribe_url):
        raise ValueError("An unsubscribe link is an http, https or mailto URL in printable ASCII.")
    if letter.date.tzinfo is None:
        raise ValueError("A letter's date has a zone.")


def _require_own_address(address: str, kind: AddressKind, domain: str) -> None:
    if parse_address(address).kind is not kind or not in_domain(address, domain):
        raise ValueError(f"A letter's {kind.name.lower()} address is one of ours, at our mail domain.")


def _address_headers(letter: EmailMessageSpec) -> list[str]:
    name = _encode_phrase(_header_text(letter.table_name, _NAME_LONGEST))
    return [
        f"From: {name}\r\n <{letter.sender}>",
        f"To: {parse_mail_address(letter.to)}",
        f"Reply-To: {letter.reply_to}",
        f"Subject: {_encode_unstructured(_header_text(letter.subject, _SUBJECT_LONGEST), 'Subject')}",
        f"Date: {format_datetime(letter.date)}",
    ]


def _encode_phrase(words: str) -> str:
    """A display name (RFC 5322 §3.2.5): quoted if ASCII, encoded words (RFC 2047) else."""
    if words.isascii() and "=?" not in words:
        escaped = words.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    return _encode_unstructured(words, "From")


def _encode_unstructured(words: str, name: str) -> str:
    """Text for a header, folded so that no line is longer than 78 characters where there is a blank to fold at."""
    if words.isascii() and "=?" not in words:
        return _fold(words, len(name) + 2)
    return Header(words, "utf-8", maxlinelen=75, header_name=name).encode(linesep="\r\n")


def _fold(words: str, used: int) -> str:
    lines = [""]
    for word in words.split():
        if lines[-1] and used + len(lines[-1]) + 1 + len(word) > _LINE_LONGEST:
            lines.append(word)
            used = 1
        else:
            lines[-1] = f"{lines[-1]} {word}".strip()
    return "\r\n ".join(lines)


def _thread_headers(letter: EmailMessageSpec) -> list[str]:
    headers = [f"Message-ID: {letter.message_id}"]
    if followed := letter.in_reply_to or (letter.references[-1] if letter.references else ""):
        headers.append(f"In-Reply-To: {followed}")
    if letter.references:
        # The first letter holds a thread together; of the others the last ones do.
        kept = letter.references[:1] + letter.references[1:][-(_THREAD_LONGEST - 1) :]
        headers.append("References: " + "\r\n ".join(kept))
    return headers


def _list_headers(letter: EmailMessageSpec) -> list[str]:
    """What tells machines that a machine wrote this (RFC 3834), and readers how to be rid of it (RFC 2369, 8058)."""
    headers = [
        f"Auto-Submitted: {'auto-replied' if letter.answers else 'auto-generated'}",
        "X-Auto-Response-Suppress: OOF, AutoReply",
        f"{LOOP_HEADER}: {letter.domain}",
    ]
    if letter.list_id:
        slug = re.sub(r"[^a-z0-9-]+", "-", letter.list_id.lower())[:60].strip("-") or "table"
        headers.append(f"List-Id: <{slug}.{letter.domain}>")
    if letter.unsubscribe_url:
        headers.append(f"List-Unsubscribe: <{letter.unsubscribe_url}>")
        if letter.unsubscribe_url.startswith("https:"):
            headers.append("List-Unsubscribe-Post: List-Unsubscribe=One-Click")
    if re.fullmatch(r"[a-z]{2}", letter.language):
        headers.append(f"Content-Language: {letter.language}")
    return headers


def _header_text(words: str, longest: int) -> str:
    """Words for a header: one line, nothing invisible, not endless."""
    flat = to_one_line(words)
    return flat if len(flat) <= longest else flat[: longest - 1].rstrip() + "\u2026"


@dataclass(frozen=True)
class _MimePart:
    """A piece of a letter: its own headers, and either its encoded body or the parts it holds."""

    headers: tuple[str, ...]
    body: bytes = b""
    parts: tuple[_MimePart, ...] = ()

    def to_bytes(self, message_id: str, path: str = "") -> bytes:
        """Headers, blank line, body.  Boundaries follow from the Message-ID and the place in the letter.

        "=_" stands in no quoted-printable or base64 text, so no body can hold a boundary.
        """
        if not self.parts:
            return "\r\n".join(self.headers).encode("ascii") + b"\r\n\r\n" + self.body
        mark = "=_" + hashlib.sha256(f"{path} {message_id}".encode()).hexdigest()[:32]
        head = "\r\n".join((f'{self.headers[0]};\r\n boundary="{mark}"', *self.headers[1:]))
        inner = [
            f"--{mark}\r\n".encode() + part.to_bytes(message_id, f"{path}/{n}") for n, part in enumerate(self.parts)
        ]
        return head.encode("ascii") + b"\r\n\r\n" + b"\r\n".join(inner) + f"\r\n--{mark}--\r\n".encode()


def _content(letter: EmailMessageSpec) -> _MimePart:
    """Text first and complete, then HTML with its pictures, then the files."""
    content = _text_part(letter.text, "plain")
    loose = letter.attachments
    if letter.html is not None:
        page = _text_part(letter.html, "html")
        inline = tuple(_file_part(one) for one in loose if one.content_id)
        if inline:
            page = _MimePart(('Content-Type: multipart/related; type="text/html"',), parts=(page, *inline))
        content = _MimePart(("Content-Type: multipart/alternative",), parts=(content, page))
        loose = tuple(one for one in loose if not one.content_id)
    if loose:
        files = tuple(_file_part(replace(one, content_id="")) for one in loose)
        content = _MimePart(("Content-Type: multipart/mixed",), parts=(content, *files))
    return content


def _text_part(text: str, kind: str) -> _MimePart:
    ended = text.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "").rstrip("\n") + "\n"
    octets = ended.replace("\n", "\r\n").encode("utf-8", "replace")
    return _MimePart(
        (f"Content-Type: text/{kind}; charset=utf-8", "Content-Transfer-Encoding: quoted-printable"),
        _TOO_LONG.sub(rb"=\r\n\g<0>", b2a_qp(octets)),
    )


def _file_part(one: Attachment) -> _MimePart:
    """A file, vouched for: ValueError unless type, name and id are plain words."""
    if not _TYPE.fullmatch(one.mime_type) or one.mime_type.startswith(("multipart/", "message/")):
        raise ValueError("An attachment's type is type/subtype, and not a letter or a container.")
    if not _NAME.fullmatch(one.filename):
        raise ValueError("An attachment's file name is ASCII letters, digits, dots and dashes.")
    if one.content_id and not _CONTENT_ID.fullmatch(one.content_id):
        raise ValueError("A content id is letters, digits, dots and dashes.")
    headers = [
        f'Content-Type: {one.mime_type}; name="{one.filename}"',
        "Content-Transfer-Encoding: base64",
        f'Content-Disposition: {"inline" if one.content_id else "attachment"}; filename="{one.filename}"',
        *([f"Content-ID: <{one.content_id}>"] if one.content_id else []),
    ]
    return _MimePart(tuple(headers), encodebytes(one.content).replace(b"\n", b"\r\n"))


_STATUS = re.compile(r"[245]\.\d{1,3}\.\d{1,3}(?!\S)")
_PERMANENT_CODES = re.compile(r"5\.(?:1\.(?:1|2|3|6|10)|2\.\d{1,3})(?!\S)")
"""No such mailbox, domain or syntax, moved, null MX; and whatever is wrong with a mailbox (RFC 3463, RFC 7505)."""

LETTERS_PER_CONNECTION = 50
IDLE_S = 5.0
"""A connection that was idle for so long is not trusted any more."""
AGAIN_S = 15.0
"""A relay that could not be used is left alone for so long: the letters behind it need not wait for it each."""


@dataclass(frozen=True)
class Relay:
    """The server that takes our letters; `tls` is "none", "starttls" or "implicit"."""

    host: str
    port: int
    user: str = ""
    password: str = field(default="", repr=False)
    tls: str = "none"
    hostname: str = "localhost"
    timeout: float = 30.0


@dataclass(frozen=True)
class Accepted:
    """The relay has taken the letter, and answers for it now."""

    text: str = ""


@dataclass(frozen=True)
class Rejected:
    """The letter has not gone out.

    `permanent`: the recipient's own address or mailbox is at fault, and trying
    again is useless.  Only an enhanced status says so for certain; all other
    refusals may be the fault of the relay or of its settings.  `subject`: what
    was refused, the "recipient", the "letter" or everything ("relay").
    """

    permanent: bool
    code: int
    text: str
    subject: str

    @property
    def status(self) -> str:
        """The enhanced status (RFC 3463) that the text begins with, or nothing."""
        found = _STATUS.match(self.text)
        return found[0] if found else ""

    @property
    def is_unexplained(self) -> bool:
        """A final refusal of a recipient without a reason: theirs only if the relay takes other recipients."""
        return self.subject == "recipient" and self.code in (550, 553) and not self.status


def send_message(relay: Relay, message: bytes, envelope_from: str, envelope_to: str) -> Accepted | Rejected:
    """Hand one letter over on a connection of its own; every failure comes back as Rejected, none is raised."""
    courier = SmtpClient(relay)
    try:
        return courier.send(message, envelope_from, envelope_to)
    finally:
        courier.quit()


def connection_problem(relay: Relay) -> str:
    """Why a relay does not take letters just now, in words; empty if it does."""
    courier = SmtpClient(relay)
    try:
        return courier.connection_problem()
    finally:
        courier.quit()


class SmtpClient:
    """Letters to one relay, one after the other over one connection as long as it lasts.  For one thread."""

    def __init__(self, relay: Relay) -> None:
        """Nothing is opened before the first letter."""
        self.relay = relay
        self._server: smtplib.SMTP | None = None
        self._taken, self._last, self._again = 0, 0.0, 0.0
        self._trouble = OutageLog("the relay", _LOG)

    def send(self, message: bytes, envelope_from: str, envelope_to: str) -> Accepted | Rejected:
        """Hand one letter over; every failure comes back as Rejected, none is raised.

        After a connection that broke at the last moment the relay may have the letter all the same: the same bytes
        are sent again, at once where a kept connection turned out to be gone.
        """
        if time.monotonic() < self._again:
            return Rejected(False, 0, "The relay could not be used a moment ago.", "relay")
        if self._taken >= LETTERS_PER_CONNECTION or time.monotonic() - self._last > IDLE_S:
            self.quit()
        kept = self._server is not None
        answer = self._deliver(message, envelope_from, envelope_to)
        if kept and isinstance(answer, Rejected) and answer.subject == "relay":
            answer = self._deliver(message, envelope_from, envelope_to)
        self._log_state(answer)
        return answer

    def connection_problem(self) -> str:
        """Connect as for a letter and hand none over; why that fails, or nothing."""
        try:
            self._server = _connected(self.relay)
            _check_reply(self._server.noop(), 250)
        except (_NegativeReply, smtplib.SMTPResponseException) as refused:
            code = refused.code if isinstance(refused, _NegativeReply) else refused.smtp_code
            return describe(refused) if isinstance(refused, smtplib.SMTPAuthenticationError) else f"it says {code}"
        except (OSError, smtplib.SMTPException, ValueError) as error:
            return describe(error)
        return ""

    def _log_state(self, answer: Accepted | Rejected) -> None:
        """Remember a relay that is away; the log says when that begins and when it ends."""
        if isinstance(answer, Rejected) and answer.subject == "relay":
            self._again = time.monotonic() + AGAIN_S
            self._trouble.start(answer.text if answer.code == 0 else str(answer.code))
        else:
            self._trouble.end()

    def _deliver(self, message: bytes, envelope_from: str, envelope_to: str) -> Accepted | Rejected:
        try:
            answer = self._attempt(message, envelope_from, envelope_to)
        except (OSError, smtplib.SMTPException, ValueError, UnicodeError) as error:
            answer = Rejected(False, 0, type(error).__name__, "relay")
        if isinstance(answer, Rejected):
            self.quit()
        return answer

    def _attempt(self, message: bytes, envelope_from: str, envelope_to: str) -> Accepted | Rejected:
        about, named = "relay", False
        try:
            server = self._server = self._server or _connected(self.relay)
            about = "recipient"
            reader = parse_mail_address(envelope_to)
            options = _options(server, envelope_from, reader, len(message))
            about = "letter"
            way = run_pipelined if server.has_extn("pipelining") else run_sequential
            said = way(server, envelope_from, options, reader, message)
            _check_reply(next(said), 250)
            about, named = "recipient", True
            _check_reply(next(said), 250, 251)
            about = "letter"
            text = _join_lines(_check_reply(next(said), 250)[1])
        except _NegativeReply as no:
            return _to_rejection(no.code, no.text, about, named)
        except smtplib.SMTPResponseException as error:
            return _to_rejection(error.smtp_code, error.smtp_error, about, named)
        except smtplib.SMTPNotSupportedError:
            return Rejected(False, 0, "The relay lacks an extension that this letter needs.", about)
        self._taken, self._last = self._taken + 1, time.monotonic()
        return Accepted(text)

    def quit(self) -> None:
        """Say goodbye; what goes wrong now changes nothing about the letters."""
        server, self._server, self._taken = self._server, None, 0
        if server is not None:
            with contextlib.suppress(smtplib.SMTPException, OSError):
                server.quit()
            server.close()


class _NegativeReply(Exception):
    def __init__(self, code: int, text: bytes) -> None:
        super().__init__()
        self.code, self.text = code, text


def _to_rejection(code: int, said: bytes | str, about: str, named: bool) -> Rejected:
    """What the relay said, and whether that is about the recipient's own box; `named`: the relay knew whose it is."""
    text = _join_lines(said)
    if code == 421:  # it closes the connection, whatever it was asked (RFC 5321 §3.8)
        about = "relay"
    theirs = named and 500 <= code < 600 and _PERMANENT_CODES.match(text) is not None
    return Rejected(theirs, code, text, about)


def _check_reply(answer: tuple[int, bytes], *codes: int) -> tuple[int, bytes]:
    if answer[0] not in codes:
        raise _NegativeReply(*answer)
    return answer


def _connected(relay: Relay) -> smtplib.SMTP:
    """A session with the relay, encrypted and signed in as far as it was configured."""
    if relay.tls == "implicit":
        context = ssl.create_default_context()
        server: smtplib.SMTP = smtplib.SMTP_SSL(
            relay.host, relay.port, relay.hostname, timeout=relay.timeout, context=context
        )
    else:
        server = smtplib.SMTP(relay.host, relay.port, relay.hostname, timeout=relay.timeout)
    try:
        if relay.tls == "starttls":
            server.starttls(context=ssl.create_default_context())
        server.ehlo_or_helo_if_needed()
        if relay.user:
            server.login(relay.user, relay.password)
    except BaseException:
        server.close()
        raise
    return server


def _options(server: smtplib.SMTP, envelope_from: str, envelope_to: str, size: int) -> list[str]:
    """What MAIL FROM has to say; SMTPNotSupportedError if the relay cannot take such an address."""
    options = [f"size={size}"] if server.has_extn("size") else []
    if not (envelope_from + envelope_to).isascii():
        if not server.has_extn("smtputf8"):
            raise smtplib.SMTPNotSupportedError
        server.command_encoding = "utf-8"
        options += ["SMTPUTF8", "BODY=8BITMIME"]
    return options


def _join_lines(text: bytes | str) -> str:
    """The far end's words, on one bounded line."""
    words = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
    return _header_text(words, 200)

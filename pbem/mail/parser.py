"""Bytes from the wire to a Letter.  Pure, and never an error, whatever the bytes.

Only headers of the letter itself are believed to be what they are, and even
those prove nothing about who sent it; `Date:` is not looked at.  Parsing keeps
to the old header policy of the standard library, whose work grows only with
the number of bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from email.message import Message
from email.parser import BytesParser
from email.policy import Compat32
from email.utils import getaddresses

from pbem.common.addresses import normalize
from pbem.common.cpu_budget import MOST_LINES, BudgetExceeded, check
from pbem.mail import classify, html_text
from pbem.mail.charsets import decode, header_text, to_bytes, to_plain, to_plain_line, unflow
from pbem.mail.parsed_email import EmailKind, EmailWarning, ParsedEmail, ParsedLine, Part
from pbem.mail.reply_parser import parse_reply

MAX_BYTES = 2 * 1024 * 1024
_HEAD_BYTES = 128 * 1024
_TEXT_CHARS = 400_000
_LONGEST_LINE = 1_000
_DEEPEST = 12
_MOST_BOUNDARIES = 60
_MOST_PARTS = 2_000
_MOST_SIGNING = 100
_MOST_QUOTED = 3_000

_ADDRESS = re.compile(r"[^\s@<>\"(),;:]{1,64}@[^\s@<>\"(),;:]{1,255}")
_MESSAGE_ID = re.compile(r"<[^<>\s]{1,500}>")
_DASHES = re.compile(rb"[\r\n]--[^\s-]")
_BOUNDARY = re.compile(rb"boundary\s*=", re.IGNORECASE)
_STUB = re.compile(
    r"(?:view|read|display|see|support|enable|require|afficher|lire|voir|visualiser|darstell|anzeig)[\s\S]{0,120}html|"
    r"html[\s\S]{0,80}(?:view|client|format|version|message|only|messagerie)",
    re.IGNORECASE,
)
_MARKUP = re.compile(r"\s*<(?:!doctype html|html|head|body|div|p)\b", re.IGNORECASE)
_PGP_TEXT, _PGP_SIGNATURE, _PGP_END = (
    "-----BEGIN PGP SIGNED MESSAGE-----\n",
    "\n-----BEGIN PGP SIGNATURE-----",
    "-----END PGP SIGNATURE-----",
)
_PGP_HEADERS = re.compile(r"(?:[A-Za-z]+:.*\n){0,10}\n?")
_OPENED_EMAIL = re.compile(r" ?<mailto:[^<>\s?]*\?[^<>\s]*>")
"""Where a line of our template led, as a mail program writes it behind that line when it makes plain text of HTML."""
_LONGEST_HEADER = 16_000
_LONGEST_PARAMETERS = 2_000
_ENCRYPTED_TYPES = frozenset({"multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime"})


class _Bounded(Compat32):
    """Headers cut to a length that the standard library reads at once: its work on parameters grows with the square."""

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        name, value = super().header_source_parse(sourcelines)
        return name, value[: _LONGEST_PARAMETERS if name.lower().startswith("content-") else _LONGEST_HEADER]


_POLICY = _Bounded()


@dataclass(frozen=True)
class _Body:
    """The text of a part: what is read, what its HTML calls a signature, what is to be said about it."""

    text: str = ""
    signature: tuple[str, ...] = ()
    html: bool = False
    warnings: frozenset[EmailWarning] = frozenset()

    def __add__(self, other: _Body) -> _Body:
        text = "\n".join(text for text in (self.text, other.text) if text.strip())
        return _Body(text, self.signature + other.signature, self.html or other.html, self.warnings | other.warnings)


def parse_message(
    raw: bytes,
    *,
    domain: str = "",
    name: str = "",
    envelope_sender: str | None = None,
    limit: int = MAX_BYTES,
    to_bounces: bool = False,
) -> ParsedEmail:
    """What a letter says and what kind it is.

    `domain` is our own mail domain, or that of the mailbox of ours with this `name`, to know our own letters by;
    `envelope_sender` what came with MAIL FROM ("" for a bounce), if known;
    letters of more than `limit` bytes are judged by their headers alone; `to_bounces`: it came to an address for
    bounces, so a delivery report in it counts, whoever gave it on.
    Raises BudgetExceeded where the budget of work in force is used up.
    """
    try:
        return _parse(raw, (domain, name), envelope_sender, limit, to_bounces)
    except BudgetExceeded:
        raise
    except Exception:  # noqa: BLE001 - bytes of strangers: what the parser chokes on is a kind of letter, no error
        return ParsedEmail(EmailKind.UNREADABLE)


def parse_headers(raw: bytes) -> Message:
    """The headers of a letter, read as far as they are of a sane length."""
    return BytesParser(policy=_POLICY).parsebytes(raw[:_HEAD_BYTES], headersonly=True)


def is_signed(raw: bytes, domain: str) -> bool:
    """Return True if a letter has a DKIM signature (RFC 6376 §3.5) that names a domain; it is not verified."""
    signatures = parse_headers(raw).get_all("DKIM-Signature") or ()
    return any(f"d={domain}" in re.sub(r"\s", "", str(found)).split(";") for found in signatures)


def _parse(raw: bytes, home: tuple[str, str], envelope_sender: str | None, limit: int, to_bounces: bool) -> ParsedEmail:
    head = parse_headers(raw)
    letter = _envelope(head)
    null_sender = is_null_sender(head, envelope_sender)
    kind = classify.classify_headers(head, letter.from_address, null_sender, *home)
    if len(raw) > limit:
        return replace(letter, kind=kind or EmailKind.OVERSIZED)
    if len(_BOUNDARY.findall(raw)) > _MOST_BOUNDARIES or len(_DASHES.findall(raw)) > _MOST_PARTS:
        return replace(letter, kind=kind or EmailKind.UNREADABLE)
    message = BytesParser(policy=_POLICY).parsebytes(raw)
    if to_bounces and classify.has_report(message):
        kind = EmailKind.BOUNCE
    if kind is not None:
        return _classify(letter, kind, message, home[0])
    return _read_body(letter, message)


def is_null_sender(head: Message, envelope_sender: str | None) -> bool:
    """Return True if nobody is to be told if this letter fails: an empty envelope sender (RFC 5321 §4.5.5)."""
    if envelope_sender is not None:
        return envelope_sender in ("", "<>")
    path = str(head["Return-Path"] or "").strip().lower()
    return path == "<>" or path.startswith(("<mailer-daemon", "mailer-daemon"))


def _envelope(head: Message) -> ParsedEmail:
    """A letter's headers, each bounded, without line ends or control characters."""
    message_id = message_ids(head)[:1]
    answered = _parse_ids(_first_id(head, "In-Reply-To"))
    return ParsedEmail(
        EmailKind.ORDINARY,
        from_address=_first_address(_first_id(head, "From")),
        reply_to=_first_address(_first_id(head, "Reply-To")),
        subject=header_text(_first_id(head, "Subject")),
        message_id=message_id[0] if message_id else "",
        in_reply_to=answered[0] if answered else "",
        references=_parse_ids(" ".join(map(str, head.get_all("References") or ())))[-50:],
        warnings=() if message_id else (EmailWarning.NO_MESSAGE_ID,),
    )


def message_ids(head: Message) -> tuple[str, ...]:
    """What its Message-ID says, which should be one and may be none."""
    return _parse_ids(_first_id(head, "Message-ID"))


def _first_id(head: Message, name: str) -> str:
    """A header's own characters; unlike `head[name]`, bytes above 127 stay what they were."""
    wanted = name.lower()
    return next((str(value) for key, value in head.raw_items() if key.lower() == wanted), "")[:4_000]


def _parse_ids(value: str) -> tuple[str, ...]:
    return tuple(_MESSAGE_ID.findall(to_plain(value)))


def _first_address(value: str) -> str:
    """The first address of a header; empty if there is none."""
    said, _ = decode(value[:2_000].encode("utf-8", "surrogateescape"), "utf-8")  # bytes of any script (RFC 6532 §3.2)
    flat = " ".join(said.split())
    for _, address in getaddresses([flat]):
        if _ADDRESS.fullmatch(address):
            return normalize(to_plain(address))
    found = _ADDRESS.search(flat)
    return normalize(to_plain(found.group(0))) if found else ""


def _classify(letter: ParsedEmail, kind: EmailKind, message: Message, domain: str) -> ParsedEmail:
    """A letter that no human wrote for us: nothing of its text is kept but the addresses that failed."""
    if kind not in (EmailKind.BOUNCE, EmailKind.COMPLAINT):
        return replace(letter, kind=kind)
    text = _shorten_body(_extract_body(message)).text if kind is EmailKind.BOUNCE else ""
    named = classify.failed_recipients(message, text) if kind is EmailKind.BOUNCE else ()
    returned = classify.returned_message_id(message, text, domain)
    return replace(letter, kind=kind, failures=named, returned_id=returned)


def _read_body(letter: ParsedEmail, message: Message) -> ParsedEmail:
    types = {part.get_content_type() for part in classify.walk_parts(message)}
    if types & _ENCRYPTED_TYPES:
        return replace(letter, kind=EmailKind.ENCRYPTED)
    if _is_calendar_invitation(message):
        return replace(letter, kind=EmailKind.CALENDAR)
    body = _shorten_body(_extract_body(message))
    if "-----BEGIN PGP MESSAGE-----" in body.text:
        return replace(letter, kind=EmailKind.ENCRYPTED)
    return _split_reply(letter, body, _OPENED_EMAIL.sub("", _strip_pgp(body.text)))


def _split_reply(letter: ParsedEmail, body: _Body, text: str) -> ParsedEmail:
    """The sender's own lines, told apart from what they quote and sign with."""
    found = parse_reply(text)
    parts, lost = _limit_body((*found.body, *((Part.SIGNATURE, to_plain(line)) for line in body.signature)))
    lines = tuple(one.text for one in parts if one.part is Part.OWN)
    signed = [one.text for one in parts if one.part is Part.SIGNATURE]
    signature = tuple(filter(None, signed[:_MOST_SIGNING]))
    warnings = {*letter.warnings, *body.warnings}
    if signature:
        warnings.add(EmailWarning.SIGNATURE_LEFT_OUT)
    if lost:
        warnings.add(EmailWarning.CUT_SHORT)
    if body.html:
        warnings.add(EmailWarning.FROM_HTML)
    if classify.looks_automatic(lines):
        warnings.add(EmailWarning.SOUNDS_AUTOMATIC)
    return replace(
        letter,
        kind=EmailKind.ORDINARY if any(lines) else EmailKind.EMPTY,
        lines=lines,
        signature=signature,
        body=parts,
        quoted=found.quoted,
        warnings=tuple(sorted(warnings, key=lambda warning: warning.value)),
    )


def _limit_body(body: Iterable[tuple[Part, str]]) -> tuple[tuple[ParsedLine, ...], bool]:
    """Plain lines, the sender's own blank ones single, so many and so long; True beside them if that lost any."""
    kept, own, quoted, lost = list[ParsedLine](), list[str](), 0, False
    for part, written in body:
        line = to_plain_line(written[: _LONGEST_LINE * 2])
        lost = lost or len(line) > _LONGEST_LINE
        one = ParsedLine(part, line[:_LONGEST_LINE], written[: _LONGEST_LINE * 2])
        if part is not Part.OWN:
            quoted += 1
            if quoted <= _MOST_QUOTED:
                kept.append(one)
            else:
                lost = True
        elif line or (own and own[-1]):
            if len(own) < MOST_LINES:
                own.append(line)
                kept.append(one)
            else:
                lost = True
    last = max((at for at, one in enumerate(kept) if one.part is Part.OWN and one.text), default=-1)
    return tuple(one for at, one in enumerate(kept) if at <= last or one.part is not Part.OWN), lost


def _shorten_body(body: _Body) -> _Body:
    """A plain text no longer than the longest that is read; it says so if that lost anything."""
    lines = to_plain(body.text[:_TEXT_CHARS]).split("\n", maxsplit=html_text.MOST_LINES)
    lost = len(body.text) > _TEXT_CHARS or len(lines) > html_text.MOST_LINES
    text = "\n".join(lines[: html_text.MOST_LINES])
    return replace(body, text=text, warnings=body.warnings | ({EmailWarning.CUT_SHORT} if lost else set()))


def _strip_pgp(text: str) -> str:
    """A clear-signed text without its armour, its escaped dashes restored (RFC 4880 §7.1)."""
    before, armour, inside = text.partition(_PGP_TEXT)
    signed, signature, rest = inside[_find_end_of_headers(inside) :].partition(_PGP_SIGNATURE)
    if not armour or not signature:
        return text
    return before + re.sub(r"(?m)^- ", "", signed) + rest.partition(_PGP_END)[2]


def _find_end_of_headers(armoured: str) -> int:
    found = _PGP_HEADERS.match(armoured)
    return found.end() if found else 0


def _is_calendar_invitation(message: Message) -> bool:
    """Return True if a letter is an invitation or the answer to one (RFC 6047), not just one with a date attached."""
    for part in classify.walk_parts(message):
        if part.get_content_type() == "text/calendar":
            return part is message or part.get_param("method") is not None
    return False


def _extract_body(part: Message, depth: int = 0) -> _Body:
    """The readable text of a part and all below it; letters inside it are not its own words."""
    check()
    kind = part.get_content_type()
    if part.get_content_maintype() == "message":
        return _Body(warnings=frozenset({EmailWarning.FORWARD_NOT_READ}))
    if part.is_multipart():
        return _body_of_parts(kind, part.get_payload(), depth)
    if part.get_content_disposition() == "attachment" or kind not in ("text/plain", "text/html"):
        told = part.get_content_disposition() == "attachment" and part.get_content_maintype() == "text"
        return _Body(warnings=frozenset({EmailWarning.ATTACHMENT_NOT_READ} if told else ()))
    return _body_of_text(part, kind)


def _body_of_parts(kind: str, payload: object, depth: int) -> _Body:
    if depth >= _DEEPEST or not isinstance(payload, list):
        return _Body(warnings=frozenset({EmailWarning.CUT_SHORT}))
    found = [_extract_body(child, depth + 1) for child in payload if isinstance(child, Message)]
    if kind == "multipart/alternative":
        return _best_alternative(found)
    if kind == "multipart/related":
        return next((body for body in found if body.text.strip()), _Body())
    if kind == "multipart/signed":
        return found[0] if found else _Body()
    total = _Body()
    for body in found:
        total += body
    return total


def _best_alternative(found: list[_Body]) -> _Body:
    """Of several versions of one text the plain one, unless it is empty or only says that HTML is better."""
    plain_ones = [body for body in found if not body.html and body.text.strip() and not _is_placeholder(body.text)]
    rich = [body for body in found if body.html and (body.text.strip() or body.signature)]
    rest = [body for body in found if body.text.strip()]
    return next(iter(plain_ones + rich + rest), _Body())


def _is_placeholder(text: str) -> bool:
    return len(text) < 400 and _STUB.search(text) is not None


def _body_of_text(part: Message, kind: str) -> _Body:
    text, guessed = decode(to_bytes(part), _parameter(part, "charset"))
    warnings = frozenset({EmailWarning.CHARSET_GUESSED} if guessed else ())
    if len(text) > _TEXT_CHARS * 2:
        text, warnings = text[: _TEXT_CHARS * 2], warnings | {EmailWarning.CUT_SHORT}
    if kind == "text/html" or _MARKUP.match(text):
        page = html_text.render(text)
        if not page.whole:
            warnings |= {EmailWarning.CUT_SHORT}
        return _Body(page.text, page.signature, html=True, warnings=warnings)
    if _parameter(part, "format").lower() == "flowed":
        text = unflow(text, _parameter(part, "delsp").lower() == "yes")
    return _Body(text, warnings=warnings)


def _parameter(part: Message, name: str) -> str:
    """A parameter of Content-Type; in its long form (RFC 2231) it is a triple of which the last counts."""
    try:
        value = part.get_param(name, "")
    except (TypeError, ValueError):  # of a long form whose pieces do not fit together
        return ""
    return str(value[2] if isinstance(value, tuple) else value or "")

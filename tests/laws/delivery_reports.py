"""Delivery status notifications (RFC 3464) as servers write them, in every form that they come in."""

import base64
from collections.abc import Callable, Mapping

OURS = "<g.s1.4.report@games.example.org>"
"""The Message-ID of the email that comes back."""
READER = "ada@player.example"
WORDS = "550 5.1.1 <ada@player.example>: Recipient address rejected: User unknown"

RETURNED = f"From: t+abcdefgh@games.example.org\nTo: {READER}\nMessage-ID: {OURS}\nSubject: [Rose]\n\nPLACE Genova 1\n"
_HEAD = (
    "Return-Path: <>\nFrom: MAILER-DAEMON@mx.player.example (Mail Delivery System)\n"
    "To: b+k7m2p9q4x8@games.example.org\n"
    "Subject: Undelivered Mail Returned to Sender\nMessage-ID: <bo@mx.player.example>\nMIME-Version: 1.0\n"
)
_SERVER = "Reporting-MTA: dns; mx.player.example\nArrival-Date: Mon, 1 Mar 2027 10:00:00 +0000\n"


def _fields(action: str, status: str, recipient: str = f"Final-Recipient: rfc822; {READER}\n") -> str:
    return f"{recipient}Action: {action}\nStatus: {status}\nDiagnostic-Code: smtp; {WORDS}\n"


def _mixed(kind: str, *parts: str) -> str:
    inside = "".join(f"--m0\n{part}\n" for part in parts)
    return f'Content-Type: {kind}; boundary="m0"\n\n{inside}--m0--\n'


def _status(fields: str, kind: str = "message/delivery-status", coding: str = "") -> str:
    if coding == "base64":
        fields = base64.encodebytes(fields.encode()).decode()
    return f"Content-Type: {kind}\n{f'Content-Transfer-Encoding: {coding}' + chr(10) if coding else ''}\n{fields}"


_TEXT = "Content-Type: text/plain\n\nSorry.\n"
_LETTER = f"Content-Type: message/rfc822\n\n{RETURNED}"
_HEADERS = f"Content-Type: text/rfc822-headers\n\n{RETURNED}"


def _report(action: str, status: str, *, returned: str = _LETTER, **part: str) -> str:
    """A report of the usual form; `part` changes its fields or the part that holds them."""
    fields = part.pop("fields", f"{_SERVER}\n{_fields(action, status)}")
    return _HEAD + _mixed("multipart/report; report-type=delivery-status", _TEXT, _status(fields, **part), returned)


def _without(name: str) -> Callable[[str, str], str]:
    return lambda action, status: _report(
        action, status, fields=f"{_SERVER}\n{_fields(action, status, name and f'{name}{chr(10)}')}"
    )


def _nested(action: str, status: str) -> str:
    """The report is a letter inside another one, as some gateways give it on."""
    kind = "multipart/report; report-type=delivery-status"
    return _HEAD + _mixed(kind, _TEXT, f"Content-Type: message/rfc822\n\n{_report(action, status).replace('m0', 'm1')}")


def _forwarded(action: str, status: str) -> str:
    """A person or a rule forwards the report to the address that it should have gone to."""
    inner = _report(action, status).replace("m0", "m1")
    head = "From: Ada <ada@other.example>\nTo: b+k7m2p9q4x8@games.example.org\nSubject: Fwd: returned\n"
    mixed = _mixed("multipart/mixed", _TEXT, f"Content-Type: message/rfc822\n\n{inner}")
    return f"{head}Message-ID: <fw@other.example>\nMIME-Version: 1.0\n{mixed}"


def _forwarded_by_rule(action: str, status: str) -> str:
    return "Auto-Submitted: auto-generated (forwarded)\n" + _forwarded(action, status)


FORMS: Mapping[str, Callable[[str, str], str]] = {
    "usual": _report,
    "headers of the letter only": lambda action, status: _report(action, status, returned=_HEADERS),
    "international": lambda action, status: _report(action, status, kind="message/global-delivery-status"),
    "base64": lambda action, status: _report(action, status, coding="base64"),
    "one block": lambda action, status: _report(action, status, fields=_SERVER + _fields(action, status)),
    "no type before the recipient": _without(f"Final-Recipient: {READER}"),
    "brackets around the recipient": _without(f"Final-Recipient: rfc822;<{READER}>"),
    "an empty recipient": _without("Final-Recipient: rfc822;"),
    "a recipient without a domain": _without("Final-Recipient: rfc822; ada"),
    "a recipient of another type": _without("Final-Recipient: x400; /S=ada/O=player/"),
    "no recipient": _without(""),
    "nested": _nested,
    "forwarded": _forwarded,
    "forwarded by a rule": _forwarded_by_rule,
}
FINAL = ("failed", "Failed", "failure", "error", "failed (undeliverable)", "undeliverable")
LATER = ("delayed", "Delayed", "delay", "delayed; will retry")
GOOD = ("delivered", "relayed", "expanded")
CLASSES = ("5.1.1", "5.0.0", "5.2.2", "4.4.1", "4.4.7", "4.2.2", "4.0.0", "")

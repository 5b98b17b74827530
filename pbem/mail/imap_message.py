"""A letter out of a mailbox: to which of our addresses it came, since no mail server tells.

What delivered it wrote that above the letter; where nothing did, it is to whom the letter says that it goes.  None of
this is proof of anything, and none is needed: only who was given an address of ours knows it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from email.message import Message
from itertools import islice

from pbem.mail.addresses import AddressKind, bounce_address, has_token_form, parse_address
from pbem.mail.parser import is_null_sender, message_ids, parse_headers

_DELIVERED = ("Delivered-To", "X-Original-To", "Envelope-To", "X-Envelope-To", "X-Delivered-To", "X-Forwarded-To")
_WRITTEN = ("To", "Cc", "Resent-To", "Resent-Cc", "Bcc")
_MOST = 20
_MOST_HEADERS = 1_000
_ANY = re.compile(r"[A-Za-z0-9.+=_-]{8,64}@[A-Za-z0-9.-]{1,253}")
"""Whatever may be an address of ours; a grammar for headers would take longer over hostile ones, and find no more."""
_SEARCHED = 200_000


@dataclass(frozen=True)
class FetchedMessage:
    """A letter as the smtp process takes it: the addresses of ours that it may have come to, and its bytes.

    `null_sender`: nobody is to be told if it fails.
    """

    recipients: tuple[str, ...] = field(repr=False)
    raw: bytes = field(repr=False)
    null_sender: bool


def parse_fetched(raw: bytes, domain: str, name: str = "") -> FetchedMessage:
    """What is to be taken in of a letter, if anything; never an error, whatever the bytes.

    A letter without a Message-ID is given one that follows from its bytes, so that it is known if it comes twice.
    """
    try:
        head = parse_headers(raw)
        found = _recipients(head, domain, name) or _bounce_recipient(head, raw, domain, name)
        null_sender, known = is_null_sender(head, None), bool(message_ids(head))
    except Exception:  # noqa: BLE001 - bytes of strangers: what cannot be read came to no address of ours
        return FetchedMessage((), raw, False)
    if not known:
        raw = f"Message-ID: <{hashlib.sha256(raw).hexdigest()[:40]}@{domain}>\r\n".encode("ascii") + raw
    return FetchedMessage(found, raw, null_sender)


def _recipients(head: Message, domain: str, name: str) -> tuple[str, ...]:
    """The address that a copy was delivered to; where none is told, all of ours that it is written to."""
    delivered = (one for one in _named_recipients(head, _DELIVERED) if has_token_form(one, domain, name))
    if first := next(delivered, None):
        return (first,)
    written = (one.lower() for one in _named_recipients(head, _WRITTEN) if has_token_form(one, domain, name))
    return tuple(dict.fromkeys(islice(written, _MOST)))


def _named_recipients(head: Message, names: tuple[str, ...]) -> Iterator[str]:
    """The addresses in headers of these names, from top to bottom."""
    wanted = {name.lower() for name in names}
    for header, value in islice(head.raw_items(), _MOST_HEADERS):
        if header.lower() in wanted:
            yield from _ANY.findall(str(value))


def _bounce_recipient(head: Message, raw: bytes, domain: str, name: str) -> tuple[str, ...]:
    """Where a bounce belongs that came to the mailbox itself: some providers change the sender of what we send.

    The letter that it gives back names the address that its reader was to answer to.
    """
    if head.get_content_type() != "multipart/report":
        return ()
    for found in _ANY.findall(raw[:_SEARCHED].decode("latin-1")):
        if has_token_form(found, domain, name):
            address = parse_address(found)
            if address.kind in (AddressKind.REPLY, AddressKind.BOUNCE):
                return (bounce_address(address.token, domain, name),)
    return ()

"""Mail addresses of people: one reading of them, whether they come by letter, page, program or command line."""

import re
import unicodedata
from typing import Final

import idna

from pbem.common import parsers

MOST_OCTETS: Final = 254
"""The longest address that fits into an envelope (RFC 5321 §4.5.3.1.3, without its brackets)."""

_MOST_LOCAL_OCTETS: Final = 64
_LOCAL: Final = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.\u0080-\U0010ffff-]+")

_DOTLESS: Final = ("gmail.com", "googlemail.com")
"""Two names of one provider, who takes no notice of dots in a local part."""

IN_TEXT: Final = r"[\w!#$%&'*+/=?^`{|}~.-]{1,64}@[^\W_](?:[\w.-]{0,250}[^\W_])?"
"""The pattern of what is probably an address within running text."""


BOTS: Final = "bots.invalid"
GUESTS: Final = "guests.invalid"
UNVERIFIED: Final = "unverified.invalid"
DELETED: Final = "forgotten.invalid"
"""The domains of those to whom no letter can go (RFC 6761 §6.4).

They are bots, guests at a practice table, visitors whom a table's link has seated and who have not verified an
address, and the forgotten.

Only we give such an address; nobody can sign in by one, or be invited by it.
"""


class InvalidAddress(ValueError):
    """A text is no mail address."""


def parse_mail_address(written: str) -> str:
    """The form in which an address is kept and compared; raises InvalidAddress for anything that is none.

    Small letters in normal form C, the domain in ASCII (RFC 5891, with the mapping of UTS 46); the local part may
    hold letters of any script (RFC 6531 §3.3).  Blanks and angle brackets around it do not count.
    """
    bare = written.strip().strip("<>")
    local, _, domain = unicodedata.normalize("NFC", bare[: MOST_OCTETS + 1]).lower().rpartition("@")
    if not bare.isprintable() or not _LOCAL.fullmatch(local) or len(local.encode()) > _MOST_LOCAL_OCTETS:
        raise InvalidAddress
    address = f"{local}@{_domain(domain)}"
    if not can_receive_email(address):
        raise InvalidAddress
    if max(len(bare), len(address.encode())) > MOST_OCTETS:
        raise InvalidAddress
    return address


def _domain(name: str) -> str:
    try:
        return parsers.parse_domain(name if name.isascii() else idna.encode(name, uts46=True).decode("ascii"), dots=0)
    except ValueError:
        raise InvalidAddress from None


def is_bot(address: str) -> bool:
    """Return True if a person's address of record says that they are a bot."""
    return address.endswith(f"@{BOTS}")


def is_guest(address: str) -> bool:
    """Return True if it says that they are a guest at a practice table."""
    return address.endswith(f"@{GUESTS}")


def is_deleted(address: str) -> bool:
    """Return True if it is that of a person who was forgotten."""
    return address.endswith(f"@{DELETED}")


def is_unverified(address: str) -> bool:
    """Return True if it says that a table's link has seated them, and that they have verified no address."""
    return address.endswith(f"@{UNVERIFIED}")


def can_receive_email(address: str) -> bool:
    """Return True if letters can go to an address of record."""
    return not address.endswith(tuple(f"@{domain}" for domain in (BOTS, GUESTS, UNVERIFIED, DELETED)))


def make_internal(mark: str, token: str, domain: str, name: str = "") -> str:
    """One of our own addresses: a mark for what it is, and a token, at our mail domain.

    `name`: of the one mailbox that all our letters come to, where we have no domain to ourselves; the rest then stands
    behind the plus sign by which its provider takes no notice of it (RFC 5233).
    """
    return f"{name}+{mark}-{token}@{domain}" if name else f"{mark}+{token}@{domain}"


def token_of(address: str) -> str:
    """The token in one of our own addresses, as `make_internal` makes them; empty if there is none."""
    return address.partition("@")[0].partition("+")[2].rpartition("-")[2]


def is_address(written: str) -> bool:
    """Return True if this may be an address of a person."""
    try:
        parse_mail_address(written)
    except InvalidAddress:
        return False
    return True


def parse_mailbox(written: str) -> str:
    """The mailbox that an address leads to, for counting: what stands behind a plus sign leads no elsewhere (RFC 5233).

    Nor do dots, where the provider takes no notice of them.
    """
    local, _, domain = normalize(written).rpartition("@")
    plain = local.partition("+")[0] or local
    if domain in _DOTLESS:
        plain, domain = plain.replace(".", ""), _DOTLESS[0]
    return f"{plain}@{domain}"


def normalize(written: str) -> str:
    """An address as it is kept; any other text in small letters, without blanks and brackets around it."""
    return parse_mail_address(written) if is_address(written) else written.strip().strip("<>").lower()

"""A letter as it was understood: what the post may know of it before anybody is asked who sent it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple


class EmailKind(Enum):
    """What a letter is.  Only ORDINARY ones are read as orders; the automatic ones are never answered."""

    ORDINARY = "ordinary"
    EMPTY = "empty"
    OVERSIZED = "oversized"
    ENCRYPTED = "encrypted"
    CALENDAR = "calendar"
    UNREADABLE = "unreadable"
    BOUNCE = "bounce"
    COMPLAINT = "complaint"
    OUT_OF_OFFICE = "out of office"
    AUTO_REPLY = "auto reply"
    LOOP = "loop"
    BULK = "bulk"

    @property
    def is_automatic(self) -> bool:
        """Return True if no human wrote it for us: such a letter gets no answer (RFC 3834 §2)."""
        return self in _AUTOMATIC


_AUTOMATIC = frozenset(
    {
        EmailKind.BOUNCE,
        EmailKind.COMPLAINT,
        EmailKind.OUT_OF_OFFICE,
        EmailKind.AUTO_REPLY,
        EmailKind.LOOP,
        EmailKind.BULK,
    }
)


class Part(Enum):
    """What a line of a letter was taken for: only OWN ones are read as orders.

    QUOTED: of the letter that is answered.  OLDER: of a letter quoted in that one, or a line that announces one.
    """

    OWN = "own"
    SIGNATURE = "signature"
    QUOTED = "quoted"
    OLDER = "older"


class ParsedLine(NamedTuple):
    """A line of a letter: what it was taken for, in plain characters, and as it was written, without its marks."""

    part: Part
    text: str
    written: str


class EmailWarning(Enum):
    """Something that its reader may have to tell the sender."""

    NO_MESSAGE_ID = "no message id"
    CHARSET_GUESSED = "charset guessed"
    CUT_SHORT = "cut short"
    ATTACHMENT_NOT_READ = "attachment not read"
    FORWARD_NOT_READ = "forward not read"
    SIGNATURE_LEFT_OUT = "signature left out"
    FROM_HTML = "from html"
    SOUNDS_AUTOMATIC = "sounds automatic"


@dataclass(frozen=True)
class FailedRecipient:
    """One recipient of a bounce (RFC 3464 §2.3): the address, if it names one, and what became of the email.

    `outcome`: failed, delayed or delivered.  `reply`: the words of the server that says so, without any address.
    """

    address: str
    outcome: str = "failed"
    reply: str = ""

    @property
    def permanent(self) -> bool:
        """Return True if the server has given up, whatever the class of its code: 4.4.7 says that days went by."""
        return self.outcome == "failed"


@dataclass(frozen=True)
class ParsedEmail:
    """One letter, to any recipient.

    `lines` holds only what the sender wrote themselves, in plain characters;
    `signature` what was taken for their signature; `body` every line, with what
    it was taken for; `subject` is for echoing only.  Addresses are as written
    and prove nothing.
    """

    kind: EmailKind
    from_address: str = ""
    reply_to: str = ""
    subject: str = ""
    message_id: str = ""
    in_reply_to: str = ""
    references: tuple[str, ...] = ()
    lines: tuple[str, ...] = field(default=(), repr=False)
    signature: tuple[str, ...] = field(default=(), repr=False)
    body: tuple[ParsedLine, ...] = field(default=(), repr=False)
    quoted: bool = False
    failures: tuple[FailedRecipient, ...] = ()
    returned_id: str = ""
    """Of a bounce or a complaint: the Message-ID of our letter that it is about, where it says."""
    warnings: tuple[EmailWarning, ...] = ()

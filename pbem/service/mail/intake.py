"""Emails as the smtp process takes them in: sealed, and stored before they are accepted."""

import hashlib
import logging
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Protocol, Self, cast

from sqlalchemy import Table, insert, select

from pbem.common.states import InboundState
from pbem.crypto import EmailContext, NonExportable
from pbem.crypto.encoding import Reader, encode_tuple, round_up
from pbem.crypto.keys import PAD_STEP
from pbem.service.base.services import Services
from pbem.service.mail import daily_keys
from pbem.store.models import InboundEmail, InboundEmailBody

_LOG = logging.getLogger(__name__)
_NOBODY: Mapping[str, str] = {}

_BODY, _LONGEST_HEAD = re.compile(rb"\r?\n\r?\n"), 64_000


@dataclass(frozen=True, repr=False)
class RawMessage(NonExportable):
    """What the smtp process took in: the address that the envelope named, and the bytes.  Prints nothing.

    The address is sealed with the bytes: it lets anybody who knows it write in a player's or a master's name.
    """

    recipient: str
    raw: bytes

    def to_bytes(self) -> bytes:
        """What is sealed."""
        return encode_tuple("pbem letter in 1", self.recipient.encode("utf-8", "surrogateescape"), self.raw)

    def head(self) -> Self:
        """The same without its body."""
        return replace(self, raw=_BODY.split(self.raw, maxsplit=1)[0][:_LONGEST_HEAD])

    @classmethod
    def from_bytes(cls, blob: bytes) -> Self:
        """Read what `to_bytes` wrote; `TamperedError` if it is something else."""
        reader = Reader("letter taken in", "pbem letter in 1", blob)
        made = cls(reader.blob().decode("utf-8", "surrogateescape"), reader.blob())
        reader.expect_end()
        return made


class PendingEmail(Protocol):
    """An inbound email as it lies there."""

    @property
    def id(self) -> str: ...
    @property
    def null_sender(self) -> bool: ...
    @property
    def content_ciphertext(self) -> bytes | None: ...


def unseal_message(services: Services, row: PendingEmail, pairs: daily_keys.KeyPairs | None = None) -> RawMessage:
    """Open an email as the smtp process took it in; raises DecryptionError where its seal does not fit."""
    return RawMessage.from_bytes(
        daily_keys.unseal(services, EmailContext(row.id, daily_keys.ADDRESSED), row.content_ciphertext or b"", pairs)
    )


_INSERT = insert(cast(Table, InboundEmail.__table__))
_INSERT_BODY = insert(cast(Table, InboundEmailBody.__table__))


def store_message(
    services: Services,
    recipients: tuple[str, ...],
    raw: bytes,
    null_sender: bool = False,
    *,
    mark: str = "",
    payers: Mapping[str, str] = _NOBODY,
) -> tuple[str, ...]:
    """Store an email for each recipient; only then may it be accepted.  Returns the rows' ids.

    Emails that come at one moment are stored by one transaction.  `mark`: what was stored under it is not stored again;
    it must not be guessable.  `payers`: whose turn the email takes, by recipient.  Raises NoMailKey where there is
    nothing to seal it to yet: the other side comes again.
    """
    if services.smtp is None:
        raise LookupError("only the smtp process takes emails in")
    own = mark or secrets.token_hex(16)
    ids = {_next_id(own, one): one for one in dict.fromkeys(recipients)}
    inside = {letter: RawMessage(one, raw).to_bytes() for letter, one in ids.items()}
    with services.db.read() as look:
        if mark:
            for letter in look.scalars(select(InboundEmail.id).where(InboundEmail.id.in_(list(inside)))):
                del inside[letter]
        key = daily_keys.current_for_intake(services, look) if inside else None
    sealed = (
        {one: key.seal(services, EmailContext(one, daily_keys.ADDRESSED), inside[one]) for one in inside} if key else {}
    )
    size, now = round_up(len(raw), PAD_STEP), services.now()
    common = {
        "received_at": now,
        "due_at": now,
        "null_sender": null_sender,
        "size": size,
        "state": InboundState.RECEIVED,
    }
    rows = [
        {"id": letter, "payer": payers.get(ids[letter], ""), "content_ciphertext": content, "daily_key_id": day}
        | common
        for letter, (content, day) in sealed.items()
    ]
    if rows:
        services.db.group_commit.write(rows, partial(_store, services))
    services.fault_point("intake.after_commit")
    for letter in inside:
        _LOG.info("a letter was taken in", extra={"letter": letter})
        services.enqueue("process_inbound_emails", "")
    services.fault_point("intake.enqueued")
    return tuple(inside)


def _next_id(mark: str, recipient: str) -> str:
    """The number of an email to one recipient: nobody who does not know the mark can tell to whom it is."""
    return hashlib.sha256(f"{mark} {recipient}".encode("utf-8", "surrogateescape")).hexdigest()[:32]


def _store(services: Services, rows: Sequence[dict[str, Any]]) -> None:
    contents = [
        {
            "email_key": row["id"],
            "content_ciphertext": row["content_ciphertext"],
            "daily_key_id": row["daily_key_id"],
        }
        for row in rows
    ]
    letters = [
        {name: value for name, value in row.items() if name not in ("content_ciphertext", "daily_key_id")}
        for row in rows
    ]
    with services.db.append_durably() as connection:
        connection.execute(_INSERT, letters)
        connection.execute(_INSERT_BODY, contents)
        services.fault_point("intake.before_commit")

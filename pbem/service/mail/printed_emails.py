"""What emails of ours said that can be answered: kept, so that their lines are known when they come back quoted.

A line of an orders template is kept as it stands, sealed like the view that it follows from; all others as digests
under the token of the email, which only its reader has: a receipt says what is in orders that are still sealed.
"""

import hashlib
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, cast

from sqlalchemy import Connection, Table, bindparam, select
from sqlalchemy.orm import Session

from pbem.crypto import DecryptionError, token_hash
from pbem.crypto.encoding import Reader, encode_tuple
from pbem.crypto.printed_emails import seal_printed, unseal_printed
from pbem.service.base.services import PrintedText, Services
from pbem.store.identity_cache import cached
from pbem.store.models import PrintedEmail

_PURPOSE: Final = "printed"
_CONTENT: Final = "pbem printed 1"
_LENGTH: Final = 6
"""Bytes of a digest of a line."""
_LONG: Final = 2_000
_ROWS: Final = cast(Table, PrintedEmail.__table__)
_DELETED: Final = _ROWS.delete().where(
    _ROWS.c.token_hash == bindparam("its_hash"), _ROWS.c.kind == bindparam("its_kind")
)
_OF_TOKENS = select(PrintedEmail).where(PrintedEmail.token_hash.in_(bindparam("hashes", expanding=True)))


@dataclass(frozen=True)
class KnownEmail:
    """What is kept of an email of ours: its orders template, and the digest of each line, in text and in HTML.

    A line that is the same in both has its digest in both.
    """

    template: tuple[str, ...] = ()
    lines: tuple[bytes, ...] = ()
    blocks: tuple[bytes, ...] = ()


def normalize(line: str) -> str:
    """The letters and digits of a line, which mail programs leave alone; a semicolon in front stays."""
    said = line.strip()
    bare = "".join(sign for sign in unicodedata.normalize("NFKC", said[:_LONG]).casefold() if sign.isalnum())
    return f";{bare}" if bare and said.startswith(";") else bare


def digest(token: str, normal: str) -> bytes:
    """A line as it is kept: who does not know the token of its email cannot try what it may have said."""
    return hashlib.blake2b(normal.encode("utf-8", "surrogatepass"), key=token.encode(), digest_size=_LENGTH).digest()


def to_known(printed: PrintedText) -> KnownEmail:
    """What is to be kept of an email."""

    def digests(lines: Sequence[str]) -> tuple[bytes, ...]:
        return tuple(digest(printed.token, normal) for normal in map(normalize, lines) if normal)

    return KnownEmail(printed.template, digests(printed.lines), digests(printed.blocks))


def build_row(services: Services, email_key: str, printed: PrintedText) -> dict[str, Any]:
    """The columns of the row that keeps an email: of several of a kind under one token the newest is kept."""
    known = to_known(printed)
    template = "\n".join(known.template)
    content = encode_tuple(_CONTENT, template, b"".join(known.lines), b"".join(known.blocks))
    return {
        "token_hash": token_hash(_PURPOSE, printed.token),
        "kind": printed.kind,
        "email_key": email_key,
        "content_ciphertext": seal_printed(services.mailer_keys.view, email_key, content),
    }


def store(session: Session, values: dict[str, Any]) -> None:
    """Keep an email in the transaction that lays it out."""
    row = session.get(PrintedEmail, (values["token_hash"], values["kind"]))
    if row is None:
        session.add(PrintedEmail(**values))
    else:
        row.email_key, row.content_ciphertext = values["email_key"], values["content_ciphertext"]


def store_all(connection: Connection, rows: Sequence[dict[str, Any]]) -> None:
    """Keep emails of one batch."""
    newest = {(row["token_hash"], row["kind"]): row for row in rows}
    if newest:
        connection.execute(_DELETED, [{"its_hash": key[0], "its_kind": key[1]} for key in newest])
        connection.execute(_ROWS.insert(), list(newest.values()))


def prefetch(session: Session, tokens: Sequence[str]) -> None:
    """Read together what emails to several addresses said."""
    rows = _load_rows(session, tokens)
    for token in tokens:
        cached(session, PrintedEmail, token, partial(rows.get, token, ()))


def load(services: Services, session: Session, token: str) -> tuple[KnownEmail, ...]:
    """What the emails said that can be answered to this token; nothing of one that cannot be opened."""
    rows = cached(session, PrintedEmail, token, lambda: _load_rows(session, [token]).get(token, ()))
    return tuple(known for row in rows if (known := _unseal(services, row)) is not None)


def _load_rows(session: Session, tokens: Sequence[str]) -> dict[str, tuple[PrintedEmail, ...]]:
    hashes = {token_hash(_PURPOSE, token): token for token in tokens if token}
    found = dict[str, tuple[PrintedEmail, ...]]()
    for row in session.scalars(_OF_TOKENS, {"hashes": list(hashes)}) if hashes else ():
        token = hashes[row.token_hash]
        found[token] = (*found.get(token, ()), row)
    return found


def _unseal(services: Services, row: PrintedEmail) -> KnownEmail | None:
    try:
        content = unseal_printed(services.mailer_keys.view, row.email_key, row.content_ciphertext)
    except DecryptionError:
        return None
    reader = Reader("printed email", _CONTENT, content)
    template, lines, blocks = reader.text(), reader.blob(), reader.blob()
    reader.expect_end()
    return KnownEmail(tuple(template.split("\n")) if template else (), _split(lines), _split(blocks))


def _split(joined: bytes) -> tuple[bytes, ...]:
    return tuple(joined[at : at + _LENGTH] for at in range(0, len(joined), _LENGTH))

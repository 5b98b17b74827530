"""Ciphertexts between processes: emails for the mailer, what a resolver must see, and orders read back.

All are HPKE to the public half of the process that shall read, signed by the one that wrote.  So a database
that leaks gives none away, and one that can be written to gives nobody a letter to send.
"""

from __future__ import annotations

import binascii
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from typing import Self

from pbem.crypto.encoding import CryptoError, Reader, encode_tuple
from pbem.crypto.keys import (
    RESOLVER_ONLY,
    WEB_ONLY,
    MailerKey,
    MailerPublicKey,
    NonExportable,
    OpeningKeys,
    ResolverKey,
    ResolverPublicKey,
    Role,
    SealingKey,
    SigningKey,
    VerifyKeys,
    new_pair_secret,
)


@dataclass(frozen=True)
class EmailContext:
    """Which row of the emails, and what is in it (raw, draft, wire, receipt …), as the store names them."""

    letter: str
    kind: str

    def to_bytes(self) -> bytes:
        """What is bound into seal and signature."""
        return encode_tuple("pbem letter context 1", self.letter, self.kind)


@dataclass(frozen=True, repr=False)
class OpenedEmail(NonExportable):
    """What was in a ciphertext and which role wrote it.  Prints nothing."""

    content: bytes
    written_by: Role


MAY_SEAL_FOR_MAILER: tuple[Role, ...] = ("web", "mailer", "resolver", "smtp")
MAY_SEAL_FOR_RESOLVER: tuple[Role, ...] = ("web", "mailer", "resolver")


def seal_email(key: MailerPublicKey, signing: SigningKey, context: EmailContext, content: bytes) -> bytes:
    """Seal to the mailers: a letter taken in, one to be written, or finished bytes until they leave."""
    return key.seal(signing, "letter", context.to_bytes(), content)


def unseal_email(
    key: MailerKey,
    verify: VerifyKeys,
    context: EmailContext,
    blob: bytes,
    allowed: tuple[Role, ...] = MAY_SEAL_FOR_MAILER,
) -> OpenedEmail:
    """Open it as a mailer, if one of `allowed` wrote it for this place; else `TamperedError`."""
    role, content = key.open(verify, allowed, "letter", context.to_bytes(), blob)
    return OpenedEmail(content, role)


def seal_quarantined(key: ResolverPublicKey, signing: SigningKey, context: EmailContext, content: bytes) -> bytes:
    """Seal to the resolvers, so that the mailer itself can no longer read it.

    For a letter that could not be read, and for a receipt to which a resolver adds what already stood.
    """
    return key.seal(signing, "quarantined email", context.to_bytes(), content)


def open_quarantined(key: ResolverKey, verify: VerifyKeys, context: EmailContext, blob: bytes) -> OpenedEmail:
    """Open it as a resolver, if one of MAY_SEAL_FOR_RESOLVER wrote it for this place; else `TamperedError`."""
    role, content = key.open(verify, MAY_SEAL_FOR_RESOLVER, "quarantined email", context.to_bytes(), blob)
    return OpenedEmail(content, role)


@dataclass(frozen=True)
class OwnOrdersContext:
    """Who asks to read back what, in which request.  A request's number is never used twice."""

    game: str
    seat: str
    request: str

    def to_bytes(self) -> bytes:
        """What is bound into request and answer."""
        return encode_tuple("pbem read back context 1", self.game, self.seat, self.request)


class RequestPublic(SealingKey):
    """The public half of one request's key: the answer is sealed to it."""

    __slots__ = ()


class _RequestSecret(OpeningKeys):
    __slots__ = ()


class RequestKey(NonExportable):
    """The one-time key of one read-back request.  It opens one answer and is then gone.

    Between request and answer the browser keeps it (`for_cookie`), in a cookie that scripts cannot read, and
    the server does not: if it lay in the database, even under the server's own key, database and web key
    together would read sealed orders.
    """

    __slots__ = ("_raw", "public")

    def __init__(self, raw: bytes) -> None:
        """Take the 32 bytes of an X25519 secret."""
        self._raw: bytes | None = raw
        self.public = RequestPublic(_RequestSecret([raw]).public_key())

    @classmethod
    def create(cls) -> Self:
        """A new key, for one request."""
        return cls(new_pair_secret())

    def for_cookie(self) -> str:
        """The secret as text, for a strict HttpOnly cookie of the player who asks, and nothing else."""
        return urlsafe_b64encode(self._load(keep=True)).decode()

    @classmethod
    def from_cookie(cls, text: str) -> Self:
        """Restore it from the player's cookie; `CryptoError` if that is not one."""
        try:
            raw = urlsafe_b64decode(text.encode("ascii"))
        except (ValueError, binascii.Error):
            raw = b""
        if len(raw) != 32:
            raise CryptoError("This is not the key of a request; ask again to read your orders.")
        return cls(raw)

    def _load(self, *, keep: bool) -> bytes:
        if self._raw is None:
            raise CryptoError("This key has opened its answer already; ask again to read your orders.")
        raw = self._raw
        if not keep:
            self._raw = None
        return raw

    def open(self, verify: VerifyKeys, context: OwnOrdersContext, blob: bytes) -> OpenedEmail:
        """Open the answer, once; a blob that is not the answer does not use the key up."""
        secret = _RequestSecret([self._load(keep=True)])
        role, content = secret.open(verify, RESOLVER_ONLY, "read-back answer", context.to_bytes(), blob)
        self._load(keep=False)
        return OpenedEmail(content, role)


@dataclass(frozen=True)
class OwnOrdersRequest:
    """Which person asked, and when (milliseconds): a request that is kept and put in again later is seen to be old."""

    user: int
    at: int
    public: RequestPublic


def sign_request(signing: SigningKey, context: OwnOrdersContext, request: OwnOrdersRequest) -> bytes:
    """What web puts before a resolver: this person, signed in, asks for their seat, for an answer under this key."""
    signed = signing.sign("read-back request", _request_message(context, request))
    return encode_tuple("pbem read back 1", request.user, request.at, request.public.raw, signed)


def verify_request(verify: VerifyKeys, context: OwnOrdersContext, blob: bytes) -> OwnOrdersRequest:
    """Who asks and the key to answer to, if the web server signed it for this seat and request; else
    `TamperedError`.
    """
    reader = Reader("read-back request", "pbem read back 1", blob)
    user, at, raw, signed = reader.number(), reader.number(), reader.blob(32), reader.blob()
    reader.expect_end()
    request = OwnOrdersRequest(user, at, RequestPublic(raw))
    verify.verify("read-back request", _request_message(context, request), signed, WEB_ONLY)
    return request


def _request_message(context: OwnOrdersContext, request: OwnOrdersRequest) -> bytes:
    return encode_tuple("pbem read back asked 1", context.to_bytes(), request.user, request.at, request.public.raw)


def seal_reply(key: RequestPublic, signing: SigningKey, context: OwnOrdersContext, content: bytes) -> bytes:
    """Seal a seat's own orders to the one-time key of its request."""
    return key.seal(signing, "read-back answer", context.to_bytes(), content)

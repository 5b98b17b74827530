"""The keys, as types that cannot be mixed up, printed, copied or pickled.

Symmetric keys come as rings: numbered versions, the greatest one locks, all of them unlock.  Key pairs come
as rings too, named by the first eight bytes of the SHA-256 of their public half.  Each kind of key is a class
of its own, so the type checker refuses the view key where the master key is meant; and each kind goes into
the associated data of what it locks, so a record of one kind never opens as another.

Where the library allows it, a loaded key is held as its object (AESGCM, X25519PrivateKey, Ed25519PrivateKey)
and not as bytes: a debugger or an error report that prints variables has nothing to print.

AES-256-GCM: NIST SP 800-38D, nonces of 96 random bits, which may seal 2^32 records under one key.  So no key of a ring
seals a record itself: each process derives one of its own, and another one after `MAX_RECORDS`.  HPKE: RFC 9180, base
mode.  Ed25519: RFC 8032.  Records that are written together may be signed together, over a tree of their hashes
(`merkle_tree`).
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, NoReturn, Self, cast, get_args

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives import hpke
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.hmac import HMAC

from pbem.crypto import merkle_tree
from pbem.crypto.encoding import (
    CryptoError,
    Reader,
    TamperedError,
    UnknownKey,
    encode_tuple,
    pad,
    unpad,
)

Role = Literal["web", "mailer", "resolver", "smtp"]
"""Who holds keys: the web server, the mailers, the resolvers, and the listener that takes mail in."""

SUITE = "HPKE-X25519-HKDF-SHA256-AES-256-GCM"
SUITES: Mapping[str, hpke.Suite] = {SUITE: hpke.Suite(hpke.KEM.X25519, hpke.KDF.HKDF_SHA256, hpke.AEAD.AES_256_GCM)}
"""Suites that may open a record; `SUITE` seals new ones; each record names its own, signed."""

RESOLVER_ONLY: tuple[Role, ...] = ("resolver",)
WEB_ONLY: tuple[Role, ...] = ("web",)

PAD_STEP = 512

SALT = 16
MAX_RECORDS = 1 << 28
"""Records that a derived key seals at most: a sixteenth of the bound, though threads may count some twice."""
MAX_DERIVED = 1_000
"""Derived keys that a process keeps, to open records with."""

MAX_CACHED_ROOTS = 1_000
"""Signatures over several records that a process remembers to have checked."""
_SINGLE, _BATCH = "pbem signed 1", "pbem signatures 1"
_BATCH_PREFIX = encode_tuple(_BATCH)


class NonExportable:
    """Something that must not leave the process: it prints as its class and cannot be copied or pickled."""

    __slots__ = ()

    def __repr__(self) -> str:
        """Show the kind only."""
        return f"<{type(self).__name__}>"

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        """Refuse pickling and copying."""
        raise TypeError(f"A {type(self).__name__} stays where it was loaded: it cannot be pickled or copied.")


@dataclass
class _DerivedKey:
    """What a process seals under now: what it is derived by, and how many records it has sealed."""

    process: int
    salt: bytes
    cipher: AESGCM
    sealed: int = 0


class SymmetricRing(NonExportable):
    """AES-256-GCM keys in numbered versions; records are sealed under keys that are derived from them."""

    __slots__ = ("_derived", "_now", "_secrets", "current")
    kind: ClassVar[str]

    def __init__(self, secrets: Mapping[int, bytes]) -> None:
        """Hold each version's 32 bytes; the greatest version locks."""
        if not secrets or any(len(secret) != 32 for secret in secrets.values()):
            raise CryptoError(f"A {type(self).__name__} needs at least one version of 32 bytes.")
        self._secrets = {version: HMAC(secret, SHA256()) for version, secret in secrets.items()}
        self._derived = dict[tuple[int, bytes], AESGCM]()
        self._now: _DerivedKey | None = None
        self.current = max(secrets)

    def encrypt(self, what: str, context: bytes, plain: bytes) -> bytes:
        """Encrypt under a key derived from the current version, bound to `what` and `context`."""
        key, nonce = self._key_to_seal(), os.urandom(12)
        body = key.cipher.encrypt(nonce, plain, self._aad(what, context, self.current))
        return encode_tuple("pbem box 1", self.current, key.salt, nonce, body)

    def decrypt(self, what: str, context: bytes, box: bytes) -> bytes:
        """Decrypt what `encrypt` made for the same `what` and `context`; else `TamperedError` or `UnknownKey`."""
        reader = Reader(what, "pbem box 1", box)
        version, salt, nonce, body = reader.number(), reader.blob(SALT), reader.blob(12), reader.blob()
        reader.expect_end()
        if version not in self._secrets:
            raise UnknownKey(what, f"version {version}")
        try:
            return self._derive(version, salt).decrypt(nonce, body, self._aad(what, context, version))
        except InvalidTag:
            raise TamperedError(what, "its seal does not fit") from None

    def _key_to_seal(self) -> _DerivedKey:
        """The key of this process, not of the one that it was forked from, which has sealed less than it may."""
        key = self._now
        if key is None or key.sealed >= MAX_RECORDS or key.process != os.getpid():
            salt = os.urandom(SALT)
            key = self._now = _DerivedKey(os.getpid(), salt, self._derive(self.current, salt))
        key.sealed += 1
        return key

    def _derive(self, version: int, salt: bytes) -> AESGCM:
        """HKDF-Expand (RFC 5869) of a version's secret, which is random itself, for one block."""
        found = self._derived.get((version, salt))
        if found is None:
            expand = self._secrets[version].copy()
            expand.update(encode_tuple("pbem record key 1", self.kind, version, salt) + b"\x01")
            if len(self._derived) >= MAX_DERIVED:
                self._derived.clear()
            found = self._derived[version, salt] = AESGCM(expand.finalize())
        return found

    def _aad(self, what: str, context: bytes, version: int) -> bytes:
        return encode_tuple("pbem bound 1", self.kind, version, what, context)


class MasterKeys(SymmetricRing):
    """Wraps the keys of games.  Resolvers only."""

    __slots__ = ()
    kind = "master"


class ViewKey(SymmetricRing):
    """Locks the redacted views and events of each seat.  Resolvers write them; web and mailer read them."""

    __slots__ = ()
    kind = "view"


class PositionKey(SymmetricRing):
    """One game's key for positions and journal.  Resolvers only, unwrapped by a master key."""

    __slots__ = ()
    kind = "position"


class SessionSecret(NonExportable):
    """Signs the web server's cookies.  Unlike the others it must be handed to a framework as bytes."""

    __slots__ = ("_secrets",)

    def __init__(self, secrets: Mapping[int, bytes]) -> None:
        """Hold each version; `reveal` gives them newest first."""
        if not secrets or any(len(secret) != 32 for secret in secrets.values()):
            raise CryptoError("A SessionSecret needs at least one version of 32 bytes.")
        self._secrets = dict(secrets)

    def reveal(self) -> tuple[bytes, ...]:
        """The secrets, newest first: the first signs, all verify."""
        return tuple(secret for _, secret in sorted(self._secrets.items(), reverse=True))


def public_name(raw: bytes) -> bytes:
    """The name of a key pair: eight bytes of its public half's digest."""
    return hashlib.sha256(raw).digest()[:8]


class SigningKey(NonExportable):
    """Signs as one role.  Each process has its own."""

    __slots__ = ("_private", "name", "role")

    def __init__(self, role: Role, secret: bytes) -> None:
        """Hold the Ed25519 secret of `role`."""
        self.role = role
        self._private = Ed25519PrivateKey.from_private_bytes(secret)
        self.name = public_name(self.public_bytes())

    def public_bytes(self) -> bytes:
        """The public half, 32 bytes."""
        return self._private.public_key().public_bytes_raw()

    def sign(self, what: str, message: bytes) -> bytes:
        """Name and signature, as one value, over the kind of record, the role and the message."""
        return encode_tuple(_SINGLE, self.name, self._private.sign(_signed_bytes(what, self.role, message)))

    def sign_batch(self, what: str, messages: Sequence[bytes]) -> list[bytes]:
        """The same for several records at the price of one: over a tree of them, each with its path there."""
        if len(messages) < 2:
            return [self.sign(what, message) for message in messages]
        root, paths = merkle_tree.build([_signed_bytes(what, self.role, message) for message in messages])
        signature, size = self._private.sign(_batch_message(self.role, len(messages), root)), len(messages)
        return [encode_tuple(_BATCH, self.name, signature, place, size, path) for place, path in enumerate(paths)]


class VerifyKeys:
    """The public halves of all roles' signing keys.  Not secret, but must not be replaced by a stranger."""

    __slots__ = ("_known", "_verified_roots")

    def __init__(self, known: Iterable[tuple[Role, bytes]]) -> None:
        """Take each role's public keys; a role may have several while one is being replaced."""
        self._known = {public_name(raw): (role, Ed25519PublicKey.from_public_bytes(raw)) for role, raw in known}
        self._verified_roots = set[tuple[bytes, bytes, bytes]]()

    def text(self) -> str:
        """The keys as a page shows them: a role and its key in hex on each line."""
        return "".join(f"{role} {key.public_bytes_raw().hex()}\n" for role, key in self._known.values())

    def digest(self) -> str:
        """The SHA-256 of `text`, in hex: by it two readers know that they see the same keys."""
        return hashlib.sha256(self.text().encode()).hexdigest()

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read what `text` wrote; ValueError if it is something else."""
        lines = [line.split() for line in text.splitlines() if line.strip()]
        if not lines or any(len(line) != 2 or line[0] not in get_args(Role) for line in lines):
            raise ValueError("no keys of a server")
        return cls((cast(Role, role), bytes.fromhex(key)) for role, key in lines)

    def verify(self, what: str, message: bytes, signed: bytes, allowed: Collection[Role]) -> Role:
        """Say which role signed, this alone or with others; `TamperedError` if none that may, or if it does not fit."""
        together = signed.startswith(_BATCH_PREFIX)
        reader = Reader(what, _BATCH if together else _SINGLE, signed)
        name, signature = reader.blob(8), reader.blob(64)
        place, size, path = (reader.number(), reader.number(), reader.blob()) if together else (0, 1, b"")
        reader.expect_end()
        if name not in self._known or self._known[name][0] not in allowed:
            raise TamperedError(what, "it is not signed by a role that may write one")
        role, key = self._known[name]
        said = _signed_bytes(what, role, message)
        try:
            if together:
                self._verify_batch(
                    name, _batch_message(role, size, merkle_tree.root_from_path(said, place, size, path)), signature
                )
            else:
                key.verify(signature, said)
        except (InvalidSignature, ValueError):
            raise TamperedError(what, "its signature does not fit") from None
        return role

    def _verify_batch(self, name: bytes, said: bytes, signature: bytes) -> None:
        """Raise InvalidSignature unless the signature fits, now or when another record of its tree was read."""
        mark = name, said, signature
        if mark in self._verified_roots:
            return
        self._known[name][1].verify(signature, said)
        if len(self._verified_roots) >= MAX_CACHED_ROOTS:
            self._verified_roots.clear()
        self._verified_roots.add(mark)


def _signed_bytes(what: str, role: Role, message: bytes) -> bytes:
    return encode_tuple("pbem signature 1", what, role, message)


def _batch_message(role: Role, size: int, root: bytes) -> bytes:
    return encode_tuple("pbem signature of many 1", role, size, root)


class SealingKey:
    """A public half: its holder can seal, and cannot read what was sealed."""

    __slots__ = ("_public", "name", "raw")

    def __init__(self, raw: bytes) -> None:
        """Take the 32 bytes of an X25519 public key."""
        if len(raw) != 32:
            raise CryptoError(f"A {type(self).__name__} has 32 bytes.")
        self.raw, self.name = raw, public_name(raw)
        self._public = X25519PublicKey.from_public_bytes(raw)

    def seal(self, signing: SigningKey, what: str, context: bytes, plain: bytes) -> bytes:
        """Seal to this key, filled to 512-byte steps, and sign context and sealed bytes.

        The one-shot HPKE call takes no associated data, so suite, key, kind and context go into its info.
        """
        info = _info(SUITE, self.name, what, context)
        try:
            body = SUITES[SUITE].encrypt(pad(plain, PAD_STEP), self._public, info=info)
        except ValueError:  # a point of small order
            raise CryptoError(f"This {type(self).__name__} is no usable public key.") from None
        return encode_tuple("pbem ciphertext 1", SUITE, self.name, body, signing.sign(what, info + body))


class OpeningKeys(NonExportable):
    """The private halves that open what was sealed to one role or game; old ones read old records."""

    __slots__ = ("_privates",)

    def __init__(self, secrets: Iterable[bytes]) -> None:
        """Take X25519 secrets of 32 bytes, the newest last."""
        privates = [X25519PrivateKey.from_private_bytes(secret) for secret in secrets]
        if not privates:
            raise CryptoError(f"A {type(self).__name__} needs at least one secret of 32 bytes.")
        self._privates = {public_name(key.public_key().public_bytes_raw()): key for key in privates}

    @classmethod
    def create(cls) -> Self:
        """A new pair."""
        return cls([new_pair_secret()])

    def public_key(self) -> bytes:
        """The public half to seal to, 32 bytes."""
        return list(self._privates.values())[-1].public_key().public_bytes_raw()

    def open(
        self, verify: VerifyKeys, allowed: Collection[Role], what: str, context: bytes, ciphertext: bytes
    ) -> tuple[Role, bytes]:
        """Check who signed, then open: the role that sealed it, and the plain bytes."""
        reader = Reader(what, "pbem ciphertext 1", ciphertext)
        suite, name, body, signed = reader.text(), reader.blob(8), reader.blob(), reader.blob()
        reader.expect_end()
        info = _info(suite, name, what, context)
        role = verify.verify(what, info + body, signed, allowed)
        if suite not in SUITES:
            raise TamperedError(what, "its suite of ciphers is not one of ours")
        if name not in self._privates:
            raise UnknownKey(what, name.hex())
        try:
            return role, unpad(what, SUITES[suite].decrypt(body, self._privates[name], info=info))
        except (InvalidTag, ValueError):
            raise TamperedError(what, "its seal does not fit") from None


def recipient_key_id(what: str, ciphertext: bytes) -> bytes:
    """The name of the pair that a ciphertext was sealed to; `TamperedError` if it is none."""
    reader = Reader(what, "pbem ciphertext 1", ciphertext)
    reader.text()
    return reader.blob(8)


def new_pair_secret() -> bytes:
    """The secret of a new X25519 pair, from the library's own generator."""
    return X25519PrivateKey.generate().private_bytes_raw()


def _info(suite: str, name: bytes, what: str, context: bytes) -> bytes:
    return encode_tuple("pbem seal 1", suite, name, what, context)


class MailerPublicKey(SealingKey):
    """Seals to the mailers: letters that came in, and letters to be written."""

    __slots__ = ()


class MailerKey(OpeningKeys):
    """Opens what was sealed to the mailers.  The mailer only: the web server never reads a letter."""

    __slots__ = ()

    def public(self) -> MailerPublicKey:
        """The half to seal to."""
        return MailerPublicKey(self.public_key())


class ResolverPublicKey(SealingKey):
    """Seals to the resolvers: quarantined emails, and receipts that the resolver must complete."""

    __slots__ = ()


class ResolverKey(OpeningKeys):
    """Opens what was sealed to the resolvers.  The resolver only."""

    __slots__ = ()

    def public(self) -> ResolverPublicKey:
        """The half to seal to."""
        return ResolverPublicKey(self.public_key())


class OrdersPublicKey(SealingKey):
    """Seals orders to one game; web and mailer hold it, and cannot read what they sealed."""

    __slots__ = ()


class OrdersSecretKey(OpeningKeys):
    """Opens the sealed orders of one game.  Resolvers only, unwrapped by a master key."""

    __slots__ = ()

    def public(self) -> OrdersPublicKey:
        """The half to seal to."""
        return OrdersPublicKey(self.public_key())

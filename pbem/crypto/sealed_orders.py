"""Orders sealed to their game as they arrive, and the commitment that their receipt carries.

Web and mailer can seal orders and cannot read them.  They are bound to the place they were written for and
signed, over context, commitment and sealed bytes, by the process that accepted it: an attacker who can only write in
the database can neither read nor forge one, nor move one to another seat, gate, revision or game.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from typing import Literal, Self, cast, get_args

from pbem.crypto.encoding import CryptoError, Reader, TamperedError, encode_tuple
from pbem.crypto.game_keys import GameKeys
from pbem.crypto.keys import NonExportable, OrdersPublicKey, Role, SigningKey, VerifyKeys

OrdersKind = Literal["orders", "reaction", "advance", "standing"]
"""Orders of the open gate, an answer given ahead to a question, orders for a gate yet to open, or for a missed one."""

MAY_ACCEPT: tuple[Role, ...] = ("web", "mailer", "resolver")
"""A resolver signs what it seals anew when the gate opens for which it was filed."""

DIGEST = 32


@dataclass(frozen=True)
class OrdersContext:
    """The place that orders are for.  `opening_entry` is the journal entry that opened the gate.

    A reaction's question is no part of it: it stays inside the seal.
    """

    game: str
    gate: str
    opening_entry: int
    seat: str
    revision: int
    kind: OrdersKind

    def to_bytes(self) -> bytes:
        """What is bound into seal, signature and commitment."""
        return encode_tuple(
            "pbem orders context 1", self.game, self.gate, self.opening_entry, self.seat, self.revision, self.kind
        )

    @classmethod
    def from_bytes(cls, blob: bytes) -> Self:
        """Read what `to_bytes` wrote; `TamperedError` if it is something else."""
        reader = Reader("orders", "pbem orders context 1", blob)
        game, gate, entry, seat = reader.text(), reader.text(), reader.number(), reader.text()
        revision, kind = reader.number(), reader.text()
        reader.expect_end()
        if kind not in get_args(OrdersKind):
            raise reader.error()
        return cls(game, gate, entry, seat, revision, cast(OrdersKind, kind))


@dataclass(frozen=True)
class SealedOrders:
    """Sealed orders as the store keeps them; all of it may be seen by anybody."""

    context: OrdersContext
    commitment: str
    ciphertext: bytes

    def to_bytes(self) -> bytes:
        """One blob for the store."""
        return encode_tuple("pbem orders 1", self.context.to_bytes(), bytes.fromhex(self.commitment), self.ciphertext)

    @classmethod
    def from_bytes(cls, blob: bytes) -> Self:
        """Read what `to_bytes` wrote; `TamperedError` if it is something else."""
        reader = Reader("orders", "pbem orders 1", blob)
        context, digest, ciphertext = reader.blob(), reader.blob(DIGEST), reader.blob()
        reader.expect_end()
        return cls(OrdersContext.from_bytes(context), digest.hex(), ciphertext)


@dataclass(frozen=True, repr=False)
class OpenedOrders(NonExportable):
    """Orders, the salt of their commitment, and whose they are.  Prints nothing.

    `holder`: the number of the person who held the seat; 0 if nobody did.
    """

    orders: bytes
    salt: bytes
    holder: int


def commit_to_orders(salt: bytes, context: OrdersContext, canonical_orders: bytes) -> str:
    """HMAC-SHA256 (RFC 2104) over place and orders, in hex: tells nothing until the salt is opened."""
    if len(salt) != DIGEST:
        raise CryptoError("The salt of a commitment has 32 bytes.")
    message = encode_tuple("pbem commitment 1", context.to_bytes(), canonical_orders)
    return hmac.digest(salt, message, hashlib.sha256).hex()


def verify_commitment(claimed: str, salt: bytes, context: OrdersContext, canonical_orders: bytes) -> bool:
    """Return True if these orders, in this place, under this salt, are what was acknowledged."""
    made = commit_to_orders(salt, context, canonical_orders)
    return hmac.compare_digest(made.encode(), claimed.strip().lower().encode())


def seal_orders(
    key: OrdersPublicKey, signing: SigningKey, context: OrdersContext, orders: bytes, salt: bytes, holder: int = 0
) -> SealedOrders:
    """Seal canonical orders with their salt and the number of the seat's holder (0: nobody).

    The commitment is made here, so it fits what is inside.
    """
    made = commit_to_orders(salt, context, orders)
    return SealedOrders(
        context,
        made,
        key.seal(signing, "orders", _aad(context, made), encode_tuple("pbem orders inside 1", salt, orders, holder)),
    )


def unseal_orders(keys: GameKeys, verify: VerifyKeys, expected: OrdersContext, sealed: SealedOrders) -> OpenedOrders:
    """Check place and signature, open, and check the commitment.

    `expected` is what the caller wants to count, from the game itself and not from what was sealed.
    """
    if sealed.context != expected or expected.game != keys.game:
        raise TamperedError("orders", "it was sealed for another place")
    place = _aad(expected, sealed.commitment)
    _, inside = keys.orders.open(verify, MAY_ACCEPT, "orders", place, sealed.ciphertext)
    opened = _parse_opened(inside)
    if not verify_commitment(sealed.commitment, opened.salt, expected, opened.orders):
        raise TamperedError("orders", "its commitment does not fit what is inside")
    return opened


def _parse_opened(inside: bytes) -> OpenedOrders:
    reader = Reader("orders", "pbem orders inside 1", inside)
    salt, orders, holder = reader.blob(DIGEST), reader.blob(), reader.number()
    reader.expect_end()
    return OpenedOrders(salt=salt, orders=orders, holder=holder)


def _aad(context: OrdersContext, made: str) -> bytes:
    return encode_tuple("pbem orders place 1", context.to_bytes(), made)

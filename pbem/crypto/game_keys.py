"""The keys of one game: a key for its position and journal, and a pair to which its orders are sealed.

Both secrets lie in the database wrapped under a master key.  The public half lies beside them, signed by the
resolver that made it, since an attacker with a public half of their own in its place would read all orders
sealed after that.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Self

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from pbem.crypto.encoding import Reader, TamperedError, encode_tuple
from pbem.crypto.keys import (
    RESOLVER_ONLY,
    MasterKeys,
    NonExportable,
    OrdersPublicKey,
    OrdersSecretKey,
    PositionKey,
    SigningKey,
    VerifyKeys,
    new_pair_secret,
)


@dataclass(frozen=True, repr=False, eq=False)
class GameKeys(NonExportable):
    """One game's keys, open: in the memory of a resolver and nowhere else."""

    game: str
    position: PositionKey
    orders: OrdersSecretKey


@dataclass(frozen=True)
class WrappedGameKeys:
    """One game's keys as the store keeps them.  `public` may be given to web and mailer: see `load_orders_key`."""

    game: str
    position: bytes
    orders: bytes
    public: bytes

    def to_bytes(self) -> bytes:
        """One blob for the store."""
        return encode_tuple("pbem game keys 1", self.game, self.position, self.orders, self.public)

    @classmethod
    def from_bytes(cls, blob: bytes) -> Self:
        """Read what `to_bytes` wrote; `TamperedError` if it is something else."""
        reader = Reader("set of game keys", "pbem game keys 1", blob)
        made = cls(reader.text(), reader.blob(), reader.blob(), reader.blob())
        reader.expect_end()
        return made


def create_game_keys(master: MasterKeys, signing: SigningKey, game: str) -> WrappedGameKeys:
    """Make and wrap the keys of a new game.  Only a resolver can: it alone has a master key."""
    position, orders = AESGCM.generate_key(256), new_pair_secret()
    raw = OrdersSecretKey([orders]).public_key()
    signed = signing.sign("orders key", _certificate_context(game, raw))
    return WrappedGameKeys(
        game,
        _wrap(master, game, "position key", position),
        _wrap(master, game, "orders key", orders),
        encode_tuple("pbem orders key 1", raw, signed),
    )


def unwrap_game_keys(master: MasterKeys, game: str, wrapped: WrappedGameKeys) -> GameKeys:
    """Unwrap the keys of the game that the caller means; `TamperedError` or `UnknownKey` if they are another's."""
    return GameKeys(
        game,
        PositionKey({1: _unwrap(master, game, "position key", wrapped.position)}),
        OrdersSecretKey([_unwrap(master, game, "orders key", wrapped.orders)]),
    )


def rewrap(master: MasterKeys, wrapped: WrappedGameKeys) -> WrappedGameKeys:
    """The same keys under the current master version; nothing that they sealed has to be touched."""
    game = wrapped.game
    position = _unwrap(master, game, "position key", wrapped.position)
    orders = _unwrap(master, game, "orders key", wrapped.orders)
    return WrappedGameKeys(
        game,
        _wrap(master, game, "position key", position),
        _wrap(master, game, "orders key", orders),
        wrapped.public,
    )


@lru_cache(maxsize=64)
def load_orders_key(verify: VerifyKeys, game: str, public: bytes) -> OrdersPublicKey:
    """The key to seal this game's orders to, if a resolver signed it for this game; else `TamperedError`.

    All letters of a table are sealed to the same one, whose signature is checked once.
    """
    reader = Reader("orders key", "pbem orders key 1", public)
    raw, signed = reader.blob(32), reader.blob()
    reader.expect_end()
    verify.verify("orders key", _certificate_context(game, raw), signed, RESOLVER_ONLY)
    return OrdersPublicKey(raw)


def _certificate_context(game: str, raw: bytes) -> bytes:
    return encode_tuple("pbem orders key of 1", game, raw)


def _wrap(master: MasterKeys, game: str, purpose: str, secret: bytes) -> bytes:
    """The master version is bound in by the lock itself."""
    return master.encrypt(purpose, encode_tuple("pbem wrap 1", game), secret)


def _unwrap(master: MasterKeys, game: str, purpose: str, box: bytes) -> bytes:
    secret = master.decrypt(purpose, encode_tuple("pbem wrap 1", game), box)
    if len(secret) != 32:
        raise TamperedError(purpose, "it has not the length of one")
    return secret

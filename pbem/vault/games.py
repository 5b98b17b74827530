"""The keys of one game: a key for its position and journal, and a pair to which its ballots are sealed.

Both secrets lie in the database wrapped under a master key.  The public half lies beside them, signed by the
play worker that made it, since an attacker with a public half of their own in its place would read every ballot
sealed after that.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Self

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from pbem.vault.fields import Reader, Tampered, pack
from pbem.vault.keys import (
    ONLY_PLAY,
    BallotKey,
    BallotSecret,
    Guarded,
    MasterKeys,
    PositionKey,
    SigningKey,
    VerifyKeys,
    fresh_pair_secret,
)


@dataclass(frozen=True, repr=False, eq=False)
class GameKeys(Guarded):
    """One game's keys, open: in the memory of a play worker and nowhere else."""

    game: str
    position: PositionKey
    ballot: BallotSecret


@dataclass(frozen=True)
class WrappedGameKeys:
    """One game's keys as the store keeps them.  `public` may be given to web and post: see `ballot_key`."""

    game: str
    position: bytes
    ballot: bytes
    public: bytes

    def to_bytes(self) -> bytes:
        """One blob for the store."""
        return pack("pbem game keys 1", self.game, self.position, self.ballot, self.public)

    @classmethod
    def from_bytes(cls, blob: bytes) -> Self:
        """Read what `to_bytes` wrote; `Tampered` if it is something else."""
        reader = Reader("set of game keys", "pbem game keys 1", blob)
        made = cls(reader.text(), reader.blob(), reader.blob(), reader.blob())
        reader.done()
        return made


def new_game_keys(master: MasterKeys, signing: SigningKey, game: str) -> WrappedGameKeys:
    """Make and wrap the keys of a new game.  Only a play worker can: it alone has a master key."""
    position, ballot = AESGCM.generate_key(256), fresh_pair_secret()
    raw = BallotSecret([ballot]).newest_public()
    signed = signing.sign("ballot key", _certificate(game, raw))
    return WrappedGameKeys(
        game,
        _wrap(master, game, "position key", position),
        _wrap(master, game, "ballot key", ballot),
        pack("pbem ballot key 1", raw, signed),
    )


def open_game_keys(master: MasterKeys, game: str, wrapped: WrappedGameKeys) -> GameKeys:
    """Unwrap the keys of the game that the caller means; `Tampered` or `UnknownKey` if they are another's."""
    return GameKeys(
        game,
        PositionKey({1: _unwrap(master, game, "position key", wrapped.position)}),
        BallotSecret([_unwrap(master, game, "ballot key", wrapped.ballot)]),
    )


def rewrap(master: MasterKeys, wrapped: WrappedGameKeys) -> WrappedGameKeys:
    """The same keys under the current master version; nothing that they sealed has to be touched."""
    game = wrapped.game
    position = _unwrap(master, game, "position key", wrapped.position)
    ballot = _unwrap(master, game, "ballot key", wrapped.ballot)
    return WrappedGameKeys(
        game,
        _wrap(master, game, "position key", position),
        _wrap(master, game, "ballot key", ballot),
        wrapped.public,
    )


@lru_cache(maxsize=64)
def ballot_key(verify: VerifyKeys, game: str, public: bytes) -> BallotKey:
    """The key to seal this game's ballots to, if a play worker signed it for this game; else `Tampered`.

    All letters of a table are sealed to the same one, whose signature is checked once.
    """
    reader = Reader("ballot key", "pbem ballot key 1", public)
    raw, signed = reader.blob(32), reader.blob()
    reader.done()
    verify.check("ballot key", _certificate(game, raw), signed, ONLY_PLAY)
    return BallotKey(raw)


def _certificate(game: str, raw: bytes) -> bytes:
    return pack("pbem ballot key of 1", game, raw)


def _wrap(master: MasterKeys, game: str, purpose: str, secret: bytes) -> bytes:
    """The master version is bound in by the lock itself."""
    return master.lock(purpose, pack("pbem wrap 1", game), secret)


def _unwrap(master: MasterKeys, game: str, purpose: str, box: bytes) -> bytes:
    secret = master.unlock(purpose, pack("pbem wrap 1", game), box)
    if len(secret) != 32:
        raise Tampered(purpose, "it has not the length of one")
    return secret

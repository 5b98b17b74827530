"""The journal's chain, the luck of an entry, and the seed: hashes that tell nothing small enough to guess.

Nothing here is secret-keyed in the sense of the other modules: it is what an archive needs to prove, without
any key of ours, that it was not rewritten.  SHA-256 (FIPS 180-4) and HMAC-SHA256 (RFC 2104) from the
standard library.
"""

from __future__ import annotations

import hashlib
import hmac
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from pbem.crypto.encoding import CryptoError, Part, Reader, encode_tuple
from pbem.crypto.keys import NonExportable

GENESIS = bytes(32)
"""What stands for the digest before a game's first entry."""

SALT = 32


class ChainBroken(CryptoError):
    """A journal that does not fit its digests; the text says where."""


@dataclass(frozen=True)
class EntryId:
    """Which entry of which game."""

    game: str
    entry: int


@dataclass(frozen=True, repr=False)
class EntrySalts(NonExportable):
    """One salt for each seat's private part and one for the rest; kept with the entry, opened at the end."""

    seats: Mapping[str, bytes]
    rest: bytes

    @classmethod
    def fresh(cls, seats: Iterable[str]) -> Self:
        """New random salts."""
        return cls({seat: os.urandom(SALT) for seat in seats}, os.urandom(SALT))

    def to_bytes(self) -> bytes:
        """One blob, to be sealed with the entry."""
        pairs = [part for seat in sorted(self.seats) for part in (seat, self.seats[seat])]
        return encode_tuple("pbem entry salts 1", self.rest, len(self.seats), *pairs)

    @classmethod
    def from_bytes(cls, blob: bytes) -> Self:
        """Read what `to_bytes` wrote; `TamperedError` if it is something else."""
        reader = Reader("set of salts", "pbem entry salts 1", blob)
        rest, count = reader.blob(SALT), reader.number()
        seats = {reader.text(): reader.blob(SALT) for _ in range(count)}
        reader.expect_end()
        return cls(seats, rest)


@dataclass(frozen=True)
class ChainLink:
    """What everybody may know of an entry from the moment it is written: its digest and its commitments."""

    digest: bytes
    seats: Mapping[str, bytes]
    rest: bytes

    def to_bytes(self) -> bytes:
        """One blob for the store and the archive."""
        pairs = [part for seat in sorted(self.seats) for part in (seat, self.seats[seat])]
        return encode_tuple("pbem entry link 1", self.digest, self.rest, len(self.seats), *pairs)

    @classmethod
    def from_bytes(cls, blob: bytes) -> Self:
        """Read what `to_bytes` wrote; `TamperedError` if it is something else."""
        reader = Reader("link of the journal", "pbem entry link 1", blob)
        digest, rest, count = reader.blob(32), reader.blob(32), reader.number()
        seats = {reader.text(): reader.blob(32) for _ in range(count)}
        reader.expect_end()
        return cls(digest, seats, rest)


def commit_to_part(salt: bytes, place: EntryId, owner: str | None, part: bytes) -> bytes:
    """The salted commitment of one private part; `owner` None stands for the rest, that no seat is told."""
    if len(salt) != SALT:
        raise CryptoError("The salt of a commitment has 32 bytes.")
    whose = ("seat", owner) if owner is not None else ("rest", "")
    message = encode_tuple("pbem entry part 1", place.game, place.entry, *whose, part)
    return hmac.digest(salt, message, hashlib.sha256)


def hash_entry(
    place: EntryId,
    previous: bytes,
    public_part: bytes,
    private: Mapping[str, bytes],
    rest: bytes,
    salts: EntrySalts,
) -> ChainLink:
    """Link an entry to the one before it.

    `private` must name every seat at every entry, with an empty part where it is told nothing: else the chain
    would show who was told something.
    """
    if set(private) != set(salts.seats):
        raise CryptoError("Each seat's private part needs its own salt, and each salt its part.")
    seats = {seat: commit_to_part(salts.seats[seat], place, seat, part) for seat, part in private.items()}
    hidden = commit_to_part(salts.rest, place, None, rest)
    return ChainLink(_hash_public(place, previous, public_part, seats, hidden), seats, hidden)


def _hash_public(place: EntryId, previous: bytes, public_part: bytes, seats: Mapping[str, bytes], rest: bytes) -> bytes:
    if len(previous) != 32:
        raise CryptoError("The digest before an entry has 32 bytes.")
    public = hashlib.sha256(encode_tuple("pbem entry public 1", public_part)).digest()
    named = [part for seat in sorted(seats) for part in (seat, seats[seat])]
    text = encode_tuple("pbem entry 1", place.game, place.entry, previous, public, len(seats), *named, rest)
    return hashlib.sha256(text).digest()


def verify_link(place: EntryId, previous: bytes, public_part: bytes, link: ChainLink) -> None:
    """What anybody can check during the game, without a salt: `ChainBroken` unless the digest fits."""
    made = _hash_public(place, previous, public_part, link.seats, link.rest)
    if not hmac.compare_digest(made, link.digest):
        raise ChainBroken(
            f"Entry {place.entry} does not fit its digest: its public part, its commitments or what came "
            "before is not what was written at the time."
        )


def verify_part(place: EntryId, owner: str | None, part: bytes, salt: bytes, link: ChainLink) -> None:
    """One opened private part against its commitment: `ChainBroken` unless it is what was written."""
    stands = link.rest if owner is None else link.seats.get(owner, b"")
    if not hmac.compare_digest(commit_to_part(salt, place, owner, part), stands):
        whose = "what no seat was told" if owner is None else f"the private part of seat {owner}"
        raise ChainBroken(
            f"Entry {place.entry} does not fit its commitment: {whose} is not what was written at the time."
        )


def draw_entropy(game: str, entry: int, counted: Sequence[tuple[str, bytes | None]]) -> bytes:
    """Mix the orders counted into 32 bytes for the draws of an entry, in seat order; None: nobody filed an answer.

    A commitment holds a salt that the server makes, and whoever makes the salts could choose among draws; nothing of
    the server's own goes in here.
    """
    marks: list[Part] = []
    for seat, orders in counted:
        marks += [seat, "default", b""] if orders is None else [seat, "orders", orders]
    return hashlib.sha256(encode_tuple("pbem luck 1", game, entry, len(counted), *marks)).digest()


def draw_entropy_of_round(luck: bytes, chain: str, number: int, value: bytes) -> bytes:
    """The luck of an entry with a round of a public beacon: its network's hash, its number, what it gave."""
    return hashlib.sha256(encode_tuple("pbem luck of round 1", luck, bytes.fromhex(chain), number, value)).digest()


def beacon_seed(seed: bytes) -> bytes:
    """What stands for the orders where the deal is fixed: the seed with all joiners' words in it."""
    return hashlib.sha256(encode_tuple("pbem fixed deal 1", seed)).digest()


@dataclass(frozen=True)
class FixedEntryId:
    """For which entry of which game answers are fixed, with which round of a beacon, and when (seconds)."""

    game: str
    entry: int
    chain: str
    round: int
    at: int


def hash_fixed_answers(salt: bytes, place: FixedEntryId, luck: bytes, commitments: Sequence[tuple[str, str]]) -> str:
    """What is told of the answers of a gate before its round is signed: it binds them, and tells nothing of them.

    `draw_entropy`: what the orders give without the round.  `commitments`: of each seat, in seat order; empty for an
    answer that nobody had filed.
    """
    if len(salt) != SALT:
        raise CryptoError("The salt of a commitment has 32 bytes.")
    made = [part for seat, commitment in commitments for part in (seat, commitment)]
    where = encode_tuple("pbem fixed place 1", place.game, place.entry, place.chain, place.round, place.at)
    return hmac.digest(salt, encode_tuple("pbem fixed 1", where, luck, len(commitments), *made), hashlib.sha256).hex()


def hash_seed(seed: bytes) -> str:
    """What stands in the invitation: it fixes the seed, 32 random bytes, before anybody joins."""
    if len(seed) != SALT:
        raise CryptoError("A game's seed has 32 bytes.")
    return hashlib.sha256(encode_tuple("pbem seed 1", seed)).hexdigest()


def mix_seed(seed: bytes, joiners: Sequence[tuple[str, str, bytes]]) -> bytes:
    """The deal's own seed: the promised one with each joiner's seat, words and nonce, in seat order."""
    if len(seed) != SALT:
        raise CryptoError("A game's seed has 32 bytes.")
    parts: list[Part] = []
    for seat, words, nonce in joiners:
        parts += [seat, words.encode("utf-8", "surrogatepass"), nonce]
    return hmac.digest(seed, encode_tuple("pbem deal 1", len(joiners), *parts), hashlib.sha256)

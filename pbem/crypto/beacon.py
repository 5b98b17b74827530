"""A public beacon: numbers that a network of others signs at fixed times, and that nobody knows before.

The network is drand's `quicknet`, run by many organisations: every three seconds most of them together sign the number
of the round.  The scheme is `bls-unchained-g1-rfc9380`: a BLS signature (draft-irtf-cfrg-bls-signature-05) in G1 of the
curve BLS12-381, over SHA-256 of the number in eight bytes, hashed to the curve after RFC 9380; the public key is in G2.
A round has one signature only, so the server that brings it can choose nothing.  Its value is SHA-256 of the signature.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Final

SIGNATURE: Final = 48
"""Bytes of a signature: a point of G1, compressed."""
HIGHEST: Final = 1 << 40
"""Rounds beyond this one are none: it comes in a hundred thousand years."""
LIBRARY: Final = "py_arkworks_bls12381"
INSTALL: Final = "pip install 'pbem[beacon]'"
_DOMAIN: Final = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"


class MissingBeaconLibrary(Exception):
    """The library that checks signatures is not installed here."""


@dataclass(frozen=True)
class Chain:
    """One network: the hash that names it, its public key, when its first round was (seconds), how long each lasts."""

    hash: str
    public: bytes
    genesis: int
    period: int

    def round_time(self, number: int) -> int:
        """When a round is signed (seconds since 1970)."""
        return self.genesis + (number - 1) * self.period

    def round_after(self, moment: int) -> int:
        """The first round that is signed later than a moment (seconds)."""
        return max(1, (moment - self.genesis) // self.period + 2)

    def verify(self, number: int, signature: bytes) -> bool:
        """Return True if this is the signature of that round; raises MissingBeaconLibrary."""
        if not is_installed():
            raise MissingBeaconLibrary
        from py_arkworks_bls12381 import GT, G1Point, G2Point

        if len(signature) != SIGNATURE or not 0 < number < HIGHEST:
            return False
        said = G1Point.hash_to_curve(hashlib.sha256(number.to_bytes(8, "big")).digest(), _DOMAIN)
        try:
            signed = G1Point.from_compressed_bytes(signature)
        except ValueError:
            return False
        return GT.pairing_check([signed, -said], [G2Point(), G2Point.from_compressed_bytes(self.public)])


QUICKNET: Final = Chain(
    "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
    bytes.fromhex(
        "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451"
        "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"
    ),
    1_692_803_367,
    3,
)


def is_installed() -> bool:
    """Return True if signatures can be checked here."""
    return find_spec(LIBRARY) is not None


def round_value(signature: bytes) -> bytes:
    """The number that a round gives, 32 bytes."""
    return hashlib.sha256(signature).digest()

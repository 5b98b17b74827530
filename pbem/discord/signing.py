"""Checks that a request comes from Discord: Ed25519 over its timestamp and very bytes (RFC 8032), not long ago."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

FRESH_S = 300
"""How old a signature may be, and how far ahead the other side's clock may go."""

_SIGNATURE = re.compile(r"[0-9a-fA-F]{128}")
_TIMESTAMP = re.compile(r"[0-9]{1,12}")


@dataclass(frozen=True)
class SignedHeaders:
    """A request that was signed: its signature, which no other request has, and when (seconds)."""

    signature: str
    moment: int


class ForgedRequest(Exception):
    """A request that Discord did not sign, or not lately."""


def verify(public_key: str, headers: Mapping[str, str], body: bytes, now: int) -> SignedHeaders:
    """Check a request; raises ForgedRequest.  `now`: seconds."""
    signature, stamp = headers.get("X-Signature-Ed25519", ""), headers.get("X-Signature-Timestamp", "")
    if not _SIGNATURE.fullmatch(signature) or not _TIMESTAMP.fullmatch(stamp):
        raise ForgedRequest
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public_key))
        key.verify(bytes.fromhex(signature), stamp.encode("ascii") + body)
    except (InvalidSignature, ValueError):
        raise ForgedRequest from None
    if abs(now - int(stamp)) > FRESH_S:
        raise ForgedRequest
    return SignedHeaders(signature.lower(), int(stamp))

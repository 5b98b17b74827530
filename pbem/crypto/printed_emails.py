"""What an email of ours said, to know it again in a quotation: locked like the view of the seat that it tells of.

The lines of receipts, which hold orders, are digests under the token of their email, which only their reader has.
"""

from __future__ import annotations

from dataclasses import dataclass

from pbem.crypto.encoding import encode_tuple, pad, unpad
from pbem.crypto.keys import ViewKey

PRINTED_STEP = 512


@dataclass(frozen=True)
class PrintedContext:
    """Which email it is, of which kind, and the hash of the token to which it is answered.

    What one seat's email said is never known again in an answer of another.
    """

    token_hash: bytes
    kind: str
    email: str

    def to_bytes(self) -> bytes:
        """What is bound into the seal."""
        return encode_tuple("pbem printed email 1", self.token_hash, self.kind, self.email)


def seal_printed(key: ViewKey, context: PrintedContext, plain: bytes) -> bytes:
    """Lock what an email said."""
    return key.encrypt("printed email", context.to_bytes(), pad(plain, PRINTED_STEP))


def unseal_printed(key: ViewKey, context: PrintedContext, blob: bytes) -> bytes:
    """Open what this email said; else `TamperedError`."""
    return unpad("printed email", key.decrypt("printed email", context.to_bytes(), blob))

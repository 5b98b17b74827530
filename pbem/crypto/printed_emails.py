"""What an email of ours said, to know it again in a quotation: locked like the view of the seat that it tells of.

The lines of receipts, which hold orders, are digests under the token of their email, which only their reader has.
"""

from __future__ import annotations

from pbem.crypto.encoding import encode_tuple, pad, unpad
from pbem.crypto.keys import ViewKey

PRINTED_STEP = 512


def seal_printed(key: ViewKey, email: str, plain: bytes) -> bytes:
    """Lock what the email of this key said."""
    return key.encrypt("printed email", _context(email), pad(plain, PRINTED_STEP))


def unseal_printed(key: ViewKey, email: str, blob: bytes) -> bytes:
    """Open what the email of this key said; else `TamperedError`."""
    return unpad("printed email", key.decrypt("printed email", _context(email), blob))


def _context(email: str) -> bytes:
    return encode_tuple("pbem printed email 1", email)

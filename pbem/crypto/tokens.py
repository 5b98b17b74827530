"""Tokens: what stands in a reply address or a link and lets its bearer in; at rest only their hash.

Lower-case consonants and digits, without l and y: no case to lose on the way, no word spelt by chance,
nothing to take for a one or a zero.  26 of 29 signs are 126 random bits; guessing is hopeless, so an
unsalted hash at rest gives nothing away.
"""

from __future__ import annotations

import hashlib
import secrets

from pbem.crypto.encoding import encode_tuple

ALPHABET = "bcdfghjkmnpqrstvwxz0123456789"
LENGTH = 26


def new_token() -> str:
    """A new token from the system's generator, which is asked once for all signs: a choice for each costs tenfold."""
    left, signs = secrets.randbelow(len(ALPHABET) ** LENGTH), list[str]()
    for _ in range(LENGTH):
        left, place = divmod(left, len(ALPHABET))
        signs.append(ALPHABET[place])
    return "".join(signs)


def is_token(text: str) -> bool:
    """Return True if this has the form of a token, in any case: a cheap test before the store is asked."""
    return len(text) == LENGTH and all(sign in ALPHABET for sign in text.lower())


def token_hash(purpose: str, token: str) -> bytes:
    """What the store keeps.  `purpose` (reply, sign-in, feed …) is part of it: one opens no other."""
    written = token.lower().encode("utf-8", "surrogatepass")
    return hashlib.sha256(encode_tuple("pbem token 1", purpose, written)).digest()

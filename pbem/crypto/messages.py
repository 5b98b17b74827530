"""What players say to each other, and note for themselves: locked like views, signed by the process that took it in.

Nothing is compressed: a reader of lengths in the database could try words until a message gets shorter.  It is
filled up to steps instead.
"""

from __future__ import annotations

from dataclasses import dataclass

from pbem.crypto.encoding import Reader, encode_tuple, pad, unpad
from pbem.crypto.keys import Role, SigningKey, VerifyKeys, ViewKey

MESSAGE_STEP = 512
MAY_STORE_MESSAGE: tuple[Role, ...] = ("web", "mailer", "resolver")


@dataclass(frozen=True)
class MessageContext:
    """At which table, of which kind, by which letter or form, and in which row, whose number its readers are named by.

    That of one message is never that of another.
    """

    game: str
    kind: str
    source: str
    number: int

    def to_bytes(self) -> bytes:
        """What is bound into seal and signature."""
        return encode_tuple("pbem said context 1", self.game, self.kind, self.source, self.number)


def seal_message(key: ViewKey, signing: SigningKey, context: MessageContext, plain: bytes) -> bytes:
    """Lock one message for the processes that show it."""
    box = key.encrypt("message", context.to_bytes(), pad(plain, MESSAGE_STEP))
    return encode_tuple("pbem said 1", box, signing.sign("message", _signed_bytes(context, box)))


def unseal_message(key: ViewKey, verify: VerifyKeys, context: MessageContext, blob: bytes) -> bytes:
    """Open what one of our roles took in for this place; else `TamperedError`."""
    reader = Reader("message", "pbem said 1", blob)
    box, signed = reader.blob(), reader.blob()
    reader.expect_end()
    verify.verify("message", _signed_bytes(context, box), signed, MAY_STORE_MESSAGE)
    return unpad("message", key.decrypt("message", context.to_bytes(), box))


def _signed_bytes(context: MessageContext, box: bytes) -> bytes:
    return encode_tuple("pbem said place 1", context.to_bytes(), box)

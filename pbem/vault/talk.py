"""What players say to each other, and note for themselves: locked like views, signed by the process that took it in.

Nothing is compressed: a reader of lengths in the database could try words until a message gets shorter.  It is
filled up to steps instead.
"""

from __future__ import annotations

from dataclasses import dataclass

from pbem.vault.fields import Reader, pack, padded, unpadded
from pbem.vault.keys import Role, SigningKey, VerifyKeys, ViewKey

TALK_STEP = 512
MAY_TAKE_IN: tuple[Role, ...] = ("web", "post", "play")


@dataclass(frozen=True)
class SaidContext:
    """At which table, of which kind, by which letter or form: that of one message is never that of another."""

    game: str
    kind: str
    source: str

    def to_bytes(self) -> bytes:
        """What is bound into seal and signature."""
        return pack("pbem said context 1", self.game, self.kind, self.source)


def seal_said(key: ViewKey, signing: SigningKey, context: SaidContext, plain: bytes) -> bytes:
    """Lock one message for the processes that show it."""
    box = key.lock("message", context.to_bytes(), padded(plain, TALK_STEP))
    return pack("pbem said 1", box, signing.sign("message", _to_sign(context, box)))


def open_said(key: ViewKey, verify: VerifyKeys, context: SaidContext, blob: bytes) -> bytes:
    """Open what one of our roles took in for this place; else `Tampered`."""
    reader = Reader("message", "pbem said 1", blob)
    box, signed = reader.blob(), reader.blob()
    reader.done()
    verify.check("message", _to_sign(context, box), signed, MAY_TAKE_IN)
    return unpadded("message", key.unlock("message", context.to_bytes(), box))


def _to_sign(context: SaidContext, box: bytes) -> bytes:
    return pack("pbem said place 1", context.to_bytes(), box)

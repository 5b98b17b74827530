"""Receipts that anybody can check: what was filed in which place after what, or taken back, signed by who took it in.

A receipt is text of six lines that survives mail: all but the first are no longer than a digest in hex, and marks of
quotation do not count.

    pbem receipt 1: GAME GATE ENTRY SEAT KIND REVISION filed
    the commitment (see `sealed_orders`), 64 signs
    the commitment of what stood there before, 64 signs; all zeros where nothing did
    the name of the key that signed, 16 signs
    the signature (Ed25519), two lines of 64 signs

A withdrawal says `withdrawn` in place of `filed`: nothing stands in that place from then on.  `void` is what a resolver
says of orders that are no longer valid on the board as it has become, and web and mailer of one whose seat changed
hands.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal, cast, get_args

from pbem.crypto.encoding import Reader, encode_tuple
from pbem.crypto.keys import Role, SigningKey, VerifyKeys
from pbem.crypto.sealed_orders import MAY_ACCEPT, OrdersContext, OrdersKind

ReceiptAction = Literal["filed", "withdrawn", "void"]
EMPTY_COMMITMENT: Final = "0" * 64
_LINE: Final = re.compile(
    r"pbem receipt 1: (\S{1,40}) (\S{1,80}) (\d{1,9}) (\S{1,8}) (\w{1,8}) (\d{1,9}) (filed|withdrawn|void) "
    r"([0-9a-f]{64}) ([0-9a-f]{64}) ([0-9a-f]{16}) ([0-9a-f]{64}) ([0-9a-f]{64})(?![0-9a-f])"
)
_DEAL: Final = re.compile(
    r"pbem deal 1: (\S{1,40}) (\S{1,8}) ([0-9a-f]{64}) ([0-9a-f]{16}) ([0-9a-f]{64}) ([0-9a-f]{64})(?![0-9a-f])"
)
_ROUND: Final = re.compile(
    r"pbem round 1: (\S{1,40}) (\S{1,80}) (\d{1,9}) ([0-9a-f]{8}) (\d{1,12}) (\d{1,12}) "
    r"([0-9a-f]{64}) ([0-9a-f]{16}) ([0-9a-f]{64}) ([0-9a-f]{64})(?![0-9a-f])"
)
_QUOTED: Final = re.compile(r"[\s>|]+")
_KINDS: Final = frozenset(get_args(OrdersKind))


@dataclass(frozen=True)
class Receipt:
    """One act in one place, and the signature under it."""

    context: OrdersContext
    act: ReceiptAction
    commitment: str
    replaces: str
    signed: bytes

    def to_lines(self) -> tuple[str, ...]:
        """What is printed, line by line."""
        c = self.context
        head = f"pbem receipt 1: {c.game} {c.gate} {c.opening_entry} {c.seat} {c.kind} {c.revision} {self.act}"
        return (head, self.commitment, self.replaces or EMPTY_COMMITMENT, *_parse_signature(self.signed))

    def verify(self, verify: VerifyKeys) -> Role:
        """The role that signed it; `TamperedError` if none did that takes orders in."""
        said = _signed_message(self.context, self.act, self.commitment, self.replaces)
        return verify.verify("receipt", said, self.signed, MAY_ACCEPT)

    def __str__(self) -> str:
        """All its lines."""
        return "\n".join(self.to_lines())


def sign_receipt(
    signing: SigningKey, context: OrdersContext, commitment: str, replaces: str = "", act: ReceiptAction = "filed"
) -> Receipt:
    """Acknowledge that this was filed there, or taken back.  `replaces`: the commitment of what stood there before."""
    signed = signing.sign("receipt", _signed_message(context, act, commitment, replaces))
    return Receipt(context, act, commitment, replaces, signed)


def parse_receipts(text: str) -> Iterator[Receipt]:
    """Every receipt in a text, whatever stands around it."""
    for found in _LINE.finditer(_QUOTED.sub(" ", text)):
        game, gate, entry, seat, kind, revision, act, commitment, replaces, name, *halves = found.groups()
        if kind in _KINDS:
            context = OrdersContext(game, gate, int(entry), seat, int(revision), cast(OrdersKind, kind))
            signed = encode_tuple("pbem signed 1", bytes.fromhex(name), bytes.fromhex("".join(halves)))
            before = "" if replaces == EMPTY_COMMITMENT else replaces
            yield Receipt(context, cast(ReceiptAction, act), commitment, before, signed)


@dataclass(frozen=True)
class DealReceipt:
    """What a player put into the deal: a digest of their words and of the server's number for them, signed.

    It is printed as five lines: `pbem deal 1: GAME SEAT`, the digest, the name of the key, the signature in two.
    """

    game: str
    seat: str
    digest: str
    signed: bytes

    def verify(self, verify: VerifyKeys) -> Role:
        """The role that signed it; `TamperedError` if none did that takes orders in."""
        return verify.verify(
            "deal", encode_tuple("pbem deal receipt 1", self.game, self.seat, self.digest), self.signed, MAY_ACCEPT
        )

    def __str__(self) -> str:
        """All its lines."""
        return "\n".join((f"pbem deal 1: {self.game} {self.seat}", self.digest, *_parse_signature(self.signed)))


def hash_deal(game: str, seat: str, words: str, nonce: bytes) -> str:
    """What names a player's part of the deal; the number in it keeps the words from being guessed."""
    said = words.encode("utf-8", "surrogatepass")
    return hashlib.sha256(encode_tuple("pbem deal words 1", game, seat, said, nonce)).hexdigest()


def sign_deal(signing: SigningKey, game: str, seat: str, words: str, nonce: bytes) -> DealReceipt:
    """Acknowledge what a player put into the deal."""
    digest = hash_deal(game, seat, words, nonce)
    return DealReceipt(
        game, seat, digest, signing.sign("deal", encode_tuple("pbem deal receipt 1", game, seat, digest))
    )


def parse_deals(text: str) -> Iterator[DealReceipt]:
    """Every receipt for a deal in a text, whatever stands around it."""
    for game, seat, digest, name, *halves in _DEAL.findall(_QUOTED.sub(" ", text)):
        yield DealReceipt(
            game, seat, digest, encode_tuple("pbem signed 1", bytes.fromhex(name), bytes.fromhex("".join(halves)))
        )


MAY_ANNOUNCE: Final[tuple[Role, ...]] = ("resolver",)


@dataclass(frozen=True)
class RoundReceipt:
    """Which round of the beacon the draws of an entry wait for, and the digest of its answers; signed by a resolver.

    It is printed as five lines: `pbem round 1: GAME GATE ENTRY CHAIN ROUND MOMENT` with the first 8 signs of the
    network's hash and the moment in seconds since 1970, the digest, the name of the key, the signature in two.
    """

    game: str
    gate: str
    entry: int
    chain: str
    round: int
    at: int
    digest: str
    signed: bytes

    def verify(self, verify: VerifyKeys) -> Role:
        """The role that signed it; `TamperedError` if no resolver did."""
        return verify.verify("round", self._message(), self.signed, MAY_ANNOUNCE)

    def _message(self) -> bytes:
        place = self.game, self.gate, self.entry, self.chain, self.round, self.at
        return encode_tuple("pbem round receipt 1", *place, self.digest)

    def sign(self, signing: SigningKey) -> RoundReceipt:
        """The same, signed."""
        return replace(self, signed=signing.sign("round", self._message()))

    def __str__(self) -> str:
        """All its lines."""
        head = f"pbem round 1: {self.game} {self.gate} {self.entry} {self.chain} {self.round} {self.at}"
        return "\n".join((head, self.digest, *_parse_signature(self.signed)))


def parse_rounds(text: str) -> Iterator[RoundReceipt]:
    """Every receipt for a round in a text, whatever stands around it."""
    for game, gate, entry, chain, number, at, digest, name, *halves in _ROUND.findall(_QUOTED.sub(" ", text)):
        signed = encode_tuple("pbem signed 1", bytes.fromhex(name), bytes.fromhex("".join(halves)))
        yield RoundReceipt(game, gate, int(entry), chain, int(number), int(at), digest, signed)


def _parse_signature(signed: bytes) -> tuple[str, str, str]:
    reader = Reader("receipt", "pbem signed 1", signed)
    name, signature = reader.blob(8).hex(), reader.blob(64).hex()
    return name, signature[:64], signature[64:]


def _signed_message(context: OrdersContext, act: ReceiptAction, commitment: str, replaces: str) -> bytes:
    return encode_tuple("pbem receipt 1", context.to_bytes(), act, commitment, replaces)

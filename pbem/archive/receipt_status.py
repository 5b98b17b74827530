"""What became of orders whose receipts a reader has: counted, superseded, withdrawn, void, or unknown to the file.

A file shows the orders that were counted.  Only receipts from outside of it show that none was passed over: a server
whose database was written to by somebody else, or a dishonest one, could count an older set than the last.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from engine.kernel.codec import load
from pbem.archive.contents import Seed
from pbem.archive.entries import CountedAnswer, EntryRecord, RecordedOrders
from pbem.crypto.encoding import CryptoError
from pbem.crypto.keys import VerifyKeys
from pbem.crypto.receipts import DealReceipt, Receipt, hash_deal
from pbem.crypto.sealed_orders import OrdersContext

MAX_RECEIPTS: Final = 10_000
"""Receipts that are looked up in one file."""

CLAIM: Final = "receipt"


@dataclass(frozen=True)
class ReceiptStatus:
    """What became of one receipt: a sentence, and whether it speaks against the file."""

    receipt: Receipt
    said: str
    broken: bool = False


Place = tuple[str, str, str, int]
"""Gate, seat, kind and opening entry: where a newer set replaces an older one."""


@dataclass(frozen=True)
class CommitmentIndex:
    """Where the file has commitments, by entry, and how it says that others ended."""

    counted: Mapping[str, int]
    places: Mapping[Place, tuple[int, int, str]]
    beside: Mapping[str, tuple[int, str, bytes]]
    defaults: Mapping[tuple[str, str], int]


def _place(context: OrdersContext) -> Place:
    return context.gate, context.seat, context.kind, context.opening_entry


def check_receipts(
    game: str, records: Sequence[EntryRecord], receipts: Sequence[Receipt], keys: VerifyKeys | None
) -> Iterator[ReceiptStatus]:
    """What became of each receipt; `keys`: those of the server, from elsewhere than the file."""
    found = _build_index(records)
    for receipt in receipts[:MAX_RECEIPTS]:
        if receipt.context.game != game:
            yield ReceiptStatus(receipt, "is of another game")
            continue
        forged = _find_forgery(receipt, keys)
        yield ReceiptStatus(receipt, forged, broken=True) if forged else _status_of(found, receipts, receipt, keys)


def deal_problem(seed: Seed, game: str, receipt: DealReceipt, keys: VerifyKeys | None) -> str:
    """What speaks against the part of the deal that a receipt names; empty if nothing does."""
    if receipt.game != game:
        return "is of another game"
    if forged := _find_forgery(receipt, keys):
        return forged
    mixed = {seat: hash_deal(game, seat, words, nonce) for seat, words, nonce in seed.joiners}
    return "" if mixed.get(receipt.seat) == receipt.digest else "names other words than the deal was mixed with"


def _find_forgery(receipt: Receipt | DealReceipt, keys: VerifyKeys | None) -> str:
    if keys is None:
        return ""
    try:
        receipt.verify(keys)
    except CryptoError:
        return "is not signed by that server"
    return ""


def _status_of(
    found: CommitmentIndex, all_of_them: Sequence[Receipt], receipt: Receipt, keys: VerifyKeys | None
) -> ReceiptStatus:
    made, context = receipt.commitment, receipt.context
    entry = found.counted.get(made)
    if receipt.act != "filed":
        said = f"is taken back, and yet entry {entry} counted it" if entry else receipt.act
        return ReceiptStatus(receipt, said, broken=entry is not None)
    if entry is not None:
        return ReceiptStatus(receipt, f"counted in entry {entry}")
    if made in found.beside:
        return _uncounted_status(found, receipt, keys)
    if (place := _place(context)) in found.places:
        return _superseded_status(receipt, *found.places[place])
    if (later := _find_later(made, all_of_them)) is not None:
        return ReceiptStatus(receipt, f"superseded by {later.commitment}" if later.act == "filed" else later.act)
    number = found.defaults.get((context.gate, context.seat), 0)
    if context.kind == "orders" and number > context.opening_entry:
        return ReceiptStatus(
            receipt, f"passed over: entry {number} counted none of this seat, and the file does not say why", True
        )
    says = "has answers ahead only where they were used" if context.kind == "reaction" else "says nothing of it"
    return ReceiptStatus(receipt, f"unknown: the file {says}")


def _find_later(made: str, receipts: Sequence[Receipt]) -> Receipt | None:
    """The receipt by which another took the place of what was filed, or by which it was taken back.

    Reactions add up.  Their receipts were once given as if each replaced the one before.
    """
    ended = (r for r in receipts if r.commitment == made and r.act != "filed")
    return next(ended, None) or next((r for r in receipts if r.replaces == made and r.context.kind != "reaction"), None)


def _superseded_status(receipt: Receipt, number: int, revision: int, other: str) -> ReceiptStatus:
    """Another of the same place was counted: a newer one takes its place, an older one should not have counted.

    A plan has its place for the whole game, so an older one may have been counted before this one was filed.
    """
    if revision > receipt.context.revision:
        return ReceiptStatus(receipt, f"superseded by {other}")
    if receipt.context.kind == "standing":
        said = f"unknown: entry {number} counted an older plan, {other}, perhaps before this one was filed"
        return ReceiptStatus(receipt, said)
    return ReceiptStatus(receipt, f"passed over: entry {number} counted an older one, {other}", broken=True)


def _uncounted_status(found: CommitmentIndex, receipt: Receipt, keys: VerifyKeys | None) -> ReceiptStatus:
    """What the file itself says of orders that it did not count; where they were taken back, by whose signature."""
    number, fate, signed = found.beside[receipt.commitment]
    if fate == "superseded":
        place = _place(receipt.context)
        told = ReceiptStatus(receipt, f"superseded, as entry {number} says")
        return _superseded_status(receipt, *found.places[place]) if place in found.places else told
    if keys is None:
        return ReceiptStatus(receipt, f"{fate}, as entry {number} says")
    end = Receipt(receipt.context, "void" if fate == "void" else "withdrawn", receipt.commitment, "", signed)
    forged = bool(_find_forgery(end, keys))
    said = "passed over: nobody of that server signed that it was" if forged else "by a signature in"
    return ReceiptStatus(receipt, f"{said} {fate}" if forged else f"{fate}, {said} entry {number}", broken=forged)


def _build_index(records: Sequence[EntryRecord]) -> CommitmentIndex:
    counted: dict[str, int] = {}
    places: dict[Place, tuple[int, int, str]] = {}
    beside: dict[str, tuple[int, str, bytes]] = {}
    defaults: dict[tuple[str, str], int] = {}
    for number, record in enumerate(records, 1):
        for one in record.counted:
            for context, commitment in _commitments_of(one):
                counted[commitment] = number
                if context.kind != "reaction":
                    places[_place(context)] = (number, context.revision, commitment)
            if not one.commitment:
                defaults[one.question or record.gate, one.seat] = number
        for other in record.beside:
            beside[other.commitment] = (number, other.fate, other.signed)
    return CommitmentIndex(counted, places, beside, defaults)


def _commitments_of(one: CountedAnswer) -> Iterator[tuple[OrdersContext, str]]:
    """The commitment of an answer, and of the set sent ahead that it was made of."""
    if not one.commitment:
        return
    yield OrdersContext.from_bytes(one.context), one.commitment
    filed = load(one.content)
    if isinstance(filed, RecordedOrders) and filed.ahead is not None:
        yield OrdersContext.from_bytes(filed.ahead.context), filed.ahead.commitment

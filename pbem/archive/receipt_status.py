"""What became of orders whose receipts a reader has: counted, superseded, withdrawn, void, or unknown to the file.

A file shows the orders that were counted.  Only receipts from outside of it show that none was passed over: a server
whose database was written to by somebody else, or a dishonest one, could count an older set than the last.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from engine.kernel.codec import load
from engine.kernel.gates import Gate
from pbem.archive.answers import format_numbers
from pbem.archive.contents import Seed
from pbem.archive.entries import CountedAnswer, EntryRecord, RecordedOrders
from pbem.crypto.encoding import CryptoError
from pbem.crypto.keys import VerifyKeys
from pbem.crypto.receipts import DealReceipt, Receipt, hash_deal
from pbem.crypto.sealed_orders import OrdersContext

MAX_RECEIPTS: Final = 10_000
"""Receipts that are looked up in one file."""

CLAIM: Final = "receipt"
NO_RECEIPT: Final = "no receipt"
"""The claim that lists what was counted of a seat, and of what its reader gave no receipt."""


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
    """Where the file has commitments, by entry, and how it says that others ended.

    `answers`: of each seat, in the order of the entries.  `given`: the commitments that a reader has receipts of.
    """

    counted: Mapping[str, int]
    places: Mapping[Place, tuple[int, int, str]]
    superseded: Mapping[str, tuple[int, str, bytes]]
    answers: Mapping[str, Sequence["_Answer"]]
    given: frozenset[str]


@dataclass(frozen=True)
class _Answer:
    """What was counted of a seat: in which entry, at which gate, and what its receipts acknowledged, if any did.

    `first`: what the seat itself sent, where the resolver sealed it again.
    """

    entry: int
    gate: str
    place: OrdersContext | None = None
    commitment: str = ""
    first: str = ""

    def is_given(self, given: frozenset[str]) -> bool:
        """Return True if nobody filed it, or a reader has a receipt of it."""
        return not self.commitment or bool(given & {self.commitment, self.first})

    def takes_place_of(self, other: OrdersContext) -> bool:
        """Return True if it was counted where other orders of the seat, filed before, could have been."""
        if other.opening_entry >= self.entry:
            return False
        if other.kind == "advance":
            return bool(self.commitment) and Gate.parse(other.gate).holds(Gate.parse(self.gate))
        if other.kind == "orders":
            return self.gate == other.gate
        return self.place is not None and (self.place.kind, self.place.gate) == (other.kind, other.gate)


def _place(context: OrdersContext) -> Place:
    return context.gate, context.seat, context.kind, context.opening_entry


def check_receipts(
    game: str, records: Sequence[EntryRecord], receipts: Sequence[Receipt], keys: VerifyKeys | None
) -> Iterator[ReceiptStatus]:
    """What became of each receipt; `keys`: those of the server, from elsewhere than the file."""
    found = _build_index(game, records, receipts)
    for receipt in receipts[:MAX_RECEIPTS]:
        if receipt.context.game != game:
            yield ReceiptStatus(receipt, "is of another game")
            continue
        forged = _find_forgery(receipt, keys)
        yield ReceiptStatus(receipt, forged, broken=True) if forged else _status_of(found, receipts, receipt, keys)


def deal_problem(seed: Seed | None, game: str, receipt: DealReceipt, keys: VerifyKeys | None) -> str:
    """What speaks against the part of the deal that a receipt names; empty if nothing does."""
    if receipt.game != game:
        return "is of another game"
    if forged := _find_forgery(receipt, keys):
        return forged
    joiners = seed.joiners if seed is not None else ()
    mixed = {seat: hash_deal(game, seat, words, nonce) for seat, words, nonce in joiners}
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
    if ended := next((r for r in all_of_them if r.commitment == made and r.act != "filed"), None):
        return ReceiptStatus(receipt, ended.act)
    unknown = _find_unknown(found, context)
    if made in found.superseded and (unknown is None or found.superseded[made][1] != "superseded"):
        return _uncounted_status(found, receipt, keys)
    if unknown is not None:
        said = f"entry {unknown.entry} counted {unknown.commitment}, of which no receipt was given"
        passed_over = context.kind == "orders"  # the others may be of who had the seat before, or of another question
        return ReceiptStatus(receipt, f"{'passed over' if passed_over else 'unknown'}: {said}", passed_over)
    if (place := _place(context)) in found.places:
        return _superseded_status(receipt, *found.places[place])
    if (later := _find_later(made, all_of_them)) is not None:
        return ReceiptStatus(receipt, f"superseded by {later.commitment}")
    other = next(_counted_instead(found, context), None)
    if context.kind == "orders" and other is not None and (other.place is None or other.place.kind != "orders"):
        what = "none" if other.place is None else "others"
        said = f"entry {other.entry} counted {what} of this seat, and the file does not say why"
        return ReceiptStatus(receipt, f"passed over: {said}", broken=True)
    says = "has answers ahead only where they were used" if context.kind == "reaction" else "says nothing of it"
    return ReceiptStatus(receipt, f"unknown: the file {says}")


def _counted_instead(found: CommitmentIndex, context: OrdersContext) -> Iterator[_Answer]:
    """What was counted where these orders could have been: reactions add up, and a plan is for the whole game."""
    there = (one for one in found.answers.get(context.seat, ()) if one.takes_place_of(context))
    return islice(there, 1) if context.kind in ("orders", "advance") else there


def _find_unknown(found: CommitmentIndex, context: OrdersContext) -> _Answer | None:
    """Of what was counted instead of these orders, what a reader has no receipt of: the server can have made it."""
    return next((one for one in _counted_instead(found, context) if not one.is_given(found.given)), None)


def list_unacknowledged(game: str, records: Sequence[EntryRecord], receipts: Sequence[Receipt]) -> Iterator[str]:
    """A line for each seat of which receipts are given, with the entries that counted orders of it without any."""
    found = _build_index(game, records, receipts)
    for seat in sorted({receipt.context.seat for receipt in receipts if receipt.context.game == game}):
        unknown = [one.entry for one in found.answers.get(seat, ()) if not one.is_given(found.given)]
        if unknown:
            yield f"{seat}, orders of which no receipt was given: {format_numbers(unknown)}"


def _find_later(made: str, receipts: Sequence[Receipt]) -> Receipt | None:
    """The receipt by which another took the place of what was filed.

    Reactions add up.  Their receipts were once given as if each replaced the one before.
    """
    return next((r for r in receipts if r.replaces == made and r.context.kind != "reaction"), None)


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
    number, fate, signed = found.superseded[receipt.commitment]
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


def _build_index(game: str, records: Sequence[EntryRecord], receipts: Sequence[Receipt]) -> CommitmentIndex:
    counted: dict[str, int] = {}
    places: dict[Place, tuple[int, int, str]] = {}
    superseded: dict[str, tuple[int, str, bytes]] = {}
    answers: dict[str, list[_Answer]] = {}
    for number, record in enumerate(records, 1):
        for one in record.counted:
            acknowledged = list(_commitments_of(one))
            for context, commitment in acknowledged:
                counted[commitment] = number
                if context.kind != "reaction":
                    places[_place(context)] = (number, context.revision, commitment)
            if record.replay_of is None:
                answers.setdefault(one.seat, []).append(_answer_of(number, record, one, acknowledged))
        for other in record.superseded:
            superseded[other.commitment] = (number, other.fate, other.signed)
    given = frozenset(r.commitment for r in receipts if r.context.game == game and r.act == "filed")
    return CommitmentIndex(counted, places, superseded, answers, given)


def _answer_of(
    number: int, record: EntryRecord, one: CountedAnswer, acknowledged: Sequence[tuple[OrdersContext, str]]
) -> _Answer:
    gate = one.question or record.gate
    if not acknowledged:
        return _Answer(number, gate)
    (place, commitment), *ahead = acknowledged
    return _Answer(number, gate, place, commitment, *(first for _, first in ahead))


def _commitments_of(one: CountedAnswer) -> Iterator[tuple[OrdersContext, str]]:
    """The commitment of an answer, and of the set sent ahead that it was made of."""
    if not one.commitment:
        return
    yield OrdersContext.from_bytes(one.context), one.commitment
    filed = load(one.content)
    if isinstance(filed, RecordedOrders) and filed.ahead is not None:
        yield OrdersContext.from_bytes(filed.ahead.context), filed.ahead.commitment

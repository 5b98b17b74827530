"""Rounds of the public beacon in a file: each signed by its network, and told of before there was a signature.

That a round was announced with these answers, and in time, a file alone cannot show: the receipts of the letters do.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from engine.kernel.options import BY_BEACON, DRAWS
from pbem.archive.answers import format_numbers
from pbem.archive.contents import Manifest
from pbem.archive.entries import BEACON, BeaconDraw, EntryRecord, entry_digest_of
from pbem.archive.replay import START_GATE
from pbem.crypto import beacon
from pbem.crypto.encoding import CryptoError
from pbem.crypto.keys import VerifyKeys
from pbem.crypto.receipts import RoundReceipt

CLAIM: Final = "beacon"
NOT_CHECKED: Final = f"The signatures of the beacon are not checked: {beacon.INSTALL}, and verify again."


def uses_beacon(manifest: Manifest, records: Sequence[EntryRecord]) -> bool:
    """Return True if a game's table has chosen the beacon, or one of its entries says so."""
    return manifest.options.get(DRAWS.name) == BY_BEACON or any(_is_mixed(record) for record in records)


def build_note(records: Sequence[EntryRecord]) -> str:
    """What was looked at, with the entries that a master let be drawn without a round."""
    signed = sum(1 for record in records if record.drawn is not None and record.drawn.signature)
    bare = [r.number for r in records if r.drawn is not None and not r.drawn.signature and r.replay_of is None]
    without = f"; by a master's act without a round: {format_numbers(bare)}" if bare else ""
    return (
        f"{signed} entries, each with a round that was signed after its answers were fixed, as the server says: "
        f"only the letters that announced the rounds prove it{without}"
    )


def list_faults(records: Sequence[EntryRecord], seed: bytes) -> Iterator[str]:
    """A sentence for each entry whose round does not fit; `seed`: of the deal."""
    made_at = 0
    for record in records:
        if problem := _find_problem(records, record, made_at, seed):
            yield f"Entry {record.number}: {problem}."
        made_at = record.created_at
    if not beacon.is_installed():
        yield NOT_CHECKED


def _is_mixed(record: EntryRecord) -> bool:
    return record.mixing == BEACON or record.drawn is not None


def _find_problem(records: Sequence[EntryRecord], record: EntryRecord, earliest: int, seed: bytes) -> str:
    """`earliest`: when the entry before was made, so that rounds rise as the times of entries do."""
    drawn = record.drawn
    if record.mixing != BEACON:
        return "it does not mix the beacon that its table has chosen"
    if record.gate == START_GATE:
        return "it has no round" if drawn is None else _find_draw_problem(record, drawn, earliest, seed)
    if not record.counted:
        return "it has a round and counted no answers" if drawn is not None else ""
    if drawn is None:
        return "it counted answers and has no round"
    if record.replay_of is not None:
        same = 0 < record.replay_of < record.number and records[record.replay_of - 1].drawn == drawn
        return "" if same else "it has another round than the entry that it tells again"
    return _find_draw_problem(record, drawn, earliest)


def _find_draw_problem(record: EntryRecord, drawn: BeaconDraw, earliest: int, seed: bytes = b"") -> str:
    chain = beacon.QUICKNET
    if drawn.chain != chain.hash or not 0 < drawn.round < beacon.HIGHEST:
        return "its round is of no network that is known here"
    if drawn.digest != entry_digest_of(record.game, record.number, record.counted, drawn, seed):
        return "its answers are not those that were fixed"
    if drawn.at < earliest // 1000:
        return "its answers were fixed before the entry before it was made"
    if not drawn.at < chain.round_time(drawn.round):
        return "its round was signed before the answers were fixed"
    if not drawn.signature:
        return ""
    if drawn.by:
        return "it has its round, and says who let it be drawn without"
    if record.created_at // 1000 < chain.round_time(drawn.round):
        return "it was made before its round was signed"
    if beacon.is_installed() and not chain.verify(drawn.round, drawn.signature):
        return f"the network did not sign round {drawn.round} so"
    return ""


# --- receipts


@dataclass(frozen=True)
class RoundStatus:
    """What became of one announcement: a sentence, and whether it speaks against the file."""

    receipt: RoundReceipt
    said: str
    broken: bool = False


def check_round(
    game: str, records: Sequence[EntryRecord], receipt: RoundReceipt, keys: VerifyKeys | None
) -> RoundStatus:
    """What became of the round that a letter announced; `keys`: the server's, from elsewhere than the file."""
    if receipt.game != game:
        return RoundStatus(receipt, "is of another game")
    if keys is not None and not _is_signed(receipt, keys):
        return RoundStatus(receipt, "is not signed by that server", broken=True)
    record = records[receipt.entry - 1] if 0 < receipt.entry <= len(records) else None
    drawn = record.drawn if record is not None else None
    if record is None or drawn is None:
        return RoundStatus(receipt, f"was announced, and entry {receipt.entry} was made without it", broken=True)
    told = receipt.gate, receipt.chain, receipt.round, receipt.at, receipt.digest
    if told != (record.gate, drawn.chain[:8], drawn.round, drawn.at, drawn.digest):
        said = f"was announced, and entry {receipt.entry} was drawn with another round or other answers"
        return RoundStatus(receipt, said, broken=True)
    how = "drawn with it" if drawn.signature else "drawn without it, by a master's act"
    return RoundStatus(receipt, f"entry {receipt.entry} was {how}")


def find_unannounced(records: Sequence[EntryRecord], receipts: Sequence[RoundReceipt]) -> Sequence[int]:
    """The entries with a round of which no letter was given, though one of an earlier and one of a later was.

    Every seat gets each letter, so a reader who has been at the table from the first to the last has them all.
    """
    known = {receipt.entry for receipt in receipts}
    drawn = [r.number for r in records if r.drawn is not None and r.drawn.signature and r.replay_of is None]
    return [number for number in drawn if min(known) < number < max(known) and number not in known]


def _is_signed(receipt: RoundReceipt, keys: VerifyKeys) -> bool:
    try:
        receipt.verify(keys)
    except CryptoError:
        return False
    return True

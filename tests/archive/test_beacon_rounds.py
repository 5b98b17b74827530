"""Rounds of the beacon in a file: signed by the network, later than the answers, and those that letters announced."""

from dataclasses import replace
from typing import Any

import pytest

from engine.kernel.orders import unconditional
from pbem.archive import rounds
from pbem.archive.entries import BEACON, BeaconDraw, CountedAnswer, EntryRecord, draw_entropy_of, entry_digest_of
from pbem.crypto import SigningKey, VerifyKeys, beacon
from pbem.crypto.beacon import QUICKNET
from pbem.crypto.receipts import RoundReceipt, parse_rounds
from tests.test_crypto_beacon import ROUNDS
from tests.toy.orders import Bid

AT = QUICKNET.round_time(1000)
"""When answers were fixed: not before the deal was made."""
COUNTED = (CountedAnswer("s1", unconditional(Bid(2)), "orders", "my cat", b"place", "ab" * 32, bytes(32), "{}"),)


def entry(number: int, round_: int = 1003, counted: tuple[CountedAnswer, ...] = COUNTED) -> EntryRecord:
    """An entry that was drawn with a published round."""
    drawn = BeaconDraw(QUICKNET.hash, round_, AT, bytes(32), "", bytes.fromhex(ROUNDS[round_]))
    drawn = replace(drawn, digest=entry_digest_of("g", number, counted, drawn))
    luck = draw_entropy_of("g", number, counted, drawn)
    return EntryRecord(
        "g", number, "bid/1", QUICKNET.round_time(round_) * 1000, counted, luck, (), (), mixing=BEACON, drawn=drawn
    )


def drawn_of(record: EntryRecord) -> BeaconDraw:
    """Its round."""
    assert record.drawn is not None
    return record.drawn


SEED = b"s" * 32


def begun() -> EntryRecord:
    """The deal, which no answers make."""
    drawn = BeaconDraw(QUICKNET.hash, 1000, AT - 120, bytes(32), "", bytes.fromhex(ROUNDS[1000]))
    drawn = replace(drawn, digest=entry_digest_of("g", 1, (), drawn, SEED))
    luck = draw_entropy_of("g", 1, (), drawn)
    return EntryRecord("g", 1, "start", AT * 1000, (), luck, (), (), mixing=BEACON, drawn=drawn)


START = begun()


def faults(*records: EntryRecord) -> list[str]:
    """What speaks against the entries."""
    return list(rounds.list_faults(records, SEED))


def test_an_honest_entry_holds_and_each_round_gives_other_draws() -> None:
    """An entry with a published round, fixed before it was signed, and made afterwards; the round is in its draws."""
    assert faults(START, entry(2)) == []
    lucks = {entry(2).luck, entry(2, 1001).luck, entry(2, 1004).luck, draw_entropy_of("g", 2, COUNTED)}
    assert len(lucks) == 4


ORDERS = (replace(COUNTED[0], orders=unconditional(Bid(3))),)
WORDS = (replace(COUNTED[0], words="my dog"),)
COMMITMENT = (replace(COUNTED[0], commitment="cd" * 32),)
SEAT = (replace(COUNTED[0], seat="s2"),)
NOT_FIXED, NOT_SIGNED = "its answers are not those that were fixed", "the network did not sign round 1003 so"
UNKNOWN = "its round is of no network that is known here"


def test_what_was_fixed_and_told_cannot_change() -> None:
    """Orders, words, commitments, seats or a seed of the deal other than those that the digest was made of are found.

    So is another signature, number, moment, salt or network than was told.
    """
    record = entry(2)
    for counted in (ORDERS, WORDS, COMMITMENT, SEAT, (*COUNTED, *SEAT)):
        assert faults(START, replace(record, counted=counted)) == [f"Entry 2: {NOT_FIXED}."]
    assert list(rounds.list_faults((START,), b"t" * 32)) == [f"Entry 1: {NOT_FIXED}."]
    changes: tuple[tuple[dict[str, Any], str], ...] = (
        ({"signature": bytes.fromhex(ROUNDS[1001])}, NOT_SIGNED),
        ({"signature": bytes(48)}, NOT_SIGNED),
        ({"round": 1001}, NOT_FIXED),
        ({"at": AT + 1}, NOT_FIXED),
        ({"salt": b"x" * 32}, NOT_FIXED),
        ({"chain": "ab" * 32}, UNKNOWN),
        ({"round": 1 << 60}, UNKNOWN),
    )
    for change, said in changes:
        assert faults(START, replace(record, drawn=replace(drawn_of(record), **change))) == [f"Entry 2: {said}."]


def test_no_entry_goes_without_its_round_or_with_one_that_was_known() -> None:
    """Answers without a round, a round without answers, and an entry that leaves the beacon out are found.

    Answers that were fixed when their round was signed already prove nothing.
    """
    record = entry(2)
    assert faults(START, replace(record, drawn=None)) == ["Entry 2: it counted answers and has no round."]
    assert faults(START, replace(record, counted=())) == ["Entry 2: it has a round and counted no answers."]
    assert faults(replace(START, drawn=None)) == ["Entry 1: it has no round."]
    assert faults(START, replace(record, mixing=1)) == [
        "Entry 2: it does not mix the beacon that its table has chosen."
    ]
    late = replace(drawn_of(record), at=QUICKNET.round_time(1003))
    late = replace(late, digest=entry_digest_of("g", 2, COUNTED, late))
    assert faults(START, replace(record, drawn=late)) == [
        "Entry 2: its round was signed before the answers were fixed."
    ]
    soon = replace(record, created_at=QUICKNET.round_time(1003) * 1000 - 1)
    assert faults(START, soon) == ["Entry 2: it was made before its round was signed."]


def test_rounds_rise_with_the_entries() -> None:
    """Answers that were fixed before the entry before them was made could have had a round of the past."""
    before = replace(START, created_at=(AT + 1) * 1000)
    assert faults(before, entry(2)) == ["Entry 2: its answers were fixed before the entry before it was made."]


def test_an_entry_that_is_told_again_keeps_its_round_and_one_without_is_named() -> None:
    """A ruling that tells an entry again takes its round and no other; a round that a master gave up is told."""
    first = entry(2)
    again = replace(first, number=3, replay_of=2)
    assert faults(START, first, again) == []
    other = replace(again, drawn=entry(3, 1001).drawn)
    assert faults(START, first, other) == ["Entry 3: it has another round than the entry that it tells again."]
    bare = replace(first, drawn=replace(drawn_of(first), signature=b""))
    assert faults(START, bare) == []
    assert "by a master's act without a round: 2" in rounds.build_note((START, bare))
    assert faults(START, replace(bare, counted=ORDERS)) != []


def test_without_the_library_a_file_says_that_it_is_not_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Signatures that cannot be checked here do not pass: the claim does not hold, and says what to install."""
    monkeypatch.setattr(beacon, "LIBRARY", "no_such_library")
    assert faults(START, entry(2)) == [rounds.NOT_CHECKED]
    assert beacon.INSTALL in rounds.NOT_CHECKED


# --- what letters announced

PLAY = SigningKey("resolver", b"k" * 32)
KEYS = VerifyKeys([("resolver", PLAY.public_bytes())])


def fate(record: EntryRecord, receipt: RoundReceipt) -> rounds.RoundStatus:
    """What became of an announcement."""
    return rounds.check_round("g", (START, record), receipt, KEYS)


def test_an_announcement_is_held_against_the_file() -> None:
    """The round that a letter announced, read from within a quotation, is the one that was drawn with.

    An announcement that the server did not sign so speaks against nobody.
    """
    drawn = drawn_of(entry(2))
    unsigned = RoundReceipt("g", "bid/1", 2, drawn.chain[:8], drawn.round, drawn.at, drawn.digest, b"")
    receipt = unsigned.sign(PLAY)
    quoted = "\n".join(f"> {line}" for line in f"Hello\n{receipt}\n".splitlines())
    assert list(parse_rounds(quoted)) == [receipt]
    assert fate(entry(2), receipt) == rounds.RoundStatus(receipt, "entry 2 was drawn with it")
    for other in (entry(2, 1001), entry(2, counted=ORDERS), replace(entry(2), drawn=None)):
        assert fate(other, receipt).broken
    assert not rounds.check_round("other", (START, entry(2)), receipt, KEYS).broken
    changes: tuple[dict[str, Any], ...] = (
        {"round": 999},
        {"at": 1},
        {"entry": 3},
        {"digest": "00" * 32},
        {"gate": "x"},
    )
    for change in changes:
        assert fate(entry(2), replace(receipt, **change)).said == "is not signed by that server"


def test_an_entry_between_letters_needs_its_own() -> None:
    """A reader with letters of an earlier and of a later round has had one of each between; entries outside need none.

    One that replays another has the round of that one.
    """
    records = (START, entry(2), replace(entry(3), replay_of=2), entry(4), entry(5))
    letters = [RoundReceipt("g", "bid/1", number, "", 1, 1, "", b"") for number in (1, 4)]
    assert rounds.find_unannounced(records, letters) == [2]
    assert rounds.find_unannounced(records, letters[1:]) == []

"""Rounds of the beacon in a file: signed by the network, later than the answers, and those that letters announced."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from engine.kernel.orders import simply
from pbem.archive import entries, rounds
from pbem.archive.entries import BEACON, Counted, Drawn, Record, digest_of, luck_of
from pbem.vault import SigningKey, VerifyKeys, beacon
from pbem.vault.beacon import QUICKNET
from pbem.vault.receipts import RoundReceipt, read_rounds
from tests.test_vault_beacon import ROUNDS
from tests.toy.orders import Bid

AT = QUICKNET.due(1000) - 120
COUNTED = (Counted("s1", simply(Bid(2)), "ballot", "my cat", b"place", "ab" * 32, bytes(32), "{}"),)


def entry(number: int, round_: int = 1000, counted: tuple[Counted, ...] = COUNTED) -> Record:
    """An entry that was drawn with a published round."""
    drawn = Drawn(QUICKNET.hash, round_, AT, bytes(32), "", bytes.fromhex(ROUNDS[round_]))
    drawn = replace(drawn, digest=digest_of("g", number, counted, drawn))
    luck = luck_of("g", number, counted, drawn)
    return Record("g", number, "bid/1", QUICKNET.due(round_) * 1000, counted, luck, (), (), mixing=BEACON, drawn=drawn)


def drawn_of(record: Record) -> Drawn:
    """Its round."""
    assert record.drawn is not None
    return record.drawn


SEED = b"s" * 32


def begun() -> Record:
    """The deal, which no answers make."""
    drawn = Drawn(QUICKNET.hash, 1003, AT, bytes(32), "", bytes.fromhex(ROUNDS[1003]))
    drawn = replace(drawn, digest=digest_of("g", 1, (), drawn, SEED))
    luck = luck_of("g", 1, (), drawn)
    return Record("g", 1, "start", QUICKNET.due(1003) * 1000, (), luck, (), (), mixing=BEACON, drawn=drawn)


START = begun()


def faults(*records: Record) -> list[str]:
    """What speaks against the entries."""
    return list(rounds.faults(records, SEED))


def test_an_honest_entry_holds() -> None:
    """An entry with a published round, fixed before it was signed, and made afterwards, holds."""
    assert faults(START, entry(2)) == []


@pytest.mark.parametrize("other", [1001, 1004])
def test_each_round_gives_other_draws(other: int) -> None:
    """The round goes into the draws: another one gives others, and without one they are others again."""
    lucks = {entry(2).luck, entry(2, other).luck, luck_of("g", 2, COUNTED)}
    assert len(lucks) == 3


ORDERS = (replace(COUNTED[0], orders=simply(Bid(3))),)
WORDS = (replace(COUNTED[0], words="my dog"),)
BALLOT = (replace(COUNTED[0], commitment="cd" * 32),)
SEAT = (replace(COUNTED[0], seat="s2"),)


@pytest.mark.parametrize("counted", [ORDERS, WORDS, BALLOT, SEAT, (*COUNTED, *SEAT)])
def test_answers_cannot_change_after_they_were_told(counted: Sequence[Counted]) -> None:
    """Other orders, words, ballots or seats than those that the digest was made of are found."""
    assert faults(START, replace(entry(2), counted=tuple(counted))) == [
        "Entry 2: its answers are not those that were fixed."
    ]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"signature": bytes.fromhex(ROUNDS[1001])}, "the network did not sign round 1000 so"),
        ({"signature": bytes(48)}, "the network did not sign round 1000 so"),
        ({"round": 1001}, "its answers are not those that were fixed"),
        ({"at": AT + 1}, "its answers are not those that were fixed"),
        ({"salt": b"x" * 32}, "its answers are not those that were fixed"),
        ({"chain": "ab" * 32}, "its round is of no network that is known here"),
        ({"round": 1 << 60}, "its round is of no network that is known here"),
    ],
)
def test_a_changed_round_does_not_hold(change: dict[str, Any], said: str) -> None:
    """Another signature, number, moment, salt or network than was told is found."""
    record = entry(2)
    assert faults(START, replace(record, drawn=replace(drawn_of(record), **change))) == [f"Entry 2: {said}."]


def test_a_deal_is_bound_to_the_words_that_were_fixed() -> None:
    """Another seed than the one that was told before the round of the deal is found."""
    assert faults(START) == []
    assert list(rounds.faults((START,), b"t" * 32)) == ["Entry 1: its answers are not those that were fixed."]


def test_a_round_that_was_known_before_does_not_hold() -> None:
    """Answers that were fixed when their round was signed already prove nothing."""
    record = entry(2)
    late = replace(drawn_of(record), at=QUICKNET.due(1000))
    late = replace(late, digest=digest_of("g", 2, COUNTED, late))
    assert faults(START, replace(record, drawn=late)) == [
        "Entry 2: its round was signed before the answers were fixed."
    ]
    soon = replace(record, made_at=QUICKNET.due(1000) * 1000 - 1)
    assert faults(START, soon) == ["Entry 2: it was made before its round was signed."]


def test_no_entry_goes_without_its_round() -> None:
    """Answers without a round, a round without answers, and an entry that leaves the beacon out are found."""
    record = entry(2)
    assert faults(START, replace(record, drawn=None)) == ["Entry 2: it counted answers and has no round."]
    assert faults(START, replace(record, counted=())) == ["Entry 2: it has a round and counted no answers."]
    assert faults(replace(START, drawn=None)) == ["Entry 1: it has no round."]
    assert faults(START, replace(record, mixing=entries.ORDERS)) == [
        "Entry 2: it does not mix the beacon that its table has chosen."
    ]


def test_an_entry_that_is_told_again_keeps_its_round() -> None:
    """A ruling that tells an entry again takes the round of that entry, and no other."""
    first = entry(2)
    again = replace(first, number=3, again=2)
    assert faults(START, first, again) == []
    other = replace(again, drawn=entry(3, 1001).drawn)
    assert faults(START, first, other) == ["Entry 3: it has another round than the entry that it tells again."]


def test_a_round_that_a_master_gave_up_is_told() -> None:
    """An entry that was drawn without the round that was announced is named, and its answers still bind."""
    record = entry(2)
    bare = replace(record, drawn=replace(drawn_of(record), signature=b""))
    assert faults(START, bare) == []
    assert "by a master's act without a round: 2" in rounds.note((START, bare))
    assert faults(START, replace(bare, counted=ORDERS)) != []


def test_without_the_library_a_file_says_that_it_is_not_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Signatures that cannot be checked here do not pass: the claim does not hold, and says what to install."""
    monkeypatch.setattr(beacon, "LIBRARY", "no_such_library")
    assert faults(START, entry(2)) == [rounds.NOT_CHECKED]
    assert beacon.INSTALL in rounds.NOT_CHECKED


# --- what letters announced

PLAY = SigningKey("play", b"k" * 32)
KEYS = VerifyKeys([("play", PLAY.public_bytes())])


def announced(record: Record) -> RoundReceipt:
    """The receipt of its letter."""
    drawn = drawn_of(record)
    unsigned = RoundReceipt("g", record.gate, record.number, drawn.chain[:8], drawn.round, drawn.at, drawn.digest, b"")
    return unsigned.sign(PLAY)


def fate(record: Record, receipt: RoundReceipt) -> rounds.RoundFate:
    """What became of it."""
    return rounds.fate("g", (START, record), receipt, KEYS)


def test_an_announcement_survives_a_reply() -> None:
    """The lines of an announcement are read back as they were, from within a quotation too."""
    receipt = announced(entry(2))
    quoted = "\n".join(f"> {line}" for line in f"Hello\n{receipt}\n".splitlines())
    assert list(read_rounds(quoted)) == [receipt]


def test_an_announcement_is_held_against_the_file() -> None:
    """The round that a letter announced is the one that was drawn with, or the file does not hold."""
    receipt = announced(entry(2))
    assert fate(entry(2), receipt) == rounds.RoundFate(receipt, "entry 2 was drawn with it")
    for other in (entry(2, 1001), entry(2, counted=ORDERS), replace(entry(2), drawn=None)):
        assert fate(other, receipt).broken
    assert not rounds.fate("other", (START, entry(2)), receipt, KEYS).broken


@pytest.mark.parametrize("change", [{"round": 999}, {"at": 1}, {"entry": 3}, {"digest": "00" * 32}, {"gate": "x"}])
def test_a_forged_announcement_is_not_believed(change: dict[str, Any]) -> None:
    """An announcement that the server did not sign so speaks against nobody."""
    receipt = replace(announced(entry(2)), **change)
    assert fate(entry(2), receipt).said == "is not signed by that server"

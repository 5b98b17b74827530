"""What a file proves by itself, and that nothing in it can be altered unnoticed."""

import json
import random
from dataclasses import replace

import pytest

from engine.kernel.codec import load
from pbem.archive import container
from pbem.archive.container import NotAnArchive
from pbem.archive.contents import Archive, parse
from pbem.archive.entries import EntryRecord, RecordedOrders
from pbem.archive.verify import BROKEN, DIFFERS, PROVEN, verify
from tests.archive.files import broken, faults, file_of, finished, forged, verify_file
from tests.budget import budget
from tests.toy.rules import Toy

CLAIMS = ("container chain parts receipts seed draws rulings fold answers adjudication unproven origin").split()
Finished = tuple[bytes, str]


@pytest.fixture
def game() -> Finished:
    """A finished game's file and the digest of its last letter."""
    return finished()


@pytest.fixture
def book() -> Archive:
    """The same file, read."""
    return parse(finished()[0])


def records(book: Archive) -> list[EntryRecord]:
    """What happened."""
    return [whole.record() for whole in book.wholes]


def test_a_finished_game_proves_each_claim(game: Finished, book: Archive) -> None:
    """Container, chain, commitments, seed, draws, fold, adjudication and origin are each named and hold.

    The game counted sealed orders, reactions, defaults and a set sent ahead, and drew.
    """
    verdict = verify_file(*game)
    assert [finding.claim for finding in verdict.claims] == CLAIMS
    assert broken(verdict) == set()
    assert verdict.code == PROVEN
    counted = [c for record in records(book) for c in record.counted]
    assert {c.how for c in counted} >= {"orders", "reaction", "default"}
    filed = [load(c.content) for c in counted if c.how == "orders"]
    assert any(isinstance(f, RecordedOrders) and f.ahead is not None for f in filed)
    assert any(c.words == "my cat" for c in counted)
    assert sum(len(record.draws) for record in records(book)) > 3


def test_a_digest_proves_the_origin_and_what_came_before(game: Finished, book: Archive) -> None:
    """A file alone is consistent; the digest of any entry proves that entry and all before it, but no part of one does.

    Characters with which no entry's digest begins belong to another journal.
    """
    verdict = verify_file(game[0])
    assert verdict.code == PROVEN
    assert "unproven" in verdict.of("origin").note
    whole = book.publics[1].link.digest.hex()
    verdict = verify_file(game[0], f"{whole[:32].upper()}\n {whole[32:]}\n")
    assert verdict.code == PROVEN
    for said in ("entry 2", f"the {len(book.publics) - 2} after it"):
        assert said in verdict.of("origin").note
    assert "unproven" not in verdict.of("origin").note.partition(";")[0]
    for part in (whole[:8], whole[:63], f"{whole[:8]}…{whole[-4:]}", f"{whole[:8]}...{whole[-4:]}"):
        found = verify_file(game[0], part).of("origin")
        assert found.holds
        assert "unproven" in found.note
        assert "matches entry 2" in found.note
    for wrong in ("0", "…", "zz", "0" * 65, "0" * 64):
        assert broken(verify_file(game[0], wrong)) == {"origin"}
    assert verify_file(game[0], "0" * 64).code == BROKEN


def test_changes_of_one_byte_are_each_found(game: Finished) -> None:
    """Whatever byte of the file becomes another one, the file does not verify any more."""
    blob, dice = game[0], random.Random(11)
    for _ in range(budget(100, 3_000)):
        altered = bytearray(blob)
        altered[dice.randrange(len(blob))] ^= dice.randrange(1, 256)
        assert verify_file(bytes(altered)).code == BROKEN


def test_what_is_cut_off_or_added_is_found(game: Finished) -> None:
    """A file cut short anywhere, or with bytes before or behind it, is refused in a sentence."""
    blob, dice = game[0], random.Random(12)
    cut = [blob[: dice.randrange(len(blob))] for _ in range(50)]
    for altered in (*cut, blob + b"\0", b"\0" + blob, b"", b"PK\5\6" + bytes(18)):
        verdict = verify_file(altered)
        assert broken(verdict) == {"container"}
        assert verdict.claims[0].faults[0].endswith(".")


def test_a_change_of_content_in_a_sound_container_is_found(game: Finished) -> None:
    """With checksums and container made anew, a changed digit or letter is still found, as far as the proofs reach."""
    members, dice = container.read_container(game[0]), random.Random(13)
    proven = [name for name in members if name != container.MANIFEST]
    tried = 0
    while tried < budget(12, 400):
        name = dice.choice(proven)
        text = [container.to_canonical_json(line) for line in members[name]]
        row = dice.randrange(len(text))
        place = dice.randrange(len(text[row]))
        sign = dice.choice("0123456789abcdefXYZ")
        if not text[row][place].isalnum() or text[row][place] == sign:
            continue
        text[row] = text[row][:place] + sign + text[row][place + 1 :]
        try:
            lines = tuple(json.loads(line) for line in text)
        except ValueError:
            continue
        tried += 1
        assert not verify_file(container.build_container({**members, name: lines})).consistent, (name, row, place, sign)


MEMBERS = ("records.jsonl", "entries.jsonl", "snapshots.jsonl", "seed.jsonl", "manifest.jsonl")
STRANGE = ("[]", "null", "7", '{"format":1}', '{"format":3}', "{}", '"' + "x" * 99 + '"')


def test_missing_doubled_and_strange_parts_are_refused_in_a_sentence(game: Finished) -> None:
    """A member left out, an entry left out, an entry told twice, and lines of another form in any member are found."""
    members = container.read_container(game[0])
    for name in MEMBERS:
        lines = members[name]
        without = {other: kept for other, kept in members.items() if other != name}
        for altered in (without, {**members, name: lines[1:]}, {**members, name: (*lines, lines[-1])}):
            assert broken(verify_file(container.build_container(altered))) == {"container"}
    for name in members:
        for line in STRANGE:
            verdict = verify_file(container.build_container({**members, name: (json.loads(line), *members[name][1:])}))
            assert verdict.code == BROKEN
            assert all(fault.endswith(".") for finding in verdict.claims for fault in finding.faults)


def test_a_file_of_a_newer_format_is_refused_in_a_sentence(game: Finished) -> None:
    """Who reads it learns which format it has, and which ones this program reads."""
    members = container.read_container(game[0])
    newer = ({**members[container.MANIFEST][0], "format": container.FORMAT + 1},)
    verdict = verify_file(container.build_container({**members, container.MANIFEST: newer}))
    assert verdict.code == BROKEN
    said = [fault for finding in verdict.claims for fault in finding.faults]
    assert said == ["This file has format 2; this program reads up to 1."]


def test_packed_members_and_strange_names_are_refused() -> None:
    """A zip archive of anything else is not unpacked."""
    with pytest.raises(NotAnArchive, match="members that no archive"):
        container.read_container(container.build_container({"../manifest.jsonl": ({},)}))
    with pytest.raises(NotAnArchive, match="no whole zip archive"):
        container.read_container(b"not a zip archive at all")


# --- lies of a person in command of the server


def first(book: Archive, what: str) -> int:
    """The number of the first entry that has any of something."""
    return next(r.number for r in records(book) if getattr(r, what))


def test_a_wrong_die_is_found_though_every_digest_is_right(book: Archive) -> None:
    """A server that wrote down another result, and chained it properly, is found out by the seed."""
    number = first(book, "draws")

    def cheat(record: EntryRecord) -> EntryRecord:
        draw = record.draws[0]
        other = draw.result % draw.sides + 1 if isinstance(draw.result, int) else draw.result[::-1]
        return replace(record, draws=(replace(draw, result=other), *record.draws[1:]))

    verdict = verify_file(file_of(forged(book, number, cheat)))
    assert broken(verdict) == {"draws", "adjudication"}
    assert f"Entry {number}" in faults(verdict, "draws")[0]


def test_another_luck_is_found(book: Archive) -> None:
    """A server that tried words of its own until it liked the dice cannot say what the luck was made of."""
    forgery = forged(book, 2, lambda record: replace(record, luck=bytes(32)))
    assert broken(verify_file(file_of(forgery))) == {"receipts"}
    drawn = forged(book, first(book, "draws"), lambda record: replace(record, luck=bytes(32)))
    assert broken(verify_file(file_of(drawn))) == {"receipts", "draws", "adjudication"}


def test_orders_that_were_not_sent_are_found(book: Archive) -> None:
    """Orders other than those acknowledged do not open the commitment of the receipt; a default gives another luck."""
    number = next(r.number for r in records(book) if any(c.how == "orders" for c in r.counted))

    def swap(record: EntryRecord) -> EntryRecord:
        kept = [c for c in record.counted if c.how != "orders"]
        counted = [c for c in record.counted if c.how == "orders"]
        other = replace(counted[0], orders=())
        return replace(record, counted=(other, *counted[1:], *kept))

    verdict = verify_file(file_of(forged(book, number, swap)))
    assert "receipts" in broken(verdict)
    assert "holds other orders than were counted" in faults(verdict, "receipts")[0]

    def drop(record: EntryRecord) -> EntryRecord:
        blank = [replace(c, how="default", context=b"", commitment="", salt=b"", content="") for c in record.counted]
        return replace(record, counted=tuple(blank))

    number = next(r.number for r in records(book) if any(c.how == "orders" for c in r.counted) and r.draws)
    assert "receipts" in broken(verify_file(file_of(forged(book, number, drop))))


def test_facts_that_did_not_happen_are_found(book: Archive) -> None:
    """A fact left out does not add up to the position, and the rules tell the entry otherwise."""
    verdict = verify_file(file_of(forged(book, 1, lambda record: replace(record, events=record.events[:-1]))))
    assert {"fold", "adjudication"} <= broken(verdict)


def test_another_seed_than_the_promised_one_is_found(book: Archive) -> None:
    """The seed is the one whose digest the invitation gave, and the deal used the joiners' words."""
    assert book.seed is not None
    other = replace(book, seed=replace(book.seed, promised=bytes(32)))
    assert {"seed", "draws"} <= broken(verify_file(file_of(other)))
    seat, _, nonce = book.seed.joiners[0]
    words = replace(book, seed=replace(book.seed, joiners=((seat, "other", nonce), *book.seed.joiners[1:])))
    assert {"seed", "draws"} <= broken(verify_file(file_of(words)))


# --- versions of the rules


class Newer(Toy):
    """The smallest game in a later version, which plays as the one before."""

    meta = replace(Toy.meta, version="2")


class Changed(Newer):
    """A later version that closes its turns without an income."""

    def close_turn(self, table: object) -> None:
        """Nobody is paid any more."""
        raise ValueError("another rule")


def test_other_rules_are_named_with_what_they_tell_otherwise(game: Finished) -> None:
    """A version that agrees proves everything; one that does not lists its differences, and all else holds.

    The same version must tell the same; without rules nothing can be added up.
    """

    class Wrong(Changed):
        meta = Toy.meta

    verdict = verify(*game, {"toy": Newer()})
    assert verdict.code == PROVEN
    assert "played under version 1" in verdict.of("adjudication").note
    verdict = verify(*game, {"toy": Changed()})
    assert (verdict.consistent, verdict.code) == (True, DIFFERS)
    assert faults(verdict, "adjudication")
    verdict = verify(*game, {"toy": Wrong()})
    assert (broken(verdict), verdict.code) == ({"adjudication"}, BROKEN)
    assert broken(verify(*game, {})) == {"fold"}


def test_a_game_that_went_on_under_a_newer_version_is_no_lie(book: Archive) -> None:
    """What another version made may be resolved otherwise by this one; what this one is said to have made may not."""
    told = verify(file_of(book), "", {"toy": Changed()}).of("adjudication").faults
    number = int(told[0].split()[1])
    adopted = forged(book, number + 1, lambda record: replace(record, version="2"))
    assert verify(file_of(adopted), "", {"toy": Changed()}).code == DIFFERS
    lied = forged(book, number, lambda record: replace(record, version="2"))
    assert verify(file_of(lied), "", {"toy": Changed()}).code == BROKEN

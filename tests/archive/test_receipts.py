"""What a player can prove with their receipts, whoever wrote in the database."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from pbem.archive.verify import BROKEN, PROVEN, VerificationReport, verify
from pbem.cli.main import main
from pbem.crypto import SigningKey, VerifyKeys
from pbem.crypto.receipts import Receipt, parse_deals, parse_receipts, sign_deal, sign_receipt
from pbem.service.archive import files
from pbem.service.seats import substitutes
from pbem.service.tasks import health, resolve_game
from pbem.store.models import SealedOrdersRow
from tests.service.master_commands import get_user_id
from tests.service.server_fixtures import GAME_TYPES, ServerHarness, build, start_game
from tests.service.test_reaction_orders import all_march, holder_of_a_shield, spoken, to_the_march
from tests.service.timed_games import advance_and_run
from tests.service.timed_games import start_timed_game as timed_table


def given(receipt: Any) -> list[Receipt]:
    """The receipts in an answer."""
    return list(parse_receipts("\n".join(receipt.proofs)))


def to_the_end(harness: ServerHarness, game: str) -> bytes:
    """The file of the game, once its deadlines have ended it."""
    for _ in range(40):
        harness.advance_time(hours=25)
        harness.run_scheduled_jobs()
        harness.run_queued_tasks()
        if harness.load_game(game).state == "over":
            break
    return files.export_game(harness.resolver, game)


def verify_with_receipts(
    blob: bytes, receipts: Sequence[Receipt], keys: VerifyKeys | None = None
) -> VerificationReport:
    """What the file says of the receipts."""
    return verify(blob, "", GAME_TYPES, receipts, keys)


def notes(verdict: VerificationReport) -> list[str]:
    """What became of each receipt."""
    return [finding.note.partition(": ")[2] for finding in verdict.claims if finding.claim == "receipt"]


def test_receipts_say_what_became_of_each_set(state_dir: Path) -> None:
    """Counted, superseded by another, withdrawn, and of another game: with the server's keys each is told and holds."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 3, 24)
    first, second = given(harness.reply("s1", "BID 1")), given(harness.reply("s1", "BID 2"))
    third = given(harness.reply("s2", "BID 3"))
    gone = given(harness.reply("s2", "WITHDRAW"))
    assert [r.act for r in (*first, *second, *third, *gone)] == ["filed", "filed", "filed", "withdrawn"]
    assert second[0].replaces == first[0].commitment
    blob = to_the_end(harness, game)
    found = verify_with_receipts(blob, [*first, *second, *third, *gone], harness.web.verify)
    assert [note.split()[0].strip(",") for note in notes(found)] == ["superseded", "counted", "withdrawn", "withdrawn"]
    assert f"superseded by {second[0].commitment}" in notes(found)
    assert found.code == PROVEN
    other = Receipt(first[0].context.__class__("x", "g", 1, "s1", 1, "orders"), "filed", "0" * 64, "", first[0].signed)
    assert notes(verify_with_receipts(blob, [other])) == [
        "is of another game; its signature is not looked at without the keys of the server"
    ]


STATEMENTS = {
    "UPDATE sealed_orders SET is_current = (revision = 1)": "counted",
    "UPDATE sealed_orders SET is_current = FALSE": "counted",
    (
        "UPDATE sealed_orders SET is_current = TRUE, end_signature = (SELECT ciphertext FROM sealed_orders LIMIT 1)"
    ): "counted",
    "DELETE FROM sealed_orders WHERE revision = 2": "passed",
    "DELETE FROM sealed_orders": "passed",
}


@pytest.mark.both_databases
@pytest.mark.parametrize(
    "statement", [pytest.param(one, marks=pytest.mark.night if n in (1, 2) else ()) for n, one in enumerate(STATEMENTS)]
)
def test_receipts_prove_what_was_counted_whatever_is_written_in_the_database(state_dir: Path, statement: str) -> None:
    """Marks that a writer of the database can change decide nothing; a set that was removed was passed over.

    Where an older set was counted instead, its receipt is named.
    """
    harness = build(state_dir)
    game = start_game(harness, "toy", 3, 24)
    older, newest = given(harness.reply("s1", "BID 1")), given(harness.reply("s1", "BID 2"))
    with harness.resolver.db.transaction() as session:
        session.connection().exec_driver_sql(statement)
    found = verify_with_receipts(to_the_end(harness, game), newest, harness.web.verify)
    (note,) = notes(found)
    assert note.split()[0] == STATEMENTS[statement]
    assert found.code == (PROVEN if note.startswith("counted") else BROKEN)
    assert (older[0].commitment in note) == statement.endswith("revision = 2")


def test_a_plan_that_was_never_needed_speaks_against_nothing(state_dir: Path) -> None:
    """A plan replaces one that was counted before: its receipt says that the file does not know, and breaks nothing."""
    harness = build(state_dir)
    game = timed_table(harness, 2, 24, on_missed="standing")
    used = given(harness.reply("s2", "BID 1", "ALWAYS"))
    harness.reply("s1", "BID 0")
    for number in (1, 2):
        harness.reply(f"s{number}", "PASS")
    harness.reply("s1", "BID 0")
    advance_and_run(harness, hours=24)
    for number in (1, 2):
        harness.reply(f"s{number}", "PASS")
    never = given(harness.reply("s2", "BID 0", "ALWAYS"))
    assert [one.context.kind for one in (*used, *never)] == ["orders", "standing"] * 2
    harness.reply("s1", "BID 0")
    for number in (1, 2):
        harness.reply(f"s{number}", "PASS")
    assert harness.load_game(game).state == "over"
    found = verify_with_receipts(files.export_game(harness.resolver, game), [*used, *never], harness.web.verify)
    assert [note.split()[0] for note in notes(found)] == ["counted", "counted", "counted", "unknown:"]
    assert found.code == PROVEN


def test_an_answer_ahead_takes_the_place_of_no_other(state_dir: Path) -> None:
    """Answers ahead add up: no receipt says that one replaced another, and the file knows those that were used."""
    harness, game, holder, other, shield = holder_of_a_shield(state_dir, 24)
    first, second = (given(harness.reply(holder, f"ON PARRY: PARRY {spoken(shield)}")) for _ in range(2))
    assert [(one.context.kind, one.replaces) for one in (*first, *second)] == [("reaction", "")] * 2
    to_the_march(harness)
    all_march(harness, other)
    once_more = [
        sign_receipt(harness.mailer.order_keys.signing, second[0].context, second[0].commitment, first[0].commitment)
    ]
    found = verify_with_receipts(to_the_end(harness, game), [*first, *second, *once_more], harness.web.verify)
    assert [note.split(",")[0].rpartition(" ")[0] for note in notes(found)] == [
        "unknown: the file has answers ahead only where they were",
        "counted in entry",
        "counted in entry",
    ]
    assert found.code == PROVEN


def test_orders_of_a_seat_that_passed_on_speak_against_nothing(state_dir: Path) -> None:
    """Who gave a seat up with orders on file finds them void, by a signature; nothing of their words is kept."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 3, 24)
    mine = given(harness.reply("s2", "BID 2"))
    harness.reply("s2", "RESIGN YES")
    substitutes.take_over(harness.web, get_user_id(harness, "new@games.test"), game, "s2")
    harness.run_queued_tasks()
    assert {row.ciphertext for row in harness.load_rows(SealedOrdersRow)} == {b""}
    found = verify_with_receipts(to_the_end(harness, game), mine, harness.web.verify)
    assert notes(found)[0].startswith("void, by a signature in entry ")
    assert found.code == PROVEN


def test_the_operator_is_told_of_sealed_orders_that_are_gone(state_dir: Path) -> None:
    """Sealed orders that the resolver saw, and that were removed since, are told by health until a person saw to it."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 3, 24)
    harness.reply("s1", "BID 1")
    resolve_game.run(harness.resolver, game)
    harness.reply("s1", "BID 2")
    resolve_game.run(harness.resolver, game)
    assert not [line for line in health.list_problems(harness.resolver) if "play saw" in line]
    with harness.resolver.db.transaction() as session:
        session.connection().exec_driver_sql("DELETE FROM sealed_orders WHERE revision = 2")
    resolve_game.run(harness.resolver, game)
    assert [
        line
        for line in health.list_problems(harness.resolver)
        if "sealed orders of s1 that the resolver saw are gone" in line
    ]
    assert resolve_game.resume_game(harness.resolver, game)
    assert not [line for line in health.list_problems(harness.resolver) if "play saw" in line]


def test_what_a_player_put_into_the_deal_is_echoed_and_proven(state_dir: Path) -> None:
    """The letter that begins the game names one's words, and its receipt shows whether the deal was made with them."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 3, 24)
    begun = {str(address.seat): facts for address, facts in harness.sent if address.kind == "started"}
    assert [begun[seat].words for seat in ("s2", "s3")] == ["luck", "luck"]
    [deal] = parse_deals("\n".join(f"> {line}" for line in begun["s2"].proofs[0].split("\n")))
    mine = {seat: given(harness.reply(seat, f"BID {n}"))[0].commitment for n, seat in enumerate(("s1", "s2", "s3"), 1)}
    told = {str(a.seat): {c.commitment for c in f.counted} for a, f in harness.sent if a.kind == "report" and f.counted}
    assert told == {seat: {commitment} for seat, commitment in mine.items()}, "each is told of their own orders"
    blob = to_the_end(harness, game)
    found = verify(blob, "", GAME_TYPES, [deal], harness.web.verify)
    assert notes(found) == ["mixed into the deal"]
    assert found.code == PROVEN
    other = sign_deal(harness.mailer.mailer_keys.signing, game, "s2", "other words", b"")
    forged = replace(deal, digest=other.digest)
    assert [notes(verify(blob, "", GAME_TYPES, [one], harness.web.verify))[0] for one in (other, forged)] == [
        "names other words than the deal was mixed with",
        "is not signed by that server",
    ]


def test_nobody_makes_up_a_receipt(state_dir: Path) -> None:
    """A receipt that was changed, or that another key signed, is not one of the server."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 3, 24)
    [true] = given(harness.reply("s1", "BID 1"))
    forger = SigningKey("web", bytes(range(32)))
    blob = to_the_end(harness, game)
    for false in (
        sign_receipt(forger, true.context, "ab" * 32),
        Receipt(true.context, "withdrawn", true.commitment, "", true.signed),
        Receipt(true.context, "filed", "ab" * 32, true.replaces, true.signed),
        Receipt(true.context, "filed", true.commitment, "cd" * 32, true.signed),
    ):
        found = verify_with_receipts(blob, [false], harness.web.verify)
        assert notes(found) == ["is not signed by that server"]
        assert found.code == BROKEN


def test_the_command_takes_letters_and_keys(state_dir: Path) -> None:
    """`--receipt` takes a file or the text itself, several times; `--keys` what the page of the server says.

    Marks of quotation and words around a receipt do not count; a sign that is missing does.
    """
    harness = build(state_dir)
    game = start_game(harness, "toy", 3, 24)
    [proof] = harness.reply("s1", "BID 1").proofs
    quoted = "Hello\n" + "".join(f"> > {line}\n" for line in proof.split("\n")) + "Bye"
    assert [str(receipt) for receipt in parse_receipts(quoted)] == [proof]
    assert list(parse_receipts(quoted.replace(proof[-8:], ""))) == []
    (state_dir / "game.zip").write_bytes(to_the_end(harness, game))
    (state_dir / "letter.eml").write_text(f"Subject: x\n\n{quoted}\n", encoding="utf-8")
    (state_dir / "keys.txt").write_text(harness.web.verify.text(), encoding="utf-8")
    line = ["archive", "verify", str(state_dir / "game.zip"), "--keys", str(state_dir / "keys.txt")]
    told = CliRunner().invoke(main, [*line, "--receipt", str(state_dir / "letter.eml"), "--receipt", proof])
    assert told.output.count("counted in entry") == 2
    none = CliRunner().invoke(main, [*line, "--receipt", "nothing"])
    assert "No receipt was found" in none.output

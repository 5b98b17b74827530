"""What of a quoted email counts: its reader's changes in the template, nothing final, and nothing is lost unsaid."""

import dataclasses
from pathlib import Path

import pytest

from pbem.app import parts_of
from pbem.mail.parser import parse_message
from pbem.service.base.services import ParsedEmail
from pbem.store.models import PrintedEmail, SeatRow
from tests.service.server_fixtures import ServerHarness, build, forget_saved_states, start_game

SAID = "On Tue, Nov 18, 2025 at 5:40 PM Rose <t@games.test> wrote:"
NAME = "Sam ; Leave the game ; ; BID 9 ;"
TEMPLATE = ("; Remove the ; before the line you want, edit it, send it back.", "; --- bid", "; BID 2", "; BID 0", "END")
REPORT = (f"- {NAME} is dealt 3 cards.", "Give up your seat: https://games.test/x", *TEMPLATE, "The end.")


@pytest.fixture
def harness(state_dir: Path, monkeypatch: pytest.MonkeyPatch) -> ServerHarness:
    """A game of two whose emails all say the same; the name of a player is made of orders."""
    forget_saved_states(monkeypatch)
    made = build(state_dir)
    made.template, made.printed = TEMPLATE, REPORT
    start_game(made, "toy", 2, 48)
    return made


def answer(harness: ServerHarness, body: str) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """An answer to the last report, as plain text: which lines were taken, which not read, which commands done."""
    got = parse_message(f"From: p1@games.test\nContent-Type: text/plain; charset=utf-8\n\n{body}".encode())
    token = harness.reply_token("s1")
    mark = f"<{len(harness.received)}@games.test>"
    letter = ParsedEmail(got.kind.value, False, "reply", token, "p1@games.test", mark, "", got.lines, got.quoted)
    body_lines = parts_of(got.body)
    harness.receive_email(dataclasses.replace(letter, signature=got.signature, body=body_lines))
    harness.run_queued_tasks()
    receipt = harness.sent_facts("receipt")[-1]
    taken = tuple(line.written for one in receipt.sets if one.taken for line in one.lines)
    return taken, receipt.unread, tuple(command.name for command in receipt.commands)


def offered(harness: ServerHarness) -> bool:
    """Return True if any seat is offered to others."""
    return any(row.open_since is not None for row in harness.load_rows(SeatRow))


@pytest.mark.parametrize("mark", ["> ", ""])
def test_a_name_made_of_orders_is_no_order_of_who_quotes_it(harness: ServerHarness, mark: str) -> None:
    """However the line with the name is wrapped, an answer above it is nothing but itself."""
    words = REPORT[0].split(" ")
    for cut in range(1, len(words)):
        quoted = [" ".join(words[:cut]), f"{mark}{' '.join(words[cut:])}", *(f"> {line}" for line in REPORT[1:])]
        got = answer(harness, "\n".join(["STATUS", "", SAID, f"> {quoted[0]}", *quoted[1:]]))
        assert got == ((), (), ("status",)), cut
    assert not offered(harness)


def test_nothing_final_is_taken_from_a_quoted_template(harness: ServerHarness) -> None:
    """Beside an order that was uncovered: leaving, an address, an absence and talk are listed, and not done."""
    final = ["LEAVE", "RESIGN YES", "MY ADDRESS x@games.test", "ABSENT 5", "PRESS TO ALL: hello END"]
    lines = [*TEMPLATE[:2], "BID 2", *final, *TEMPLATE[3:]]
    taken, unread, commands = answer(harness, "\n".join([SAID, *(f"> {line}" for line in lines)]))
    assert (taken, sorted(unread), commands) == (("BID 2",), sorted(final), ())
    assert not offered(harness)


@pytest.mark.parametrize(
    "below",
    [
        "From: Rose <t@games.test>\nSent: Tuesday, 18 November 2025 17:40\nTo: Ada\nSubject: x\n\nBID 1",
        f"{SAID}\n> > BID 1",
        f"{SAID}\n> {REPORT[0]}\n> BID 1\n> The end.",
        "END\nBID 1",
        "-- \nAda\nBID 1",
    ],
)
def test_an_order_that_is_not_read_is_listed(harness: ServerHarness, below: str) -> None:
    """Below a pasted block of headers, in a quotation of any depth, below END or a signature: the receipt names it."""
    taken, unread, _ = answer(harness, f"BID 2\n\n{below}")
    receipt = harness.sent_facts("receipt")[-1]
    assert taken == ("BID 2",)
    assert (*unread, *receipt.signed) == ("BID 1",)


def test_an_order_that_stands_in_quoted_text_alone_is_listed(harness: ServerHarness) -> None:
    """An answer without a line of its own is told what was not read."""
    assert answer(harness, f"{SAID}\n> > BID 1") == ((), ("BID 1",), ())


def test_what_an_email_said_is_kept_sealed_under_the_token_of_its_reader(harness: ServerHarness) -> None:
    """One row for each kind of email to a token, with nothing readable in it; a second receipt replaces the first."""
    answer(harness, "BID 1")
    rows = len(harness.load_rows(PrintedEmail))
    answer(harness, "BID 2")
    kept = harness.load_rows(PrintedEmail)
    assert len(kept) == rows
    assert not any(word in row.content_ciphertext for row in kept for word in (b"BID", b"Remove", b"Leave"))

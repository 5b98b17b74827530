"""How mail programs put letters together: by the ids in their headers and by their subject."""

import email
import email.policy
from collections import defaultdict
from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from engine import GAMES
from pbem.app import render_email
from pbem.config.settings import Settings
from pbem.service.base.services import ParsedEmail, Recipient
from tests.service.server_fixtures import ServerHarness, build, start_game
from tests.service.timed_games import advance_and_run


def written(settings: Settings, facts: Any, address: Recipient) -> EmailMessage:
    """A letter as it goes out."""
    wire = render_email(settings, facts, address).wire
    return email.message_from_bytes(wire, policy=email.policy.default)


@pytest.fixture(scope="module")
def turn(tmp_path_factory: pytest.TempPathFactory) -> tuple[ServerHarness, Settings]:
    """A game of which each player has written twice."""
    folder = tmp_path_factory.mktemp("turn")
    harness = build(folder, installed=GAMES)
    settings = replace(Settings.with_embedded(folder), mail_domain="games.test")
    start_game(harness, "age_of_renaissance", 3, 24)
    for number in (1, 2):
        for seat in ("s1", "s2", "s3"):
            token = harness.reply_token(seat)
            lines = ("BID 0", "STATUS") if number == 1 else ("STATUS",)
            mark = f"<{number}.{seat}@phone.example>"
            harness.receive_email(ParsedEmail("ordinary", False, "reply", token, message_id=mark, lines=lines))
            harness.run_queued_tasks()
        advance_and_run(harness, hours=20)
        advance_and_run(harness, days=4)
    return harness, settings


def test_a_receipt_follows_the_letter_that_it_answers(turn: tuple[ServerHarness, Settings]) -> None:
    """In-Reply-To names the player's own letter; References begins with the thread of the table and ends with it."""
    harness, settings = turn
    receipts = [written(settings, facts, address) for address, facts in harness.sent if address.kind == "receipt"]
    assert len(receipts) == 6
    for letter in receipts:
        thread, *_, last = str(letter["References"]).split()
        assert last == letter["In-Reply-To"]
        assert last.endswith("@phone.example>")
        assert ".thread.0@games.test" in thread


def test_the_subject_of_a_table_stays_through_a_turn(turn: tuple[ServerHarness, Settings]) -> None:
    """What a seat is asked and answered in a turn has one subject, so that its letters lie together."""
    harness, settings = turn
    kinds = defaultdict(set)
    for address, facts in harness.sent:
        if address.kind in ("started", "report", "receipt", "reminder"):
            kinds[str(written(settings, facts, address)["Subject"])].add(address.kind)
    assert set(kinds) == {"[Rose] Turn 1"}
    assert kinds["[Rose] Turn 1"] >= {"started", "receipt", "reminder", "report"}


def test_a_picture_has_an_id_of_its_own_in_each_letter(turn: tuple[ServerHarness, Settings]) -> None:
    """A Content-ID has an `@` and is never that of another letter (RFC 2392); the HTML names it."""
    harness, settings = turn
    drawn = [(facts, replace(a, picture=b"png")) for a, facts in harness.sent if a.kind == "started"]
    ids = []
    for facts, address in drawn:
        letter = written(settings, facts, address)
        (part,) = (part for part in letter.walk() if part.get_content_type() == "image/png")
        ids.append(str(part["Content-ID"]))
        page = letter.get_body(("html",))
        assert page is not None
        assert f"cid:{ids[-1].strip('<>')}" in page.get_content()
    assert len(set(ids)) == len(ids) == 3
    assert all("@games.test>" in one for one in ids)


def test_an_id_that_is_malformed_goes_into_no_header(state_dir: Path) -> None:
    """What a stranger wrote for a Message-ID is not repeated unless it is one."""
    harness = build(state_dir)
    settings = replace(Settings.with_embedded(state_dir), mail_domain="games.test")
    start_game(harness, "toy", 2)
    for mark in ("<a b@c>", "<x@y>\r\nBcc: all@games.test", "no id", "<" + "a" * 400 + "@b>"):
        harness.receive_email(ParsedEmail("empty", False, "reply", harness.reply_token("s1"), message_id=mark))
        harness.run_queued_tasks()
    notices = [(address, facts) for address, facts in harness.sent if address.kind == "notice"]
    assert len(notices) == 4
    for address, facts in notices:
        letter = written(settings, facts, address)
        assert letter["Bcc"] is None
        assert str(letter["In-Reply-To"]).endswith("@games.test>")

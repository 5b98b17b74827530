"""Law: a letter's fate is a fact.  What became of each email out is known, shown, and nobody pays for it."""

import itertools
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.mail.parsed_email import EmailKind
from pbem.mail.parser import parse_message
from pbem.service.base.services import DeliveryFailure, ParsedEmail, RenderedEmail
from pbem.service.mail import delivery, outbox
from pbem.service.masters import api
from pbem.service.tasks.health import list_problems
from pbem.service.tasks.operator_page import load_overview
from pbem.store.models import Outage, OutboundEmail, User
from tests.laws.delivery_reports import CLASSES, FINAL, FORMS, GOOD, LATER, OURS
from tests.service.master_commands import get_user_id
from tests.service.server_fixtures import ServerHarness, build
from tests.service.timed_games import HOUR, advance_and_run, load_extensions, start_timed_game

DOMAIN = "games.example.org"


@pytest.mark.parametrize("form", FORMS)
def test_a_report_says_what_its_action_says_whatever_its_class_and_form(form: str) -> None:
    """`failed` is final with 4.4.7 as with 5.1.1, `delayed` is not with 5.1.1; each form names our email."""
    wanted = dict.fromkeys(FINAL, "failed") | dict.fromkeys(LATER, "delayed")
    wanted |= dict.fromkeys(GOOD, "delivered")
    for (action, outcome), status in itertools.product(wanted.items(), CLASSES):
        raw = FORMS[form](action, status).replace("\n", "\r\n").encode()
        got = parse_message(raw, domain=DOMAIN, envelope_sender="", to_bounces=True)
        assert (got.kind, got.returned_id) == (EmailKind.BOUNCE, OURS), (action, status)
        assert [failure.outcome for failure in got.failures] == [outcome], (action, status)
        assert "User unknown" in got.failures[0].reply
        assert "ada@" not in got.failures[0].reply


def test_a_report_in_a_letter_to_a_player_address_is_no_report() -> None:
    """A person who forwards one to their own reply address, with orders above it, is answered like anybody."""
    raw = FORMS["forwarded"]("failed", "5.1.1").replace("Sorry.", "BID 3").encode()
    got = parse_message(raw, domain=DOMAIN)
    assert (got.kind, got.lines) == (EmailKind.ORDINARY, ("BID 3",))


# --- what is known of each email, and what follows


def report_of(harness: ServerHarness, seat: str, delivery: str, reply: str = "450 4.4.7 gave up after days") -> str:
    """A mail server says so of the last report to a seat; its key."""
    token = harness.reply_token(seat)
    key = next(address.key for address, _ in harness.sent if address.token == token)
    harness.receive_email(
        ParsedEmail(
            "bounce", True, "bounce", token, delivery=delivery, server_reply=reply, returned_id=f"<{key}@games.test>"
        )
    )
    harness.run_queued_tasks()
    return key


def fate_of(harness: ServerHarness, key: str) -> tuple[str, str]:
    """The state of an email and what a mail server said."""
    row = next(row for row in harness.load_rows(OutboundEmail) if row.key == key)
    return row.state.value, row.server_reply or ""


def master_status(harness: ServerHarness, game: str) -> list[str]:
    """What the master's page says of letters."""
    shown = api.load_master_page(harness.web, get_user_id(harness, "p1@games.test"), game)
    assert shown.status is not None
    said = [message for act in shown.status.acts for message in act.said]
    return [f"{m.terms['name']} {m.terms['state']} {m.terms['reply']}" for m in said if m.code == "not_arrived"]


def test_a_letter_given_up_after_days_is_known_told_and_costs_no_time(state_dir: Path) -> None:
    """The operator, the master and its page know; the reader's clock stands still; what came back once stays so."""
    harness = build(state_dir)
    game = start_timed_game(harness, 2, 24)
    key = report_of(harness, "s2", "failed")
    assert fate_of(harness, key) == ("given_up", "450 4.4.7 gave up after days")
    assert [facts.kind for facts in harness.sent_facts("notice")] == ["undelivered"]
    assert harness.notification_kinds("p1@games.test") == ["undelivered"]
    assert master_status(harness, game) == ["p2 given_up 450 4.4.7 gave up after days"]
    (stray,) = load_overview(harness.web).stray
    assert (stray.game, stray.seat, stray.state) == (game, "s2", "given_up")
    assert [line for line in list_problems(harness.resolver) if "came back" in line]
    advance_and_run(harness, hours=30)
    assert harness.load_game(game).entry == 1
    for delivery in ("delayed", "delivered"):
        report_of(harness, "s2", delivery)
    assert fate_of(harness, key)[0] == "given_up"
    harness.reply("s2", "BID 1")
    advance_and_run(harness, minutes=1)
    assert load_extensions(harness) == [("s2", 30 * HOUR)]


def test_a_letter_that_comes_back_before_it_is_noted_as_sent_stays_given_up(state_dir: Path) -> None:
    """A mail server may give up while the batch is still being sent; nothing of the letter is kept."""
    harness = build(state_dir)
    start_timed_game(harness, 2, 24)
    token = harness.reply_token("s2")

    def come_back(message: RenderedEmail) -> None:
        report = ParsedEmail("bounce", True, "bounce", token, delivery="failed")
        harness.configure(send_email=lambda other: None)
        harness.receive_email(replace(report, returned_id=f"<{message.wire.decode()}@games.test>"))
        harness.run_queued_tasks()

    harness.configure(send_email=come_back)
    harness.reply("s2", "STATUS")
    (row,) = [row for row in harness.load_rows(OutboundEmail) if row.kind == "receipt"]
    assert (row.state, row.key in harness.load_bodies(), row.sent_at is None) == ("given_up", False, False)


def test_a_letter_delayed_beyond_half_of_the_time_stops_the_clock(state_dir: Path) -> None:
    """Not before; the master is told once; the clock goes on when the reader shows up, and they get the time back."""
    harness = build(state_dir)
    game = start_timed_game(harness, 2, 24)
    key = report_of(harness, "s2", "delayed", "451 4.4.1 no answer")
    assert fate_of(harness, key) == ("delayed", "451 4.4.1 no answer")
    advance_and_run(harness, hours=11)
    assert not harness.load_rows(Outage) + harness.sent_facts("notice")
    for _ in range(3):
        advance_and_run(harness, hours=1)
    assert [(outage.cause, outage.ended_at) for outage in harness.load_rows(Outage)] == [("bounce", None)]
    assert harness.notification_kinds("p1@games.test") == ["undelivered"]
    assert master_status(harness, game) == ["p2 delayed 451 4.4.1 no answer"]
    advance_and_run(harness, hours=20)
    assert harness.load_game(game).entry == 1
    harness.reply("s2", "STATUS")
    advance_and_run(harness, minutes=1)
    assert load_extensions(harness) == [("s2", 34 * HOUR)]
    assert not [user for user in harness.load_rows(User) if user.bounced_at]
    advance_and_run(harness, hours=1)
    assert len(harness.load_rows(Outage)) == 1


@pytest.mark.parametrize("shows_up", [("BID 1",), ("STATUS",)])
def test_a_delay_means_nothing_to_a_player_who_has_written(shows_up: tuple[str, ...], state_dir: Path) -> None:
    """A player who has answered, or asked, since the letter was written knows what it asks."""
    harness = build(state_dir)
    start_timed_game(harness, 2, 24)
    report_of(harness, "s2", "delayed")
    harness.reply("s2", *shows_up)
    advance_and_run(harness, hours=13)
    assert not harness.load_rows(Outage)


def test_a_delay_that_ends_lets_the_clock_go_on(state_dir: Path) -> None:
    """Where a mail server says that it has delivered the letter after all, its reader has the rest of their time."""
    harness = build(state_dir)
    start_timed_game(harness, 2, 24)
    report_of(harness, "s2", "delayed")
    advance_and_run(harness, hours=13)
    report_of(harness, "s2", "delivered")
    advance_and_run(harness, minutes=1)
    assert load_extensions(harness) == [("s2", 13 * HOUR + 60_000)]


def test_a_late_bounce_of_an_old_address_says_nothing_of_the_new_one(state_dir: Path) -> None:
    """The letter went to an address that its reader has left: its fate is noted, and nobody is marked for it."""
    harness = build(state_dir)
    start_timed_game(harness, 2, 24)
    with harness.web.db.transaction() as session:
        session.get_one(User, get_user_id(harness, "p2@games.test")).email = "new@games.test"
    key = report_of(harness, "s2", "failed")
    assert fate_of(harness, key)[0] == "given_up"
    assert not [user for user in harness.load_rows(User) if user.bounced_at] + harness.load_rows(Outage)


# --- a relay at fault

NO_USER = DeliveryFailure("recipient 550 5.1.1", is_permanent=True, reply="550 5.1.1 User unknown")


def try_for(harness: ServerHarness, hours: int) -> None:
    """Let the clock run, and each letter be tried when it is due."""
    for _ in range(hours * 4):
        advance_and_run(harness, minutes=15)
        delivery.run_delivery_loop(harness.mailer)


def test_a_relay_that_knows_nobody_is_at_fault_itself(state_dir: Path) -> None:
    """550 5.1.1 for everybody: nothing is given up, nobody marked; clocks stop at half time; the operator is told."""
    harness = build(state_dir)
    game = start_timed_game(harness, 3, 24)
    harness.configure(send_email=lambda message: NO_USER)
    for seat in ("s1", "s2", "s3"):
        harness.reply(seat, "BID 0")
    try_for(harness, 30)
    assert not [row for row in harness.load_rows(OutboundEmail) if row.state in ("refused", "given_up")]
    assert not [user for user in harness.load_rows(User) if user.bounced_at]
    assert [
        line for line in list_problems(harness.resolver) if "its own fault" in line and "pbem mail sent" not in line
    ]
    assert harness.load_game(game).entry == 2
    harness.configure(send_email=lambda message: None)
    assert outbox.retry_all(harness.web) > 0
    for _ in range(2):
        advance_and_run(harness, minutes=1)
    assert {row.state.value for row in harness.load_rows(OutboundEmail)} <= {"sent", "suppressed"}
    assert {seat for seat, _ in load_extensions(harness)} == {"s1", "s2", "s3"}


def test_a_reader_who_alone_is_refused_is_given_up(state_dir: Path) -> None:
    """With letters to others going out, at the second try; with none to anybody, after half an hour."""
    for others_write in (True, False):
        folder = state_dir / str(others_write)
        folder.mkdir()
        harness = build(folder)
        start_timed_game(harness, 2, 24)
        harness.configure(send_email=lambda message: NO_USER if message.recipient.startswith("p2@") else None)
        harness.reply("s2", "STATUS")
        (row,) = [row for row in harness.load_rows(OutboundEmail) if row.kind == "receipt"]
        assert row.state == "rendered"
        advance_and_run(harness, seconds=1)
        if others_write:
            harness.reply("s1", "STATUS")
        advance_and_run(harness, seconds=5)
        delivery.run_delivery_loop(harness.mailer)
        assert fate_of(harness, row.key) == ("refused" if others_write else "rendered", "550 5.1.1 User unknown")
        try_for(harness, 4)
        assert fate_of(harness, row.key) == ("refused", "550 5.1.1 User unknown")
        assert [user.email for user in harness.load_rows(User) if user.bounced_at] == ["p2@games.test"]
        assert [outage.cause for outage in harness.load_rows(Outage)] == ["bounce"]

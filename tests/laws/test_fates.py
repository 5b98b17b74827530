"""Law: a letter's fate is a fact.  What became of each email out is known, shown, and nobody pays for it."""

import itertools
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete

from engine import GAMES
from pbem.mail.parsed_email import EmailKind, EmailWarning
from pbem.mail.parser import parse_message
from pbem.narration.letters import render
from pbem.service.base.services import DeliveryFailure, ParsedEmail, RenderedEmail
from pbem.service.mail import delivery, delivery_status
from pbem.service.masters import api
from pbem.service.tasks.health import list_problems, list_unanswered
from pbem.service.tasks.operator_page import load_overview
from pbem.store.models import Absence, Outage, OutboundEmail, User
from tests.laws.delivery_reports import CLASSES, FINAL, FORMS, GOOD, LATER, OURS
from tests.service.master_commands import get_user_id
from tests.service.server_fixtures import ServerHarness, build, start_game
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


@pytest.mark.both_databases
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
    for said in ("delayed", "delivered"):
        report_of(harness, "s2", said)
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


@pytest.mark.both_databases
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
    for _ in range(hours // 2):
        advance_and_run(harness, hours=2)
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
    assert delivery_status.retry_all(harness.web) > 0
    for _ in range(3):
        advance_and_run(harness, minutes=1)
    assert {row.state.value for row in harness.load_rows(OutboundEmail)} <= {"sent", "suppressed"}
    assert {seat for seat, _ in load_extensions(harness)} == {"s1", "s2", "s3"}


@pytest.mark.both_databases
def test_a_relay_that_gives_back_everything_is_at_fault_itself(state_dir: Path) -> None:
    """Where all letters of the hour came back, no address is marked; clocks stand, and reports are sent once more."""
    harness = build(state_dir)
    game = start_timed_game(harness, 3, 24)
    for seat in ("s1", "s2"):
        report_of(harness, seat, "failed", "550 5.1.1 User unknown")
    assert [user.email for user in harness.load_rows(User) if user.bounced_at] == ["p1@games.test", "p2@games.test"]
    report_of(harness, "s3", "failed", "550 5.1.1 User unknown")
    assert not [user for user in harness.load_rows(User) if user.bounced_at]
    advance_and_run(harness, hours=30)
    assert harness.load_game(game).entry == 1
    before = len(harness.sent_facts("report"))
    for _ in range(2):
        delivery_status.retry_all(harness.web)
        harness.run_queued_tasks()
    assert [address.seat for address, _ in harness.sent if address.kind == "report"][before:] == ["s1", "s2", "s3"]


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
        try_for(harness, 30)
        assert fate_of(harness, row.key) == ("refused", "550 5.1.1 User unknown")
        assert [user.email for user in harness.load_rows(User) if user.bounced_at] == ["p2@games.test"]
        assert [outage.cause for outage in harness.load_rows(Outage)] == ["bounce"]


# --- answers: each person gets one, no machine gets two


def letter_to(harness: ServerHarness, seat: str, *lines: str, **fields: Any) -> list[str]:
    """A letter to the last report of a seat; the kinds of what was sent for it, and why nothing was."""
    before = len(harness.sent)
    arrived = ParsedEmail("ordinary", False, "reply", harness.reply_token(seat), lines=lines)
    harness.receive_email(replace(arrived, **fields))
    harness.run_queued_tasks()
    silent = [reason for _, reason in list_unanswered(harness.web, 1)][-1:] if len(harness.sent) == before else []
    return [address.kind for address, _ in harness.sent[before:]] + silent


def test_a_message_id_that_was_seen_with_other_words_is_a_new_letter(state_dir: Path) -> None:
    """The same letter acts once; another one under its Message-ID, as some programs send, is answered and counts."""
    harness = build(state_dir)
    start_game(harness, "toy", 2)
    assert letter_to(harness, "s1", "BID 1", message_id="<same@p>") == ["receipt"]
    assert letter_to(harness, "s1", "BID 1", message_id="<same@p>") == ["repeated"]
    assert letter_to(harness, "s1", "BID 2", message_id="<same@p>") == ["receipt"]
    assert letter_to(harness, "s1", uncommented=("BID 3",), message_id="<same@p>") == ["receipt"]
    assert [set_.taken for set_ in harness.sent_facts("receipt")[-1].sets] == [True]


HOLIDAYS = ("I am on vacation until Monday.", "Je suis en vacances jusqu'à lundi.", "I'm out of the office.")


@pytest.mark.parametrize("holiday", HOLIDAYS)
def test_a_holiday_sentence_beside_an_order_or_command_is_a_persons(holiday: str, state_dir: Path) -> None:
    """Orders, refused orders and commands are answered whatever stands beside them; the sentence alone is not."""
    raw = f"From: p1@games.test\r\nMessage-ID: <a@p>\r\n\r\n{holiday}\r\nBID 3\r\n".encode()
    assert EmailWarning.SOUNDS_AUTOMATIC in parse_message(raw).warnings
    harness = build(state_dir)
    game = start_game(harness, "toy", 2)
    for line in (
        "BID 3",
        "BID 999999",
        "STATUS",
        "HELP",
        "WITHDRAW",
        "ABSENT whenever",
        "PRESS TO ALL: hi END",
    ):
        assert "receipt" in letter_to(harness, "s1", holiday, line, machine=True), line
    assert letter_to(harness, "s1", holiday, machine=True) == ["machine"]
    assert letter_to(harness, "s1", holiday, "See you on Sunday", machine=True) == ["machine"]
    api.send_address(harness.web, get_user_id(harness, "p1@games.test"), game)
    harness.run_queued_tasks()
    desk = next(str(address.token) for address, _ in harness.sent if address.kind == "master")
    assert letter_to(harness, "s1", holiday, "STATUS", machine=True, token=desk) == ["master"]
    assert letter_to(harness, "s1", holiday, machine=True, token=desk) == ["machine"]


def test_an_answer_to_the_from_address_is_never_swallowed(state_dir: Path) -> None:
    """Each letter of a player is answered, from another address too if it answers a letter of ours."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 2)
    ours = f"<{harness.last_recipient('s2').key}@games.test>"
    senders = [("p2@games.test", ""), ("p2@games.test", ""), ("other@home.test", ours), ("", ours)]
    for sender, answered in senders:
        fields = {"route": "table", "token": game, "from_address": sender, "in_reply_to": answered}
        assert letter_to(harness, "s2", "BID 3", message_id="<same@p>", **fields) == ["notice"]
    assert harness.notification_kinds("p2@games.test") == ["how_to_write"] * len(senders)
    elsewhere = {"route": "table", "token": game, "from_address": "x@home.test", "in_reply_to": ours.replace("@", "x@")}
    assert letter_to(harness, "s2", "BID 3", **elsewhere) == ["to_table_address"]


@pytest.mark.both_databases
def test_the_same_words_without_an_order_get_one_answer(state_dir: Path) -> None:
    """Twice in a row, whatever their case and Message-ID; with another letter between them they are answered again."""
    harness = build(state_dir)
    start_game(harness, "toy", 2)
    assert letter_to(harness, "s1", "I will answer soon.") == ["receipt"]
    assert letter_to(harness, "s1", "I will  answer", "SOON.") == ["repeated"]
    assert letter_to(harness, "s1", "Really soon.") == ["receipt"]
    assert letter_to(harness, "s1", "I will answer soon.") == ["receipt"]
    for line in ("BID 1", "BID 999999", "STATUS"):
        assert [letter_to(harness, "s1", line)[-1] for _ in range(2)] == ["receipt"] * 2
    assert letter_to(harness, "s1", "I will answer soon.") == ["receipt"]


# --- the days of an absence


def test_help_names_absent_and_it_takes_days_as_people_write_them(state_dir: Path) -> None:
    """HELP shows how, in both languages; the receipt says which days were noted; what is unclear notes nothing."""
    harness = build(state_dir, installed=GAMES)
    start_game(harness, "patchistory", 2)
    for language, example in (("en", "ABSENT until 12 December"), ("fr", "ABSENT jusqu'au 12 décembre")):
        facts = harness.reply("s1", "HELP")
        reader = replace(facts.frame.reader, language=language)
        told = " ".join(render(replace(facts, frame=replace(facts.frame, reader=reader))).text.split())
        assert example in told.replace("\u2019", "'").replace("\u00a0", " ")
    assert harness.current_time.date() < date(2026, 12, 1)
    for line in ("ABSENT du 1er au 12 décembre", "ABSENT 1/12 to 12/12", "ABSENT from 1 to 12 December"):
        with harness.web.db.transaction() as session:
            session.execute(delete(Absence))
        receipt = harness.reply("s2", line)
        (command,) = receipt.commands
        assert (command.outcome, command.argument[5:]) == ("done", f"12-01 {command.argument[:4]}-12-12"), line
        (absence,) = harness.load_rows(Absence)
        assert absence.ends_at - absence.starts_at == 12 * 24 * HOUR
    assert [one.outcome for one in harness.reply("s2", "ABSENT from 12 December").commands] == ["refused"]

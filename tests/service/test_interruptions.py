"""Fair to players when the server was not: what was lost is measured, given back, announced and logged, exactly."""

from dataclasses import replace
from pathlib import Path

import pytest

from pbem.service.base.services import ParsedEmail, RenderedEmail, RequestRefused
from pbem.service.deadlines import interruptions
from pbem.service.deadlines.interruptions import record_restore
from pbem.service.seats import substitutes
from pbem.service.tasks.health import list_problems, list_unsigned
from pbem.store.models import Heartbeat, Outage
from tests.service.server_fixtures import ServerHarness, build
from tests.service.test_messages import player
from tests.service.timed_games import (
    HOUR,
    advance_and_run,
    load_extensions,
    load_question,
    load_seat,
    resume_after_downtime,
    start_timed_game,
)

MINUTE = 60_000
DAY = 24 * HOUR


@pytest.mark.both_databases
def test_the_time_of_an_outage_is_given_back_exactly(state_dir: Path) -> None:
    """After ten hours down every deadline moves by ten hours, all are told, and it is logged."""
    harness = build(state_dir)
    game = start_timed_game(harness, 2, 24)
    advance_and_run(harness, hours=20)
    due = load_question(harness, "s1").due_at or 0
    resume_after_downtime(harness, hours=10)
    assert harness.load_game(game).entry == 1
    assert load_question(harness, "s1").due_at == due + 10 * HOUR
    assert load_extensions(harness) == [("s1", 10 * HOUR), ("s2", 10 * HOUR)]
    told = harness.sent_facts("deadline_changed")
    assert [(f.cause, f.after - f.before) for f in told] == [("outage", 10 * 3600)] * 2
    advance_and_run(harness, hours=3, minutes=59)
    assert harness.load_game(game).entry == 1
    advance_and_run(harness, minutes=1)
    assert harness.load_game(game).entry == 2


def test_nobody_misses_by_an_outage_that_nobody_has_looked_at_yet(state_dir: Path) -> None:
    """A letter that is read before the clock was looked at closes no gate by a deadline that passed meanwhile."""
    harness = build(state_dir)
    game = start_timed_game(harness, 2, 24)
    advance_and_run(harness, hours=20)
    harness.simulate_downtime(hours=10)
    harness.reply("s1", "BID 1")
    assert harness.load_game(game).entry == 1
    harness.run_scheduled_jobs()
    harness.run_queued_tasks()
    harness.reply("s2", "BID 3")
    assert harness.load_state(game).board.coins == {"s1": 8, "s2": 5}


def test_a_question_put_within_an_outage_gets_back_only_its_own_share(state_dir: Path) -> None:
    """A gap of some minutes is no outage; what was asked while the clock stood loses only what came after."""
    harness = build(state_dir)
    start_timed_game(harness, 2, 24)
    advance_and_run(harness, hours=1)
    resume_after_downtime(harness, minutes=9)
    assert load_extensions(harness) == []
    harness.simulate_downtime(hours=2)
    harness.reply("s1", "BID 1")
    harness.reply("s2", "BID 1")
    resume_after_downtime(harness, hours=3)
    assert load_extensions(harness) == [("s1", 3 * HOUR), ("s2", 3 * HOUR)]


def test_a_clock_that_jumps_ahead_and_is_put_back_changes_nothing(state_dir: Path) -> None:
    """A jump of ten years harms nobody; when the clock is put right, so are the deadlines and the letters."""
    harness = build(state_dir)
    game = start_timed_game(harness, 2, 24)
    advance_and_run(harness, hours=1)
    due = load_question(harness, "s1").due_at or 0
    resume_after_downtime(harness, days=3650)
    assert harness.load_game(game).entry == 1
    harness.reply("s1", "BID 1")
    resume_after_downtime(harness, days=-3650)
    assert load_question(harness, "s1").due_at == due
    assert load_extensions(harness) == []
    assert [row.cause for row in harness.load_rows(Outage)] == ["jumped"]
    harness.reply("s2", "BID 3")
    assert harness.load_game(game).entry == 2
    assert load_question(harness, "s2", "march").due_at == harness.mailer.now() + DAY


# --- letters that do not come in


def probing(harness: ServerHarness) -> list[str]:
    """Let the server write to itself; returns the tokens of the letters that it sent."""
    sent: list[str] = []

    def probe(token: str, now: int) -> RenderedEmail:
        sent.append(token)
        return RenderedEmail(b"", "", "")

    harness.mailer = replace(harness.mailer, probe=probe)
    return sent


def arrive(harness: ServerHarness, token: str, *, signed: bool = True) -> None:
    """A letter to ourselves comes in."""
    harness.receive_email(ParsedEmail("loop", True, "reply", token, signed=signed))
    harness.run_queued_tasks()


def test_a_silent_way_in_stops_the_clock_until_letters_come_again(state_dir: Path) -> None:
    """From the first letter to ourselves that was lost until one comes back, nobody's time runs."""
    harness = build(state_dir)
    game = start_timed_game(harness, 2, 24)
    sent = probing(harness)
    advance_and_run(harness)
    arrive(harness, sent[0])
    for _ in range(4):
        advance_and_run(harness, minutes=15)
    advance_and_run(harness, hours=30)
    advance_and_run(harness, minutes=15)
    assert harness.load_game(game).entry == 1
    first = 15 * MINUTE
    assert [row.cause for row in harness.load_rows(Outage)] == ["inbound"]
    arrive(harness, sent[-1])
    advance_and_run(harness, minutes=1)
    assert load_extensions(harness) == [(seat, 30 * HOUR + 5 * 15 * MINUTE - first) for seat in ("s1", "s2")]
    assert [f.cause for f in harness.sent_facts("deadline_changed")] == ["outage", "outage"]


def test_one_letter_to_ourselves_in_a_quarter_of_an_hour(state_dir: Path) -> None:
    """However often the clock is looked at, one goes out in that time; what cannot be sent stops nothing.

    If no letter to ourselves ever came back, there is no such path, and the clock runs.
    """
    harness = build(state_dir)
    game = start_timed_game(harness, 2, 24)
    sent = probing(harness)
    for _ in range(31):
        advance_and_run(harness, minutes=1)
    assert len(sent) == 3
    harness.mailer = replace(harness.mailer, send_email=lambda message: 1 // 0)  # type: ignore[arg-type]
    advance_and_run(harness, minutes=20)
    assert len(sent) == 4
    advance_and_run(harness, hours=24)
    assert harness.load_game(game).entry == 2


# --- letters to one player that come back


def bounce(harness: ServerHarness, seat: str) -> None:
    """The last report to a seat comes back for good."""
    token = harness.reply_token(seat)
    sent = next(address.key for address, _ in harness.sent if address.token == token)
    back = ParsedEmail("bounce", True, "bounce", token, delivery="failed", returned_id=f"<{sent}@games.test>")
    harness.receive_email(back)
    harness.run_queued_tasks()


@pytest.mark.both_databases
def test_a_player_not_reached_gets_their_time_back(state_dir: Path) -> None:
    """From the letter that came back until its player shows up, their clock stands still, and theirs alone."""
    harness = build(state_dir)
    game = start_timed_game(harness, 2, 24)
    advance_and_run(harness, hours=2)
    bounce(harness, "s2")
    advance_and_run(harness, hours=30)
    assert harness.load_game(game).entry == 1
    due = load_question(harness, "s1").due_at
    harness.reply("s2", "STATUS")
    advance_and_run(harness, minutes=1)
    assert load_extensions(harness) == [("s2", 32 * HOUR)]
    assert load_question(harness, "s1").due_at == due
    assert load_question(harness, "s2").due_at == (due or 0) + 32 * HOUR


def test_letters_that_come_back_move_a_deadline_once_a_gate(state_dir: Path) -> None:
    """A second letter that comes back while the same question is open gives no more time; the table is told of it."""
    harness = build(state_dir)
    game = start_timed_game(harness, 2, 24)
    for _ in range(4):
        bounce(harness, "s2")
        advance_and_run(harness, hours=2)
        harness.reply("s2", "STATUS")
        advance_and_run(harness, minutes=1)
    assert [seat for seat, _ in load_extensions(harness)] == ["s2"]
    moved = [(a.seat, facts.cause, facts.changed_by) for a, facts in harness.sent if a.kind == "deadline_changed"]
    assert sorted(moved) == [("s1", "bounce", "p2"), ("s2", "bounce", "p2")]
    for lines in (["BID 0"], ["FOR MARCH", "PASS"]):
        for seat in ("s1", "s2"):
            harness.reply(seat, *lines)
    assert harness.load_game(game).entry > 1
    bounce(harness, "s2")
    advance_and_run(harness, hours=2)
    harness.reply("s2", "STATUS")
    advance_and_run(harness, minutes=1)
    assert [seat for seat, _ in load_extensions(harness)] == ["s2", "s2"]


def test_who_is_never_reached_stops_nobody_for_ever(state_dir: Path) -> None:
    """Three days of silence are given back, then the deadline counts as for anyone else."""
    harness = build(state_dir)
    game = start_timed_game(harness, 2, 24)
    bounce(harness, "s2")
    harness.reply("s1", "BID 1")
    advance_and_run(harness, days=3)
    assert load_extensions(harness) == [("s2", 3 * DAY)]
    assert harness.load_game(game).entry == 1
    advance_and_run(harness, hours=25)
    assert harness.load_game(game).entry == 2


def test_a_seat_that_passes_on_ends_the_wait_for_its_player(state_dir: Path) -> None:
    """Once another player sits there, nothing waits for letters to reach the one before."""
    harness = build(state_dir)
    game = start_timed_game(harness, 2, 24)
    bounce(harness, "s2")
    advance_and_run(harness, hours=2)
    assert [(row.cause, row.ended_at) for row in harness.load_rows(Outage)] == [("bounce", None)]
    substitutes.offer_own_seat(harness.web, player(harness, 2), game)
    substitutes.take_over(harness.web, player(harness, 3), game, "s2")
    advance_and_run(harness, minutes=1)
    assert [row.cause for row in harness.load_rows(Outage) if row.ended_at is None] == []
    assert load_extensions(harness) == []


# --- many at once


def test_a_mass_of_misses_halts_the_clock_once_and_calls_all(state_dir: Path) -> None:
    """When three who were always on time miss together, the clock stops once, and later goes on by itself."""
    harness = build(state_dir)
    game = start_timed_game(harness, 4, 24)
    harness.reply("s1", "BID 1")
    advance_and_run(harness, hours=24)
    assert harness.load_game(game).entry == 1
    assert [f.kind for f in harness.sent_facts("notice")] == ["halted"] * 4
    advance_and_run(harness, hours=47)
    assert harness.load_game(game).entry == 1
    advance_and_run(harness, hours=1)
    assert load_extensions(harness) == []
    assert harness.load_game(game).entry == 2


def test_each_halt_of_a_table_is_told_and_answers_are_taken_meanwhile(state_dir: Path) -> None:
    """All are told each time that the clock of their table stops; answers close a gate as usual."""
    harness = build(state_dir)
    game = start_timed_game(harness, 3, 24)
    for entry in (1, 2):
        for _ in range(2):
            advance_and_run(harness, hours=24)
        assert [f.kind for f in harness.sent_facts("notice")] == ["halted"] * 3 * entry
        assert harness.load_game(game).entry == entry
        for number in (1, 2, 3):
            harness.reply(f"s{number}", "BID 1" if entry == 1 else "PASS")
        assert harness.load_game(game).entry == entry + 1


# --- pauses


@pytest.mark.both_databases
def test_the_host_pauses_and_lets_go_on(state_dir: Path) -> None:
    """In a pause nothing is closed, not even by answers; afterwards every deadline has moved by its length."""
    harness = build(state_dir)
    game = start_timed_game(harness, 2, 24)
    due = load_question(harness, "s1").due_at or 0
    assert interruptions.request_pause(harness.web, player(harness, 1), game, "pause") == "done"
    harness.run_queued_tasks()
    assert [(f.cause, f.after) for f in harness.sent_facts("deadline_changed")] == [("pause", None)] * 2
    harness.reply("s1", "BID 1")
    harness.reply("s2", "BID 3")
    advance_and_run(harness, hours=40)
    assert harness.load_game(game).entry == 1
    assert interruptions.request_pause(harness.web, player(harness, 1), game, "pause") == "nothing"
    assert interruptions.request_pause(harness.web, player(harness, 1), game, "resume") == "done"
    assert load_question(harness, "s1").due_at == due + 40 * HOUR
    advance_and_run(harness, minutes=1)
    assert harness.load_game(game).entry == 2
    assert load_extensions(harness) == [("s1", 40 * HOUR), ("s2", 40 * HOUR)]
    assert [f.cause for f in harness.sent_facts("deadline_changed")][2:] == ["resumed", "resumed"]


def test_players_pause_by_consent_of_all(state_dir: Path) -> None:
    """Without the host a pause needs everybody's word; a stranger's does not count."""
    harness = build(state_dir)
    game = start_timed_game(harness, 3, 24)
    stranger = 999
    with pytest.raises(RequestRefused):
        interruptions.request_pause(harness.web, stranger, game, "pause")
    assert interruptions.request_pause(harness.web, player(harness, 2), game, "pause") == "noted"
    assert interruptions.request_pause(harness.web, player(harness, 3), game, "pause") == "noted"
    assert load_seat(harness, "s2").pause_request == "pause"
    assert interruptions.request_pause(harness.web, player(harness, 1), game, "pause") == "done"
    assert interruptions.request_pause(harness.web, player(harness, 2), game, "resume") == "noted"


def test_a_pause_that_nobody_ends_is_over_after_a_month(state_dir: Path) -> None:
    """A vanished master cannot leave a table asleep for ever."""
    harness = build(state_dir)
    game = start_timed_game(harness, 2, 24)
    interruptions.request_pause(harness.web, player(harness, 1), game, "pause")
    advance_and_run(harness, days=29)
    assert harness.load_game(game).entry == 1
    advance_and_run(harness, days=1)
    assert load_extensions(harness) == [("s1", 30 * DAY), ("s2", 30 * DAY)]
    advance_and_run(harness, hours=24)
    assert harness.load_game(game).entry == 2


def test_the_operator_is_told_that_a_clock_stands_still(state_dir: Path) -> None:
    """The doctor says that the clock is not looked at, and that letters do not come in; otherwise nothing of either."""
    harness = build(state_dir)
    sent = probing(harness)
    advance_and_run(harness)
    arrive(harness, sent[0])
    assert list_problems(harness.resolver) == []
    now = harness.mailer.now()
    assert {row.name for row in harness.load_rows(Heartbeat) if row.beat_at == now} >= {"scheduler", "mail_jobs"}
    for _ in range(4):
        advance_and_run(harness, minutes=15)
    harness.simulate_downtime(minutes=30)
    assert [text.partition(" for ")[0] for text in list_problems(harness.resolver)] == [
        "The last tick of the clock was 1800 s ago: is pbem run scheduler running?",
        "Nobody has looked at the clock",
        "Letters to ourselves have not come in",
    ]


def test_the_operator_is_told_that_letters_go_out_unsigned(state_dir: Path) -> None:
    """OpenDKIM is stopped: the next letter to ourselves comes back without a signature; once it runs, all is well."""
    harness = build(state_dir)
    sent = probing(harness)
    for signed, said in ((True, 0), (False, 1), (True, 0)):
        advance_and_run(harness, minutes=15)
        arrive(harness, sent[-1], signed=signed)
        found = list_unsigned(harness.resolver)
        assert len(found) == said
        assert all("Letters go out unsigned" in line and "Start OpenDKIM" in line for line in found)


def test_the_operator_is_told_that_no_letter_has_ever_come_in(state_dir: Path) -> None:
    """A new server whose mail server hands letters elsewhere: its clock goes on, and the doctor names what to check."""
    harness = build(state_dir)
    probing(harness)
    advance_and_run(harness)
    assert list_problems(harness.resolver) == []
    for _ in range(4):
        advance_and_run(harness, minutes=15)
    (said,) = list_problems(harness.resolver)
    assert "No letter to ourselves has ever come in, the first of 60 min ago" in said


# --- a copy of the database is put back


def put_back_a_copy(harness: ServerHarness, **span: float) -> None:
    """The server is down for so long, and comes back with an older database."""
    harness.simulate_downtime(**span)
    with harness.resolver.db.transaction() as session:
        record_restore(session, harness.resolver.now())
    harness.run_scheduled_jobs()
    harness.run_queued_tasks()


@pytest.mark.both_databases
def test_everybody_is_told_of_a_copy_that_was_put_back_and_has_its_time_again(state_dir: Path) -> None:
    """Each seat of a running game gets one letter that says when the copy was made; deadlines move by the whole gap."""
    harness = build(state_dir)
    game = start_timed_game(harness, 2, 24)
    advance_and_run(harness, hours=2)
    due, copied = load_question(harness, "s1").due_at or 0, harness.web.now()
    put_back_a_copy(harness, hours=5)
    told = harness.sent_facts("deadline_changed")
    assert [(f.cause, f.copied) for f in told] == [("restored", copied // 1000)] * 2
    assert [facts.questions != () for facts in harness.sent_facts("report")[-2:]] == [True] * 2, (
        "what is owed can be answered"
    )
    assert load_question(harness, "s1").due_at == due + 5 * HOUR
    assert load_extensions(harness) == [("s1", 5 * HOUR), ("s2", 5 * HOUR)]
    advance_and_run(harness, minutes=1)
    assert len(harness.sent_facts("deadline_changed")) == 2, "it is told once"
    assert harness.load_game(game).entry == 1


def test_a_paused_table_is_told_of_each_copy_by_letters_of_their_own(state_dir: Path) -> None:
    """It loses what came after the copy, though no deadline moves.

    An entry that is played again is told under another Message-ID, or mail programs would drop the letter.
    """
    harness = build(state_dir)
    game = start_timed_game(harness, 2, 24)
    assert interruptions.request_pause(harness.web, player(harness, 1), game, "pause") == "done"
    advance_and_run(harness, hours=2)
    assert {address.life for address, _ in harness.sent} == {""}
    letters, before = len(harness.sent), len(harness.sent_facts("deadline_changed"))
    put_back_a_copy(harness, hours=1)
    assert [f.cause for f in harness.sent_facts("deadline_changed")[before:]] == ["restored"] * 2
    (life,) = {address.life for address, _ in harness.sent[letters:]}
    assert life
    put_back_a_copy(harness, hours=1)
    assert {address.life for address, _ in harness.sent[letters:]} > {life}

"""Fair to players when the server was not: what was lost is measured, given back, announced and logged, exactly."""

from dataclasses import replace
from pathlib import Path

import pytest

from pbem.service.base.services import ParsedEmail, RenderedEmail, RequestRefused
from pbem.service.deadlines import interruptions
from pbem.service.deadlines.interruptions import record_restore
from pbem.service.seats import substitutes
from pbem.service.tasks.health import list_problems
from pbem.store.models import Heartbeat, Outage
from tests.service.server_fixtures import Hall, build
from tests.service.test_messages import player
from tests.service.timed_games import HOUR, back_up, gifts, question, seat_row, table, tick

MINUTE = 60_000
DAY = 24 * HOUR


@pytest.mark.both_databases
def test_the_time_of_an_outage_is_given_back_exactly(state_dir: Path) -> None:
    """After ten hours down every deadline moves by ten hours, all are told, and it is logged."""
    hall = build(state_dir)
    game = table(hall, 2, 24)
    tick(hall, hours=20)
    due = question(hall, "s1").due_at or 0
    back_up(hall, hours=10)
    assert hall.game(game).entry == 1
    assert question(hall, "s1").due_at == due + 10 * HOUR
    assert gifts(hall) == [("s1", 10 * HOUR), ("s2", 10 * HOUR)]
    told = hall.of("moved")
    assert [(f.cause, f.after - f.before) for f in told] == [("outage", 10 * 3600)] * 2
    tick(hall, hours=3, minutes=59)
    assert hall.game(game).entry == 1
    tick(hall, minutes=1)
    assert hall.game(game).entry == 2


def test_nobody_misses_by_an_outage_that_nobody_has_looked_at_yet(state_dir: Path) -> None:
    """A letter that is read before the clock was looked at closes no gate by a deadline that passed meanwhile."""
    hall = build(state_dir)
    game = table(hall, 2, 24)
    tick(hall, hours=20)
    hall.stand_still(hours=10)
    hall.say("s1", "BID 1")
    assert hall.game(game).entry == 1
    hall.tick()
    hall.settle()
    hall.say("s2", "BID 3")
    assert hall.position(game).board.coins == {"s1": 8, "s2": 5}


def test_a_question_put_within_an_outage_gets_back_only_its_own_share(state_dir: Path) -> None:
    """A gap of some minutes is no outage; what was asked while the clock stood loses only what came after."""
    hall = build(state_dir)
    table(hall, 2, 24)
    tick(hall, hours=1)
    back_up(hall, minutes=9)
    assert gifts(hall) == []
    hall.stand_still(hours=2)
    hall.say("s1", "BID 1")
    hall.say("s2", "BID 1")
    back_up(hall, hours=3)
    assert gifts(hall) == [("s1", 3 * HOUR), ("s2", 3 * HOUR)]


def test_a_clock_that_jumps_ahead_and_is_put_back_changes_nothing(state_dir: Path) -> None:
    """A jump of ten years harms nobody; when the clock is put right, so are the deadlines and the letters."""
    hall = build(state_dir)
    game = table(hall, 2, 24)
    tick(hall, hours=1)
    due = question(hall, "s1").due_at or 0
    back_up(hall, days=3650)
    assert hall.game(game).entry == 1
    hall.say("s1", "BID 1")
    back_up(hall, days=-3650)
    assert question(hall, "s1").due_at == due
    assert gifts(hall) == []
    assert [row.cause for row in hall.rows(Outage)] == ["jumped"]
    hall.say("s2", "BID 3")
    assert hall.game(game).entry == 2
    assert question(hall, "s2", "march").due_at == hall.post.now() + DAY


# --- letters that do not come in


def probing(hall: Hall) -> list[str]:
    """Let the server write to itself; returns the tokens of the letters that it sent."""
    sent: list[str] = []

    def probe(token: str, now: int) -> RenderedEmail:
        sent.append(token)
        return RenderedEmail(b"", "", "")

    hall.post = replace(hall.post, probe=probe)
    return sent


def arrive(hall: Hall, token: str) -> None:
    """A letter to ourselves comes in."""
    hall.letter_in(ParsedEmail("loop", True, "reply", token))
    hall.settle()


def test_a_silent_way_in_stops_the_clock_until_letters_come_again(state_dir: Path) -> None:
    """From the first letter to ourselves that was lost until one comes back, nobody's time runs."""
    hall = build(state_dir)
    game = table(hall, 2, 24)
    sent = probing(hall)
    tick(hall)
    arrive(hall, sent[0])
    for _ in range(4):
        tick(hall, minutes=15)
    tick(hall, hours=30)
    tick(hall, minutes=15)
    assert hall.game(game).entry == 1
    first = 15 * MINUTE
    assert [row.cause for row in hall.rows(Outage)] == ["inbound"]
    arrive(hall, sent[-1])
    tick(hall, minutes=1)
    assert gifts(hall) == [(seat, 30 * HOUR + 5 * 15 * MINUTE - first) for seat in ("s1", "s2")]
    assert [f.cause for f in hall.of("moved")] == ["outage", "outage"]


def test_one_letter_to_ourselves_in_a_quarter_of_an_hour(state_dir: Path) -> None:
    """However often the clock is looked at, one goes out in that time; what cannot be sent stops nothing.

    If no letter to ourselves ever came back, there is no such path, and the clock runs.
    """
    hall = build(state_dir)
    game = table(hall, 2, 24)
    sent = probing(hall)
    for _ in range(31):
        tick(hall, minutes=1)
    assert len(sent) == 3
    hall.post = replace(hall.post, send_email=lambda message: 1 // 0)  # type: ignore[arg-type]
    tick(hall, minutes=20)
    assert len(sent) == 4
    tick(hall, hours=24)
    assert hall.game(game).entry == 2


# --- letters to one player that come back


def bounce(hall: Hall, seat: str) -> None:
    """The last report to a seat comes back for good."""
    token = hall.token(seat)
    sent = next(address.key for address, _ in hall.sent if address.token == token)
    back = ParsedEmail("bounce", True, "bounce", token, failed_recipients=True, returned_id=f"<{sent}@games.test>")
    hall.letter_in(back)
    hall.settle()


@pytest.mark.both_databases
def test_a_player_not_reached_gets_their_time_back(state_dir: Path) -> None:
    """From the letter that came back until its player shows up, their clock stands still, and theirs alone."""
    hall = build(state_dir)
    game = table(hall, 2, 24)
    tick(hall, hours=2)
    bounce(hall, "s2")
    tick(hall, hours=30)
    assert hall.game(game).entry == 1
    due = question(hall, "s1").due_at
    hall.say("s2", "STATUS")
    tick(hall, minutes=1)
    assert gifts(hall) == [("s2", 32 * HOUR)]
    assert question(hall, "s1").due_at == due
    assert question(hall, "s2").due_at == (due or 0) + 32 * HOUR


def test_letters_that_come_back_move_a_deadline_once_a_gate(state_dir: Path) -> None:
    """A second letter that comes back while the same question is open gives no more time; the table is told of it."""
    hall = build(state_dir)
    game = table(hall, 2, 24)
    for _ in range(4):
        bounce(hall, "s2")
        tick(hall, hours=2)
        hall.say("s2", "STATUS")
        tick(hall, minutes=1)
    assert [seat for seat, _ in gifts(hall)] == ["s2"]
    moved = [(a.seat, facts.cause, facts.changed_by) for a, facts in hall.sent if a.kind == "moved"]
    assert sorted(moved) == [("s1", "bounce", "p2"), ("s2", "bounce", "p2")]
    for lines in (["BID 0"], ["FOR MARCH", "PASS"]):
        for seat in ("s1", "s2"):
            hall.say(seat, *lines)
    assert hall.game(game).entry > 1
    bounce(hall, "s2")
    tick(hall, hours=2)
    hall.say("s2", "STATUS")
    tick(hall, minutes=1)
    assert [seat for seat, _ in gifts(hall)] == ["s2", "s2"]


def test_who_is_never_reached_stops_nobody_for_ever(state_dir: Path) -> None:
    """Three days of silence are given back, then the deadline counts as for anyone else."""
    hall = build(state_dir)
    game = table(hall, 2, 24)
    bounce(hall, "s2")
    hall.say("s1", "BID 1")
    tick(hall, days=3)
    assert gifts(hall) == [("s2", 3 * DAY)]
    assert hall.game(game).entry == 1
    tick(hall, hours=25)
    assert hall.game(game).entry == 2


def test_a_seat_that_passes_on_ends_the_wait_for_its_player(state_dir: Path) -> None:
    """Once another player sits there, nothing waits for letters to reach the one before."""
    hall = build(state_dir)
    game = table(hall, 2, 24)
    bounce(hall, "s2")
    tick(hall, hours=2)
    assert [(row.cause, row.ended_at) for row in hall.rows(Outage)] == [("bounce", None)]
    substitutes.offer_own_seat(hall.web, player(hall, 2), game)
    substitutes.take_over(hall.web, player(hall, 3), game, "s2")
    tick(hall, minutes=1)
    assert [row.cause for row in hall.rows(Outage) if row.ended_at is None] == []
    assert gifts(hall) == []


# --- many at once


def test_a_mass_of_misses_halts_the_clock_once_and_calls_all(state_dir: Path) -> None:
    """When three who were always on time miss together, the clock stops once, and later goes on by itself."""
    hall = build(state_dir)
    game = table(hall, 4, 24)
    hall.say("s1", "BID 1")
    tick(hall, hours=24)
    assert hall.game(game).entry == 1
    assert [f.kind for f in hall.of("notice")] == ["halted"] * 4
    tick(hall, hours=47)
    assert hall.game(game).entry == 1
    tick(hall, hours=1)
    assert gifts(hall) == []
    assert hall.game(game).entry == 2


def test_each_halt_of_a_table_is_told_and_answers_are_taken_meanwhile(state_dir: Path) -> None:
    """All are told each time that the clock of their table stops; answers close a gate as usual."""
    hall = build(state_dir)
    game = table(hall, 3, 24)
    for entry in (1, 2):
        for _ in range(2):
            tick(hall, hours=24)
        assert [f.kind for f in hall.of("notice")] == ["halted"] * 3 * entry
        assert hall.game(game).entry == entry
        for number in (1, 2, 3):
            hall.say(f"s{number}", "BID 1" if entry == 1 else "PASS")
        assert hall.game(game).entry == entry + 1


# --- pauses


@pytest.mark.both_databases
def test_the_host_pauses_and_lets_go_on(state_dir: Path) -> None:
    """In a pause nothing is closed, not even by answers; afterwards every deadline has moved by its length."""
    hall = build(state_dir)
    game = table(hall, 2, 24)
    due = question(hall, "s1").due_at or 0
    assert interruptions.request_pause(hall.web, player(hall, 1), game, "pause") == "done"
    hall.settle()
    assert [(f.cause, f.after) for f in hall.of("moved")] == [("pause", None)] * 2
    hall.say("s1", "BID 1")
    hall.say("s2", "BID 3")
    tick(hall, hours=40)
    assert hall.game(game).entry == 1
    assert interruptions.request_pause(hall.web, player(hall, 1), game, "pause") == "nothing"
    assert interruptions.request_pause(hall.web, player(hall, 1), game, "resume") == "done"
    assert question(hall, "s1").due_at == due + 40 * HOUR
    tick(hall, minutes=1)
    assert hall.game(game).entry == 2
    assert gifts(hall) == [("s1", 40 * HOUR), ("s2", 40 * HOUR)]
    assert [f.cause for f in hall.of("moved")][2:] == ["resumed", "resumed"]


def test_players_pause_by_consent_of_all(state_dir: Path) -> None:
    """Without the host a pause needs everybody's word; a stranger's does not count."""
    hall = build(state_dir)
    game = table(hall, 3, 24)
    stranger = 999
    with pytest.raises(RequestRefused):
        interruptions.request_pause(hall.web, stranger, game, "pause")
    assert interruptions.request_pause(hall.web, player(hall, 2), game, "pause") == "noted"
    assert interruptions.request_pause(hall.web, player(hall, 3), game, "pause") == "noted"
    assert seat_row(hall, "s2").pause_request == "pause"
    assert interruptions.request_pause(hall.web, player(hall, 1), game, "pause") == "done"
    assert interruptions.request_pause(hall.web, player(hall, 2), game, "resume") == "noted"


def test_a_pause_that_nobody_ends_is_over_after_a_month(state_dir: Path) -> None:
    """A vanished master cannot leave a table asleep for ever."""
    hall = build(state_dir)
    game = table(hall, 2, 24)
    interruptions.request_pause(hall.web, player(hall, 1), game, "pause")
    tick(hall, days=29)
    assert hall.game(game).entry == 1
    tick(hall, days=1)
    assert gifts(hall) == [("s1", 30 * DAY), ("s2", 30 * DAY)]
    tick(hall, hours=24)
    assert hall.game(game).entry == 2


def test_the_operator_is_told_that_a_clock_stands_still(state_dir: Path) -> None:
    """The doctor says that the clock is not looked at, and that letters do not come in; otherwise nothing of either."""
    hall = build(state_dir)
    sent = probing(hall)
    tick(hall)
    arrive(hall, sent[0])
    assert list_problems(hall.play) == []
    now = hall.post.now()
    assert {row.name for row in hall.rows(Heartbeat) if row.beat_at == now} >= {"scheduler", "mail_jobs"}
    for _ in range(4):
        tick(hall, minutes=15)
    hall.stand_still(minutes=30)
    assert [text.partition(" for ")[0] for text in list_problems(hall.play)] == [
        "The last tick of the clock was 1800 s ago: is pbem run clock running?",
        "Nobody has looked at the clock",
        "Letters to ourselves have not come in",
    ]


# --- a copy of the database is put back


def put_back_a_copy(hall: Hall, **span: float) -> None:
    """The server is down for so long, and comes back with an older database."""
    hall.stand_still(**span)
    record_restore(hall.play)
    hall.tick()
    hall.settle()


@pytest.mark.both_databases
def test_everybody_is_told_of_a_copy_that_was_put_back_and_has_its_time_again(state_dir: Path) -> None:
    """Each seat of a running game gets one letter that says when the copy was made; deadlines move by the whole gap."""
    hall = build(state_dir)
    game = table(hall, 2, 24)
    tick(hall, hours=2)
    due, copied = question(hall, "s1").due_at or 0, hall.web.now()
    put_back_a_copy(hall, hours=5)
    told = hall.of("moved")
    assert [(f.cause, f.copied) for f in told] == [("restored", copied // 1000)] * 2
    assert [facts.questions != () for facts in hall.of("report")[-2:]] == [True] * 2, "what is owed can be answered"
    assert question(hall, "s1").due_at == due + 5 * HOUR
    assert gifts(hall) == [("s1", 5 * HOUR), ("s2", 5 * HOUR)]
    tick(hall, minutes=1)
    assert len(hall.of("moved")) == 2, "it is told once"
    assert hall.game(game).entry == 1


def test_a_paused_table_is_told_of_each_copy_by_letters_of_their_own(state_dir: Path) -> None:
    """It loses what came after the copy, though no deadline moves.

    An entry that is played again is told under another Message-ID, or mail programs would drop the letter.
    """
    hall = build(state_dir)
    game = table(hall, 2, 24)
    assert interruptions.request_pause(hall.web, player(hall, 1), game, "pause") == "done"
    tick(hall, hours=2)
    assert {address.life for address, _ in hall.sent} == {""}
    letters, before = len(hall.sent), len(hall.of("moved"))
    put_back_a_copy(hall, hours=1)
    assert [f.cause for f in hall.of("moved")[before:]] == ["restored"] * 2
    (life,) = {address.life for address, _ in hall.sent[letters:]}
    assert life
    put_back_a_copy(hall, hours=1)
    assert {address.life for address, _ in hall.sent[letters:]} > {life}

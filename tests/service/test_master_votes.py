"""Seats may elect another master when theirs vanishes, and no clock stands still for ever."""

from pathlib import Path

import pytest

from pbem.crypto import TamperedError
from pbem.service.access import permissions
from pbem.service.masters import api
from pbem.service.seats import substitutes
from pbem.store.games import lock_game
from pbem.store.models import MasterSettings, Outage, Vote
from tests.service.master_commands import (
    MASTER,
    build_mastered_game,
    eliminate_seat,
    get_user_id,
    send_commands,
    send_confirmed,
)
from tests.service.server_fixtures import ServerHarness, build, start_game
from tests.service.test_signed_rows import written
from tests.service.timed_games import advance_and_run


def table(folder: Path, seats: int = 4) -> tuple[ServerHarness, str]:
    """A running game whose master holds no seat, and whose questions have weeks."""
    return build_mastered_game(folder, seats, 480)


def code(harness: ServerHarness, game: str, line: str, who: str) -> str:
    """What is said of one line."""
    return str(send_commands(harness, game, line, who=f"{who}@games.test").acts[0].said[0].code)


def masters_now(harness: ServerHarness, game: str) -> list[str]:
    """The masters of the game, by address."""
    with harness.web.db.snapshot() as session:
        row = lock_game(session, game)
        return [] if row is None else [person.email for person in permissions.masters_of(session, row)]


def days(harness: ServerHarness, count: int) -> None:
    """So many days pass, and the clock is looked at every day."""
    for _ in range(count):
        advance_and_run(harness, days=1)


def test_a_majority_of_the_seats_elects_a_new_master(state_dir: Path) -> None:
    """Called, and without a sign for a week: three of four voices make a new master; the old one is none any more."""
    harness, game = table(state_dir)
    assert code(harness, game, "ELECT p3", "p2") == "no_not_needed"
    seen = api.preview_commands(harness.web, game, get_user_id(harness, "p2@games.test"), ["CALL THE MASTER"])
    assert [said.code for act in seen.acts for said in act.said] == ["would_call"]
    assert code(harness, game, "CALL THE MASTER", "p2") == "was_called"
    days(harness, 6)
    assert code(harness, game, "ELECT p3", "p2") == "no_not_gone"
    days(harness, 1)
    assert code(harness, game, "ELECT p3", "p2") == "elect_noted"
    wanted = [
        a.to_address for a, f in harness.sent if a.kind == "master" and f.lead and f.lead[0].code == "elect_wanted"
    ]
    assert sorted(wanted) == ["p1@games.test", "p3@games.test", "p4@games.test"]
    assert code(harness, game, "ELECT p3", "p2") == "elect_noted"
    assert code(harness, game, "ELECT p3", "p3") == "elect_noted"
    assert masters_now(harness, game) == [MASTER]
    assert code(harness, game, "ELECT p3", "p4") == "elected"
    assert masters_now(harness, game) == ["p3@games.test"]
    assert harness.load_rows(Vote) == []
    told = [address.to_address for address, facts in harness.sent if address.kind == "announcement"]
    assert sorted(told) == ["p1@games.test", "p2@games.test", "p3@games.test"]


def test_a_sign_of_life_ends_the_vote(state_dir: Path) -> None:
    """A look at the master's page is enough: the voices are void, and the master is called no more."""
    harness, game = table(state_dir)
    send_commands(harness, game, "CALL THE MASTER", who="p2@games.test")
    days(harness, 7)
    assert code(harness, game, "ELECT p3", "p2") == "elect_noted"
    api.load_master_page(harness.web, get_user_id(harness, MASTER), game)
    assert harness.load_rows(Vote) == []
    assert [row.called_at for row in harness.load_rows(MasterSettings)] == [None]
    assert code(harness, game, "ELECT p3", "p3") == "no_not_needed"


def test_a_master_who_plays_on_is_not_gone(state_dir: Path) -> None:
    """A master's orders as a player are a sign of life, whatever they do as a master."""
    harness = build(state_dir)
    game = start_game(harness, "toy", 3, 480)
    send_commands(harness, game, "CALL THE MASTER", who="p2@games.test")
    days(harness, 6)
    harness.reply("s1", "BID 1")
    days(harness, 2)
    assert code(harness, game, "ELECT p3", "p2") == "no_not_gone"


def test_a_seat_that_is_out_has_no_voice_and_is_not_counted(state_dir: Path) -> None:
    """Of four seats one is out: two of three are enough, after the days that the table has settled to wait."""
    harness, game = table(state_dir)
    eliminate_seat(harness, game, "s4")
    send_commands(harness, game, "PATIENCE 3", who=MASTER)
    send_commands(harness, game, "CALL THE MASTER", who="p2@games.test")
    days(harness, 3)
    assert code(harness, game, "ELECT p3", "p4") == "no_no_voice"
    assert code(harness, game, "ELECT p3", "p2") == "elect_noted"
    assert code(harness, game, "ELECT p3", "p1") == "elected"


def test_a_vanished_master_stops_no_clock_for_ever(state_dir: Path) -> None:
    """Pause and hold are over by themselves after a month, and their time is given back; meanwhile seats may elect."""
    harness, game = table(state_dir, 3)
    send_commands(harness, game, "HOLD p2", "PAUSE", who=MASTER)
    days(harness, 8)
    assert code(harness, game, "ELECT p3", "p2") == "elect_noted"
    days(harness, 23)
    assert all(row.is_compensated for row in harness.load_rows(Outage))
    days(harness, 26)  # the twenty given back, and the days that the clock waits when all miss at once
    assert harness.load_game(game).entry > 1


def test_a_seat_that_is_left_is_put_out_by_the_others(state_dir: Path) -> None:
    """The rulebook's own order to leave offers the seat; a majority of the others puts it out, unless it answers."""
    harness, game = table(state_dir)
    out = "VOTE OUT p4"
    assert send_commands(harness, game, out, who="p2@games.test").acts[0].said[0].code == "no_not_offered"
    receipt = harness.reply("s4", "LEAVE")
    assert [(c.name, c.outcome) for c in receipt.commands] == [("resign", "done")]
    assert (receipt.sets, harness.load_state(game).board.gone) == ((), frozenset())
    assert [s.taken for s in harness.reply("s4", "BID 2").sets] == [True]
    assert send_commands(harness, game, out, who="p2@games.test").acts[0].said[0].code == "no_not_offered"
    harness.reply("s4", "LEAVE")
    assert send_confirmed(harness, game, out, who="p2@games.test").acts[0].said[0].code == "out_noted"
    assert "s4" not in harness.load_state(game).board.gone
    assert send_confirmed(harness, game, out, who="p3@games.test").acts[0].said[0].code == "voted_out"
    assert "s4" in harness.load_state(game).board.gone


def test_a_voice_counts_for_the_offer_that_it_was_given_in(state_dir: Path) -> None:
    """A player who took their seat up again is not put out by what was voted before."""
    harness, game = table(state_dir)
    for voter in ("p2@games.test", "p3@games.test"):
        harness.reply("s4", "LEAVE")
        assert send_confirmed(harness, game, "VOTE OUT p4", who=voter).acts[0].said[0].code == "out_noted"
        assert harness.reply("s4", "BID 2").sets[0].taken
    assert harness.load_rows(Vote) == []


def test_a_voice_goes_with_its_player(state_dir: Path) -> None:
    """Who takes a seat over has not voted yet; nor do voices against the one before count against them."""
    harness, game = table(state_dir)
    harness.reply("s4", "LEAVE")
    send_confirmed(harness, game, "VOTE OUT p4", who="p2@games.test")
    substitutes.offer_own_seat(harness.web, get_user_id(harness, "p2@games.test"), game)
    substitutes.take_over(harness.web, get_user_id(harness, "nora@games.test"), game, "s2")
    assert send_confirmed(harness, game, "VOTE OUT p4", who="p3@games.test").acts[0].said[0].code == "out_noted"
    substitutes.take_over(harness.web, get_user_id(harness, "otto@games.test"), game, "s4")
    assert harness.load_rows(Vote) == []


def test_voices_that_no_seat_gave_are_not_counted(state_dir: Path) -> None:
    """Votes that were put into the database make nobody master."""
    harness, game = table(state_dir)
    code(harness, game, "CALL THE MASTER", "p2")
    days(harness, 7)
    voice = f"INSERT INTO votes (game_id, motion, target, seat, created_at) VALUES ('{game}', 'master', '2', ?, 1)"
    with written(harness, voice, "s3"), written(harness, voice, "s4"):
        with pytest.raises(TamperedError):
            code(harness, game, "ELECT p2", "p2")
        assert masters_now(harness, game) == [MASTER]


def test_calls_and_voices_again_and_again_write_to_others_once_a_day(state_dir: Path) -> None:
    """A player who calls the master, or votes, as often as they like, fills nobody's mailbox."""
    harness, game = table(state_dir)
    harness.reply("s4", "RESIGN YES")
    before = len(harness.sent)
    for _ in range(5):
        harness.advance_time(seconds=30)
        assert code(harness, game, "CALL THE MASTER", "p2") == "was_called"
        assert send_confirmed(harness, game, "VOTE OUT p4", who="p2@games.test").acts[0].said[0].code == "out_noted"
    wrote = sorted(address.to_address for address, _ in harness.sent[before:])
    assert wrote == sorted([MASTER, "p1@games.test", "p3@games.test", "p4@games.test"])
    days(harness, 7)
    before = len(harness.sent)
    for name in ("p3", "p4", "p3", "p4"):
        assert code(harness, game, f"ELECT {name}", "p2") == "elect_noted"
    wrote = sorted(address.to_address for address, facts in harness.sent[before:] if address.kind == "master")
    assert wrote == ["p1@games.test", "p3@games.test", "p4@games.test"]

"""Seats may elect another master when theirs vanishes, and no clock stands still for ever."""

from pathlib import Path

import pytest

from pbem.crypto import TamperedError
from pbem.service.access import permissions
from pbem.service.masters import api
from pbem.store.games import lock_game
from pbem.store.models import MasterSettings, Outage, Vote
from tests.service.master_commands import MASTER, ask, mastered, meant, put_out, user
from tests.service.server_fixtures import Hall, build, seated
from tests.service.test_signed_rows import written
from tests.service.timed_games import tick


def table(folder: Path, seats: int = 4) -> tuple[Hall, str]:
    """A running game whose master holds no seat, and whose questions have weeks."""
    return mastered(folder, seats, 480)


def code(hall: Hall, game: str, line: str, who: str) -> str:
    """What is said of one line."""
    return str(ask(hall, game, line, who=f"{who}@games.test").acts[0].said[0].code)


def masters_now(hall: Hall, game: str) -> list[str]:
    """The masters of the game, by address."""
    with hall.web.db.snapshot() as session:
        row = lock_game(session, game)
        return [] if row is None else [person.email for person in permissions.masters_of(session, row)]


def days(hall: Hall, count: int) -> None:
    """So many days pass, and the clock is looked at every day."""
    for _ in range(count):
        tick(hall, days=1)


def test_a_majority_of_the_seats_elects_a_new_master(state_dir: Path) -> None:
    """Called, and without a sign for a week: three of four voices make a new master; the old one is none any more."""
    hall, game = table(state_dir)
    assert code(hall, game, "ELECT p3", "p2") == "no_not_needed"
    seen = api.preview_commands(hall.web, game, user(hall, "p2@games.test"), ["CALL THE MASTER"])
    assert [said.code for act in seen.acts for said in act.said] == ["would_call"]
    assert code(hall, game, "CALL THE MASTER", "p2") == "was_called"
    days(hall, 6)
    assert code(hall, game, "ELECT p3", "p2") == "no_not_gone"
    days(hall, 1)
    assert code(hall, game, "ELECT p3", "p2") == "elect_noted"
    wanted = [a.to_address for a, f in hall.sent if a.kind == "master" and f.lead and f.lead[0].code == "elect_wanted"]
    assert sorted(wanted) == ["p1@games.test", "p3@games.test", "p4@games.test"]
    assert code(hall, game, "ELECT p3", "p2") == "elect_noted"
    assert code(hall, game, "ELECT p3", "p3") == "elect_noted"
    assert masters_now(hall, game) == [MASTER]
    assert code(hall, game, "ELECT p3", "p4") == "elected"
    assert masters_now(hall, game) == ["p3@games.test"]
    assert hall.rows(Vote) == []
    told = [address.to_address for address, facts in hall.sent if address.kind == "told"]
    assert sorted(told) == ["p1@games.test", "p2@games.test", "p3@games.test"]


def test_a_sign_of_life_ends_the_vote(state_dir: Path) -> None:
    """A look at the master's page is enough: the voices are void, and the master is called no more."""
    hall, game = table(state_dir)
    ask(hall, game, "CALL THE MASTER", who="p2@games.test")
    days(hall, 7)
    assert code(hall, game, "ELECT p3", "p2") == "elect_noted"
    api.load_master_page(hall.web, user(hall, MASTER), game)
    assert hall.rows(Vote) == []
    assert [row.called_at for row in hall.rows(MasterSettings)] == [None]
    assert code(hall, game, "ELECT p3", "p3") == "no_not_needed"


def test_a_master_who_plays_on_is_not_gone(state_dir: Path) -> None:
    """A master's orders as a player are a sign of life, whatever they do as a master."""
    hall = build(state_dir)
    game = seated(hall, "toy", 3, 480)
    ask(hall, game, "CALL THE MASTER", who="p2@games.test")
    days(hall, 6)
    hall.say("s1", "BID 1")
    days(hall, 2)
    assert code(hall, game, "ELECT p3", "p2") == "no_not_gone"


def test_a_seat_that_is_out_has_no_voice_and_is_not_counted(state_dir: Path) -> None:
    """Of four seats one is out: two of three are enough, after the days that the table has settled to wait."""
    hall, game = table(state_dir)
    put_out(hall, game, "s4")
    ask(hall, game, "PATIENCE 3", who=MASTER)
    ask(hall, game, "CALL THE MASTER", who="p2@games.test")
    days(hall, 3)
    assert code(hall, game, "ELECT p3", "p4") == "no_no_voice"
    assert code(hall, game, "ELECT p3", "p2") == "elect_noted"
    assert code(hall, game, "ELECT p3", "p1") == "elected"


def test_a_vanished_master_stops_no_clock_for_ever(state_dir: Path) -> None:
    """Pause and hold are over by themselves after a month, and their time is given back; meanwhile seats may elect."""
    hall, game = table(state_dir, 3)
    ask(hall, game, "HOLD p2", "PAUSE", who=MASTER)
    days(hall, 8)
    assert code(hall, game, "ELECT p3", "p2") == "elect_noted"
    days(hall, 23)
    assert all(row.is_compensated for row in hall.rows(Outage))
    days(hall, 26)  # the twenty given back, and the days that the clock waits when all miss at once
    assert hall.game(game).entry > 1


def test_a_seat_that_is_left_is_put_out_by_the_others(state_dir: Path) -> None:
    """The rulebook's own order to leave offers the seat; a majority of the others puts it out, unless it answers."""
    hall, game = table(state_dir)
    out = "VOTE OUT p4"
    assert ask(hall, game, out, who="p2@games.test").acts[0].said[0].code == "no_not_offered"
    receipt = hall.say("s4", "LEAVE")
    assert [(c.name, c.outcome) for c in receipt.commands] == [("resign", "done")]
    assert (receipt.sets, hall.position(game).board.gone) == ((), frozenset())
    assert [s.taken for s in hall.say("s4", "BID 2").sets] == [True]
    assert ask(hall, game, out, who="p2@games.test").acts[0].said[0].code == "no_not_offered"
    hall.say("s4", "LEAVE")
    assert meant(hall, game, out, who="p2@games.test").acts[0].said[0].code == "out_noted"
    assert "s4" not in hall.position(game).board.gone
    assert meant(hall, game, out, who="p3@games.test").acts[0].said[0].code == "voted_out"
    assert "s4" in hall.position(game).board.gone


def test_voices_that_no_seat_gave_are_not_counted(state_dir: Path) -> None:
    """Votes that were put into the database make nobody master."""
    hall, game = table(state_dir)
    code(hall, game, "CALL THE MASTER", "p2")
    days(hall, 7)
    voice = f"INSERT INTO votes (game_id, motion, target, seat, created_at) VALUES ('{game}', 'master', '2', ?, 1)"
    with written(hall, voice, "s3"), written(hall, voice, "s4"):
        with pytest.raises(TamperedError):
            code(hall, game, "ELECT p2", "p2")
        assert masters_now(hall, game) == [MASTER]


def test_calls_and_voices_again_and_again_write_to_others_once_a_day(state_dir: Path) -> None:
    """A player who calls the master, or votes, as often as they like, fills nobody's mailbox."""
    hall, game = table(state_dir)
    hall.say("s4", "RESIGN YES")
    before = len(hall.sent)
    for _ in range(5):
        hall.pass_time(seconds=30)
        assert code(hall, game, "CALL THE MASTER", "p2") == "was_called"
        assert meant(hall, game, "VOTE OUT p4", who="p2@games.test").acts[0].said[0].code == "out_noted"
    wrote = sorted(address.to_address for address, _ in hall.sent[before:])
    assert wrote == sorted([MASTER, "p1@games.test", "p3@games.test", "p4@games.test"])
    days(hall, 7)
    before = len(hall.sent)
    for name in ("p3", "p4", "p3", "p4"):
        assert code(hall, game, f"ELECT {name}", "p2") == "elect_noted"
    wrote = sorted(address.to_address for address, facts in hall.sent[before:] if address.kind == "master")
    assert wrote == ["p1@games.test", "p3@games.test", "p4@games.test"]

"""Rulings on a whole server: asked for by a master, carried out by the resolver, told to all, taken back."""

from pathlib import Path

import pytest

from engine.kernel.codec import dump
from engine.kernel.correction_events import FigureCorrected
from engine.kernel.events import Corrected, RulingUndone
from engine.kernel.viewers import PUBLIC, Seat
from pbem.narration.facts import MasterFacts
from pbem.service.game import seat_views
from pbem.service.game.journal import load_entry, load_game_keys
from pbem.service.masters import ruling_request
from pbem.store.models import AuditEntry, Game, ResolverRequest
from tests.service.master_commands import MASTER, build_mastered_game, get_user_id, send_commands, send_confirmed
from tests.service.server_fixtures import ServerHarness


@pytest.fixture
def table(state_dir: Path) -> tuple[ServerHarness, str]:
    """A game of three in its bids, whose master holds no seat."""
    return build_mastered_game(state_dir, 3, 24)


def coins(harness: ServerHarness, game: str) -> list[int]:
    """What each seat has."""
    return [harness.load_state(game).board.coins[Seat(seat)] for seat in ("s1", "s2", "s3")]


def refusal(harness: ServerHarness) -> str:
    """Why the resolver could not carry a ruling out, as its master was told."""
    letters = [f for a, f in harness.sent if a.kind == "master" and isinstance(f, MasterFacts) and f.acts]
    problem = letters[-1].acts[0].problem
    assert problem is not None
    return problem.code


GIVE = ("CORRECT a coin was forgotten", "GIVE 2 COINS TO player 1", "END")


@pytest.mark.both_databases
def test_a_correction_is_shown_before_it_is_made_and_told_to_all(table: tuple[ServerHarness, str]) -> None:
    """First a preview with a word, then an entry, and one letter to each player: what, why, what differs."""
    harness, game = table
    shown = send_commands(harness, game, *GIVE, who=MASTER).acts[0]
    assert (shown.outcome, harness.load_game(game).entry) == ("confirm", 1)
    assert [event.by for event in shown.events if isinstance(event, FigureCorrected)] == [2]
    before = coins(harness, game)
    assert send_commands(harness, game, *GIVE, who=MASTER, confirm=shown.word).acts[0].outcome == "done"
    assert coins(harness, game) == [before[0] + 2, *before[1:]]
    letters = harness.sent_facts("ruling")
    assert sorted(f.frame.reader.seat for f in letters) == ["s1", "s2", "s3"]
    mine = next(f for f in letters if f.frame.reader.seat == "s1")
    assert (mine.reason, mine.before.board.coins["s1"], mine.after.board.coins["s1"]) == (
        "a coin was forgotten",
        before[0],
        before[0] + 2,
    )
    assert isinstance(mine.events[0], Corrected)
    assert not harness.sent_facts("report"), "one letter, not two"
    assert [(row.action, row.outcome) for row in harness.load_rows(AuditEntry)][-1] == ("correct", "done")
    assert {c.request for c in harness.load_rows(ResolverRequest) if c.kind == ruling_request.RULING} == {b""}


@pytest.mark.both_databases
def test_an_undone_ruling_leaves_the_game_where_it_would_be_without(table: tuple[ServerHarness, str]) -> None:
    """Nothing is deleted: a later entry takes the facts back, and the position is that of a game without either."""
    harness, game = table
    before = harness.load_state(game)
    send_confirmed(harness, game, *GIVE, who=MASTER)
    send_confirmed(harness, game, "UNDO 2 BECAUSE it was not", who=MASTER)
    assert harness.load_game(game).entry == 3
    assert dump(harness.load_state(game)) == dump(before)
    with harness.resolver.db.snapshot() as session:
        row = session.get_one(Game, game)
        ruling = load_entry(session, load_game_keys(harness.resolver, row), row, 3).events[0]
    assert isinstance(ruling, Corrected)
    assert ruling.edits[0] == RulingUndone(entry=2)


def test_a_ruling_can_be_undone_after_play_that_does_not_hang_on_it(table: tuple[ServerHarness, str]) -> None:
    """Where the entries since, told again without the ruling, are the same it is taken back; else a rewind can do it.

    What lies sealed at a gate stands through a correction.
    """
    harness, game = table
    had = coins(harness, game)
    harness.reply("s2", "BID 1")
    send_confirmed(harness, game, *GIVE, who=MASTER)
    harness.reply("s1", "BID 0")
    harness.reply("s3", "BID 0")
    entry, now = harness.load_game(game).entry, coins(harness, game)
    assert entry == 3
    send_confirmed(harness, game, "UNDO 2", who=MASTER)
    assert (harness.load_game(game).entry, coins(harness, game)) == (entry + 1, [now[0] - 2, *now[1:]])
    send_confirmed(harness, game, "REWIND TO 1", who=MASTER)
    send_confirmed(harness, game, *GIVE, who=MASTER)
    given = harness.load_game(game).entry
    harness.reply("s1", f"BID {had[0] + 2}")
    for seat in ("s2", "s3"):
        harness.reply(seat, "BID 0")
    entry = harness.load_game(game).entry
    send_confirmed(harness, game, f"UNDO {given}", who=MASTER)
    assert (harness.load_game(game).entry, refusal(harness)) == (entry, "moved_on")


REFUSED = {
    ("CORRECT a slip", "GIVE 2 GOATS TO player 1"): "unknown_name",
    ("CORRECT a slip", "I am not sure what to do"): "not_understood",
    ("CORRECT a slip",): "nothing_changes",
    ("UNDO 1",): "no_ruling_there",
    ("UNDO 77",): "no_such_entry",
    ("REWIND TO 1",): "no_such_entry",
}


def test_what_cannot_stand_is_refused_before_anything_is_asked(table: tuple[ServerHarness, str]) -> None:
    """Each refusal says which line and why; nothing happens, and no player hears of it."""
    harness, game = table
    for lines, code in REFUSED.items():
        act = send_commands(harness, game, *lines, who=MASTER).acts[0]
        assert act.problem is not None
        assert (act.outcome, act.problem.code) == ("refused", code)
    assert (harness.load_game(game).entry, harness.sent_facts("ruling")) == (1, [])


def test_what_breaks_the_box_in_truth_is_refused_by_the_play_worker(table: tuple[ServerHarness, str]) -> None:
    """A problem that only the true position shows comes back to the master alone, and the game is unchanged."""
    harness, game = table
    send_confirmed(harness, game, "CORRECT a slip", "TAKE 900 COINS FROM player 1", who=MASTER)
    assert (harness.load_game(game).entry, harness.sent_facts("ruling"), refusal(harness)) == (1, [], "coins")


@pytest.mark.both_databases
def test_a_ruling_asked_for_before_the_game_went_on_is_not_made_after(table: tuple[ServerHarness, str]) -> None:
    """What was shown was of another position: the master is told, and must look again."""
    harness, game = table
    wanted = ruling_request.RulingRequest(
        "correct", get_user_id(harness, MASTER), "Roland", "a slip", 1, ("GIVE 2 COINS TO player 1",)
    )
    for seat in ("s1", "s2", "s3"):
        harness.reply(seat, "BID 0")
    entry = harness.load_game(game).entry
    with harness.web.db.transaction() as session:
        ruling_request.enqueue_ruling(harness.web, session, session.get_one(Game, game), wanted)
    harness.run_task("resolve_game", game)
    harness.run_queued_tasks()
    assert (harness.load_game(game).entry, refusal(harness)) == (entry, "moved_on")


def test_a_request_that_no_office_signed_is_no_ruling(table: tuple[ServerHarness, str]) -> None:
    """Writing to the database is not enough to rule."""
    harness, game = table
    with harness.web.db.transaction() as session:
        session.add(
            ResolverRequest(
                id="forged", kind=ruling_request.RULING, game_id=game, state="pending", request=b"GIVE", created_at=1
            )
        )
    harness.run_task("resolve_game", game)
    harness.run_queued_tasks()
    assert (harness.load_game(game).entry, coins(harness, game)[0]) == (1, coins(harness, game)[1])


def test_another_reading_is_adopted_from_here_on(table: tuple[ServerHarness, str]) -> None:
    """The ruling is an entry; the option holds from then on, and is told in words."""
    harness, game = table
    send_confirmed(harness, game, "CORRECT as printed", "ADOPT income 1", who=MASTER)
    assert harness.load_state(game).core.options["income"] == "1"
    with harness.web.db.snapshot() as session:
        seen = seat_views.last_view(harness.web, session, session.get_one(Game, game), PUBLIC)
    assert seen.core.options["income"] == "1"

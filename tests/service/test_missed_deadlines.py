"""Missed deadlines by the table's policy; seats offered, resigned, taken over and given back."""

from pathlib import Path

import pytest

from pbem.service.access import users
from pbem.service.base.services import RequestRefused
from pbem.service.seats import substitutes
from pbem.store.models import Capability, QuestionRow, SealedOrdersRow, SeatTenure
from tests.service.server_fixtures import ServerHarness, build, restore_or_make
from tests.service.test_messages import player
from tests.service.timed_games import (
    HOUR,
    advance_and_run,
    list_missed,
    load_punctuality,
    load_question,
    load_seat,
    start_timed_game,
)

DAY = 24 * HOUR


def newcomer(harness: ServerHarness, name: str = "Nora") -> int:
    """Somebody who sits nowhere."""
    with harness.web.db.transaction() as session:
        return users.get_or_create_user(harness.web, session, f"{name.lower()}@games.test", name).id


# --- answers for seats that miss


def test_a_table_that_waits_closes_nothing_by_its_clock(state_dir: Path) -> None:
    """With the policy to wait the gate stays open however late it is, and the late answer counts."""
    harness = build(state_dir)
    game = start_timed_game(harness, 2, 24, on_missed="wait")
    harness.reply("s1", "BID 1")
    advance_and_run(harness, days=9)
    assert harness.load_game(game).entry == 1
    harness.reply("s2", "BID 3")
    assert harness.load_state(game).board.coins["s2"] == 5


@pytest.mark.both_databases
def test_a_standing_plan_answers_for_who_misses(state_dir: Path) -> None:
    """A set sent with ALWAYS answers the next question of its kind that its owner misses, and all are told."""
    harness = build(state_dir)
    game = start_timed_game(harness, 2, 24, on_missed="standing")
    harness.reply("s2", "BID 2", "ALWAYS")
    harness.reply("s1", "BID 1")
    assert harness.load_state(game).board.coins["s2"] == 6
    for number in (1, 2):
        harness.reply(f"s{number}", "PASS")
    receipt = harness.reply("s2", "STATUS")
    assert [(r.topic, r.turn) for r in receipt.stored_reactions] == [("bid", None)]
    harness.reply("s1", "BID 1")
    advance_and_run(harness, hours=24)
    assert list_missed(harness) == [("s2", "standing")]
    assert harness.load_state(game).board.coins["s2"] == 4
    assert load_seat(harness, "s2").missed == 1


def test_a_plan_that_asks_again_keeps_nobody_waiting_for_ever(state_dir: Path) -> None:
    """A standing plan may have its author asked again, once; who does not come then takes the default."""
    harness = build(state_dir)
    game = start_timed_game(harness, 2, 24, on_missed="standing")
    harness.reply("s1", "BID 0")
    harness.reply("s2", "BID 1")
    harness.reply("s1", "ALWAYS", "IF I HOLD Mill: ATTACK Abbey ELSE ASK ME")
    harness.reply("s2", "PASS")
    gates: set[str] = set()
    for _ in range(8):
        gates |= {d.gate for d in harness.load_state(game).core.questions if d.topic == "march" and d.seat == "s1"}
        advance_and_run(harness, hours=25)
    assert {"march/1~1", "march/2", "march/2~1", "march/3"} <= gates
    assert not any(gate.endswith("~2") for gate in gates)


def test_a_plan_that_fits_no_more_or_was_taken_back_gives_way_to_the_default(state_dir: Path) -> None:
    """If the plan cannot be paid the default is taken instead; so it is once WITHDRAW took the plan back."""
    harness = build(state_dir)
    game = start_timed_game(harness, 2, 24, on_missed="standing")
    harness.reply("s2", "BID 5", "TOUJOURS")
    harness.reply("s1", "BID 0")
    for number in (1, 2):
        harness.reply(f"s{number}", "PASS")
    harness.reply("s1", "BID 0")
    advance_and_run(harness, hours=24)
    assert list_missed(harness) == [("s2", "default")]
    assert harness.load_state(game).board.coins["s2"] == 3
    harness.reply("s2", "PASS", "ALWAYS")
    harness.reply("s2", "WITHDRAW")
    harness.reply("s1", "PASS")
    advance_and_run(harness, hours=24)
    assert list_missed(harness) == [("s2", "default")]


def test_a_bot_answers_where_the_table_says_so(state_dir: Path) -> None:
    """With the policy of a bot, a bot plays for a player who misses; all are told that it did."""
    harness = build(state_dir)
    game = start_timed_game(harness, 2, 24, on_missed="bot")
    harness.reply("s1", "BID 0")
    advance_and_run(harness, hours=24)
    assert list_missed(harness) == [("s2", "bot")]
    assert harness.load_game(game).entry == 2


def test_missed_turns_are_excused_as_often_as_the_table_says(state_dir: Path) -> None:
    """An excuse gives half the time once more, is told to all, and does not come back; then the default counts."""
    harness = build(state_dir)
    game = start_timed_game(harness, 2, 24, excused_misses=2)
    harness.reply("s1", "BID 1")
    advance_and_run(harness, hours=25)
    harness.reply("s2", "BID 1")
    assert (load_seat(harness, "s2").missed, load_seat(harness, "s2").excused_misses) == (0, 1), (
        "an answer in that time is no miss"
    )
    harness.reply("s1", "PASS")
    advance_and_run(harness, hours=24)
    assert harness.load_game(game).entry == 2
    assert load_question(harness, "s2", "march").state == "excused"
    assert load_question(harness, "s2", "march").due_at == harness.mailer.now() + 12 * HOUR
    assert [(f.cause, f.changed_by) for f in harness.sent_facts("deadline_changed")[-2:]] == [("excused", "p2")] * 2
    advance_and_run(harness, hours=12)
    assert harness.load_game(game).entry == 3
    assert load_seat(harness, "s2").excused_misses == 0
    harness.reply("s1", "BID 0")
    advance_and_run(harness, hours=24)
    assert harness.load_game(game).entry == 4


def test_an_excuse_at_a_short_question_gives_half_of_its_own_time(state_dir: Path) -> None:
    """A choice in mid-turn has three quarters of the table's time, and an excuse adds half of that."""
    harness = build(state_dir)
    start_timed_game(harness, 2, 24, {"fair": "yes"}, excused_misses=1)
    for line in ("BID 0", "PASS"):
        harness.reply("s1", line)
        harness.reply("s2", line)
    assert load_question(harness, "s1", "stall").due_at == harness.mailer.now() + 18 * HOUR
    advance_and_run(harness, hours=18)
    assert load_question(harness, "s1", "stall").due_at == harness.mailer.now() + 9 * HOUR


# --- a seat that looks for a player


def test_after_so_many_misses_the_seat_is_offered_and_an_answer_keeps_it(state_dir: Path) -> None:
    """Two misses in a row offer the seat, which all are told; its owner's next answer ends that."""
    harness = build(state_dir)
    start_timed_game(harness, 2, 24, max_misses=2)
    for line in ("BID 0", "PASS"):
        harness.reply("s1", line)
        advance_and_run(harness, hours=24)
    assert [(o.seat, o.player) for o in substitutes.list_open_seats(harness.web).rows] == [("s2", "p2")]
    assert [f.kind for f in harness.sent_facts("notice")] == ["offered", "offered"]
    harness.reply("s2", "BID 0")
    assert substitutes.list_open_seats(harness.web).rows == ()


def test_resigning_takes_two_steps_and_eliminates_nobody(state_dir: Path) -> None:
    """RESIGN alone does nothing; RESIGN YES offers the seat, which stays in the game."""
    harness = build(state_dir)
    game = start_timed_game(harness, 2, 24)
    assert [c.outcome for c in harness.reply("s2", "RESIGN").commands] == ["unsure"]
    assert substitutes.list_open_seats(harness.web).rows == ()
    assert [c.outcome for c in harness.reply("s2", "DÉMISSIONNER OUI").commands] == ["done"]
    assert [o.seat for o in substitutes.list_open_seats(harness.web).rows] == ["s2"]
    assert harness.load_state(game).board.gone == frozenset()


def offered(harness: ServerHarness) -> str:
    """A game in its second gate, with everything filed for s2 that can be, whose player then resigns."""

    def make() -> str:
        game = start_timed_game(harness, 2, 24, on_missed="standing")
        for seat, line in (("s1", "BID 1"), ("s2", "BID 4")):
            harness.reply(seat, line)
        harness.reply("s2", "ATTACK Mill WITH 2", "ON PARRY: PARRY Oak Shield", "ALWAYS")
        harness.reply("s2", "RESIGN YES")
        return game

    return restore_or_make(harness, "resigned", make)


@pytest.mark.both_databases
def test_a_substitute_gets_a_recap_more_time_and_nothing_of_their_predecessor(state_dir: Path) -> None:
    """A substitute gets the game as all were told it and twice the time; what lay there is destroyed."""
    harness = build(state_dir)
    game = offered(harness)
    old, nora = harness.reply_token("s2"), newcomer(harness)
    substitutes.take_over(harness.web, nora, game, "s2")
    harness.run_queued_tasks()
    assert [row for row in harness.load_rows(SealedOrdersRow) if row.seat == "s2" and row.ciphertext] == []
    row = load_question(harness, "s2", "march")
    assert (row.state, row.answered_at, row.due_at) == ("unanswered", None, harness.mailer.now() + 2 * DAY)
    recap = next(f for a, f in reversed(harness.sent) if a.kind == "report" and a.to_address == "nora@games.test")
    assert recap.recap
    assert recap.before is None
    assert {e.visible_to for e in recap.events} == {None}
    assert recap.stored_orders == ()
    assert recap.reactions == ()
    harness.reply("s2", "PASS")
    assert load_question(harness, "s2", "march").state == "passed"
    receipts = len(harness.sent_facts("receipt"))
    harness.receive_reply(old, ["ATTACK Mill WITH 2"])
    harness.run_queued_tasks()
    assert len(harness.sent_facts("receipt")) == receipts
    assert all(
        r.revoked_at for r in harness.load_rows(Capability) if r.seat == "s2" and r.user_id == player(harness, 2)
    )


def test_the_former_player_is_told_and_takes_no_other_seat(state_dir: Path) -> None:
    """The former player learns that their seat has passed on; neither they nor a seated player can take one there."""
    harness = build(state_dir)
    game = offered(harness)
    with pytest.raises(RequestRefused, match="already_seated"):
        substitutes.take_over(harness.web, player(harness, 1), game, "s2")
    substitutes.take_over(harness.web, newcomer(harness), game, "s2")
    harness.run_queued_tasks()
    assert [f.kind for a, f in harness.sent if a.to_address == "p2@games.test" and a.kind == "notice"][-1] == "replaced"
    with pytest.raises(RequestRefused, match="no_such_offer"):
        substitutes.take_over(harness.web, newcomer(harness, "Otto"), game, "s2")
    harness.reply("s2", "RESIGN YES")
    with pytest.raises(RequestRefused, match="already_seated"):
        substitutes.take_over(harness.web, player(harness, 2), game, "s2")


@pytest.mark.both_databases
def test_a_seat_can_be_given_back_to_its_first_player(state_dir: Path) -> None:
    """The substitute gives it back; again nothing that they filed remains, and the table is told."""
    harness = build(state_dir)
    game = offered(harness)
    with pytest.raises(RequestRefused, match="nobody_before"):
        substitutes.return_seat(harness.web, player(harness, 1), game)
    substitutes.take_over(harness.web, newcomer(harness), game, "s2")
    harness.run_queued_tasks()
    harness.reply("s2", "ATTACK Mill WITH 1")
    substitutes.return_seat(harness.web, newcomer(harness), game)
    harness.run_queued_tasks()
    assert load_seat(harness, "s2").user_id == player(harness, 2)
    assert [row for row in harness.load_rows(SealedOrdersRow) if row.seat == "s2" and row.ciphertext] == []
    assert [row.end_reason for row in harness.load_rows(SeatTenure)] == ["replaced", "returned", ""]
    assert harness.sent_facts("notice")[-1].kind in ("returned", "replaced")


def test_a_player_is_known_by_their_turns_and_games(state_dir: Path) -> None:
    """Turns on time, turns missed, games begun and finished are counted for each player."""
    harness = build(state_dir)
    game = start_timed_game(harness, 2, 24)
    harness.reply("s1", "BID 1")
    advance_and_run(harness, hours=24)
    assert load_punctuality(harness, player(harness, 1)) == (1, 1, 1, 0)
    assert load_punctuality(harness, player(harness, 2)) == (1, 0, 1, 0)
    for _ in range(20):
        advance_and_run(harness, hours=50)
    assert harness.load_game(game).state == "over"
    assert harness.load_rows(QuestionRow) == []
    assert load_punctuality(harness, player(harness, 1))[3] == 1

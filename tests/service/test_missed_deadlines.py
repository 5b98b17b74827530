"""Missed deadlines by the table's policy; seats offered, resigned, taken over and given back."""

from pathlib import Path

import pytest

from pbem.service.base.services import RequestRefused
from pbem.service.seats import substitutes, tables
from pbem.store.models import Capability, QuestionRow, SealedOrdersRow, SeatTenure
from tests.service.server_fixtures import Hall, build, shared
from tests.service.test_messages import player
from tests.service.timed_games import HOUR, missed, question, reliability, seat_row, table, tick

DAY = 24 * HOUR


def newcomer(hall: Hall, name: str = "Nora") -> int:
    """Somebody who sits nowhere."""
    with hall.web.db.transaction() as session:
        return tables.get_or_create_user(hall.web, session, f"{name.lower()}@games.test", name).id


# --- answers for seats that miss


def test_a_table_that_waits_closes_nothing_by_its_clock(state_dir: Path) -> None:
    """With the policy to wait the gate stays open however late it is, and the late answer counts."""
    hall = build(state_dir)
    game = table(hall, 2, 24, on_missed="wait")
    hall.say("s1", "BID 1")
    tick(hall, days=9)
    assert hall.game(game).entry == 1
    hall.say("s2", "BID 3")
    assert hall.position(game).board.coins["s2"] == 5


@pytest.mark.both_databases
def test_a_standing_plan_answers_for_who_misses(state_dir: Path) -> None:
    """A set sent with ALWAYS answers the next question of its kind that its owner misses, and all are told."""
    hall = build(state_dir)
    game = table(hall, 2, 24, on_missed="standing")
    hall.say("s2", "BID 2", "ALWAYS")
    hall.say("s1", "BID 1")
    assert hall.position(game).board.coins["s2"] == 6
    for number in (1, 2):
        hall.say(f"s{number}", "PASS")
    receipt = hall.say("s2", "STATUS")
    assert [(r.topic, r.turn) for r in receipt.stored_reactions] == [("bid", None)]
    hall.say("s1", "BID 1")
    tick(hall, hours=24)
    assert missed(hall) == [("s2", "standing")]
    assert hall.position(game).board.coins["s2"] == 4
    assert seat_row(hall, "s2").missed == 1


def test_a_plan_that_asks_again_keeps_nobody_waiting_for_ever(state_dir: Path) -> None:
    """A standing plan may have its author asked again, once; who does not come then takes the default."""
    hall = build(state_dir)
    game = table(hall, 2, 24, on_missed="standing")
    hall.say("s1", "BID 0")
    hall.say("s2", "BID 1")
    hall.say("s1", "ALWAYS", "IF I HOLD Mill: ATTACK Abbey ELSE ASK ME")
    hall.say("s2", "PASS")
    gates: set[str] = set()
    for _ in range(8):
        gates |= {d.gate for d in hall.position(game).core.questions if d.topic == "march" and d.seat == "s1"}
        tick(hall, hours=25)
    assert {"march/1~1", "march/2", "march/2~1", "march/3"} <= gates
    assert not any(gate.endswith("~2") for gate in gates)


def test_a_plan_that_fits_no_more_or_was_taken_back_gives_way_to_the_default(state_dir: Path) -> None:
    """If the plan cannot be paid the default is taken instead; so it is once WITHDRAW took the plan back."""
    hall = build(state_dir)
    game = table(hall, 2, 24, on_missed="standing")
    hall.say("s2", "BID 5", "TOUJOURS")
    hall.say("s1", "BID 0")
    for number in (1, 2):
        hall.say(f"s{number}", "PASS")
    hall.say("s1", "BID 0")
    tick(hall, hours=24)
    assert missed(hall) == [("s2", "default")]
    assert hall.position(game).board.coins["s2"] == 3
    hall.say("s2", "PASS", "ALWAYS")
    hall.say("s2", "WITHDRAW")
    hall.say("s1", "PASS")
    tick(hall, hours=24)
    assert missed(hall) == [("s2", "default")]


def test_a_bot_answers_where_the_table_says_so(state_dir: Path) -> None:
    """With the policy of a bot, a bot plays for a player who misses; all are told that it did."""
    hall = build(state_dir)
    game = table(hall, 2, 24, on_missed="bot")
    hall.say("s1", "BID 0")
    tick(hall, hours=24)
    assert missed(hall) == [("s2", "bot")]
    assert hall.game(game).entry == 2


def test_missed_turns_are_excused_as_often_as_the_table_says(state_dir: Path) -> None:
    """An excuse gives half the time once more, is told to all, and does not come back; then the default counts."""
    hall = build(state_dir)
    game = table(hall, 2, 24, excused_misses=2)
    hall.say("s1", "BID 1")
    tick(hall, hours=25)
    hall.say("s2", "BID 1")
    assert (seat_row(hall, "s2").missed, seat_row(hall, "s2").excused_misses) == (0, 1), (
        "an answer in that time is no miss"
    )
    hall.say("s1", "PASS")
    tick(hall, hours=24)
    assert hall.game(game).entry == 2
    assert question(hall, "s2", "march").state == "excused"
    assert question(hall, "s2", "march").due_at == hall.post.now() + 12 * HOUR
    assert [(f.cause, f.changed_by) for f in hall.of("moved")[-2:]] == [("excused", "p2")] * 2
    tick(hall, hours=12)
    assert hall.game(game).entry == 3
    assert seat_row(hall, "s2").excused_misses == 0
    hall.say("s1", "BID 0")
    tick(hall, hours=24)
    assert hall.game(game).entry == 4


# --- a seat that looks for a player


def test_after_so_many_misses_the_seat_is_offered_and_an_answer_keeps_it(state_dir: Path) -> None:
    """Two misses in a row offer the seat, which all are told; its owner's next answer ends that."""
    hall = build(state_dir)
    table(hall, 2, 24, max_misses=2)
    for line in ("BID 0", "PASS"):
        hall.say("s1", line)
        tick(hall, hours=24)
    assert [(o.seat, o.player) for o in substitutes.list_open_seats(hall.web).rows] == [("s2", "p2")]
    assert [f.kind for f in hall.of("notice")] == ["offered", "offered"]
    hall.say("s2", "BID 0")
    assert substitutes.list_open_seats(hall.web).rows == ()


def test_resigning_takes_two_steps_and_eliminates_nobody(state_dir: Path) -> None:
    """RESIGN alone does nothing; RESIGN YES offers the seat, which stays in the game."""
    hall = build(state_dir)
    game = table(hall, 2, 24)
    assert [c.outcome for c in hall.say("s2", "RESIGN").commands] == ["unsure"]
    assert substitutes.list_open_seats(hall.web).rows == ()
    assert [c.outcome for c in hall.say("s2", "DÉMISSIONNER OUI").commands] == ["done"]
    assert [o.seat for o in substitutes.list_open_seats(hall.web).rows] == ["s2"]
    assert hall.position(game).board.gone == frozenset()


def offered(hall: Hall) -> str:
    """A game in its second gate, with everything filed for s2 that can be, whose player then resigns."""

    def make() -> str:
        game = table(hall, 2, 24, on_missed="standing")
        for seat, line in (("s1", "BID 1"), ("s2", "BID 4")):
            hall.say(seat, line)
        hall.say("s2", "ATTACK Mill WITH 2", "ON PARRY: PARRY Oak Shield", "ALWAYS")
        hall.say("s2", "RESIGN YES")
        return game

    return shared(hall, "resigned", make)


@pytest.mark.both_databases
def test_a_substitute_gets_a_recap_more_time_and_nothing_of_their_predecessor(state_dir: Path) -> None:
    """A substitute gets the game as all were told it and twice the time; what lay there is destroyed."""
    hall = build(state_dir)
    game = offered(hall)
    old, nora = hall.token("s2"), newcomer(hall)
    substitutes.take_over(hall.web, nora, game, "s2")
    hall.settle()
    assert [row for row in hall.rows(SealedOrdersRow) if row.seat == "s2" and row.ciphertext] == []
    row = question(hall, "s2", "march")
    assert (row.state, row.answered_at, row.due_at) == ("unanswered", None, hall.post.now() + 2 * DAY)
    recap = next(f for a, f in reversed(hall.sent) if a.kind == "report" and a.to_address == "nora@games.test")
    assert recap.recap
    assert recap.before is None
    assert {e.visible_to for e in recap.events} == {None}
    assert recap.stored_orders == ()
    assert recap.reactions == ()
    hall.say("s2", "PASS")
    assert question(hall, "s2", "march").state == "passed"
    receipts = len(hall.of("receipt"))
    hall.write_in(old, ["ATTACK Mill WITH 2"])
    hall.settle()
    assert len(hall.of("receipt")) == receipts
    assert all(r.revoked_at for r in hall.rows(Capability) if r.seat == "s2" and r.user_id == player(hall, 2))


def test_the_former_player_is_told_and_takes_no_other_seat(state_dir: Path) -> None:
    """The former player learns that their seat has passed on; neither they nor a seated player can take one there."""
    hall = build(state_dir)
    game = offered(hall)
    with pytest.raises(RequestRefused, match="already_seated"):
        substitutes.take_over(hall.web, player(hall, 1), game, "s2")
    substitutes.take_over(hall.web, newcomer(hall), game, "s2")
    hall.settle()
    assert [f.kind for a, f in hall.sent if a.to_address == "p2@games.test" and a.kind == "notice"][-1] == "replaced"
    with pytest.raises(RequestRefused, match="no_such_offer"):
        substitutes.take_over(hall.web, newcomer(hall, "Otto"), game, "s2")
    hall.say("s2", "RESIGN YES")
    with pytest.raises(RequestRefused, match="already_seated"):
        substitutes.take_over(hall.web, player(hall, 2), game, "s2")


@pytest.mark.both_databases
def test_a_seat_can_be_given_back_to_its_first_player(state_dir: Path) -> None:
    """The substitute gives it back; again nothing that they filed remains, and the table is told."""
    hall = build(state_dir)
    game = offered(hall)
    with pytest.raises(RequestRefused, match="nobody_before"):
        substitutes.return_seat(hall.web, player(hall, 1), game)
    substitutes.take_over(hall.web, newcomer(hall), game, "s2")
    hall.settle()
    hall.say("s2", "ATTACK Mill WITH 1")
    substitutes.return_seat(hall.web, newcomer(hall), game)
    hall.settle()
    assert seat_row(hall, "s2").user_id == player(hall, 2)
    assert [row for row in hall.rows(SealedOrdersRow) if row.seat == "s2" and row.ciphertext] == []
    assert [row.end_reason for row in hall.rows(SeatTenure)] == ["replaced", "returned", ""]
    assert hall.of("notice")[-1].kind in ("returned", "replaced")


def test_a_player_is_known_by_their_turns_and_games(state_dir: Path) -> None:
    """Turns on time, turns missed, games begun and finished are counted for each player."""
    hall = build(state_dir)
    game = table(hall, 2, 24)
    hall.say("s1", "BID 1")
    tick(hall, hours=24)
    assert reliability(hall, player(hall, 1)) == (1, 1, 1, 0)
    assert reliability(hall, player(hall, 2)) == (1, 0, 1, 0)
    for _ in range(20):
        tick(hall, hours=50)
    assert hall.game(game).state == "over"
    assert hall.rows(QuestionRow) == []
    assert reliability(hall, player(hall, 1))[3] == 1

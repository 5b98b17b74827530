"""Single acts looked at closely: who is told and when, how time is given back, what becomes of seats."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import update

from engine.kernel.forms import Slot
from engine.kernel.orders import unconditional
from pbem.service.access import users
from pbem.service.base.services import RequestRefused
from pbem.service.masters import api
from pbem.service.masters.clock import parse_datetime
from pbem.service.masters.registry import Command
from pbem.service.seats import substitutes
from pbem.store.models import Absence, DeadlineExtension, Game, QuestionRow, SealedOrdersRow, SeatRow, SeatTenure
from tests.service.master_commands import MASTER, build_mastered_game, get_user_id, send_commands, send_confirmed
from tests.service.server_fixtures import ServerHarness
from tests.service.timed_games import HOUR, advance_and_run
from tests.toy.orders import Bid


def due(harness: ServerHarness, seat: str) -> int:
    """The deadline of a seat's question."""
    return next(row.due_at or 0 for row in harness.load_rows(QuestionRow) if row.seat == seat and row.is_blocking)


def test_small_acts_wait_for_the_next_report(state_dir: Path) -> None:
    """An act without a letter of its own is told once, with the next report; one with a letter is not told again."""
    harness, game = build_mastered_game(state_dir)
    send_commands(harness, game, "APPROVAL ON", "HOLD p2", "RELEASE p2", "STATUS", who=MASTER)
    before = len(harness.sent_facts("report"))
    for seat in ("s1", "s2", "s3"):
        harness.reply(seat, "BID 1")
    told = [[said.terms["line"] for said in facts.acts] for facts in harness.sent_facts("report")[before:]]
    assert told == [["APPROVAL ON", "RELEASE p2"]] * 3
    for seat in ("s1", "s2", "s3"):
        harness.reply(seat, "PASS")
    assert all(facts.acts == () for facts in harness.sent_facts("report")[before + 3 :])


def test_a_held_seat_has_its_time_back_and_closes_no_gate(state_dir: Path) -> None:
    """Its deadline does not pass while it is held, and the table waits; the log says how much was given back.

    The others' deadlines do not move; the master may close the phase all the same.
    """
    harness, game = build_mastered_game(state_dir)
    first = due(harness, "s2")
    advance_and_run(harness, hours=1)
    send_commands(harness, game, "HOLD p2", who=MASTER)
    advance_and_run(harness, hours=10)
    send_commands(harness, game, "RELEASE p2", who=MASTER)
    assert (due(harness, "s1"), due(harness, "s2"), due(harness, "s3")) == (first, first + 10 * HOUR, first)
    assert [(row.seat, row.lost_ms) for row in harness.load_rows(DeadlineExtension)] == [("s2", 10 * HOUR)]
    assert [facts.cause for facts in harness.sent_facts("deadline_changed")] == ["released"] * 3
    harness.reply("s1", "BID 1")
    harness.reply("s3", "BID 2")
    send_commands(harness, game, "HOLD p2", who=MASTER)
    advance_and_run(harness, hours=72)
    assert harness.load_game(game).entry == 1
    send_confirmed(harness, game, "PROCESS BIDS 1", who=MASTER)
    assert harness.load_game(game).entry == 2


def test_a_new_deadline_is_told_to_each_seat_and_never_comes_suddenly(state_dir: Path) -> None:
    """All are told who set it and when it was; one within a day, sooner than the old one, is refused."""
    harness, game = build_mastered_game(state_dir)
    send_commands(harness, game, "EXTEND 1 day", who=MASTER)
    moved = harness.sent_facts("deadline_changed")
    assert [(facts.cause, facts.changed_by, (facts.after - facts.before) // 3600) for facts in moved] == [
        ("master", "olga", 24)
    ] * 3
    refused = send_commands(
        harness, game, "DEADLINE 2026-03-01 18:00", "DEADLINE tomorrow", "EXTEND 2000 days", who=MASTER
    )
    assert [act.said[0].code for act in refused.acts[:2]] == ["no_too_soon", "no_no_moment"]
    assert refused.acts[2].outcome == "refused"


@pytest.mark.parametrize(
    ("written", "zone", "moment"),
    [
        ("2026-03-09 20:00", "UTC", 1773086400000),
        ("9/3/2026 20h", "UTC", 1773086400000),
        ("9.3.2026 à 21:00", "Europe/Paris", 1773086400000),
        ("2026-03-09T20:00", "UTC", 1773086400000),
        ("2026-13-09 20:00", "UTC", None),
        ("2026-03-09", "UTC", None),
        ("9/3/2026 99:00", "UTC", None),
    ],
)
def test_a_moment_is_read_by_the_writers_clocks(written: str, zone: str, moment: int | None) -> None:
    """Day and time are read in the usual ways, day before month; anything else is no moment."""
    assert parse_datetime(written, zone) == moment


def test_an_ejected_player_is_out_of_the_room_at_once(state_dir: Path) -> None:
    """Their letters and filed orders are gone, the seat is offered, and another may take it, but not they.

    While it is empty the default answers for it when its time is over.
    """
    harness, game = build_mastered_game(state_dir)
    harness.reply("s2", "BID 3")
    old = harness.reply_token("s2")
    send_confirmed(harness, game, "EJECT p2", who=MASTER)
    harness.receive_reply(old, ["BID 5"])
    harness.run_queued_tasks()
    row = next(row for row in harness.load_rows(QuestionRow) if row.seat == "s2" and row.is_blocking)
    assert (row.answered_at, [h.end_reason for h in harness.load_rows(SeatTenure)]) == (None, ["ejected"])
    (offer,) = substitutes.list_open_seats(harness.web).rows
    assert (offer.seat, offer.player) == ("s2", "s2")
    for seat in ("s1", "s3"):
        harness.reply(seat, "BID 1")
    for _ in range(5):
        advance_and_run(harness, days=1)
    assert (harness.load_game(game).entry, harness.load_game(game).failure) == (2, None)
    substitutes.take_over(harness.web, get_user_id(harness, "guest@games.test"), game, "s2")
    harness.run_queued_tasks()
    assert harness.reply("s2", "PASS").sets[0].taken
    with pytest.raises(RequestRefused):
        substitutes.take_over(harness.web, get_user_id(harness, "p2@games.test"), game, "s2")


def test_a_letter_of_a_former_master_does_nothing(state_dir: Path) -> None:
    """A former master's address still answers, and says that the table is none of their business."""
    harness, game = build_mastered_game(state_dir)
    send_commands(harness, game, "PROMOTE second@games.test", who=MASTER)
    token = next(a.token for a, _ in harness.sent if a.kind == "master" and a.to_address == "second@games.test")
    send_confirmed(harness, game, "DEMOTE second@games.test", who=MASTER)
    harness.receive_reply(str(token), ["PAUSE"], sender="second@games.test")
    harness.run_queued_tasks()
    answer = [f for a, f in harness.sent if a.kind == "master"][-1]
    assert [said.code for said in answer.lead] == ["no_not_your_table"]
    assert answer.view is None


@pytest.mark.both_databases
@pytest.mark.parametrize("who", ["p1@games.test", "p3@games.test", MASTER])
def test_a_master_who_plays_replaces_no_orders_of_another(state_dir: Path, who: str) -> None:
    """One who holds a seat, or is deputy of one, writes only what a seat is asked and has not answered."""
    harness, game = build_mastered_game(state_dir)
    send_commands(harness, game, f"PROMOTE {who}", who=MASTER)
    ahead = send_commands(harness, game, "ANSWER FOR p2", "FOR MARCH", "ATTACK Mill WITH 1", "END", who=who).acts[0]
    assert (ahead.said[0].code == "answered") == (who == MASTER)
    assert send_commands(harness, game, "ANSWER FOR p2", "BID 1", "END", who=who).acts[0].said[0].code == "answered"
    harness.reply("s2", "BID 2")
    again = send_commands(harness, game, "ANSWER FOR p2", "BID 0", "END", who=who).acts[0].said[0].code
    assert again == ("answered" if who == MASTER else "no_answered_itself")
    stands = harness.reply("s2", "STATUS").stored_orders[0].orders
    assert stands == unconditional(Bid(0 if who == MASTER else 2))


def test_no_command_tells_who_has_an_account(state_dir: Path) -> None:
    """Whatever can be said of a person by address is shown, refused and counted alike for one who is known here.

    The name of a stranger is not shown to who knows their address.
    """
    harness, game = build_mastered_game(state_dir)
    send_commands(harness, game, "CALL THE MASTER", who="p2@games.test")
    advance_and_run(harness, days=8)
    stranger = get_user_id(harness, "ada@games.test")
    assert users.update_profile(harness.web, stranger, name="Countess", zone="UTC")
    lines = ("PROMOTE {}", "DEMOTE {}", "APPROVE {}", "REFUSE {}", "REPLACE p2 BY {}", "ELECT {}")
    assert {line.partition(" ")[0].lower() for line in lines} == {
        command.name for command in api.COMMANDS if any(slot.name == "address" for slot in fields_of(command))
    }
    for line in lines:
        for who in (MASTER, "p2@games.test"):
            known, unknown = (
                api.preview_commands(harness.web, game, get_user_id(harness, who), [line.format(address)]).acts
                for address in ("ada@games.test", "eva@games.test")
            )
            assert repr(known).replace("ada@", "eva@") == repr(unknown), line


def fields_of(command: type[Command]) -> list[Slot]:
    """The slots of a command that are the same at every table."""
    return [slot for slot in command.slots if isinstance(slot, Slot)]


def test_a_look_waits_for_nobody_who_writes(state_dir: Path) -> None:
    """What lines would do is said while another transaction holds the lock, on a table that has settled nothing."""
    harness, game = build_mastered_game(state_dir)
    who = get_user_id(harness, MASTER)
    with harness.resolver.db.transaction() as session, ThreadPoolExecutor(1) as other:
        session.execute(update(Game).values(failure="busy"))
        facts = other.submit(api.preview_commands, harness.web, game, who, ["STATUS"]).result(10)
    assert [act.outcome for act in facts.acts] == ["preview"]


@pytest.mark.both_databases
def test_the_same_letter_acts_once(state_dir: Path) -> None:
    """A letter that a mail server brings several times acts once."""
    harness, game = build_mastered_game(state_dir)
    send_commands(harness, game, "PROMOTE second@games.test", who=MASTER)
    token = str(next(a.token for a, _ in harness.sent if a.kind == "master"))
    first = due(harness, "s1")
    for _ in range(3):
        harness.receive_reply(token, ["EXTEND 1 hour"], "<one@letter>", "second@games.test")
        harness.run_queued_tasks()
    assert due(harness, "s1") == first + HOUR


def test_a_clock_that_stops_by_itself_calls_the_master(state_dir: Path) -> None:
    """Where all miss at once a master without a seat has a letter, and their RESUME lets the clock go on."""
    harness, game = build_mastered_game(state_dir)
    advance_and_run(harness, hours=54)
    assert [a.to_address for a, f in harness.sent if a.kind == "master" and f.lead[0].code == "table_halted"] == [
        MASTER
    ]
    assert harness.load_game(game).entry == 1
    assert send_commands(harness, game, "RESUME", who=MASTER).acts[0].outcome == "done"
    advance_and_run(harness, hours=18)
    assert harness.load_game(game).entry == 2


def test_words_for_all_are_sent_whole(state_dir: Path) -> None:
    """A semicolon begins a comment elsewhere; in a word to all it is one of its signs; further lines may follow."""
    harness, game = build_mastered_game(state_dir)
    send_commands(harness, game, "BROADCAST The server moves; nobody loses time.", who=MASTER)
    send_commands(harness, game, "BROADCAST", "Two lines;", "as one.", "END", "STATUS", who=MASTER)
    texts = [facts.said[0].terms["text"] for facts in harness.sent_facts("announcement")]
    assert texts == ["The server moves; nobody loses time."] * 3 + ["Two lines; as one."] * 3


def test_nobody_resigns_or_withdraws_for_another(state_dir: Path) -> None:
    """Only orders are taken from a master who answers for a seat: no command, and no word in its player's name."""
    harness, game = build_mastered_game(state_dir)
    harness.reply("s2", "BID 4", "FOR MARCH", "ATTACK Mill WITH 1")
    lines = ("BID 2", "RESIGN YES", "WITHDRAW MARCH", "LEAVE", "ABSENT 2026-04-01 2026-04-05", "SAY TO ALL: hello")
    assert send_commands(harness, game, "ANSWER FOR p2", *lines, "END", who=MASTER).acts[0].outcome == "done"
    assert next(row for row in harness.load_rows(SeatRow) if row.seat == "s2").open_since is None
    receipt = harness.sent_facts("receipt")[-1]
    assert (receipt.commands, harness.sent_facts("talk")) == ((), [])
    assert [row.is_current for row in harness.load_rows(SealedOrdersRow) if row.kind == "advance"] == [True]
    assert harness.load_rows(Absence) == []

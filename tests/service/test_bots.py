"""Bots at tables: seated by the host, answering what they owe on their own seat's view, once, and at their pace."""

from pathlib import Path

import pytest

from engine.amalfi import RULES as AMALFI
from engine.kernel.viewers import Seat
from pbem.common.addresses import is_bot
from pbem.common.states import GameState, OutboundState
from pbem.crypto import new_token
from pbem.service.access import users
from pbem.service.base.services import RequestRefused
from pbem.service.game import seat_views
from pbem.service.orders import web_orders
from pbem.service.seats import bots, substitutes, tables
from pbem.service.tasks import bot_turns as answering
from pbem.service.tasks import jobs
from pbem.store.games import load_seat, lock_game
from pbem.store.models import Bot, OutboundEmail, OutboundEmailBody, QuestionRow, SealedOrdersRow, SeatRow, User
from tests.service.server_fixtures import ServerHarness, build, forget_saved_states, restore_or_make
from tests.service.test_scheduler_cost import record_statements


def table(
    harness: ServerHarness, players: int = 3, pace: str = "now", title: str = "toy", hours: int | None = 48
) -> str:
    """A table of one person, whose other seats are given to bots."""

    def make() -> str:
        with harness.web.db.transaction() as session:
            host = users.get_or_create_user(harness.web, session, "p1@games.test", "Player 1").id
        game = tables.create(harness.web, host, title, "Rose", players, {}, hours)
        bots.seat_bots(harness.web, game, host, pace, players - 1)
        harness.run_queued_tasks()
        return game

    return restore_or_make(harness, ("bots", players, pace, title, hours), make)


def asleep(harness: ServerHarness) -> str:
    """A table with bots whose every wake is lost."""
    with pytest.MonkeyPatch.context() as patch:
        forget_saved_states(patch)
        patch.setattr(answering, "play_turn", lambda services, game: None)
        return table(harness)


def host_of(harness: ServerHarness) -> int:
    """The number of the person."""
    return next(user.id for user in harness.load_rows(User) if user.email == "p1@games.test")


def owing(harness: ServerHarness) -> list[str]:
    """The seats that have not answered."""
    return sorted(row.seat for row in harness.load_rows(QuestionRow) if row.is_blocking and row.answered_at is None)


def run_jobs(harness: ServerHarness) -> None:
    """The clock looks, and what it wakes is done."""
    harness.run_scheduled_jobs()
    harness.run_queued_tasks()


def test_a_table_with_bots_begins_and_they_answer_without_a_letter(state_dir: Path) -> None:
    """Bots take the free seats and answer as soon as they are asked; of their letters only rows without content are.

    Their names say what they are, and no person may take such a name.
    """
    harness = build(state_dir)
    game = table(harness)
    assert harness.load_game(game).state == "running"
    assert owing(harness) == ["s1"]
    harness.reply("s1", "BID 1")
    assert harness.load_game(game).entry == 2
    run_jobs(harness)
    known = {user.id: user.email for user in harness.load_rows(User)}
    theirs = [row for row in harness.load_rows(OutboundEmail) if is_bot(known.get(row.user_id or 0, ""))]
    assert theirs
    assert {row.state for row in theirs} == {OutboundState.SUPPRESSED}
    assert not {row.key for row in theirs} & {content.email_key for content in harness.load_rows(OutboundEmailBody)}
    assert {address.to_address for address, _ in harness.sent} == {"p1@games.test"}
    names = [user.name for user in harness.load_rows(User) if is_bot(user.email)]
    assert [name.endswith("(bot)") for name in dict.fromkeys(names)] == [True, True]
    with pytest.raises(RequestRefused, match="name_of_bots"):
        users.update_profile(harness.web, host_of(harness), name="Ada (BOT)", zone="UTC")


@pytest.mark.parametrize(("pace", "hours"), [("hour", 1), ("half", 12)])
def test_a_bot_thinks_as_long_as_its_host_chose(state_dir: Path, pace: str, hours: int) -> None:
    """Shortly before its time it has not answered, after it it has."""
    harness = build(state_dir)
    table(harness, pace=pace)
    harness.advance_time(hours=hours, seconds=-1)
    run_jobs(harness)
    assert owing(harness) == ["s1", "s2", "s3"]
    harness.advance_time(seconds=1)
    run_jobs(harness)
    assert owing(harness) == ["s1"]


def test_a_bot_files_each_answer_once_however_often_it_is_woken(state_dir: Path) -> None:
    """Killed after it filed its orders, and woken again by two workers, a bot has sealed its orders once."""
    harness = build(state_dir)
    game = asleep(harness)
    assert owing(harness) == ["s1", "s2", "s3"]
    mine = next(row for row in harness.load_rows(Bot))
    with harness.mailer.db.snapshot() as session:
        owed = answering._load_owed(harness.mailer, session, game, mine.user_id)
    for one in (*owed, *owed):
        answering._answer_question(harness.mailer, game, mine.user_id, one)
    answering.play_turn(harness.mailer, game)
    places = [(row.seat, row.gate, row.kind, row.revision) for row in harness.load_rows(SealedOrdersRow)]
    assert sorted(places) == [("s2", "bid/1", "orders", 1), ("s3", "bid/1", "orders", 1)], places


def test_what_a_bot_does_follows_from_its_own_view_alone(state_dir: Path) -> None:
    """Its answer is the same whatever is hidden from it: it is given the seat's stored view, and asks for no other."""
    harness = build(state_dir)
    game = asleep(harness)
    seen: list[str] = []
    before = seat_views.last_view

    def noted(services: object, session: object, row: object, viewer: str) -> object:
        seen.append(viewer)
        return before(services, session, row, viewer)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(seat_views, "last_view", noted)
        one = harness.load_rows(Bot)[0]
        with harness.mailer.db.snapshot() as session:
            owed = answering._load_owed(harness.mailer, session, game, one.user_id)
    assert seen == [owed[0].decision.seat]
    assert harness.mailer.resolver is None


def test_a_person_whom_the_database_calls_a_bot_is_not_played_for(state_dir: Path) -> None:
    """Who is a bot says the signed row of the person: a row put in beside it makes nobody one."""
    harness = build(state_dir)
    game = table(harness)
    with harness.mailer.db.transaction() as session:
        session.add(Bot(user_id=host_of(harness), game_id=game, pace="now", seed=b"x", due_at=1))
    run_jobs(harness)
    assert owing(harness) == ["s1"]


def test_the_clock_asks_nothing_of_games_whose_bots_owe_nothing(state_dir: Path) -> None:
    """One statement by an index, and no row is read where nothing is due."""
    harness = build(state_dir)
    table(harness)
    run_jobs(harness)
    assert [row.due_at for row in harness.load_rows(Bot)] == [None, None]
    with record_statements(harness.scheduler.db) as statements:
        answering.enqueue_due(harness.scheduler)
    of_bots = [statement for statement, _ in statements if "bots" in statement]
    assert len(of_bots) == 1
    with harness.scheduler.db.engine.connect() as connection:
        plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {of_bots[0]}", statements[-1][1] or ()).all()
    assert all("ix_bots_due_at" in str(step[3]) for step in plan)


def test_a_game_whose_wake_was_lost_is_woken_again(state_dir: Path) -> None:
    """Who asked wakes a game once; the clock does so again when nobody has answered for a while, and once."""
    harness = build(state_dir)
    asleep(harness)
    jobs.enqueue_due_games(harness.scheduler)
    assert [task for task, _ in harness.queued_tasks].count("play_bot_turns") == 0
    harness.advance_time(minutes=2)
    jobs.enqueue_due_games(harness.scheduler)
    jobs.enqueue_due_games(harness.scheduler)
    assert [task for task, _ in harness.queued_tasks].count("play_bot_turns") == 1
    harness.queued_tasks.clear()
    harness.advance_time(minutes=2)
    run_jobs(harness)
    assert owing(harness) == ["s1"]


def test_a_bot_takes_over_the_seat_of_a_player_who_is_lost(state_dir: Path) -> None:
    """What the player had filed is destroyed unread, the bot answers, and the others are told its name."""
    harness = build(state_dir)
    game = table(harness, players=2)
    with harness.web.db.transaction() as session:
        row, seat = lock_game(session, game), load_seat(session, game, "s1")
        assert row is not None
        assert seat is not None
        bots.replace_with_bot(harness.web, session, row, seat, "now")
    harness.run_queued_tasks()
    for _ in range(3):
        run_jobs(harness)
    assert harness.load_game(game).entry > 1
    assert not substitutes.list_open_seats(harness.web).rows


def test_a_host_frees_the_seat_of_a_bot_before_the_game_begins(state_dir: Path) -> None:
    """The seat is free again; nobody but the host can do either."""
    harness = build(state_dir)
    with harness.web.db.transaction() as session:
        host = users.get_or_create_user(harness.web, session, "p1@games.test", "Player 1").id
        other = users.get_or_create_user(harness.web, session, "eve@games.test").id
    game = tables.create(harness.web, host, "toy", "Rose", 3, {}, 48)
    bots.seat_bots(harness.web, game, host, "now")
    harness.run_queued_tasks()
    with pytest.raises(RequestRefused, match="not_your_table"):
        bots.seat_bots(harness.web, game, other, "now")
    with pytest.raises(RequestRefused, match="not_your_table"):
        bots.remove_bot(harness.web, game, other, "s2")
    with pytest.raises(RequestRefused, match="table_full"):
        bots.seat_bots(harness.web, game, host, "now", 5)
    bots.remove_bot(harness.web, game, host, "s2")
    assert [row.user_id for row in harness.load_rows(SeatRow)] == [host, None, None]


@pytest.mark.long
def test_bots_play_a_real_game_on_the_whole_server(state_dir: Path) -> None:
    """Where a person answers as a bot would, bots bring a game of sequence from question to question, to its end."""
    harness = build(state_dir, installed={"amalfi": AMALFI})
    game = table(harness, 2, title="amalfi", hours=None)
    me = host_of(harness)
    for _ in range(100):
        run_jobs(harness)
        if "s1" in owing(harness):
            with harness.web.db.snapshot() as session:
                seen = seat_views.last_view(harness.web, session, harness.load_game(game), "s1")
            mine = [d for d in seen.core.questions if d.seat == Seat("s1") and d.blocking]
            one = answering.BotQuestion(AMALFI, seen, mine[0], harness.load_game(game).entry, "me", b"seed")
            lines = next(answering.candidate_orders(one))
            web_orders.submit_orders(harness.web, me, game, harness.load_game(game).entry, new_token(), lines)
            harness.run_queued_tasks()
        if harness.load_game(game).state == GameState.OVER:
            break
    assert harness.load_game(game).state == GameState.OVER

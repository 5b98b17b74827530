"""The clock: a process of its own, which nothing but its own end can stop, and which is started again after that."""

from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import update

from pbem.broker.task_queue import TASK_QUEUES, VISIBILITY_S
from pbem.service.game.clock_state import MAIL_JOBS, SCHEDULER
from pbem.service.tasks import jobs
from pbem.service.tasks.health import list_problems
from pbem.store.models import Base, BoardImage, Game, Heartbeat, InboundEmail, OutboundEmail, QuestionRow, Webhook
from tests.service.server_fixtures import ServerHarness, build, start_game
from tests.service.timed_games import HOUR, load_extensions, load_question, start_timed_game
from worker import tasks, watch
from worker.schedule import POLL_INTERVAL_S, TASK_INTERVALS_S, Beat
from worker.watch import IDLE_S, TASK_S, Watchdog

every_jump = pytest.mark.parametrize("days", [-2, 2], ids=["back", "forward"])


class Hands:
    """A monotonic clock that a test moves."""

    def __init__(self) -> None:
        """Any number will do."""
        self.now = 1e6

    def __call__(self) -> float:
        """Seconds."""
        return self.now


def swung(seconds: int) -> list[str]:
    """What a pendulum sends in so many seconds."""
    hands, sent = Hands(), list[str]()
    pendulum = Beat(lambda task, subject: sent.append(task), hands)
    for _ in range(seconds):
        hands.now += POLL_INTERVAL_S
        pendulum.send_due_tasks()
    return sent


def test_ticks_come_at_their_pace() -> None:
    """Each task is sent at once and then as often as the schedule says, whatever the wall clock shows."""
    sent = swung(60)
    assert {task: sent.count(task) for task in TASK_INTERVALS_S} == {
        task: 1 + int((60 - POLL_INTERVAL_S) // every) for task, every in TASK_INTERVALS_S.items()
    }


def test_a_clock_that_stood_still_does_not_catch_up() -> None:
    """After a long stop of the machine one tick is sent, not one for each that was missed."""
    hands, sent = Hands(), list[str]()
    pendulum = Beat(lambda task, subject: sent.append(task), hands)
    pendulum.send_due_tasks()
    hands.now += 3600
    pendulum.send_due_tasks()
    pendulum.send_due_tasks()
    assert sent.count("enqueue_due_games") == 2


def test_the_clock_has_a_queue_that_no_letter_lies_in() -> None:
    """What looks at the clock and finds what was forgotten never waits behind letters or games."""
    assert {task for task, queue in TASK_QUEUES.items() if queue == "scheduler"} == {
        "enqueue_due_games",
        "requeue_stuck_work",
    }
    assert set(TASK_INTERVALS_S) <= set(TASK_QUEUES)


def test_the_clock_is_looked_at_in_time_before_many_letters(state_dir: Path) -> None:
    """Where the task that says so waits behind others, one of those looks first, once in a few seconds."""
    harness, moment = build(state_dir), [0.0]
    start_game(harness, "toy", 2, 48)
    harness.run_scheduled_jobs()
    harness.advance_time(hours=40)
    punctual = tasks.OverdueJobGuard(lambda: moment[0])
    punctual.run_if_overdue(harness.mailer)
    harness.run_queued_tasks()
    assert harness.sent_facts("reminder") == [], "it was looked at just now"
    harness.current_time += timedelta(milliseconds=jobs.LATE_MS + 1)
    punctual.run_if_overdue(harness.mailer)
    harness.run_queued_tasks()
    assert harness.sent_facts("reminder") == [], "who has asked a moment ago does not ask again"
    moment[0] = TASK_INTERVALS_S["run_mail_jobs"]
    punctual.run_if_overdue(harness.mailer)
    harness.run_queued_tasks()
    assert len(harness.sent_facts("reminder")) == 2


def jump(harness: ServerHarness, days: int) -> None:
    """The wall clock is set, and nothing else happens."""
    harness.current_time += timedelta(days=days)


def tick_for_a_minute(harness: ServerHarness, order: str) -> None:
    """A minute of ticks, in which the clock or the post is the first to see a jump."""
    for _ in range(12):
        harness.current_time += timedelta(seconds=5)
        if order == "clock first":
            jobs.enqueue_due_games(harness.scheduler)
        jobs.run_mail_jobs(harness.mailer)
        jobs.enqueue_due_games(harness.scheduler)
        harness.run_queued_tasks()


@pytest.mark.parametrize(("days", "order"), [(-2, "clock first"), (2, "post first")])
def test_a_wall_clock_that_is_set_costs_nobody_their_turn(days: int, order: str, state_dir: Path) -> None:
    """Set by two days either way, it closes no question, keeps everybody's time to answer, and orders count as ever."""
    harness = build(state_dir)
    game = start_timed_game(harness, 2, 48)
    tick_for_a_minute(harness, order)
    left = int(load_question(harness, "s1").due_at or 0) - harness.mailer.now()
    entry = harness.load_game(game).entry
    jump(harness, days)
    tick_for_a_minute(harness, order)
    assert harness.load_game(game).entry == entry
    assert abs(int(load_question(harness, "s1").due_at or 0) - harness.mailer.now() - left) < HOUR // 12
    assert list_problems(harness.resolver) == []
    for seat in ("s1", "s2"):
        harness.receive_reply(harness.reply_token(seat), ["BID 1"])
    harness.run_queued_tasks()
    assert harness.load_game(game).entry > entry
    assert {facts.sets[0].taken for facts in harness.sent_facts("receipt")} == {True}


@every_jump
def test_a_wall_clock_that_is_set_and_put_right_changes_nothing(days: int, state_dir: Path) -> None:
    """Two days wrong for a minute, and then right again: deadlines are where they were, to a few minutes."""
    harness = build(state_dir)
    start_timed_game(harness, 2, 48)
    tick_for_a_minute(harness, "post first")
    before = int(load_question(harness, "s1").due_at or 0)
    jump(harness, days)
    tick_for_a_minute(harness, "clock first")
    jump(harness, -days)
    tick_for_a_minute(harness, "clock first")
    assert abs(int(load_question(harness, "s1").due_at or 0) - before) < HOUR // 6


CLAIMED = sorted(
    (mapper.class_ for mapper in Base.registry.mappers if "claimed_at" in mapper.columns),
    key=lambda model: model.__name__,
)


def test_work_in_hand_before_a_clock_was_put_back_is_not_held_up(state_dir: Path) -> None:
    """What was claimed, or put off, while the clock was two days fast is free when it is put right."""
    harness = build(state_dir)
    start_timed_game(harness, 2, 48)
    tick_for_a_minute(harness, "post first")
    jump(harness, 2)
    tick_for_a_minute(harness, "post first")
    assert {model.__name__ for model in CLAIMED} == {"Webhook", "OutboundEmail", "BoardImage"}
    ahead, game = harness.mailer.now(), harness.load_rows(Game)[0]
    own = {"game_id": game.id, "claimed_at": ahead, "language": "en"}
    with harness.mailer.db.transaction() as session:
        session.add(
            Webhook(
                id="c", created_by=1, created_at=0, form="plain", url_ciphertext=b"", masked_url="", state="on", **own
            )
        )
        session.add(BoardImage(viewer="s1", entry=1, from_entry=0, state="pending", requested_at=0, **own))
        session.add(InboundEmail(id="l", received_at=0, due_at=ahead, null_sender=False, size=0, state="received"))
        session.flush()
        session.execute(update(OutboundEmail).values(state="rendered", due_at=0, claimed_at=ahead))
    jump(harness, -2)
    jobs.run_mail_jobs(harness.mailer)
    now = harness.mailer.now()
    assert [row for model in CLAIMED for row in harness.load_rows(model) if (row.claimed_at or 0) > now] == []
    assert [row for row in harness.load_rows(InboundEmail) if row.due_at > now] == []
    assert [row.name for row in harness.load_rows(Heartbeat) if row.beat_at > now] == []


def test_no_deadline_passes_while_letters_are_not_looked_after(state_dir: Path) -> None:
    """With post down and the clock at work a deadline waits, and the time is given back, for letters lay unread."""
    harness = build(state_dir)
    start_timed_game(harness, 2, 48)
    tick_for_a_minute(harness, "post first")
    for _ in range(49 * 6):
        harness.current_time += timedelta(minutes=10)
        jobs.enqueue_due_games(harness.scheduler)
    assert {row.state for row in harness.load_rows(QuestionRow)} == {"unanswered"}
    assert [line for line in list_problems(harness.resolver) if "is a mailer running?" in line]
    tick_for_a_minute(harness, "post first")
    assert [seat for seat, lost in load_extensions(harness) if lost > 48 * HOUR] == ["s1", "s2"]
    assert list_problems(harness.resolver) == []


def test_health_tells_the_age_of_the_last_tick(state_dir: Path) -> None:
    """A clock that never ticked, or not for a minute, is told with its age; one that ticks is not."""
    harness = build(state_dir)
    assert list_problems(harness.resolver) == ["The clock has never ticked: is pbem run scheduler running?"]
    harness.run_scheduled_jobs()
    assert list_problems(harness.resolver) == []
    harness.simulate_downtime(seconds=90)
    assert list_problems(harness.resolver) == [
        "The last tick of the clock was 90 s ago: is pbem run scheduler running?"
    ]
    assert {row.name for row in harness.load_rows(Heartbeat)} == {SCHEDULER, MAIL_JOBS}


# --- workers that take no more tasks


def ended(busy: bool, waiting: int, seconds: float) -> bool:
    """Whether a worker ends itself that has been so for so long."""
    hands, ends = Hands(), list[bool]()
    found = Watchdog(lambda: waiting, lambda: None, lambda: ends.append(True), hands)
    if busy:
        with found.mark_busy():
            hands.now += seconds
            found.check()
    else:
        found.check()
        hands.now += seconds
        found.check()
    return bool(ends)


@pytest.mark.parametrize(
    ("busy", "waiting", "seconds", "want"),
    [
        (False, 0, 10 * TASK_S, False),
        (False, 3, IDLE_S - 1, False),
        (False, 3, IDLE_S + 1, True),
        (True, 3, TASK_S - 1, False),
        (True, 3, TASK_S + 1, True),
        (True, 0, TASK_S + 1, True),
    ],
)
def test_a_worker_ends_itself_when_it_takes_no_more_tasks(busy: bool, waiting: int, seconds: float, want: bool) -> None:
    """Idle beside a full queue for a minute, or in one task for a quarter of an hour: then it ends, and not before."""
    assert ended(busy, waiting, seconds) is want


def test_a_worker_that_took_a_task_is_given_its_time_again() -> None:
    """Each task that ends, and each look at an empty queue, begins the minute anew."""
    hands, ends = Hands(), list[bool]()
    found = Watchdog(lambda: 3, lambda: None, lambda: ends.append(True), hands)
    for _ in range(5):
        hands.now += IDLE_S - 1
        found.check()
        with found.mark_busy():
            pass
    assert ends == []


def test_tasks_end_before_the_broker_gives_them_to_another() -> None:
    """A worker that hangs in a task is gone before its task is delivered a second time."""
    assert watch.TASK_S < VISIBILITY_S

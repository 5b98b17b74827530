"""A lost wake-up is harmless: whatever the broker does, what was committed stands and nobody waits for it."""

import logging
import smtplib
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from redis import Redis

from pbem.broker import task_queue
from pbem.broker.task_queue import AGAIN_S, PATIENCE_S, PENDING_S, TASK_QUEUES, TaskQueue
from pbem.config.settings import Settings
from pbem.mail.smtp_server import Envelope, Server, ServerConfig
from pbem.ops.servers import Valkey
from pbem.service.mail import inbox_queue
from pbem.store.models import SealedOrdersRow
from tests import broken_broker
from tests.service.server_fixtures import build, start_game
from tests.web.form_browser import Browser, orders, site
from worker.app import bind_services

SLACK_S = 2.0
"""What a busy machine may take beside the patience for the broker."""

every_way = pytest.mark.parametrize("way", broken_broker.WAYS)


def seconds(act: Callable[[], object]) -> float:
    """How long something takes."""
    began = monotonic()
    act()
    return monotonic() - began


def all_of(wake: TaskQueue) -> None:
    """One of each task."""
    for task in TASK_QUEUES:
        wake(task, "")


@every_way
def test_a_wake_up_is_lost_in_silence(way: str, state_dir: Path) -> None:
    """A broker that is away makes no error, one short wait, and none at all for the wake-ups that follow at once."""
    with broken_broker.broker(state_dir, way) as settings:
        wake = TaskQueue(settings)
        assert seconds(lambda: wake("resolve_game", "g")) < PATIENCE_S + SLACK_S
        assert seconds(lambda: all_of(wake)) < SLACK_S
        worker = TaskQueue(settings)
        assert seconds(lambda: worker.mark_started("send_outbound_emails")) < PATIENCE_S + SLACK_S, (
            "it goes on with its task"
        )


def test_orders_on_the_page_count_without_a_broker(state_dir: Path) -> None:
    """A set that was committed is answered as taken, not with an error, though nobody could be woken."""
    (state_dir / "b").mkdir()
    harness = build(state_dir)
    game = start_game(harness, "toy", 2)
    with broken_broker.broker(state_dir / "b", "hung") as settings:
        harness.web = replace(harness.web, enqueue=TaskQueue(settings))
        guest = Browser(site(harness)).sign_in(harness, 1)
        answer = orders(guest, game, "BID 3", "submit")
    assert (answer.status_code, "Your orders are in." in answer.text) == (200, True)
    assert len(harness.load_rows(SealedOrdersRow)) == 1


def test_a_letter_is_stored_once_and_confirmed_without_a_broker(state_dir: Path) -> None:
    """The door says yes to what it has stored, so that no mail server hands the same letter over again."""
    (state_dir / "b").mkdir()
    harness = build(state_dir)
    with broken_broker.broker(state_dir / "b", "hung") as settings:
        door = replace(harness.smtp, enqueue=TaskQueue(settings))

        def store(envelope: Envelope) -> None:
            inbox_queue.store_message(door, envelope.recipients, envelope.raw)

        with (
            Server(store, lambda address: True, ServerConfig()) as listener,
            smtplib.LMTP("127.0.0.1", listener.port, timeout=20) as line,
        ):
            refused = line.sendmail("a@player.test", ["o+x@games.test"], b"Subject: x\r\n\r\nBID 3\r\n")
    assert refused == {}
    assert len(harness.load_inbound_emails()) == 1


@every_way
def test_wake_ups_go_out_again_when_the_broker_is_back(
    way: str, state_dir: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The same process wakes again after an outage, and its log has one line for the beginning and one for the end."""
    now = monotonic()
    monkeypatch.setattr(task_queue, "monotonic", lambda: now)
    wake = TaskQueue(Settings.with_embedded(state_dir))
    with Valkey(state_dir) as server, caplog.at_level(logging.INFO):
        wake("resolve_game", "g")
        with broken_broker.break_broker(server, way):
            for _ in range(3):
                wake("resolve_game", "g")
                now += AGAIN_S
        wake("resolve_game", "g")
        with Redis.from_url(server.redis_url) as client:
            assert int(client.llen("resolver")) >= 2
    assert [record.levelname for record in caplog.records] == ["ERROR", "WARNING"]


def test_a_wake_up_without_a_subject_goes_stale(state_dir: Path) -> None:
    """Messages that only say "look" do not pile up for a worker that is away: old ones are thrown away."""
    wake = TaskQueue(Settings.with_embedded(state_dir))
    with Valkey(state_dir) as server:
        wake("send_outbound_emails", "")
        wake("resolve_game", "g")
        with Redis.from_url(server.redis_url) as client:
            look, named = client.lindex("mailer", 0), client.lindex("resolver", 0)
    assert b'"expires": null' not in (look or b"")
    assert b'"expires": null' in (named or b"")


def test_while_a_message_lies_there_no_second_one_is_sent(state_dir: Path) -> None:
    """What says the same is sent once until it is taken in hand, by whichever process; what names a game each time."""
    one, other = (TaskQueue(Settings.with_embedded(state_dir)) for _ in range(2))
    with Valkey(state_dir) as server, Redis.from_url(server.redis_url) as client:
        for wake in (one, other, one):
            wake("send_outbound_emails", "")
            wake("resolve_game", "g")
        assert (client.llen("mailer"), client.llen("resolver")) == (1, 3)
        other.mark_started("send_outbound_emails")
        one("send_outbound_emails", "")
        other("send_outbound_emails", "")
        assert client.llen("mailer") == 2


def test_a_message_that_was_lost_keeps_others_away_for_seconds_only(state_dir: Path) -> None:
    """The mark of a message that nobody will take goes by itself, no later than the sweep looks."""
    wake = TaskQueue(Settings.with_embedded(state_dir))
    with Valkey(state_dir) as server, Redis.from_url(server.redis_url) as client:
        wake("send_outbound_emails", "")
        (mark,) = client.keys("pbem/pending/*")
        assert 0 < int(client.pttl(mark)) <= PENDING_S * 1000


def test_a_worker_looks_only_after_the_next_message_may_be_sent() -> None:
    """Whatever was written before a wake that was not sent is seen by the task that was to come."""
    done: list[str] = []
    services: Any = None
    run = bind_services(
        lambda services, subject: done.append("looked"), lambda: services, partial(done.append, "begun"), nullcontext
    )
    run()
    assert done == ["begun", "looked"]

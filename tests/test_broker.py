"""A lost wake-up is harmless: whatever the broker does, what was committed stands and nobody waits for it."""

import logging
import smtplib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import monotonic

import pytest
from redis import Redis

from pbem import broker
from pbem.broker import AGAIN_S, PATIENCE_S, QUEUE_OF, Waker
from pbem.config import Settings
from pbem.mail.lmtp import Entrance, Envelope, Listener
from pbem.servers import Valkey
from pbem.service.post import taking_in
from pbem.store.models import BallotRow
from tests import absent
from tests.service.hall import build, seated
from tests.web.guests import Browser, orders, site

SLACK_S = 2.0
"""What a busy machine may take beside the patience for the broker."""

every_way = pytest.mark.parametrize("way", absent.WAYS)


def seconds(act: Callable[[], object]) -> float:
    """How long something takes."""
    began = monotonic()
    act()
    return monotonic() - began


def all_of(wake: Waker) -> None:
    """One of each task."""
    for task in QUEUE_OF:
        wake(task, "")


@every_way
def test_a_wake_up_is_lost_in_silence(way: str, state_dir: Path) -> None:
    """A broker that is away makes no error, one short wait, and none at all for the wake-ups that follow at once."""
    with absent.broker(state_dir, way) as settings:
        wake = Waker(settings)
        assert seconds(lambda: wake("play", "g")) < PATIENCE_S + SLACK_S
        assert seconds(lambda: all_of(wake)) < SLACK_S


@every_way
def test_orders_on_the_page_count_without_a_broker(way: str, state_dir: Path) -> None:
    """A set that was committed is answered as taken, not with an error, though nobody could be woken."""
    (state_dir / "b").mkdir()
    hall = build(state_dir)
    game = seated(hall, "toy", 2)
    with absent.broker(state_dir / "b", way) as settings:
        hall.web = replace(hall.web, wake=Waker(settings))
        guest = Browser(site(hall)).sign_in(hall, 1)
        answer = orders(guest, game, "BID 3", "submit")
    assert (answer.status_code, "Your orders are in." in answer.text) == (200, True)
    assert len(hall.rows(BallotRow)) == 1


@every_way
def test_a_letter_is_stored_once_and_confirmed_without_a_broker(way: str, state_dir: Path) -> None:
    """The door says yes to what it has stored, so that no mail server hands the same letter over again."""
    (state_dir / "b").mkdir()
    hall = build(state_dir)
    with absent.broker(state_dir / "b", way) as settings:
        door = replace(hall.door, wake=Waker(settings))

        def store(envelope: Envelope) -> None:
            taking_in.take_in(door, envelope.recipients, envelope.raw)

        with (
            Listener(store, lambda address: True, Entrance()) as listener,
            smtplib.LMTP("127.0.0.1", listener.port, timeout=20) as line,
        ):
            refused = line.sendmail("a@player.test", ["o+x@games.test"], b"Subject: x\r\n\r\nBID 3\r\n")
    assert refused == {}
    assert len(hall.letters_in()) == 1


@every_way
def test_wake_ups_go_out_again_when_the_broker_is_back(
    way: str, state_dir: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The same process wakes again after an outage, and its log has one line for the beginning and one for the end."""
    now = monotonic()
    monkeypatch.setattr(broker, "monotonic", lambda: now)
    wake = Waker(Settings.embedded(state_dir))
    with Valkey(state_dir) as server, caplog.at_level(logging.INFO):
        wake("play", "g")
        with absent.away(server, way):
            for _ in range(3):
                wake("play", "g")
                now += AGAIN_S
        wake("play", "g")
        with Redis.from_url(server.redis_url) as client:
            assert int(client.llen("play")) >= 2
    assert [record.levelname for record in caplog.records] == ["ERROR", "WARNING"]


def test_a_wake_up_without_a_subject_goes_stale(state_dir: Path) -> None:
    """Messages that only say "look" do not pile up for a worker that is away: old ones are thrown away."""
    wake = Waker(Settings.embedded(state_dir))
    with Valkey(state_dir) as server:
        wake("deliver", "")
        wake("play", "g")
        with Redis.from_url(server.redis_url) as client:
            look, named = client.lindex("post", 0), client.lindex("play", 0)
    assert b'"expires": null' not in (look or b"")
    assert b'"expires": null' in (named or b"")

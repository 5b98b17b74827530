"""Counts are shared by all processes while their store is there, and kept in memory while it is away."""

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic

import pytest
from redis import Redis

from pbem.broker.rate_counters import PATIENCE_S, RateCounters
from pbem.ops.servers import Valkey
from pbem.service.base import limits
from tests.service.server_fixtures import build

SLACK_S = 2.0
"""What a busy machine may take beside the patience for the store."""


@pytest.fixture
def store(state_dir: Path) -> Iterator[Valkey]:
    """A store that the test may kill."""
    with Valkey(state_dir) as server:
        yield server


def timed(act: Callable[[], int]) -> tuple[int, float]:
    """What it gives, and how many seconds it took."""
    began = monotonic()
    found = act()
    return found, monotonic() - began


def test_two_processes_count_together(store: Valkey) -> None:
    """What one process counted the other goes on from."""
    here, there = RateCounters(store.redis_url), RateCounters(store.redis_url)
    assert [count("k", 60) for count in (here, here, there, there, here)] == [1, 2, 3, 4, 5]
    assert there("other", 60, 7) == 7
    assert here.read(["k", "nobody's", "other"]) == [5, 0, 7]


def test_a_count_ends_by_itself(store: Valkey) -> None:
    """Nothing stays in the store for longer than its window."""
    RateCounters(store.redis_url)("k", 60)
    with Redis.from_url(store.redis_url) as client:
        assert [0 < client.ttl(key) <= 60 for key in client.scan_iter()] == [True]


def test_the_time_of_a_count_begins_anew_once_all_is_taken_back(store: Valkey) -> None:
    """Who takes something in hand just after another has let go of it has it for the whole time."""
    counts = RateCounters(store.redis_url)
    assert counts.count_all([("k", 60, 1), ("k", 60, -1), ("other", 60, 2)]) == [1, 0, 2]
    with Redis.from_url(store.redis_url) as client:
        (key,) = [key for key in client.scan_iter() if key.endswith(b"k")]
        client.expire(key, 5)
        assert counts("k", 60) == 1
        assert client.ttl(key) > 5
        client.expire(key, 5)
        assert counts("k", 60) == 2
        assert client.ttl(key) <= 5


def test_counting_goes_on_in_memory_while_the_store_is_away(store: Valkey, monkeypatch: pytest.MonkeyPatch) -> None:
    """A store that is killed costs nobody an error or a wait; the next counts do not even try it; then it is back."""
    counts = RateCounters(store.redis_url)
    assert [counts("k", 60) for _ in range(3)] == [1, 2, 3]
    store.kill()
    found, seconds = timed(lambda: counts("k", 60))
    assert found == 1
    assert seconds < PATIENCE_S * 2 + SLACK_S
    assert [counts("k", 60) for _ in range(2)] == [2, 3]
    assert counts.read(["k", "other"]) == [3, 0]
    monkeypatch.setattr(counts, "_again", 0.0)
    store.start()
    again = counts("k", 60)  # of what came before the crash the last second may be lost
    assert RateCounters(store.redis_url)("k", 60) == again + 1


def test_a_store_that_does_not_answer_is_not_waited_for(store: Valkey) -> None:
    """A store that hangs is left alone after a moment, for a while."""
    counts = RateCounters(store.redis_url)
    assert counts("k", 60) == 1
    os.kill(store.pid, signal.SIGSTOP)
    try:
        found, seconds = timed(lambda: counts("k", 60))
        assert found == 1
        assert seconds < PATIENCE_S * 2 + SLACK_S
        assert timed(lambda: counts("k", 60))[1] < PATIENCE_S
    finally:
        os.kill(store.pid, signal.SIGCONT)


def test_no_address_lies_in_the_store(store: Valkey, state_dir: Path) -> None:
    """The keys do not tell whose requests are counted."""
    harness = build(state_dir)
    harness.configure(rate_counter=RateCounters(store.redis_url))
    limits.is_exceeded(harness.web, "sign_ins", "anna@games.test")
    limits.hit(harness.web, "asked", "192.0.2.7", limits.MINUTE_S)
    with Redis.from_url(store.redis_url) as client:
        keys = [key.decode() for key in client.scan_iter()]
    assert len(keys) == 2
    assert [key for key in keys if "anna" in key or "192.0" in key] == []


def test_a_new_hour_counts_anew(state_dir: Path) -> None:
    """What was asked in one hour does not bear on the next, which begins with the clock's full one."""
    harness = build(state_dir)
    harness.configure(limits={"links": 2})
    assert [limits.excess(harness.web, "links", "anna") for _ in range(4)] == [0, 0, 1, 2]
    assert limits.excess(harness.web, "links", "bruno") == 0
    harness.simulate_downtime(seconds=limits.retry_after_seconds(harness.web, limits.HOUR_S))
    assert limits.excess(harness.web, "links", "anna") == 0

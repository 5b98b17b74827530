"""Counts in the memory of a process."""

import threading
import time

import pytest
from limits.storage import MemoryStorage

from pbem.common.memory_counters import MemoryCounters


def test_threads_count_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """The storage starts a timer, and two threads that came at once would start it twice."""
    inside, most = [0], [0]

    def count(storage: MemoryStorage, key: str, seconds: int, amount: int) -> int:
        inside[0] += 1
        most[0] = max(most[0], inside[0])
        time.sleep(0.01)
        inside[0] -= 1
        return amount

    monkeypatch.setattr(MemoryStorage, "incr", count)
    counters = MemoryCounters()
    threads = [threading.Thread(target=counters, args=("pages", 60)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1]

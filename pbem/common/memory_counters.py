"""Counts that one process keeps in its memory."""

from collections.abc import Sequence
from threading import Lock

from limits.storage import MemoryStorage


class MemoryCounters:
    """Counts of this process alone, for several threads."""

    def __init__(self) -> None:
        self._storage, self._lock = MemoryStorage(), Lock()

    def __call__(self, key: str, seconds: int, amount: int = 1) -> int:
        """Count so many more under a key, which is forgotten after so many seconds; how many there were."""
        with self._lock:  # two threads would start the timer of the storage twice
            return self._storage.incr(key, seconds, amount)

    def count_all(self, counts: Sequence[tuple[str, int, int]]) -> Sequence[int]:
        """Count under several keys, each with its seconds and amount; how many there were under each."""
        return [self(*count) for count in counts]

    def read(self, keys: Sequence[str]) -> Sequence[int]:
        """How many there were under each of these keys."""
        with self._lock:
            return [self._storage.get(key) for key in keys]

"""Counts that all processes share, kept in the broker's store; in this process's memory while that is away."""

from collections.abc import Sequence
from time import monotonic
from typing import Any

from limits.errors import StorageError
from limits.storage import RedisStorage
from redis.exceptions import RedisError

from pbem.broker import redis_client
from pbem.common.memory_counters import MemoryCounters

PATIENCE_S = 0.25
"""How long a count may take before it is made in memory: a reader waits for the page."""
AGAIN_S = 5.0
"""How long the store is left alone after it failed."""


class RateCounters:
    """A `Count` of one process."""

    def __init__(self, url: str) -> None:
        """`url`: the store's address as redis-py writes it; nothing is connected before the first count."""
        pool = redis_client.connection_pool(url, PATIENCE_S, tries=1)
        self._shared = RedisStorage("redis://", connection_pool=pool, key_prefix="pbem", wrap_exceptions=True)
        self._own = MemoryCounters()
        self._again = 0.0

    def __call__(self, key: str, seconds: int, amount: int = 1) -> int:
        """Count so many more under a key, which is forgotten after so many seconds; how many there were."""
        if monotonic() >= self._again:
            try:
                return self._shared.incr(key, seconds, amount)
            except StorageError:
                self._again = monotonic() + AGAIN_S
        return self._own(key, seconds, amount)

    def read(self, keys: Sequence[str]) -> Sequence[int]:
        """How many there were under each of these keys, asked at once."""
        if keys and monotonic() >= self._again:
            try:
                found: Any = self._shared.storage.mget([self._shared.prefixed_key(key) for key in keys])
            except RedisError:
                self._again = monotonic() + AGAIN_S
            else:
                return [int(count or 0) for count in found]
        return self._own.read(keys)

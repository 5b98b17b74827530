"""Counts that all processes share, kept in the broker's store; in this process's memory while that is away."""

from collections.abc import Sequence
from time import monotonic
from typing import Any, Final

from redis.exceptions import RedisError

from pbem.broker import redis_client
from pbem.common.memory_counters import MemoryCounters

PATIENCE_S = 0.25
"""How long a count may take before it is made in memory: a reader waits for the page."""
AGAIN_S = 5.0
"""How long the store is left alone after it failed."""
_PREFIX: Final = "pbem/count/"
_COUNT: Final = """
local count = redis.call('INCRBY', KEYS[1], ARGV[2])
if count == tonumber(ARGV[2]) then redis.call('EXPIRE', KEYS[1], ARGV[1]) end
return count
"""
"""The time under a key begins with what is counted first, also after all has been taken back.

The library of the counts in memory has such a script, too, but counts one key at a call.
"""


class RateCounters:
    """A `Count` of one process."""

    def __init__(self, url: str) -> None:
        """`url`: the store's address as redis-py writes it; nothing is connected before the first count."""
        self._shared = redis_client.connect(url, PATIENCE_S, tries=1)
        self._own = MemoryCounters()
        self._again = 0.0

    def __call__(self, key: str, seconds: int, amount: int = 1) -> int:
        """Count so many more under a key, which is forgotten after so many seconds; how many there were."""
        return self.count_all([(key, seconds, amount)])[0]

    def count_all(self, counts: Sequence[tuple[str, int, int]]) -> Sequence[int]:
        """Count under several keys at once, each with its seconds and amount; how many there were under each."""
        if counts and monotonic() >= self._again:
            calls = self._shared.pipeline(transaction=False)
            for key, seconds, amount in counts:
                calls.eval(_COUNT, 1, _PREFIX + key, seconds, amount)
            try:
                return [int(count) for count in calls.execute()]
            except RedisError:
                self._again = monotonic() + AGAIN_S
        return self._own.count_all(counts)

    def read(self, keys: Sequence[str]) -> Sequence[int]:
        """How many there were under each of these keys, asked at once."""
        if keys and monotonic() >= self._again:
            try:
                found: Any = self._shared.mget([_PREFIX + key for key in keys])
            except RedisError:
                self._again = monotonic() + AGAIN_S
            else:
                return [int(count or 0) for count in found]
        return self._own.read(keys)

"""Which workers are alive: each shows it at the broker every few seconds, by a mark that the broker soon forgets.

It is not asked by a task, which would wait behind others.  A worker whose process is stopped or hangs shows nothing.
"""

import sys
from contextlib import suppress
from time import monotonic
from typing import Any, Final

from redis.exceptions import RedisError

from pbem.broker import redis_client
from pbem.broker.task_queue import TASK_QUEUES
from pbem.config.settings import Settings, current_environment
from pbem.ops.systemd_notify import SILENT_S

PATIENCE_S: Final = 0.25
"""How long the broker may take: whoever asks for `/healthz` waits for it."""
AGAIN_S: Final = 5.0
"""How long the broker is left alone after it failed."""
WORKER_ROLES: Final = tuple(sorted(set(TASK_QUEUES.values())))


class WorkerHeartbeat:
    """Shows that a worker of a role is alive; nothing happens while the broker is away."""

    def __init__(self, redis_url: str, role: str) -> None:
        """Nothing is connected before the first heartbeat, which counts for SILENT_S."""
        self._client = redis_client.connect(redis_url, PATIENCE_S)
        self._key, self._lasts_ms = _key(role), int(1000 * SILENT_S)

    def __call__(self) -> None:
        """Show it now."""
        with suppress(RedisError, OSError):
            self._client.set(self._key, 1, px=self._lasts_ms)


class SilentRoles:
    """The roles of which no worker has shown that it is alive; none while the broker does not say."""

    def __init__(self, redis_url: str) -> None:
        """Nothing is connected before the first question."""
        self._client = redis_client.connect(redis_url, PATIENCE_S)
        self._again = 0.0

    def __call__(self) -> tuple[str, ...]:
        """Ask the broker."""
        if monotonic() < self._again:
            return ()
        try:
            found: Any = self._client.mget([_key(role) for role in WORKER_ROLES])
        except (RedisError, OSError):
            self._again = monotonic() + AGAIN_S
            return ()
        return tuple(role for role, mark in zip(WORKER_ROLES, found, strict=True) if mark is None)


def forget_heartbeats(redis_url: str) -> bool:
    """Forget what workers showed that have been stopped since; returns False while the broker is away."""
    with redis_client.connect(redis_url, PATIENCE_S) as client:
        try:
            client.delete(*map(_key, WORKER_ROLES))
        except (RedisError, OSError):
            return False
    return True


def _key(role: str) -> str:
    return f"pbem/alive/{role}"


def main() -> None:
    """`python -m pbem.broker.worker_heartbeats ROLE`: exit with 1 if no worker of the role is alive, for containers."""
    settings = Settings.from_env(current_environment(), "scheduler")
    sys.exit(sys.argv[1] in SilentRoles(settings.redis_url)())


if __name__ == "__main__":
    main()

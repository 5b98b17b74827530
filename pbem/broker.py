"""Waking workers: a message that work may be there, and nothing else.  Losing one costs only the wait for the sweep."""

import logging
from collections.abc import Mapping
from time import monotonic
from typing import Any, Final

from celery import Celery
from kombu.exceptions import KombuError
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from pbem.config import Settings
from pbem.trouble import Trouble

QUEUE_OF: Final[Mapping[str, str]] = {
    "ingest": "post",
    "deliver": "post",
    "attend": "post",
    "tidy": "post",
    "announce": "post",
    "draw": "post",
    "beacon": "post",
    "answer": "post",
    "play": "play",
    "operate": "play",
    "tick": "clock",
    "sweep": "clock",
}
"""Which worker does what; what the clock does by itself needs no key."""

VISIBILITY_S: Final = 3600
"""Longer than any task: a task in hand is not given to another worker before that."""

STALE_S: Final = 300
"""A message without a subject that nobody took for so long is thrown away: others like it have come since."""

TAKING: Final = {
    "visibility_timeout": VISIBILITY_S,
    "unacked_restore_interval": 5,
    "unacked_restore_throttle": 1,
    "socket_connect_timeout": 5,
    "socket_timeout": 30,
}
"""How a worker waits for the broker."""

PATIENCE_S: Final = 1.0
"""How long sending one message may take: a page, or the door, waits for it."""
AGAIN_S: Final = 5.0
"""How long the broker is left alone after it failed."""

SENDING: Final = {
    "visibility_timeout": VISIBILITY_S,
    "socket_connect_timeout": PATIENCE_S,
    "socket_timeout": PATIENCE_S,
    "connect_retries_timeout": PATIENCE_S,
    "max_retries": 0,
}

_LOG = logging.getLogger(__name__)


def queue(settings: Settings, options: Mapping[str, object] = TAKING) -> Celery:
    """The queue as workers know it, or, with the options for it, as senders do."""
    app = Celery("pbem", broker=settings.broker_url)
    app.conf.update(
        task_routes={name: {"queue": queue} for name, queue in QUEUE_OF.items()},
        task_ignore_result=True,
        broker_transport_options=dict(options),
        timezone="UTC",
    )
    return app


class Waker:
    """Sends tasks by name, with one id at most.  It never raises: the sweep finds what the broker did not take."""

    def __init__(self, settings: Settings) -> None:
        """Nothing is connected before the first task."""
        self._app = queue(settings, SENDING)
        self.trouble = Trouble("the broker", _LOG)
        self._again = 0.0

    def __call__(self, task: str, subject: str) -> None:
        """Send one; nothing is tried for a while after a failure, so that nobody waits each time."""
        if monotonic() < self._again:
            return
        try:
            self._send(task, subject)
        except (KombuError, RedisError, OSError) as error:
            self._again = monotonic() + AGAIN_S
            self.trouble.began(type(error).__name__)
        else:
            self.trouble.ended()

    def _send(self, task: str, subject: str) -> None:
        words, expires = ([subject], None) if subject else ([], STALE_S)
        self._app.send_task(task, args=words, queue=QUEUE_OF[task], retry=False, expires=expires)


class Backlog:
    """How many messages lie in one queue; 0 while the broker does not say."""

    def __init__(self, settings: Settings, queue: str) -> None:
        """Nothing is connected before the first question."""
        self._client = Redis.from_url(
            settings.redis_url,
            socket_timeout=PATIENCE_S,
            socket_connect_timeout=PATIENCE_S,
            retry=Retry(NoBackoff(), 0),
        )
        self._queue = queue

    def __call__(self) -> int:
        """Ask the broker."""
        try:
            found: Any = self._client.llen(self._queue)
        except (RedisError, OSError):
            return 0
        return int(found)

"""Waking workers: a message that work may be there, and nothing else.  Losing one costs only the wait for the sweep."""

import logging
from collections.abc import Mapping
from contextlib import suppress
from time import monotonic
from typing import Any, Final

from celery import Celery
from kombu.exceptions import KombuError
from redis.exceptions import RedisError

from pbem.broker import redis_client
from pbem.common.outage_log import OutageLog
from pbem.config import redis_sentinel
from pbem.config.settings import Settings

TASK_QUEUES: Final[Mapping[str, str]] = {
    "process_inbound_emails": "mailer",
    "send_outbound_emails": "mailer",
    "run_mail_jobs": "mailer",
    "delete_expired_rows": "mailer",
    "send_webhooks": "mailer",
    "render_picture": "mailer",
    "fetch_beacon_rounds": "mailer",
    "play_bot_turns": "mailer",
    "resolve_game": "resolver",
    "run_operator_actions": "resolver",
    "enqueue_due_games": "scheduler",
    "requeue_stuck_work": "scheduler",
}
"""Which worker does what; what the clock does by itself needs no key."""

VISIBILITY_S: Final = 3600
"""Longer than any task: a task in hand is not given to another worker before that."""

MARKER_S: Final = 300
"""A message without a subject that nobody took for so long is thrown away: others like it have come since."""

WORKER_OPTIONS: Final = {
    "visibility_timeout": VISIBILITY_S,
    "unacked_restore_interval": 5,
    "unacked_restore_throttle": 1,
    "socket_connect_timeout": 5,
    "socket_timeout": 30,
}
"""How a worker waits for the broker."""

PENDING_S: Final = 5
"""So long a message counts as one that lies in the queue: one that was lost keeps no other away for longer."""

PATIENCE_S: Final = 1.0
"""How long sending one message may take: a page, or the smtp process, waits for it."""
AGAIN_S: Final = 5.0
"""How long the broker is left alone after it failed."""

SENDER_OPTIONS: Final = {
    "visibility_timeout": VISIBILITY_S,
    "socket_connect_timeout": PATIENCE_S,
    "socket_timeout": PATIENCE_S,
    "connect_retries_timeout": PATIENCE_S,
    "max_retries": 0,
}

_LOG = logging.getLogger(__name__)


def create_app(settings: Settings, options: Mapping[str, object] = WORKER_OPTIONS) -> Celery:
    """The queue as workers know it, or, with the options for it, as senders do."""
    app = Celery("pbem", broker=redis_sentinel.celery_url(settings.broker_url))
    app.conf.update(
        task_routes={name: {"queue": queue} for name, queue in TASK_QUEUES.items()},
        task_ignore_result=True,
        broker_transport_options={**options, **redis_sentinel.celery_options(settings.broker_url)},
        timezone="UTC",
    )
    return app


class TaskQueue:
    """Sends tasks by name, with one id at most.  It never raises: the sweep finds what the broker did not take.

    Of what names nothing no second message is sent while one lies in the queue: its mark is set before it is sent, and
    taken away by who takes it, before they look.  So whatever was written before a wake is seen by a look that begins
    after it, be it sent or not.
    """

    def __init__(self, settings: Settings) -> None:
        """Nothing is connected before the first task."""
        self._app = create_app(settings, SENDER_OPTIONS)
        self._marks = redis_client.connect(settings.redis_url, PATIENCE_S)
        self.trouble = OutageLog("the broker", _LOG)
        self._again = 0.0

    def __call__(self, task: str, subject: str) -> None:
        """Send one; nothing is tried for a while after a failure, so that nobody waits each time."""
        if monotonic() < self._again:
            return
        try:
            if subject or self._marks.set(_queued_marker_key(task), 1, nx=True, ex=PENDING_S):
                self._send(task, subject)
        except (KombuError, RedisError, OSError) as error:
            self._again = monotonic() + AGAIN_S
            self.trouble.start(type(error).__name__)
        else:
            self.trouble.end()

    def mark_started(self, task: str) -> None:
        """A message is in hand, and who has it has not looked yet: what is written from now on needs another."""
        with suppress(RedisError, OSError):  # the mark goes by itself
            self._marks.delete(_queued_marker_key(task))

    def _send(self, task: str, subject: str) -> None:
        words, expires = ([subject], None) if subject else ([], MARKER_S)
        self._app.send_task(task, args=words, queue=TASK_QUEUES[task], retry=False, expires=expires)


def _queued_marker_key(task: str) -> str:
    """Where it is marked that a message lies in the queue."""
    return f"pbem/pending/{task}"


class QueueLength:
    """How many messages lie in one queue; 0 while the broker does not say."""

    def __init__(self, settings: Settings, queue: str) -> None:
        """Nothing is connected before the first question."""
        self._client = redis_client.connect(settings.redis_url, PATIENCE_S)
        self._queue = queue

    def __call__(self) -> int:
        """Ask the broker."""
        try:
            found: Any = self._client.llen(self._queue)
        except (RedisError, OSError):
            return 0
        return int(found)

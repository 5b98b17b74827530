"""Waking workers: a message that work may be there, and nothing else.  Losing one costs only the wait for the sweep."""

from collections.abc import Callable, Mapping
from typing import Final

from celery import Celery

from pbem.config import Settings

QUEUE_OF: Final[Mapping[str, str]] = {
    "ingest": "post",
    "deliver": "post",
    "tick": "post",
    "sweep": "post",
    "tidy": "post",
    "announce": "post",
    "draw": "post",
    "play": "play",
}
"""Which worker does what; the clock runs with post, for it reads nothing that is sealed."""

VISIBILITY_S: Final = 3600
"""Longer than any task: a task in hand is not given to another worker before that."""

TRANSPORT: Final = {
    "visibility_timeout": VISIBILITY_S,
    "unacked_restore_interval": 5,
    "unacked_restore_throttle": 1,
    "socket_connect_timeout": 5,
    "socket_timeout": 30,
}


def queue(settings: Settings) -> Celery:
    """The queue as senders and workers know it."""
    app = Celery("pbem", broker=settings.broker_url)
    app.conf.update(
        task_routes={name: {"queue": queue} for name, queue in QUEUE_OF.items()},
        task_ignore_result=True,
        broker_transport_options=dict(TRANSPORT),
        timezone="UTC",
    )
    return app


def waker(app: Celery) -> Callable[[str, str], None]:
    """Send a task by name, with one id at most."""

    def wake(task: str, subject: str) -> None:
        try:
            app.send_task(task, args=[subject] if subject else [], queue=QUEUE_OF[task], retry=False)
        except app.connection_errors:
            return  # the database knows what is to be done; the sweep finds it when the broker is back

    return wake

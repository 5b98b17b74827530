"""`celery -A worker.post worker -Q post`: reads letters and sends them; holds the keys of post."""

import signal
from typing import Any

from celery.signals import beat_embedded_init

from pbem.servers import dying_with_parent
from worker.app import make

app = make("post")
_ask = dying_with_parent(signal.SIGKILL)


def _die_with_worker(**_: Any) -> None:
    """The clock is a child of the worker: it must not go on alone when the worker is killed."""
    _ask()


beat_embedded_init.connect(_die_with_worker, weak=False)

"""What a worker's libraries say of a broker that is away: one line when that begins, and one when it ends."""

import logging
from typing import Any, Final

from celery.exceptions import CPendingDeprecationWarning
from celery.signals import after_setup_logger
from kombu.exceptions import KombuError
from redis.exceptions import RedisError

from pbem.trouble import Trouble

TALKERS: Final = ("celery.worker.consumer.consumer", "kombu.transport.redis")
"""They tell each of their tries to connect, and each connection that gives no answer."""


class Quiet(logging.Filter):
    """Takes what libraries log of a broker that is away for a sign of that trouble, and leaves it out."""

    def __init__(self, trouble: Trouble) -> None:
        super().__init__()
        self._trouble = trouble

    def filter(self, record: logging.LogRecord) -> bool:
        """Return True if a record is of something else."""
        error = record.exc_info[1] if record.exc_info else None
        if record.name == "py.warnings" and CPendingDeprecationWarning.__name__ in record.getMessage():
            return False  # at each connection that breaks: a note to ourselves about a later version of the library
        lost = isinstance(error, (KombuError, RedisError, ConnectionError))
        if not lost and not (record.name in TALKERS and "connect" in record.getMessage().lower()):
            return True
        self._trouble.began(type(error).__name__ if error else "no connection")
        return False


def quiet(trouble: Trouble) -> None:
    """Filter all handlers of this process, once the worker has set them up."""

    def filtered(logger: Any, **_: object) -> None:
        for handler in logger.handlers:
            handler.addFilter(Quiet(trouble))

    after_setup_logger.connect(filtered, weak=False)

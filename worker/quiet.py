"""What a worker's libraries say of a broker that is away: one line when that begins, and one when it ends."""

import logging
from typing import Final

from celery.exceptions import CPendingDeprecationWarning
from celery.signals import setup_logging
from kombu.exceptions import KombuError
from redis.exceptions import RedisError

from pbem.common.outage_log import OutageLog
from pbem.ops import logs

NOISY_LOGGERS: Final = ("celery.worker.consumer.consumer", "kombu.transport.redis")
"""They tell each of their tries to connect, and each connection that gives no answer."""


class BrokerLogFilter(logging.Filter):
    """Takes what libraries log of a broker that is away for a sign of that trouble, and leaves it out."""

    def __init__(self, trouble: OutageLog) -> None:
        super().__init__()
        self._trouble = trouble

    def filter(self, record: logging.LogRecord) -> bool:
        """Return True if a record is of something else."""
        error = record.exc_info[1] if record.exc_info else None
        if record.name == "py.warnings" and CPendingDeprecationWarning.__name__ in record.getMessage():
            return False  # at each connection that breaks: a note to ourselves about a later version of the library
        lost = isinstance(error, (KombuError, RedisError, ConnectionError))
        if not lost and not (record.name in NOISY_LOGGERS and "connect" in record.getMessage().lower()):
            return True
        self._trouble.start(type(error).__name__ if error else "no connection")
        return False


def configure_worker_logging(trouble: OutageLog, *, production: bool, process: str) -> None:
    """Let the worker write its log as all our processes do, without what its libraries say of the broker."""

    def begun(**_: object) -> None:
        logs.configure(production, process, [BrokerLogFilter(trouble)])

    setup_logging.connect(begun, weak=False)

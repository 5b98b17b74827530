"""Work that may take long, in a thread of its own and one at a time: the other tasks of its worker must not wait."""

import logging
import threading
from collections.abc import Callable

from pbem.common.outage_log import is_connection_error
from pbem.service.base.services import Services

_LOG = logging.getLogger(__name__)


class BackgroundJob:
    """One such work; called while it is under way, it does nothing."""

    def __init__(self, name: str, work: Callable[[Services], object]) -> None:
        """`name`: of the thread, and in the log."""
        self._name, self._work = name, work
        self._under_way = threading.Lock()

    def __call__(self, services: Services) -> None:
        """Begin it, unless it is under way."""
        if self._under_way.acquire(blocking=False):
            threading.Thread(target=self._run, args=(services,), name=self._name, daemon=True).start()

    def _run(self, services: Services) -> None:
        try:
            self._work(services)
        except Exception as error:  # noqa: BLE001 - told by its class; the next call tries again
            if not is_connection_error(error):
                _LOG.error("%s failed: %s", self._name, type(error).__name__)
        finally:
            self._under_way.release()

"""Count what the tasks of a process cost, by role: CPU time, statements, commits, bytes written, the write lock."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter_ns, thread_time_ns
from typing import Any, Final

from sqlalchemy import Engine, event

_IO: Final = Path("/proc/thread-self/io")
_MS: Final = 1e6
"""Nanoseconds in a millisecond."""

Costs = dict[str, defaultdict[str, float]]
"""Amounts by role and by name."""


def no_costs() -> Costs:
    """Costs of nothing, to add to."""
    return defaultdict(lambda: defaultdict(float))


class Meter:
    """What tasks have cost since the last reset."""

    def __init__(self) -> None:
        """Start at zero."""
        self._role, self._locked_since = "", 0
        self.costs = no_costs()
        """By role: `cpu_ms`, `bytes_written`, `commits`, statements by their verb, and of the write lock `held_ms` (CPU
        time while it was held) and `disk_ms` (time that commits waited for the disk)."""

    def reset(self) -> None:
        """Start again at zero."""
        self.costs.clear()

    @contextmanager
    def task(self, role: str) -> Iterator[None]:
        """Count what the block does for a role."""
        self._role, written, began = role, _bytes_written(), thread_time_ns()
        try:
            yield
        finally:
            self._add("cpu_ms", (thread_time_ns() - began) / _MS)
            self._add("bytes_written", _bytes_written() - written)

    def _add(self, name: str, amount: float = 1) -> None:
        self.costs[self._role][name] += amount

    def observe(self, engine: Engine) -> None:
        """Count the statements of an engine, and how long its write transactions last."""

        @event.listens_for(engine, "begin")
        def _begun(connection: Any) -> None:
            if not connection.get_execution_options().get("pbem_reads"):
                self._locked_since = thread_time_ns()

        @event.listens_for(engine, "before_cursor_execute")
        def _executed(connection: Any, cursor: Any, statement: str, *_: Any) -> None:
            self._add(statement.split(None, 1)[0].upper())

        dialect: Any = engine.dialect
        dialect.do_commit, dialect.do_rollback = self._timed(dialect.do_commit), self._timed(dialect.do_rollback)

    def _timed(self, end: Callable[[Any], None]) -> Callable[[Any], None]:
        """Count the end of a transaction."""

        def ended(connection: Any) -> None:
            computed, passed = thread_time_ns(), perf_counter_ns()
            end(connection)
            computed, passed = thread_time_ns() - computed, perf_counter_ns() - passed
            if self._locked_since:
                self._add("commits")
                self._add("held_ms", (thread_time_ns() - self._locked_since) / _MS)
                self._add("disk_ms", (passed - computed) / _MS)
            self._locked_since = 0

        return ended


def _bytes_written() -> int:
    """Bytes that this thread has passed to the system so far (proc(5), `wchar`)."""
    return next(int(line.split()[1]) for line in _IO.read_text().splitlines() if line.startswith("wchar"))

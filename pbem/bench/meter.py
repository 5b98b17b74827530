"""What tasks cost: the thread's time on the processor by role and stage, statements, bytes, and the write lock.

Time on the processor leaves out what others do on the machine meanwhile, and the disk's sync.  A stage is a function of
the server, replaced where its callers look it up by one that counts; time within a stage of its own counts only there.
"""

import gc
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from importlib import import_module
from pathlib import Path
from time import perf_counter_ns, thread_time_ns
from typing import Any, Final

from sqlalchemy import Engine, event

_IO: Final = Path("/proc/thread-self/io")


@dataclass(frozen=True)
class Stage:
    """A function that a stage consists of: the module where it is looked up, and its name there."""

    name: str
    module: str
    function: str


STAGES: Final = (
    Stage("open, parse", "pbem.service.post.inbox_queue", "_opened"),
    Stage("open, parse", "pbem.service.run.letter_came", "read"),
    Stage("find the seat, read lines, judge", "pbem.service.run.letter_came", "consider"),
    Stage("ballot and receipt", "pbem.service.run.letter_came", "answer"),
    Stage("load", "pbem.service.play.resolution", "begin_visit"),
    Stage("advance", "pbem.service.play.resolution", "advance"),
    Stage("enter in the journal", "pbem.service.play.resolution", "enter"),
    Stage("views: redact, dump, seal", "pbem.service.play.resolution", "show"),
    Stage("lay out letters", "pbem.service.play.resolution", "report_to_all"),
    Stage("lay out letters", "pbem.service.play.resolution", "report_to_spectators"),
    Stage("put together", "pbem.service.post.delivery", "_put_together"),
    Stage("render", "pbem.app", "render"),
    Stage("MIME", "pbem.mail.wire", "build"),
    Stage("keep: dump and seal", "pbem.service.post.delivery", "_values"),
)
"""What has a stage of its own; all else that a task does is its role's `claim, look up, write`."""
REST: Final = "claim, look up, write"
GARBAGE: Final = "collect garbage"
"""Python does that now and then, in the midst of any stage."""
OPENINGS: Final = (
    Stage("views opened", "pbem.service.game.views", "open_view"),
    Stage("views opened", "pbem.service.play.plots", "open_view"),
)
"""What is counted, not timed."""


class Meter:
    """What tasks have cost since it was reset, by role."""

    def __init__(self) -> None:
        """Nothing was done yet."""
        self._role, self._since = "", 0
        self._stages: list[str] = []
        self._locked = self._asked = 0
        self.reset()

    def reset(self) -> None:
        """Begin again."""
        self.cpu: Counter[tuple[str, str]] = Counter()
        """Nanoseconds by role and stage."""
        self.lock: Counter[tuple[str, str]] = Counter()
        """Nanoseconds that the write lock was held, by role and what was done."""
        self.work: Counter[tuple[str, str]] = Counter()
        """How many of what, by role."""

    @contextmanager
    def task(self, role: str) -> Iterator[None]:
        """A task of a role."""
        written = _written()
        self._role = role
        with self.within(REST):
            yield
        self.work[role, "bytes written"] += _written() - written

    @contextmanager
    def within(self, stage: str) -> Iterator[None]:
        """A stage of the task in hand."""
        self._begun(stage)
        try:
            yield
        finally:
            self._ended()

    def _begun(self, stage: str) -> None:
        self._passed()
        self._stages.append(stage)

    def _ended(self) -> None:
        self._passed()
        self._stages.pop()

    def _passed(self) -> None:
        now = thread_time_ns()
        if self._stages:
            self.cpu[self._role, self._stages[-1]] += now - self._since
        self._since = now

    def watch(self) -> None:
        """Count from now on in all functions that are stages, for as long as this process lives."""
        for stage in STAGES:
            _replace(stage, self._timed)
        for opening in OPENINGS:
            _replace(opening, self._counted)
        gc.callbacks.append(self._collected)

    def _collected(self, phase: str, info: dict[str, int]) -> None:
        if self._stages and phase == "start":
            self._begun(GARBAGE)
        elif self._stages:
            self._ended()

    def _timed(self, stage: str, function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def timed(*given: Any, **named: Any) -> Any:
            with self.within(stage):
                return function(*given, **named)

        return timed

    def _counted(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def counted(*given: Any, **named: Any) -> Any:
            self._one(name)
            return function(*given, **named)

        return counted

    def _one(self, name: str) -> None:
        self.work[self._role, name] += 1

    # --- the database

    def observe(self, engine: Engine) -> None:
        """Count the statements of an engine, and how long its transactions hold the write lock."""

        @event.listens_for(engine, "begin")
        def _locked(connection: Any) -> None:
            if not connection.get_execution_options().get("pbem_reads"):
                self._locked = thread_time_ns()

        @event.listens_for(engine, "before_cursor_execute")
        def _before(connection: Any, cursor: Any, statement: str, *_: Any) -> None:
            self._one(statement.split(None, 1)[0].upper())
            self._asked = thread_time_ns()

        @event.listens_for(engine, "after_cursor_execute")
        def _after(*_: Any) -> None:
            if self._locked:
                self.lock[self._role, "statements"] += thread_time_ns() - self._asked

        own: Any = engine.dialect
        own.do_commit, own.do_rollback = self._committed(own.do_commit), self._undone(own.do_rollback)

    def _committed(self, commit: Callable[[Any], None]) -> Callable[[Any], None]:
        def timed(connection: Any) -> None:
            began, wall = thread_time_ns(), perf_counter_ns()
            commit(connection)
            computed = thread_time_ns() - began
            if self._locked:
                self._one("commits")
                self.lock[self._role, "commits"] += computed
                self.lock[self._role, "waiting for the disk"] += perf_counter_ns() - wall - computed
            self._let_go()

        return timed

    def _undone(self, rollback: Callable[[Any], None]) -> Callable[[Any], None]:
        def timed(connection: Any) -> None:
            rollback(connection)
            self._let_go()

        return timed

    def _let_go(self) -> None:
        if self._locked:
            self.lock[self._role, "held"] += thread_time_ns() - self._locked
        self._locked = 0


def _replace(stage: Stage, by: Callable[[str, Callable[..., Any]], Callable[..., Any]]) -> None:
    module = import_module(stage.module)
    setattr(module, stage.function, by(stage.name, getattr(module, stage.function)))


def _written() -> int:
    """Bytes that this thread has handed to the system so far (proc(5), `wchar`)."""
    return next(int(line.split()[1]) for line in _IO.read_text().splitlines() if line.startswith("wchar"))

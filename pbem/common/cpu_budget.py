"""A budget of work: how much of a processor's time one letter, form or file may take before it is given up.

However it comes, by letter, page, program or chat, a text of orders has at most MOST_LINES lines.  The budget is the
thread's own: who works within it asks `check` now and then, and knows nothing else of it.  Commands that look at files
of others are interrupted instead, whatever they are at, and have bounded memory.
"""

import resource
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from time import process_time, thread_time
from typing import Final, TypeVar

T = TypeVar("T")

MOST_LINES: Final = 400
"""Several times what any turn of any game takes."""
ANSWER_S: Final = 1.0
"""How long the processor may work at one answer."""


MOST_MEMORY: Final = 4 << 30
"""Bytes of addresses for a command that looks at files of others: several times what the largest takes."""
_AGAIN_S: Final = 1.0
_LEAST_S: Final = 0.01


class BudgetExceeded(Exception):
    """More work than one letter, form or file may cause."""


_budget: ContextVar[Callable[[], bool] | None] = ContextVar("budget", default=None)


@contextmanager
def limit(seconds: float, clock: Callable[[], float] = thread_time) -> Iterator[None]:
    """Run the block within so many seconds of CPU time; beyond them `check` raises BudgetExceeded."""
    end = clock() + seconds
    before = _budget.set(lambda: clock() > end)
    try:
        yield
    finally:
        _budget.reset(before)


def check() -> None:
    """Raise BudgetExceeded if the budget in force is used up."""
    over = _budget.get()
    if over is not None and over():
        raise BudgetExceeded


def limit_lines(lines: Sequence[str]) -> Sequence[str]:
    """The same lines; raises BudgetExceeded where there are more than one text may have."""
    if len(lines) > MOST_LINES:
        raise BudgetExceeded
    return lines


def checked(things: Iterable[T]) -> Iterator[T]:
    """The same things, with the budget asked before each."""
    for thing in things:
        check()
        yield thing


@contextmanager
def hard_limit(seconds: float) -> Iterator[None]:
    """Run the block within so many seconds of CPU time; beyond them BudgetExceeded is raised, whatever is being done.

    Within another such block the shorter of both counts.  Only the main thread can be interrupted: elsewhere this does
    nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    left, began = signal.getitimer(signal.ITIMER_PROF)[0], process_time()
    before = signal.signal(signal.SIGPROF, _on_signal)
    signal.setitimer(signal.ITIMER_PROF, max(min(seconds, left or seconds), _LEAST_S), _AGAIN_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
        if left:
            signal.setitimer(signal.ITIMER_PROF, max(left - (process_time() - began), _LEAST_S), _AGAIN_S)


def _on_signal(*_: object) -> None:
    raise BudgetExceeded


@contextmanager
def limit_memory() -> Iterator[None]:
    """Let this process have no more than MOST_MEMORY bytes of addresses; MemoryError comes where it wants more."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    highest = MOST_MEMORY if before[1] == resource.RLIM_INFINITY else min(MOST_MEMORY, before[1])
    resource.setrlimit(resource.RLIMIT_AS, (highest, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)

"""A budget of work: how much of a processor's time one letter or form may take before it is given up.

However it comes, by letter, page, program or chat, a text of orders has at most MOST_LINES lines.  The budget is the
thread's own: who works within it asks `spend` now and then, and knows nothing else of it.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from time import thread_time
from typing import Final, TypeVar

T = TypeVar("T")

MOST_LINES: Final = 400
"""Several times what any turn of any game takes."""
ANSWER_S: Final = 3.0
"""How long the processor may work at one answer."""


class Overspent(Exception):
    """More work than one letter or form may cause."""


_budget: ContextVar[Callable[[], bool] | None] = ContextVar("budget", default=None)


@contextmanager
def within(seconds: float, clock: Callable[[], float] = thread_time) -> Iterator[None]:
    """Do what follows within so many seconds of the processor; beyond them `spend` raises Overspent."""
    end = clock() + seconds
    before = _budget.set(lambda: clock() > end)
    try:
        yield
    finally:
        _budget.reset(before)


def spend() -> None:
    """Raise Overspent if the budget in force is used up."""
    over = _budget.get()
    if over is not None and over():
        raise Overspent


def few(lines: Sequence[str]) -> Sequence[str]:
    """The same lines; raises Overspent where there are more than one text may have."""
    if len(lines) > MOST_LINES:
        raise Overspent
    return lines


def spending(things: Iterable[T]) -> Iterator[T]:
    """The same things, with the budget asked before each."""
    for thing in things:
        spend()
        yield thing

"""A budget of work: how much of a processor's time one letter or form may take before it is given up.

The budget is the thread's own: who works within it asks `spend` now and then, and knows nothing else of it.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import thread_time
from typing import TypeVar

T = TypeVar("T")


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


def spending(things: Iterable[T]) -> Iterator[T]:
    """The same things, with the budget asked before each."""
    for thing in things:
        spend()
        yield thing

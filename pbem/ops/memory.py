"""What a process holds: what it has loaded once and for all, and what it need not hold."""

import gc
import json
import os
import sys
from collections.abc import Callable
from typing import Any, Final

GEN0_THRESHOLD: Final = 7_000
"""So many new objects are looked through at once: a letter makes thousands, and nearly all go by themselves."""


def freeze_gc() -> None:
    """Take all that is there for lasting: it is looked through no more, and stays shared with processes forked of it.

    A worker holds some hundred thousand objects of modules, rules and words; each full collection looked at them all.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(GEN0_THRESHOLD)


def run_in_subprocess(work: Callable[..., Any], *given: Any) -> Any:
    """Do something in a process of its own, so that this one need not hold what that loads; what comes of it, as JSON.

    This process has one thread yet.  Where the other one fails it says why, and this one ends.
    """
    out, into = os.pipe()
    number = os.fork()
    if not number:
        _run_child(into, work, given)
    os.close(into)
    with os.fdopen(out, "rb") as answer:
        found = answer.read()
    if os.waitpid(number, 0)[1] or not found:
        sys.exit(1)
    return json.loads(found)


def _run_child(into: int, work: Callable[..., Any], given: tuple[Any, ...]) -> None:
    """What the other process does, to its end."""
    failed = 1
    try:
        os.write(into, json.dumps(work(*given)).encode())
        failed = 0
    except Exception as error:  # noqa: BLE001 - nothing of ours is to be unwound in this process
        os.write(2, f"{type(error).__name__}: {error}\n".encode())
    finally:
        os._exit(failed)

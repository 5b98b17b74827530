"""Rows that several threads have to write at one moment, written by one transaction: the disk is flushed once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any

Rows = Sequence[dict[str, Any]]


@dataclass
class PendingWrite:
    """What one thread has to write, and what came of it."""

    rows: Rows
    done: bool = False
    error: BaseException | None = None


class GroupCommit:
    """Whoever's turn it is writes for all who wait by then; each returns once its own rows are on the disk."""

    def __init__(self) -> None:
        """Nobody waits."""
        self._lock, self._turn = Lock(), Lock()
        self._waiting: list[PendingWrite] = []

    def write(self, rows: Rows, commit: Callable[[Rows], None]) -> None:
        """Write rows, by `commit` of this thread or of another one; raises what that raises for these."""
        part = PendingWrite(rows)
        with self._lock:
            self._waiting.append(part)
        with self._turn:
            if not part.done:
                self._write_all(commit)
        if part.error is not None:
            raise part.error

    def _write_all(self, commit: Callable[[Rows], None]) -> None:
        """Write what waits; where that fails for all at once, each by itself, so that one stops no other."""
        with self._lock:
            parts, self._waiting = self._waiting, []
        try:
            commit([row for part in parts for row in part.rows])
        except Exception as error:  # noqa: BLE001 - raised again by the thread whose rows it is about
            for part in parts:
                part.error = error if len(parts) == 1 else _commit_alone(part, commit)
        except BaseException as error:
            for part in parts:
                part.error = error
            raise
        finally:
            for part in parts:
                part.done = True


def _commit_alone(part: PendingWrite, commit: Callable[[Rows], None]) -> Exception | None:
    try:
        commit(part.rows)
    except Exception as error:  # noqa: BLE001 - raised again by the thread whose rows it is about
        return error
    return None

"""What several threads write at one moment is written by one transaction, and fails for those alone whose rows fail."""

from collections.abc import Callable
from threading import Event, Thread
from typing import Any

import pytest

from pbem.store.group_commit import GroupCommit, Rows


class Disk:
    """Notes what is written at once; the first writing waits until it is let go."""

    def __init__(self, waits_for: Callable[[], bool]) -> None:
        self.written: list[list[Any]] = []
        self._first, self._waits_for = True, waits_for

    def commit(self, rows: Rows) -> None:
        """Write rows; raises ValueError where one of them is bad."""
        if self._first:
            self._first = False
            while not self._waits_for():
                pass
        if any(row["bad"] for row in rows):
            raise ValueError("bad")
        self.written.append([row["number"] for row in rows])


def run(bad: set[int]) -> tuple[Disk, list[int]]:
    """Write six rows from six threads, five of which come while the first one is written; which of them failed."""
    together, failed = GroupCommit(), list[int]()
    begun = Event()

    def all_wait() -> bool:
        begun.set()
        return len(together._waiting) == 5

    disk = Disk(all_wait)

    def write(number: int) -> None:
        try:
            together.write([{"number": number, "bad": number in bad}], disk.commit)
        except ValueError:
            failed.append(number)

    threads = [Thread(target=write, args=(number,)) for number in range(6)]
    threads[0].start()
    begun.wait()
    for thread in threads[1:]:
        thread.start()
    for thread in threads:
        thread.join()
    return disk, failed


def test_rows_that_come_meanwhile_are_written_together() -> None:
    """While one transaction is under way others wait, and the next one writes for all of them."""
    disk, failed = run(set())
    assert failed == []
    assert [sorted(rows) for rows in disk.written] == [[0], [1, 2, 3, 4, 5]]


def test_a_row_that_fails_stops_no_other() -> None:
    """Where a transaction for several fails, each is written by itself, and only whose rows fail is told so."""
    disk, failed = run({3})
    assert failed == [3]
    assert sorted(number for rows in disk.written for number in rows) == [0, 1, 2, 4, 5]


def test_one_alone_is_told_what_failed() -> None:
    """Nothing is tried twice for who is alone."""
    disk = Disk(lambda: True)
    with pytest.raises(ValueError, match="bad"):
        GroupCommit().write([{"number": 1, "bad": True}], disk.commit)
    assert disk.written == []

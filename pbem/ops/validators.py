"""Processes beside that of the pages, in which orders are validated: whatever somebody writes holds up no page.

They are forked from the process of the pages, before it has threads, keys in use or connections, and end with it.  Work
is owed to people: one thing at a time for each person, those first whose things took the least CPU time within this
hour.  A check that somebody asks for replaces their earlier one about the same table, if that still waits.
"""

import os
import shutil
import signal
import socket
import tempfile
import threading
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Client, Connection
from pathlib import Path
from time import monotonic, process_time, sleep
from typing import Any, Final, TypeVar

from pbem.common.cpu_budget import hard_limit
from pbem.ops.servers import die_with_parent, set_process_name

T = TypeVar("T")

VALIDATORS: Final = "pbem.validators"
"""Where an application has them, among its extensions; without them it validates by itself."""
PROCESSES: Final = 2
"""Of two, one is left while somebody's orders take long."""
MOST_WAITING: Final = 6
"""How many things wait at most: each holds a thread of the pages."""
CPU_S: Final = 2.0
"""Seconds of CPU time for one thing, with all that its page says of it."""
PATIENCE_S: Final = 20.0
"""How long an answer is waited for before its process counts as dead."""
HOUR_S: Final = 3600.0
_RESPAWN_S: Final = 0.2
_NICE: Final = 5


class Busy(Exception):
    """Too much waits, or something newer of the same person has come: nothing was done."""


@dataclass(eq=False)
class _Place:
    """Something that waits or is being done.  `topic`: None for what nothing newer replaces."""

    person: Hashable
    topic: Hashable
    number: int
    gone: bool = False


class Turns:
    """Who may go on, of all who wait for one of so many places."""

    def __init__(self, places: int = PROCESSES, most: int = MOST_WAITING) -> None:
        self._places, self._most = places, most
        self._changed = threading.Condition()
        self._waiting: list[_Place] = []
        self._busy: set[Hashable] = set()
        self._spent: dict[Hashable, float] = defaultdict(float)
        self._numbers, self._hour = 0, 0

    @contextmanager
    def turn(self, person: Hashable, topic: Hashable = None) -> Iterator[Callable[[float], None]]:
        """Wait for a place and hold it while the block runs; it tells how many seconds of CPU time it took.

        Raises Busy if something newer on this topic comes first, or if too much waits.
        """
        with self._changed:
            mine = self._join(person, topic)
            while not mine.gone and not self._is_next(mine):
                self._changed.wait()
            if mine.gone:
                raise Busy
            self._waiting.remove(mine)
            self._busy.add(person)
        try:
            yield lambda seconds: self._charge(person, seconds)
        finally:
            with self._changed:
                self._busy.discard(person)
                self._changed.notify_all()

    def _join(self, person: Hashable, topic: Hashable) -> _Place:
        self._numbers += 1
        mine = _Place(person, topic, self._numbers)
        for other in [one for one in self._waiting if topic is not None and (one.person, one.topic) == (person, topic)]:
            self._dismiss(other)
        self._waiting.append(mine)
        if len(self._waiting) > self._most:
            self._dismiss(max(self._waiting, key=self._rank))
        return mine

    def _dismiss(self, place: _Place) -> None:
        place.gone = True
        self._waiting.remove(place)
        self._changed.notify_all()

    def _rank(self, place: _Place) -> tuple[int, float, int]:
        """Of one person's things only the first has its turn; then those of who has used the least."""
        before = sum(one.person == place.person and one.number < place.number for one in self._waiting)
        return before, self._spent[place.person], place.number

    def _is_next(self, mine: _Place) -> bool:
        able = [place for place in self._waiting if place.person not in self._busy]
        return len(self._busy) < self._places and bool(able) and min(able, key=self._rank) is mine

    def _charge(self, person: Hashable, seconds: float) -> None:
        with self._changed:
            hour = int(monotonic() // HOUR_S)
            if hour != self._hour:
                self._hour = hour
                self._spent.clear()
            self._spent[person] += seconds


class Validators:
    """The processes, and the turns in which they are used."""

    def __init__(self, processes: int = PROCESSES) -> None:
        self._processes, self._turns = processes, Turns(processes)
        self._folder: Path | None = None
        self._keeper = 0

    def start(self, context: Any) -> None:
        """Fork them, from a process with one thread; `context` is what their work is given first."""
        self._folder = Path(tempfile.mkdtemp(prefix="pbem-validators-"))
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(self._folder / "socket"))
            listener.listen(MOST_WAITING)
            pages = os.getpid()
            self._keeper = os.fork()
            if not self._keeper:
                _keep(pages, self._processes, lambda: _serve(listener, context))

    def stop(self) -> None:
        """End them."""
        with suppress(ProcessLookupError):
            os.kill(self._keeper, signal.SIGKILL)
            os.waitpid(self._keeper, 0)
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def run(self, person: Hashable, topic: Hashable, work: Callable[..., T], *given: Any) -> T:
        """Do something in one of them, when it is this person's turn: `work(context, *given)`, a function of a module.

        Raises Busy as `Turns.turn` does, or if the process ended or said nothing.
        """
        with self._turns.turn(person, topic) as charge:
            try:
                with Client(str(self._folder and self._folder / "socket"), "AF_UNIX") as line:
                    line.send((work, given))
                    if not line.poll(PATIENCE_S):
                        raise Busy
                    found, error, seconds = line.recv()
            except (OSError, EOFError):
                raise Busy from None
            charge(seconds)
        if error is not None:
            raise error
        answer: T = found
        return answer


def _keep(parent: int, processes: int, serve: Callable[[], None]) -> None:
    """Have so many processes, as long as our parent lives: one that ends is followed by another."""
    die_with_parent(parent, signal.SIGKILL)
    set_process_name("validators")
    own = os.getpid()
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, signal.SIG_DFL)
    alive = set[int]()
    while True:
        while len(alive) < processes:
            child = os.fork()
            if not child:
                die_with_parent(own, signal.SIGKILL)
                serve()
                os._exit(0)
            alive.add(child)
        alive.discard(os.wait()[0])
        sleep(_RESPAWN_S)


def _serve(listener: socket.socket, context: Any) -> None:
    """Do what is asked for, one thing after the other.  Pages go first where both want the processor."""
    set_process_name("validator")
    with suppress(OSError):
        os.nice(_NICE)
    while True:
        with suppress(OSError, EOFError), Connection(listener.accept()[0].detach()) as line:
            work, given = line.recv()
            began, found, error = process_time(), None, None
            try:
                with hard_limit(CPU_S):
                    found = work(context, *given)
            except Exception as problem:  # noqa: BLE001 - it is raised where the work was asked for
                error = problem
            line.send((found, error, process_time() - began))

"""What runs when: ticks, measured by a clock that nobody can set.

Deadlines lie in the database.  Ticks only say "look", so that several clocks do no harm.  Of several, on several
machines, one leads and sends them; any clock may take those of its queue.
"""

import threading
from collections.abc import Callable, Mapping
from time import monotonic
from typing import Final

TASK_INTERVALS_S: Final[Mapping[str, float]] = {
    "enqueue_due_games": 5.0,
    "requeue_stuck_work": 5.0,
    "run_mail_jobs": 5.0,
    "send_webhooks": 5.0,
    "fetch_beacon_rounds": 5.0,
    "delete_expired_rows": 86_400.0,
}
"""How often each task is sent; all of them once when the clock starts."""

POLL_INTERVAL_S: Final = 1.0


class Beat:
    """Sends each task of the schedule when its time has come.

    Time is the monotonic clock's, and nothing of the schedule is kept: a wall clock that is set back or forward changes
    nothing here, and the services see its jump at the next tick.
    """

    def __init__(
        self,
        wake: Callable[[str, str], None],
        clock: Callable[[], float] = monotonic,
        leads: Callable[[], bool] = lambda: True,
    ) -> None:
        """`wake`: sends one task, and never raises; `leads`: whether this clock is the one that does, nor does that."""
        self._wake, self._clock, self._leads = wake, clock, leads
        self._next = dict.fromkeys(TASK_INTERVALS_S, clock())

    def send_due_tasks(self) -> None:
        """Send what is due; what was due several times while the process stood still, or did not lead, is sent once."""
        now = self._clock()
        due_now = [task for task, due in self._next.items() if due <= now]
        if not due_now or not self._leads():
            return
        for task in due_now:
            self._wake(task, "")
            self._next[task] = now + TASK_INTERVALS_S[task]

    def start(self) -> None:
        """Swing in a thread of its own, from now on."""
        threading.Thread(target=self._run, name="pendulum", daemon=True).start()

    def _run(self) -> None:
        pause = threading.Event()
        while not pause.wait(POLL_INTERVAL_S):
            self.send_due_tasks()

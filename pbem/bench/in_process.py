"""A whole server in one process: the services of each role, the tasks that they enqueue, and a clock that is set."""

import hashlib
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Final

from pbem.app import Role, build_services
from pbem.bench.meter import Meter
from pbem.config.settings import Settings
from pbem.crypto import KeyFolder
from pbem.service.base.services import DeliveryFailure, RenderedEmail, Services
from pbem.service.mail import daily_keys, delivery, inbox, inbox_queue
from pbem.service.tasks import inbound_handler, resolve_game
from pbem.service.tasks.recipients import find_payers
from pbem.smtp_process import is_local_recipient
from pbem.store.schema import upgrade

ROLES: Final[tuple[Role, ...]] = ("web", "smtp", "mailer", "resolver", "scheduler")
BEGAN: Final = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
TASK: Final = timedelta(milliseconds=10)
"""How far a task moves the clock."""


def new_settings(folder: Path, **ports: int) -> Settings:
    """Create keys and tables of a new server in a folder; returns its settings."""
    settings = Settings.with_embedded(folder, **ports)  # type: ignore[arg-type]
    KeyFolder.create(settings.keys_dir)
    upgrade(settings.database_url)
    return settings


class Uncounted:
    """Counts nothing: all is within its limits."""

    def __call__(self, key: str, seconds: int, amount: int = 1) -> int:
        """None so far."""
        return 0

    def count_all(self, counts: Sequence[tuple[str, int, int]]) -> Sequence[int]:
        """None of each."""
        return [0] * len(counts)

    def read(self, keys: Sequence[str]) -> Sequence[int]:
        """None of each."""
        return [0] * len(keys)


@dataclass
class InProcessServer:
    """All roles of a server; `tasks` are waiting, `sent` are the letters that went out."""

    settings: Settings
    moment: datetime = BEGAN
    meter: Meter = field(default_factory=Meter)
    tasks: deque[tuple[str, str]] = field(default_factory=deque)
    sent: deque[RenderedEmail] = field(default_factory=deque)

    def __post_init__(self) -> None:
        """Open the services of each role, with random bytes that are the same in each run."""
        self.services = {role: self.services_for(role) for role in ROLES}
        for services in self.services.values():
            self.meter.observe(services.db.engine)
        daily_keys.rotate(self.services["mailer"])

    def services_for(self, role: Role) -> Services:
        """The services of one role."""
        return replace(
            build_services(self.settings, role, self.wake),
            clock=lambda: self.moment,
            random_bytes=_repeatable(role),
            rate_counter=Uncounted(),
            send_email=self.send if role == "mailer" else None,
        )

    def wake(self, task: str, subject: str) -> None:
        """Enqueue a task."""
        self.tasks.append((task, subject))

    def send(self, message: RenderedEmail) -> DeliveryFailure | None:
        """Take a letter, as a relay would."""
        self.sent.append(message)
        return None

    def take_in(self, recipient: str, raw: bytes) -> None:
        """Accept a letter as the smtp process does; raises LookupError for an unknown address."""
        self.moment += TASK
        services = self.services["smtp"]
        with self.meter.task("smtp"):
            if not is_local_recipient(services, recipient):
                raise LookupError("the smtp process knows no such address")
            payers = find_payers(services, (recipient,), "")
            inbox_queue.store_message(services, (recipient,), raw, payers=payers)

    def run_tasks(self) -> None:
        """Do the waiting tasks, as workers would, until there are none."""
        while self.tasks:
            self.run_task(*self.tasks.popleft())

    def run_task(self, task: str, subject: str) -> None:
        """Do one task; raises LookupError for an unknown one."""
        self.moment += TASK
        mailer, resolver = self.services["mailer"], self.services["resolver"]
        with self.meter.task("resolver" if task == "resolve_game" else "mailer"):
            match task:
                case "process_inbound_emails":
                    inbox.process_batch(mailer, inbound_handler, delivery)
                case "send_outbound_emails":
                    delivery.run_delivery_loop(mailer)
                case "resolve_game":
                    resolve_game.run(resolver, subject)
                case _:
                    raise LookupError(f"the bench knows no task {task}")

    def close(self) -> None:
        """Close the connections to the database."""
        for services in self.services.values():
            services.db.close()


def _repeatable(words: str) -> Callable[[int], bytes]:
    numbers = count()
    return lambda size: hashlib.shake_256(f"{words} {next(numbers)}".encode()).digest(size)

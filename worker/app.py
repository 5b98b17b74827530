"""The Celery application: a queue for each role that takes tasks.  Workers decide nothing."""

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial

from celery import Celery
from celery.signals import worker_ready
from kombu.entity import Queue

from pbem.app import Role, services_of
from pbem.broker import QUEUE_OF, Backlog, Waker, queue
from pbem.config import Settings, environment
from pbem.memory import settle
from pbem.service.base.services import NoKey, Services
from pbem.store.leading import CLOCK, Lead
from pbem.supervisor import WORKERS
from pbem.trouble import away, passing_over
from worker import tasks
from worker.quiet import quiet
from worker.schedule import Pendulum
from worker.watch import Watch

Around = Callable[[], AbstractContextManager[None]]
"""What is done about each task, whichever it is."""

_LOG = logging.getLogger(__name__)


def make(role: Role) -> Celery:
    """The application of one role; its services are opened when the first task runs."""
    settings = Settings.from_env(environment(), role)
    app = queue(settings)
    app.conf.update(
        task_queues=[Queue(name) for name in WORKERS],  # type: ignore[no-untyped-call]
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        worker_prefetch_multiplier=1,
        worker_hijack_root_logger=False,
        worker_send_task_events=False,
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
    )
    wake = Waker(settings)
    quiet(wake.trouble, production=settings.production, process=role)
    watch = Watch(Backlog(settings, role))

    @contextmanager
    def around() -> Iterator[None]:
        wake.trouble.ended()
        with watch.at_work(), unless_away():
            yield

    services = _once(lambda: services_of(settings, role, wake))
    _register(app, role, services, wake.begun, around)
    leads = Lead(lambda: services().db, CLOCK)
    _at_ready(watch.start, *([Pendulum(wake, leads=leads).start] if role == "clock" else []))
    return app


def _at_ready(*starts: Callable[[], None]) -> None:
    """What begins when the worker takes tasks."""

    def ready(**_: object) -> None:
        for start in starts:
            start()

    worker_ready.connect(ready, weak=False)


def _once(make_services: Callable[[], Services]) -> Callable[[], Services]:
    """The services, opened at their first use, by whichever thread: after a pool has forked, not before."""
    opened: list[Services] = []
    one = threading.Lock()

    def services() -> Services:
        with one:
            if not opened:
                opened.append(make_services())
                settle()
        return opened[0]

    return services


@contextmanager
def unless_away() -> Iterator[None]:
    """A task that finds no database or no key, or a record that it cannot believe, is dropped; the log has a line.

    The sweep finds the work again.
    """
    try:
        with passing_over():
            yield
    except NoKey as error:
        _LOG.warning("a task waits: %s", error)
    except Exception as error:
        if not away(error):
            raise


def _register(
    app: Celery, role: Role, services: Callable[[], Services], begun: Callable[[str], None], around: Around
) -> None:
    """The tasks of this role's queue, each one service call; `begun` is told of each before it looks at anything."""
    for name in (name for name, place in QUEUE_OF.items() if place == role):
        app.task(name=name)(bound(tasks.TASKS[name], services, partial(begun, name), around))


def bound(
    task: tasks.Task, services: Callable[[], Services], begun: Callable[[], None], around: Around
) -> Callable[..., None]:
    """A task as Celery calls it, with one id at most."""

    def run(subject: str = "") -> None:
        begun()
        with around():
            task(services(), subject)

    return run

"""The Celery application: a queue for each role that takes tasks.  Workers decide nothing."""

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial

from celery import Celery
from celery.signals import worker_ready
from kombu.entity import Queue

from pbem.app import Role, build_services
from pbem.broker.task_queue import TASK_QUEUES, QueueLength, TaskQueue, create_app
from pbem.broker.worker_heartbeats import WorkerHeartbeat
from pbem.common.outage_log import is_connection_error, skip_unreadable
from pbem.config.settings import Settings, current_environment
from pbem.ops.memory import freeze_gc
from pbem.ops.supervisor import WORKERS
from pbem.service.base.services import NoMailKey, Services
from pbem.store.leader_election import SCHEDULER_LOCK, LeaderLock
from worker import tasks
from worker.quiet import configure_worker_logging
from worker.schedule import Beat
from worker.watch import Watchdog

Around = Callable[[], AbstractContextManager[None]]
"""What is done about each task, whichever it is."""

_LOG = logging.getLogger(__name__)


def create_worker(role: Role) -> Celery:
    """The application of one role; its services are opened when the first task runs."""
    settings = Settings.from_env(current_environment(), role)
    app = create_app(settings)
    app.conf.update(
        task_queues=[Queue(name) for name in WORKERS],  # type: ignore[no-untyped-call]
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        worker_prefetch_multiplier=1,
        worker_hijack_root_logger=False,
        worker_send_task_events=False,
        worker_enable_remote_control=False,  # who may write at the broker could stop workers by it
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
    )
    wake = TaskQueue(settings)
    configure_worker_logging(wake.trouble, production=settings.production, process=role)
    watch = Watchdog(QueueLength(settings, role), WorkerHeartbeat(settings.redis_url, role))

    @contextmanager
    def around() -> Iterator[None]:
        wake.trouble.end()
        with watch.mark_busy(), skip_when_unavailable():
            yield

    services = _lazy_services(lambda: build_services(settings, role, wake))
    _register_tasks(app, role, services, wake.mark_started, around)
    leads = LeaderLock(lambda: services().db, SCHEDULER_LOCK)
    _on_worker_ready(watch.start, *([Beat(wake, leads=leads).start] if role == "scheduler" else []))
    return app


def _on_worker_ready(*starts: Callable[[], None]) -> None:
    """What begins when the worker takes tasks."""

    def ready(**_: object) -> None:
        for start in starts:
            start()

    worker_ready.connect(ready, weak=False)


def _lazy_services(make_services: Callable[[], Services]) -> Callable[[], Services]:
    """The services, opened at their first use, by whichever thread: after a pool has forked, not before."""
    opened: list[Services] = []
    one = threading.Lock()

    def services() -> Services:
        with one:
            if not opened:
                opened.append(make_services())
                freeze_gc()
        return opened[0]

    return services


@contextmanager
def skip_when_unavailable() -> Iterator[None]:
    """A task that finds no database or no key, or a record that it cannot believe, is dropped; the log has a line.

    The sweep finds the work again.
    """
    try:
        with skip_unreadable():
            yield
    except NoMailKey as error:
        _LOG.warning("a task waits: %s", error)
    except Exception as error:
        if not is_connection_error(error):
            raise


def _register_tasks(
    app: Celery, role: Role, services: Callable[[], Services], begun: Callable[[str], None], around: Around
) -> None:
    """The tasks of this role's queue, each one service call; `begun` is told of each before it looks at anything."""
    for name in (name for name, place in TASK_QUEUES.items() if place == role):
        app.task(name=name)(bind_services(tasks.TASKS[name], services, partial(begun, name), around))


def bind_services(
    task: tasks.Task, services: Callable[[], Services], begun: Callable[[], None], around: Around
) -> Callable[..., None]:
    """A task as Celery calls it, with one id at most."""

    def run(subject: str = "") -> None:
        begun()
        with around():
            task(services(), subject)

    return run

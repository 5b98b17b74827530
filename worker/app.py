"""The Celery application: queues `post` and `play`, one process role each.  Workers decide nothing."""

from collections.abc import Callable

from celery import Celery
from kombu.entity import Queue

from pbem.app import Role, services_of
from pbem.broker import QUEUE_OF, Waker, queue
from pbem.config import Settings, environment
from pbem.service.base.services import Services
from worker import tasks
from worker.schedule import BEAT


def make(role: Role) -> Celery:
    """The application of one role; its services are opened when the first task runs."""
    settings = Settings.from_env(environment(), role)
    app = queue(settings)
    app.conf.update(
        task_queues=[Queue("post"), Queue("play")],  # type: ignore[no-untyped-call]
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        worker_prefetch_multiplier=1,
        worker_hijack_root_logger=False,
        worker_send_task_events=False,
        broker_connection_retry_on_startup=True,
        beat_schedule=BEAT if role == "post" else {},
        beat_schedule_filename=str(settings.state_dir / "beat"),
    )
    _register(app, role, _once(lambda: services_of(settings, role, Waker(settings))))
    return app


def _once(make_services: Callable[[], Services]) -> Callable[[], Services]:
    """The services, opened at their first use: after a pool has forked, not before."""
    opened: list[Services] = []

    def services() -> Services:
        if not opened:
            opened.append(make_services())
        return opened[0]

    return services


def _register(app: Celery, role: Role, services: Callable[[], Services]) -> None:
    """The tasks of this role's queue, each one service call."""
    for name in (name for name, place in QUEUE_OF.items() if place == role):
        app.task(name=name)(_bound(tasks.TASKS[name], services))


def _bound(task: tasks.Task, services: Callable[[], Services]) -> Callable[..., None]:
    def run(subject: str = "") -> None:
        task(services(), subject)

    return run

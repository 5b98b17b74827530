"""`pbem run metrics`: the figures of a whole server for Prometheus, on an address of their own.

One process asks database and broker for all of them when it is asked; the others keep no counts, so that several
workers, or several machines, need not be added up.  It holds no key.
"""

import shutil
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import version
from time import monotonic, time
from typing import Any, Final

from prometheus_client import CollectorRegistry, Counter, Histogram, start_http_server
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector
from redis.exceptions import RedisError
from sqlalchemy.exc import SQLAlchemyError

from pbem.broker import redis_client
from pbem.broker.worker_heartbeats import WORKER_ROLES, SilentRoles
from pbem.config.settings import Settings
from pbem.ops import systemd_notify
from pbem.service.tasks import health
from pbem.service.tasks.health import Figure
from pbem.store.database import Database
from pbem.store.schema import current_revision, head_revision

LOOK_S: Final = 60.0
"""What takes long to count is counted this often, however often it is asked for."""
PATIENCE_S: Final = 2.0

GAUGES: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "info": ("The version that answers.", ("version",)),
    "database_up": ("1 if the database answers.", ()),
    "broker_up": ("1 if the broker answers.", ()),
    "schema_revision": ("Revision of the tables.", ()),
    "schema_head_revision": ("Newest revision that this version knows.", ()),
    "disk_free_bytes": ("Room on the disk of the folder for state.", ()),
    "database_bytes": ("Size of the database.", ()),
    "worker_up": ("1 if a worker of the role has shown within 45 seconds that it is alive.", ("role",)),
    "queue_tasks": ("Tasks that wait at the broker.", ("queue",)),
    "heartbeat_age_seconds": (
        "Age of a heartbeat: scheduler, mail_jobs (deadlines need it), probe, probe_sent.",
        ("name",),
    ),
    "daily_key_age_seconds": ("Age of the key that emails are sealed to; a day at most.", ()),
    "outages_active": ("Outages that are not compensated yet, by cause.", ("cause",)),
    "games": ("Tables by state.", ("state",)),
    "games_failed": ("Games that are suspended after too many failures.", ()),
    "games_pending": ("Games that wait for a resolver.", ()),
    "games_pending_oldest_age_seconds": ("How long the first of them has waited.", ()),
    "gates_open": ("Open gates by how late they are: no, hour, day, longer, never (no deadline).", ("late",)),
    "inbound_emails_pending": ("Emails that are stored and not processed yet.", ()),
    "inbound_emails_pending_oldest_age_seconds": ("How long the first of them has waited.", ()),
    "inbound_emails_quarantined": ("Emails that could not be read and are quarantined.", ()),
    "outbound_emails_pending": ("Emails to be sent, by state.", ("state",)),
    "outbound_emails_due_oldest_age_seconds": ("Age of the oldest email that is due and not sent.", ()),
    "outbound_emails_rejected": ("Emails that the relay rejected, by its answer.", ("outcome", "answer")),
    "inbound_emails": ("Inbound emails in the database, by outcome.", ("outcome",)),
    "outbound_emails": ("Outbound emails in the database, by kind and state.", ("kind", "state")),
    "webhooks": ("Webhooks by state.", ("state",)),
    "webhooks_failing": ("Webhooks whose last message failed.", ()),
    "addresses_bouncing": ("Users whose email bounces.", ()),
    "resolver_requests_pending": ("Requests that wait for a resolver.", ()),
    "pictures_pending": ("Pictures to render.", ()),
    "beacon_draws_pending": ("Games that wait for the public beacon.", ()),
}
"""Everything that is exported but for what only grows: its meaning and labels, under `pbem_` and its name."""

BUCKETS: Final = (1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 300.0, 1800.0, 3600.0, 21_600.0, 86_400.0)


class ServerCollector(Collector):
    """Asks database and broker whenever Prometheus asks; what is away shows as such, and never as an error."""

    def __init__(
        self,
        settings: Settings,
        database: Database,
        registry: CollectorRegistry,
        now: Callable[[], int] = lambda: int(time() * 1000),
    ) -> None:
        """`now`: milliseconds since 1970; what was sent before it is told by the process before this one."""
        self._settings, self._db, self._now = settings, database, now
        self._sent = Counter("pbem_emails_sent", "Emails that the relay accepted.", ("kind",), registry=registry)
        self._receipts = Histogram(
            "pbem_receipt_duration_seconds",
            "Time from receiving an email to sending its receipt.",
            buckets=BUCKETS,
            registry=registry,
        )
        self._seen = now()
        self._kept: list[Figure] = []
        self._next = 0.0
        self._lock = threading.Lock()
        registry.register(self)

    def describe(self) -> Iterator[GaugeMetricFamily]:
        """The names, without asking anybody."""
        for name, (meaning, labels) in GAUGES.items():
            yield GaugeMetricFamily(f"pbem_{name}", meaning, labels=labels)

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """All figures as they are now."""
        families = {family.name.removeprefix("pbem_"): family for family in self.describe()}
        with self._lock:
            found = [*self._collect_own(), *self._collect_broker(), *self._collect_database()]
        for name, labels, value in found:
            families[name].add_metric(labels, value)
        yield from families.values()

    def _collect_own(self) -> Iterator[Figure]:
        yield "info", (version("pbem"),), 1
        yield "schema_head_revision", (), head_revision()
        yield "disk_free_bytes", (), shutil.disk_usage(self._settings.state_dir).free

    def _collect_broker(self) -> list[Figure]:
        with redis_client.connect(self._settings.redis_url, PATIENCE_S) as client:
            try:
                lengths: list[Any] = [client.llen(name) for name in WORKER_ROLES]
            except (RedisError, OSError):
                return [("broker_up", (), 0)]
        queues = [("queue_tasks", (name,), float(length)) for name, length in zip(WORKER_ROLES, lengths, strict=True)]
        silent = SilentRoles(self._settings.redis_url)()
        return [("broker_up", (), 1), *(("worker_up", (role,), role not in silent) for role in WORKER_ROLES), *queues]

    def _collect_database(self) -> list[Figure]:
        try:
            found = [
                ("schema_revision", (), current_revision(self._db) or 0),
                *health.collect_figures(self._db, self._now()),
            ]
            if monotonic() >= self._next:
                self._count_sent_emails()
                self._next = monotonic() + LOOK_S
        except SQLAlchemyError:
            return [("database_up", (), 0)]
        return [("database_up", (), 1), *found, *self._kept]

    def _count_sent_emails(self) -> None:
        """What looks at all letters."""
        gone = health.sent_since(self._db, self._seen, self._now())
        for kind, number in gone.kinds.items():
            self._sent.labels(kind).inc(number)
        for seconds in gone.receipts:
            self._receipts.observe(seconds)
        self._seen, self._kept = gone.ends_at, health.count_emails(self._db)


def serve(settings: Settings) -> None:
    """Answer until a signal to stop comes."""
    if settings.metrics_listen is None:
        raise LookupError("this process has no address for metrics")
    stop = threading.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda number, frame: stop.set())
    registry = CollectorRegistry(auto_describe=False)
    database = Database(settings.database_url)
    ServerCollector(settings, database, registry)
    server, thread = start_http_server(settings.metrics_listen.port, settings.metrics_listen.host, registry)
    systemd_notify.notify(systemd_notify.READY)
    while not stop.wait(systemd_notify.CHECK_INTERVAL_S):
        if thread.is_alive():
            systemd_notify.notify(systemd_notify.ALIVE)
    server.shutdown()
    thread.join()
    database.close()

"""What an operator can measure: health for strangers, figures on an address of their own, alerts and a dashboard."""

import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest
import yaml  # type: ignore[import-untyped]
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import update
from sqlalchemy.exc import OperationalError

from pbem.config import settings
from pbem.config.settings import Settings
from pbem.ops.metrics import GAUGES, ServerCollector
from pbem.ops.servers import Valkey, free_port
from pbem.service.tasks import health
from pbem.store.database import Database
from pbem.store.models import Game, OutboundEmail, QuestionRow
from pbem.store.schema import upgrade
from tests import server_templates
from tests.mail.dovecot import until
from tests.service.server_fixtures import ServerHarness, build, start_game
from tests.web.form_browser import site

DEPLOY = Path(__file__).parent.parent / "deploy" / "metrics"
GROWING = {"pbem_emails_sent_total", "pbem_receipt_duration_seconds_bucket", "pbem_receipt_duration_seconds_count"}


def read_metrics(db: Database, now: int) -> dict[tuple[str, ...], float]:
    """The figures by name and labels."""
    return {(name, *labels): value for name, labels, value in health.collect_figures(db, now)}


@pytest.fixture
def harness(state_dir: Path) -> ServerHarness:
    """A server with one game under way."""
    found = build(state_dir)
    start_game(found, "toy", 3, 24)
    return found


def test_figures_count_what_waits(harness: ServerHarness) -> None:
    """Games, gates, letters in and out are counted, and the age of what waits longest is told."""
    harness.run_scheduled_jobs()
    found = read_metrics(harness.resolver.db, harness.resolver.now())
    assert found["games", "running"] == 1
    assert found["gates_open", "no"] == 1
    assert found["inbound_emails_pending",] == 0
    assert found["heartbeat_age_seconds", "scheduler"] == 0
    harness.receive_reply(harness.reply_token("s1"), ["BID 1"])
    harness.advance_time(hours=25)
    late = read_metrics(harness.resolver.db, harness.resolver.now())
    assert late["inbound_emails_pending",] == 1
    assert late["inbound_emails_pending_oldest_age_seconds",] == 25 * 3600
    assert late["gates_open", "hour"] == 1


def test_a_gate_is_one_however_many_are_asked(harness: ServerHarness) -> None:
    """Lateness is of gates: three open questions of one gate count once, by the first deadline."""
    now = harness.resolver.now()
    with harness.resolver.db.transaction() as session:
        session.execute(update(QuestionRow).where(QuestionRow.is_blocking).values(closes_at=now - 26 * 3_600_000))
    found = read_metrics(harness.resolver.db, now)
    assert sum(value for (name, *_), value in found.items() if name == "gates_open") == 1
    assert found["gates_open", "longer"] == 1


def test_a_game_that_stopped_and_a_refusal_are_counted(harness: ServerHarness) -> None:
    """Games in trouble are counted, and letters that the relay refused by its answer, without what it wrote."""
    with harness.resolver.db.transaction() as session:
        session.execute(update(Game).values(failure="KeyError", resolve_requested_at=harness.resolver.now() - 90_000))
        session.execute(
            update(OutboundEmail).values(state="rendered", error="message 451 4.7.1 <p1@example.org>", sent_at=None)
        )
    found = read_metrics(harness.resolver.db, harness.resolver.now())
    assert found["games_failed",] == 1
    assert found["games_pending_oldest_age_seconds",] == 90
    refused = [labels for (name, *labels) in found if name == "outbound_emails_rejected"]
    assert refused
    assert not any("@" in word or "<" in word for labels in refused for word in labels)


def test_receipts_are_timed_from_their_letter(harness: ServerHarness) -> None:
    """A receipt's time runs from the moment in which its letter was taken in; each is told once."""
    before = harness.resolver.now()
    harness.advance_time(minutes=1)
    harness.receive_reply(harness.reply_token("s1"), ["BID 1"])
    harness.advance_time(seconds=30)
    harness.run_queued_tasks()
    harness.advance_time(seconds=10)
    found = health.sent_since(harness.resolver.db, before, harness.resolver.now())
    assert found.receipts == (30.0,)
    assert found.kinds["receipt"] == 1
    assert not health.sent_since(harness.resolver.db, found.ends_at, harness.resolver.now()).kinds
    kept = {(name, *labels): value for name, labels, value in health.count_emails(harness.resolver.db)}
    assert kept["inbound_emails", "answered"] == 1
    assert kept["outbound_emails", "receipt", "sent"] == 1


def settings_of(harness: ServerHarness, state_dir: Path, broker: str) -> Settings:
    """The settings of the process that tells figures."""
    found = Settings.with_embedded(state_dir, role="metrics")
    wanted = {"PBEM_DATABASE_URL": str(harness.resolver.db.url), "PBEM_BROKER_URL": broker}
    return Settings.from_env({**found.variables, **wanted}, "metrics", keys_exist=False)


def exported(shown: bytes) -> dict[str, set[str]]:
    """The names that are exported, each with its labels."""
    found: dict[str, set[str]] = {}
    for family in text_string_to_metric_families(shown.decode()):
        found.setdefault(family.name, set())
        for sample in family.samples:
            found.setdefault(sample.name, set()).update(sample.labels)
    return found


def test_no_figure_names_a_game_or_a_seat(harness: ServerHarness, state_dir: Path) -> None:
    """No label and no value of one names a game, a seat or a person, whatever is counted."""
    registry = CollectorRegistry()
    ServerCollector(
        settings_of(harness, state_dir, "redis://127.0.0.1:1/0"), harness.resolver.db, registry, harness.resolver.now
    )
    shown = generate_latest(registry)
    names = exported(shown)
    assert {f"pbem_{name}" for name in GAUGES} <= set(names)
    assert not {"game", "seat", "user", "title"} & {label for labels in names.values() for label in labels}
    (game,) = harness.load_rows(Game)
    for word in (game.id, game.title, "games.test", '"s1"', "p1@"):
        assert word.encode() not in shown


def test_what_is_away_is_a_figure_and_no_error(
    harness: ServerHarness, state_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With broker and database away the figures still come, and say so."""
    registry = CollectorRegistry()
    ServerCollector(
        settings_of(harness, state_dir, "redis://127.0.0.1:1/0"), harness.resolver.db, registry, harness.resolver.now
    )
    assert b"pbem_broker_up 0.0" in generate_latest(registry)

    def fail(*_: object) -> None:
        raise OperationalError("SELECT", {}, Exception("gone"))

    monkeypatch.setattr(health, "collect_figures", fail)
    shown = generate_latest(registry)
    assert b"pbem_database_up 0.0" in shown
    assert b"pbem_info" in shown


@pytest.fixture(
    params=[pytest.param("sqlite", marks=pytest.mark.night), pytest.param("postgresql", marks=pytest.mark.long)]
)
def url(request: pytest.FixtureRequest, state_dir: Path) -> str:
    """The address of a database with tables, of either kind."""
    if request.param == "sqlite":
        return server_templates.copy_migrated_database(state_dir / "pbem.sqlite3")
    found: str = request.getfixturevalue("fresh_postgres_url")
    upgrade(found)
    return found


@pytest.fixture
def broker_url(state_dir: Path) -> Iterator[str]:
    """The address of a broker in which nothing waits."""
    with Valkey(state_dir) as server:
        yield server.url


def test_the_process_answers_on_its_address(state_dir: Path, url: str, broker_url: str) -> None:
    """`pbem run metrics` tells the figures at its own address, holds no key, and ends at a signal."""
    port = free_port()
    wanted = {
        "PBEM_DATABASE_URL": url,
        "PBEM_BROKER_URL": broker_url,
        "PBEM_METRICS_LISTEN": f"127.0.0.1:{port}",
        "PBEM_STATE_DIR": str(state_dir),
        "PBEM_PUBLIC_URL": "https://games.test",
        "PBEM_MAIL_DOMAIN": "games.test",
        "PBEM_KEYS_DIR": str(state_dir / "nowhere"),
    }
    env = {**settings.current_environment(), **wanted}
    with subprocess.Popen([sys.executable, "-m", "pbem.cli.main", "run", "metrics"], env=env) as process:
        try:
            until(lambda: answered(port) is not None or process.poll() is not None, "an answer")
            shown = answered(port)
            assert shown is not None
            for name in ("database_up", "broker_up"):
                assert f"pbem_{name} 1.0".encode() in shown
            assert b'pbem_queue_tasks{queue="mailer"} 0.0' in shown
            assert float(re.search(rb"^pbem_database_bytes (\S+)$", shown, re.M)[1]) > 100_000  # type: ignore[index]
        finally:
            process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0


def answered(port: int) -> bytes | None:
    """What it says; None while it does not answer."""
    try:
        with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=30) as answer:
            shown: bytes = answer.read()
            return shown
    except (URLError, ConnectionError):
        return None


# --- health


def test_a_stranger_learns_that_it_answers_and_no_more(harness: ServerHarness, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both addresses say ok; with the database away one still does, the other says that it is not ready."""
    client = site(harness).test_client()
    assert [(client.get(path).status_code, client.get(path).data) for path in ("/healthz", "/readyz")] == [
        (200, b"ok\n"),
        (200, b"ok\n"),
    ]

    def fail(*_: object) -> None:
        raise OperationalError("SELECT", {}, Exception("the secret host"))

    monkeypatch.setattr(Database, "snapshot", fail)
    assert client.get("/healthz").data == b"ok\n"
    answer = client.get("/readyz")
    assert (answer.status_code, answer.data) == (503, b"not ready\n")
    assert answer.headers["Cache-Control"] == "no-store"


# --- files for those who measure

NAMES = {f"pbem_{name}" for name in GAUGES} | GROWING


def used(expression: str) -> set[str]:
    """The names of ours that an expression uses."""
    return set(re.findall(r"\bpbem_[a-z_]+\b", expression))


def test_every_alert_asks_for_what_is_exported() -> None:
    """Each alert uses exported names alone, and says for how long, how bad it is, and which sentence mends it."""
    (group,) = yaml.safe_load((DEPLOY / "alerts.yml").read_text(encoding="utf-8"))["groups"]
    found = group["rules"]
    assert len({rule["alert"] for rule in found}) == len(found) >= 12
    for rule in found:
        assert used(rule["expr"]) <= NAMES, rule["alert"]
        assert used(rule["expr"]) or "up{" in rule["expr"], rule["alert"]
        assert rule["labels"]["severity"] in ("page", "ticket")
        assert rule["for"]
        assert rule["annotations"]["summary"]


def test_the_dashboard_shows_what_is_exported() -> None:
    """Each panel uses exported names alone, and every exported name is in a panel."""
    panels = json.loads((DEPLOY / "dashboard.json").read_text(encoding="utf-8"))["panels"]
    shown = {name for panel in panels for target in panel["targets"] for name in used(target["expr"])}
    assert shown <= NAMES
    assert NAMES - shown <= {"pbem_receipt_duration_seconds_count"}

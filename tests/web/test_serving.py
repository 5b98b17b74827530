"""The wiring: settings become an application, requests are counted where all processes see them."""

import itertools
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from flask import Flask

from pbem.app import create_app
from pbem.config.settings import Limits, Settings
from pbem.crypto import KeyFolder
from pbem.service.base.services import MissingKeyError, Services
from pbem.store.database import Database
from pbem.store.models import Base
from pbem.web import WebConfig, create_pages
from tests.service.server_fixtures import build

_MINUTES = itertools.count(29_539_440)


@pytest.fixture
def app_of(state_dir: Path) -> Callable[..., Flask]:
    """Applications of one installation, with a broker at an address of the test's choosing."""
    plain = Settings.with_embedded(state_dir)
    KeyFolder.create(plain.keys_dir)
    db = Database(plain.database_url)
    Base.metadata.create_all(db.engine)
    db.close()

    def made(broker: str, **changes: object) -> Flask:
        return create_app(replace(plain, broker_url=broker, **changes), wake=lambda task, subject: None)  # type: ignore[arg-type]

    return made


@pytest.fixture
def minute(monkeypatch: pytest.MonkeyPatch) -> None:
    """A minute of the test's own, which does not end while it counts."""
    now = next(_MINUTES) * 60_000
    monkeypatch.setattr(Services, "now", lambda services: now)


@pytest.mark.usefixtures("minute")
def test_requests_are_counted_across_processes(app_of: Callable[..., Flask], valkey_url: str) -> None:
    """Two applications on one store share the count of one reader's requests."""
    limits = Limits(requests_per_minute=4)
    one, other = (app_of(valkey_url, limits=limits).test_client() for _ in range(2))
    got = [client.get("/sign-in").status_code for client in (one, other, one, other, one, other)]
    assert got.count(200) == 4
    assert got[-2:] == [429, 429]
    assert int(one.get("/sign-in").headers["Retry-After"]) <= 61


@pytest.mark.usefixtures("minute")
def test_pages_come_without_the_store_of_counts(app_of: Callable[..., Flask], state_dir: Path) -> None:
    """A broker that is away stops no page; requests are then counted by each process for itself."""
    limits = Limits(requests_per_minute=2)
    client = app_of(f"redis+socket://{state_dir}/nobody.sock?virtual_host=0", limits=limits).test_client()
    assert [client.get("/sign-in").status_code for _ in range(3)] == [200, 200, 429]


@pytest.mark.usefixtures("minute")
def test_behind_a_proxy_readers_are_told_apart(app_of: Callable[..., Flask], valkey_url: str) -> None:
    """The address that our own proxy names is the reader's; without a proxy nobody may name one."""
    limits = Limits(requests_per_minute=1)
    behind = app_of(valkey_url, limits=limits, trusted_proxies=1).test_client()
    for number in (1, 2):
        assert behind.get("/sign-in", headers={"X-Forwarded-For": f"192.0.2.{number}"}).status_code == 200
    bare = app_of(valkey_url, limits=limits).test_client()
    got = [bare.get("/sign-in", headers={"X-Forwarded-For": f"198.51.100.{n}"}).status_code for n in (1, 2)]
    assert got == [200, 429]


def test_the_pages_answer_to_their_own_name_alone(state_dir: Path) -> None:
    """If the host name is fixed, a request for another one is refused."""
    harness = build(state_dir)
    client = create_pages(harness.web, WebConfig(host="games.test")).test_client()
    assert client.get("/", base_url="http://games.test").status_code == 200
    assert client.get("/", base_url="http://evil.test").status_code == 400


def test_only_the_web_server_makes_pages(state_dir: Path) -> None:
    """A process without the keys of the web has no pages."""
    with pytest.raises(MissingKeyError):
        create_pages(build(state_dir).resolver, WebConfig())

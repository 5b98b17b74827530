"""What tests of every part may use: real servers, a folder for state, and how hypothesis looks for counterexamples."""

from __future__ import annotations

import gc
import itertools
import os
import time
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from pbem.servers import Postgres, Valkey
from tests import games, made_once, savable
from tests.held_work import Watch
from tests.left_out import LeftOut

_ALL_BUT_SLOW = [HealthCheck.too_slow]

# `ci` finds the same examples each time and judges no speed; `thorough` is for a night: --hypothesis-profile=thorough
settings.register_profile("ci", derandomize=True, deadline=None, suppress_health_check=_ALL_BUT_SLOW)
settings.register_profile("dev", deadline=None, database=None, suppress_health_check=_ALL_BUT_SLOW)
settings.register_profile(
    "thorough", deadline=None, database=None, max_examples=2_000, suppress_health_check=_ALL_BUT_SLOW
)
settings.load_profile("ci")
savable.watch()

UNHURRIED_S = 60.0
"""Longer than any letter or entry of a test takes on any machine."""
BUDGETS = (
    "archive.again.ENTRY_S",
    "archive.verify.ENTRY_S",
    "service.run.considering.LETTER_S",
    "service.run.considering.ANSWER_S",
    "service.pages.kept.LETTER_S",
    "service.orders.web_orders.ANSWER_S",
    "service.masters.entry_points.ANSWER_S",
)
SERVICES = Path(__file__).parent / "service"
LONGEST = (
    "web/test_browser_play.py",
    "canary/test_canary.py",
    "web/test_axe.py",
    "web/test_browser_random.py",
    "web/test_browser_questions.py",
    "saves/test_servers.py",
    "service/test_master_doors.py",
    "crashes/test_crashes.py",
    "operator/test_containers.py",
    "operator/test_install.py",
    "saves/test_beside.py",
)
"""Files that took the longest of all in a whole run, six minutes and more, the longest first."""
_GAMES = pytest.StashKey[str]()
_BEGUN = pytest.StashKey[float]()
_numbers = itertools.count(1)


def pytest_addoption(parser: pytest.Parser) -> None:
    """On which databases the tests of the services run, and how long."""
    told = "postgresql: tests of the services run on PostgreSQL too, each a second time"
    parser.addoption("--database", choices=("sqlite", "postgresql"), default="sqlite", help=told)
    told = "long tests come last, and what of them has not begun after so many minutes is skipped; 0: nothing is"
    parser.addoption("--minutes", type=float, default=0, help=told)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """With the switch, a test of the services that makes a server makes one on either database."""
    wanted = metafunc.config.option.database == "postgresql" and metafunc.definition.path.is_relative_to(SERVICES)
    if wanted and "state_dir" in metafunc.fixturenames:
        metafunc.parametrize("stored_on", ("sqlite", "postgresql"), indirect=True)


@pytest.fixture(autouse=True)
def stored_on(request: pytest.FixtureRequest) -> Iterator[None]:
    """Where the servers of one test keep what they know."""
    if getattr(request, "param", "sqlite") == "sqlite":
        yield
    else:
        with made_once.on(request.getfixturevalue("postgres")):
            yield


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow the machine is, nothing in a test takes too much work, unless the test says what is too much."""
    for budget in BUDGETS:
        monkeypatch.setattr(f"pbem.{budget}", UNHURRIED_S)


def pytest_configure(config: pytest.Config) -> None:
    """What stands at the end of a run, and where its games lie: in a folder that its first process makes and clears."""
    config.pluginmanager.register(LeftOut(config))
    told = getattr(config, "workerinput", None)
    config.stash[_BEGUN] = told["begun"] if told else time.time()
    if told is None:
        folder = TemporaryDirectory(prefix="pbem-games-")
        config.add_cleanup(folder.cleanup)
        config.stash[_GAMES] = folder.name
    games.keep_in(Path(told["games"] if told else config.stash[_GAMES]))


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell each process that runs tests where the games lie."""
    node.workerinput["games"] = node.config.stash[_GAMES]
    node.workerinput["begun"] = node.config.stash[_BEGUN]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Files with long tests come first, so that no process is left with one of them at the end.

    In a run whose time is bounded they come last: what is left out then is told in its last line.
    """
    long = {item.path for item in items if item.get_closest_marker("slow")}
    last = bool(config.option.minutes)
    places = {Path(__file__).parent / name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: ((item.path in long) is last, places.get(item.path, len(places))))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """A long test that could not begin in time is not begun."""
    minutes = item.config.option.minutes
    if minutes and item.get_closest_marker("slow") and time.time() > item.config.stash[_BEGUN] + 60 * minutes:
        pytest.skip(f"no long test begins after {minutes:g} minutes of a run")


def pytest_collection_finish() -> None:
    """What was loaded stays, and need not be looked through again and again: garbage is collected less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 100)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Coverage does not watch long tests, which it slows down most, nor what runs once more on the other database."""
    with games.untraced() if item.get_closest_marker("slow") or _repeated(item) else nullcontext():
        return (yield)


def _repeated(item: pytest.Item) -> bool:
    call = getattr(item, "callspec", None)
    return call is not None and call.params.get("stored_on") == "postgresql"


@pytest.fixture(autouse=True)
def held_work() -> Iterator[Watch]:
    """No test may begin long work while it holds the locks of a transaction."""
    watch = Watch()
    with watch.on():
        yield watch
    assert watch.found == [], "work inside a transaction"


@pytest.fixture(scope="session")
def valkey() -> Iterator[Valkey]:
    """A real broker, one for each process that runs tests; its folder's name is short enough for a socket."""
    with TemporaryDirectory(prefix="pbem-vk-") as folder, Valkey(Path(folder)) as server:
        yield server


@pytest.fixture(scope="session")
def valkey_url(valkey: Valkey) -> str:
    """The broker's address for Celery."""
    return valkey.url


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A real PostgreSQL, one for each process that runs tests."""
    with Postgres() as server:
        yield server


@pytest.fixture(scope="session")
def postgres_url(postgres: Postgres) -> str:
    """The address of its first database, which all tests of the process share."""
    return postgres.url


@pytest.fixture
def fresh_postgres_url(postgres: Postgres) -> Iterator[str]:
    """The address of an empty database, removed after the test."""
    name = f"test_{next(_numbers)}"
    postgres.run(f"CREATE DATABASE {name}")
    yield postgres.url_of(name)
    postgres.run(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def state_dir() -> Iterator[Path]:
    """An empty folder for one test's state; pytest's own are too deep for the name of a socket."""
    with TemporaryDirectory(prefix="pbem-st-") as folder:
        yield Path(folder)


@pytest.fixture(scope="session", autouse=True)
def unflushed() -> Iterator[None]:
    """Have no test wait until the disk has written: none takes the power away."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda file: None)
        yield

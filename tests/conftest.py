"""Fixtures and options for all tests: real servers, a folder for state, both databases, the budget of searches."""

from __future__ import annotations

import gc
import itertools
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from pbem.games import install_games
from pbem.ops.servers import Postgres, Valkey
from tests import budget, compiled_templates, grant_watch, made_once, saved_refusals, server_templates
from tests.transaction_watch import TransactionWatch

# `small` finds the same examples each time; `full` (pytest --full) looks for new ones. Neither judges speed.
_COMMON = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("small", _COMMON, derandomize=True, max_examples=10)
settings.register_profile("full", _COMMON, database=None, max_examples=1_000)
saved_refusals.watch()
grant_watch.install()

UNHURRIED_S = 60.0
"""Longer than any letter or entry of a test takes on any machine."""
PATIENCE = (
    "archive.replay.ENTRY_S",
    "archive.verify.ENTRY_S",
    "service.tasks.analysis.LETTER_S",
    "service.tasks.analysis.ANSWER_S",
    "service.pages.data_export.LETTER_S",
    "service.orders.web_orders.ANSWER_S",
    "service.masters.api.ANSWER_S",
    "web.api.moves.ANSWER_S",
    "web.drafts.ANSWER_S",
    "web.play.ANSWER_S",
)
_RUN = pytest.StashKey[str]()
_numbers = itertools.count(1)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option for a run at night."""
    parser.addoption("--full", action="store_true", help="give searches their full budget, as in a run at night")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test marked `both_databases` that makes a server once on SQLite, and once (`long`) on PostgreSQL."""
    if metafunc.definition.get_closest_marker("both_databases") and "state_dir" in metafunc.fixturenames:
        databases = "sqlite", pytest.param("postgresql", marks=pytest.mark.long)
        metafunc.parametrize("stored_on", databases, indirect=True)


@pytest.fixture(autouse=True)
def stored_on(request: pytest.FixtureRequest) -> Iterator[None]:
    """Put the servers of one test on the database of its variant."""
    if getattr(request, "param", "sqlite") == "sqlite":
        yield
    else:
        with server_templates.use_postgres(request.getfixturevalue("postgres")):
            yield


@pytest.fixture(scope="session", autouse=True)
def unhurried() -> Iterator[None]:
    """However slow the machine is, nothing in a test takes too much work, unless the test says what is too much."""
    with pytest.MonkeyPatch.context() as patch:
        for limit in PATIENCE:
            patch.setattr(f"pbem.{limit}", UNHURRIED_S)
        yield


def pytest_configure(config: pytest.Config) -> None:
    """Load the budget of searches; share what is made once and compiled templates in a folder of the first process."""
    budget.use_full(config.option.full)
    settings.load_profile("full" if config.option.full else "small")
    handed_down = getattr(config, "workerinput", None)
    if handed_down is None:
        made = TemporaryDirectory(prefix="pbem-run-")
        config.add_cleanup(made.cleanup)
        config.stash[_RUN] = made.name
    folder = Path(handed_down["run"] if handed_down else config.stash[_RUN])
    made_once.keep_in(folder)
    compiled_templates.keep_in(folder)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell each process that runs tests where that is."""
    node.workerinput["run"] = node.config.stash[_RUN]


def pytest_collection_finish() -> None:
    """What was loaded stays, and need not be looked through again and again: garbage is collected less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 100)


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """End a run with the tests that were wanted, and the number that were skipped for each reason."""
    for name, fault in install_games().items():
        terminalreporter.write_line(f"The game {name} could not be loaded, and is in no test: {fault}.")
    reasons = Counter(str(report.longrepr[2]) for report in terminalreporter.stats.get("skipped", ()))
    skipped = "; ".join(f"{count}: {reason.removeprefix('Skipped: ')}" for reason, count in sorted(reasons.items()))
    terminalreporter.write_line(f"Wanted: {config.option.markexpr or 'all tests'}. Skipped: {skipped or 'no test'}.")


@pytest.fixture(scope="session")
def transaction_watch() -> Iterator[TransactionWatch]:
    """It notes the work of all tests of a process."""
    watch = TransactionWatch()
    with watch.on():
        yield watch


@pytest.fixture(autouse=True)
def held_work(transaction_watch: TransactionWatch) -> Iterator[TransactionWatch]:
    """No test may begin long work while it holds the locks of a transaction."""
    transaction_watch.begun.clear()
    transaction_watch.found.clear()
    yield transaction_watch
    assert transaction_watch.found == [], "work inside a transaction"


@pytest.fixture(autouse=True)
def granted() -> Iterator[None]:
    """No process may do in a test what its role at PostgreSQL may not."""
    grant_watch.take_refused()
    yield
    assert sorted(grant_watch.take_refused()) == []


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

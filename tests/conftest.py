"""What tests of every part may use: real servers, a folder for state, and how hypothesis looks for counterexamples."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, settings

from pbem.servers import Postgres, Valkey

_ALL_BUT_SLOW = [HealthCheck.too_slow]

# `ci` finds the same examples each time and judges no speed; `thorough` is for a night: --hypothesis-profile=thorough
settings.register_profile("ci", derandomize=True, deadline=None, suppress_health_check=_ALL_BUT_SLOW)
settings.register_profile("dev", deadline=None, database=None, suppress_health_check=_ALL_BUT_SLOW)
settings.register_profile(
    "thorough", deadline=None, database=None, max_examples=2_000, suppress_health_check=_ALL_BUT_SLOW
)
settings.load_profile("ci")

_numbers = itertools.count(1)


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

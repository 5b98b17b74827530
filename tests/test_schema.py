"""The migrations make exactly the tables that the program means."""

from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from pbem.store.database import Database
from pbem.store.models import Base
from pbem.store.schema import create


def differences(url: str) -> list[object]:
    """What a migrated database has that the models have not, and the other way round."""
    create(url)
    database = Database(url)
    try:
        with database.engine.connect() as connection:
            return list(compare_metadata(MigrationContext.configure(connection), Base.metadata))
    finally:
        database.close()


def test_migrations_make_the_tables_of_the_models_on_sqlite(state_dir: Path) -> None:
    """A new SQLite database, migrated, is what the models say."""
    assert differences(f"sqlite:///{state_dir}/new.sqlite3") == []


def test_migrations_make_the_tables_of_the_models_on_postgresql(fresh_postgres_url: str) -> None:
    """A new PostgreSQL database, migrated, is what the models say."""
    assert differences(fresh_postgres_url) == []


@pytest.mark.parametrize("times", [1, 2])
def test_migrating_again_changes_nothing(state_dir: Path, times: int) -> None:
    """However often a server is brought up, its tables stay."""
    url = f"sqlite:///{state_dir}/again.sqlite3"
    for _ in range(times):
        create(url)
    assert differences(url) == []

"""The migrations make exactly the tables that the program means, and each one after the first only adds to them."""

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, MetaData, Table, create_engine, inspect, select, types

from pbem.store.database import Database
from pbem.store.models import Base
from pbem.store.models.base import SignedRow
from pbem.store.schema import MIGRATIONS, alembic_config, head_revision, upgrade

BASELINE = "0001"
SIGNED_WHOLE = {
    cast(Table, mapper.local_table).name
    for mapper in Base.registry.mappers
    if issubclass(mapper.class_, SignedRow) and not mapper.class_.SIGNED_COLUMNS
}
"""Tables whose rows are signed over every column: one more column, and no signature fits any more."""

Described = tuple[dict[str, dict[str, tuple[str, bool]]], dict[str, set[str]]]
"""The columns of each table, with type and whether a row must give them; and the sets of columns that are unique."""
Rows = dict[str, dict[str, object]]
"""The one row of each table."""
State = tuple[Described, Rows]


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.long)])
def url(request: pytest.FixtureRequest, state_dir: Path) -> str:
    """The address of an empty database of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{state_dir}/new.sqlite3"
    return str(request.getfixturevalue("fresh_postgres_url"))


def test_the_migrations_make_the_tables_of_the_models(url: str) -> None:
    """A new database, migrated, is what the models say; migrating it again changes nothing."""
    for _ in range(2):
        upgrade(url)
        database = Database(url)
        with database.engine.connect() as connection:
            assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []
        database.close()


# --- the revisions after the first


def directory(folder: Path, url: str) -> Config:
    """The configuration of Alembic for the migrations in a folder."""
    config = alembic_config(url)
    config.set_main_option("script_location", str(folder))
    return config


def make_filled(url: str) -> State:
    """Make the tables of the baseline in an empty database, with a row in each, and return what it holds."""
    command.upgrade(directory(MIGRATIONS, url), BASELINE)
    engine = open_engine(url)
    fill(engine)
    state = describe(engine), read_rows(engine)
    engine.dispose()
    return state


def upgrade_filled(folder: Path, url: str, state: State) -> list[str]:
    """Migrate such a database to the newest revision, and return what each takes away."""
    config = directory(folder, url)
    revisions = [one.revision for one in reversed(list(ScriptDirectory.from_config(config).walk_revisions()))]
    assert revisions == [f"{number:04}" for number in range(1, len(revisions) + 1)]
    engine, said = open_engine(url), list[str]()
    for revision in revisions[1:]:
        before = state
        command.upgrade(config, revision)
        state = describe(engine), read_rows(engine)
        said += [f"{revision}: {loss}" for loss in find_losses(before, state)]
    engine.dispose()
    return said


def open_engine(url: str) -> Engine:
    """The database at an address."""
    return create_engine(url.replace("postgresql://", "postgresql+psycopg://"))


VALUES: Sequence[tuple[type[types.TypeEngine[Any]], object]] = (
    (types.Boolean, False),
    (types.Integer, 1),
    (types.LargeBinary, b"x" * 32),
    (types.String, "x"),
    (types.JSON, {}),
)
"""The same value in every column of a kind, so that each row refers to the one row of the other table."""


def fill(engine: Engine) -> None:
    """Add a row to each table."""
    metadata = MetaData()
    metadata.reflect(engine)
    with engine.begin() as connection:
        for table in metadata.sorted_tables:
            if table.name != "alembic_version":
                given = {c.name: next(v for kind, v in VALUES if isinstance(c.type, kind)) for c in table.columns}
                connection.execute(table.insert().values(given))


def read_rows(engine: Engine) -> Rows:
    """Read the row of each table; an empty one where it is gone."""
    metadata = MetaData()
    metadata.reflect(engine)
    with engine.connect() as connection:
        return {
            table.name: {**(connection.execute(select(table)).mappings().first() or {})}
            for table in metadata.sorted_tables
        }


def describe(engine: Engine) -> Described:
    """What a database asks of rows."""
    columns, unique = dict[str, dict[str, tuple[str, bool]]](), dict[str, set[str]]()
    asked = inspect(engine)
    for table in asked.get_table_names():
        columns[table] = {
            one["name"]: (one["type"].compile(engine.dialect), not one["nullable"] and one["default"] is None)
            for one in asked.get_columns(table)
        }
        indexed = [one["column_names"] for one in asked.get_indexes(table) if one["unique"]]
        unique[table] = {
            str(one) for one in (*indexed, *(u["column_names"] for u in asked.get_unique_constraints(table)))
        }
    return columns, unique


def find_losses(before: State, after: State) -> Iterator[str]:
    """Find what the version before would miss on the new tables, and the rows that changed."""
    (columns, unique), kept = before
    (new_columns, new_unique), found = after
    for table, was in columns.items():
        now = new_columns.get(table, {})
        for name, (kind, _) in was.items():
            if name not in now or now[name][0] != kind:
                yield f"{table}.{name} is gone or of another type"
        for name, (_, needed) in now.items():
            if needed and not (name in was and was[name][1]):
                yield f"{table}.{name} must be given"
            if name not in was and table in SIGNED_WHOLE:
                yield f"{table}.{name} is new and signed"
        for names in sorted(new_unique.get(table, set()) - unique[table]):
            yield f"{table} is unique by {names}"
    for table in kept.keys() & found.keys() - {"alembic_version"}:
        if any(found[table].get(name) != value for name, value in kept[table].items()):
            yield f"a row of {table} is not what it was"


def test_every_revision_after_the_first_only_adds(url: str) -> None:
    """A server with rows is brought up by each revision, and the version before can go on with the new tables."""
    assert upgrade_filled(MIGRATIONS, url, make_filled(url)) == []


REVISION = '''"""Made by a test."""

import sqlalchemy as sa
from alembic import op

revision = "{revision}"
down_revision = "{before}"


def upgrade() -> None:
    """Change the tables."""
    {changes}
'''


def with_another(folder: Path, changes: str) -> Path:
    """Copy the migrations into an empty folder, and add a revision to them."""
    shutil.copytree(MIGRATIONS, folder, ignore=shutil.ignore_patterns("__pycache__"))
    number = head_revision() + 1
    made = REVISION.format(revision=f"{number:04}", before=f"{number - 1:04}", changes=changes)
    (folder / "versions" / f"{number:04}_made.py").write_text(made, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, State]:
    """The file of a filled database, and what it holds."""
    path = tmp_path_factory.mktemp("filled") / "baseline.sqlite3"
    return path, make_filled(f"sqlite:///{path}")


REVISIONS = [
    ('op.add_column("outbound_emails", sa.Column("note", sa.String(9)))', ""),
    ('op.add_column("heartbeats", sa.Column("note", sa.String(9), server_default="", nullable=False))', ""),
    ('op.create_table("extra", sa.Column("id", sa.Integer(), primary_key=True))', ""),
    ('op.drop_table("heartbeats")', "heartbeats.name is gone or of another type"),
    ('op.execute("ALTER TABLE heartbeats DROP COLUMN beat_at")', "heartbeats.beat_at is gone or of another type"),
    (
        'op.add_column("account_deletions", sa.Column("note", sa.String(9)))',
        "account_deletions.note is new and signed",
    ),
    (
        ('with op.batch_alter_table("inbound_emails") as batch:\n        batch.alter_column("error", nullable=False)'),
        "inbound_emails.error must be given",
    ),
    (
        'op.create_index("ux_beats_at", "heartbeats", ["beat_at"], unique=True)',
        "heartbeats is unique by ['beat_at']",
    ),
    ('op.execute("UPDATE heartbeats SET beat_at = 2")', "a row of heartbeats is not what it was"),
    ('op.execute("DELETE FROM votes")', "a row of votes is not what it was"),
]
"""What a second revision does, and what of that is found; one in three is tried in the short suite."""


@pytest.mark.parametrize(
    ("changes", "loss"),
    [pytest.param(*one, marks=pytest.mark.night if n % 3 else ()) for n, one in enumerate(REVISIONS)],
)
def test_a_revision_that_takes_something_away_is_found(
    state_dir: Path, changes: str, loss: str, filled: tuple[Path, State]
) -> None:
    """The law above holds for a second revision that adds, and finds one that drops, narrows or rewrites."""
    path, state = filled
    shutil.copyfile(path, state_dir / "new.sqlite3")
    said = upgrade_filled(with_another(state_dir / "made", changes), f"sqlite:///{state_dir}/new.sqlite3", state)
    assert loss in "\n".join(said)
    assert bool(said) is bool(loss)

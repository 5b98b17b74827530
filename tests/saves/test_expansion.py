"""Migrations since the last release only add: its code goes on working on the tables of today, for one version.

Asked of the tables themselves: those of a kept server of that release, and the same ones brought up.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import pytest
from alembic import command
from sqlalchemy import Engine, Table, create_engine, inspect, text
from sqlalchemy.engine import Inspector

from pbem.store.models import Base
from pbem.store.models.base import Signed
from pbem.store.schema import configuration, create, newest
from tests.saves.old_release import STEP
from tests.saves.server import DATABASE, path_of, unpack

SIGNED_WHOLE = {
    cast(Table, mapper.local_table).name
    for mapper in Base.registry.mappers
    if issubclass(mapper.class_, Signed) and not mapper.class_.COVERED
}
"""Tables whose rows are signed over every column that the code knows."""


@dataclass(frozen=True)
class Column:
    """What a column takes."""

    type: str
    nullable: bool
    filled: bool
    """The database has a value for it where none is given."""


@dataclass(frozen=True)
class Tables:
    """The tables of a database; what holds for the rows of each is a set of sentences."""

    columns: dict[tuple[str, str], Column] = field(default_factory=dict)
    rules: dict[str, set[str]] = field(default_factory=dict)


def tables_of(engine: Engine) -> Tables:
    """What a database has."""
    found, asked = Tables(), inspect(engine)
    for table in asked.get_table_names():
        for column in asked.get_columns(table):
            kind = column["type"].compile(engine.dialect)
            filled = column["default"] is not None or bool(column.get("autoincrement") is True)
            found.columns[table, column["name"]] = Column(kind, column["nullable"], filled)
        found.rules[table] = set(_rules(asked, table))
    return found


def _rules(asked: Inspector, table: str) -> Iterator[str]:
    """Keys, uniqueness, references and checks: what a row must fulfil, and what `ON CONFLICT` leans on."""
    yield f"key {asked.get_pk_constraint(table)['constrained_columns']}"
    for unique in asked.get_unique_constraints(table):
        yield f"unique {sorted(unique['column_names'])}"
    for index in asked.get_indexes(table):
        if index["unique"]:
            where = [str(said) for name, said in index.get("dialect_options", {}).items() if name.endswith("_where")]
            yield " ".join((f"unique {sorted(map(str, index['column_names']))}", *where))
    for key in asked.get_foreign_keys(table):
        yield f"{key['constrained_columns']} of {key['referred_table']} {key['referred_columns']} {key['options']}"
    for check in asked.get_check_constraints(table):
        yield f"check {check['sqltext']}"


def narrowed(old: Tables, new: Tables) -> list[str]:
    """What code that knows the old tables would miss or be refused on the new ones, a sentence each."""
    said = list[str]()
    for (table, name), was in old.columns.items():
        now = new.columns.get((table, name))
        if now is None:
            said.append(f"{table}.{name} is gone")
        elif now.type != was.type:
            said.append(f"{table}.{name} is {now.type} and was {was.type}")
        elif was.nullable and not now.nullable:
            said.append(f"{table}.{name} must be given")
        elif now.nullable and not was.nullable:
            said.append(f"{table}.{name} may lack")
        elif was.filled and not now.filled:
            said.append(f"{table}.{name} is not filled any more")
    for (table, name), now in new.columns.items():
        if table not in old.rules or (table, name) in old.columns:
            continue
        if not (now.nullable or now.filled):
            said.append(f"{table}.{name} is new and must be given")
        if table in SIGNED_WHOLE:
            said.append(f"{table}.{name} is new and signed")
    for table, rules in old.rules.items():
        said += [f"{table}: no more {rule}" for rule in rules - new.rules.get(table, set())]
        said += [f"{table}: from now on {rule}" for rule in new.rules.get(table, set()) - rules]
    return said


@dataclass(frozen=True)
class Both:
    """A database with the tables of the release."""

    url: str
    engine: Engine

    def changed(self, change: Callable[[], object]) -> list[str]:
        """What something narrows."""
        before = tables_of(self.engine)
        change()
        return narrowed(before, tables_of(self.engine))

    def run(self, *statements: str) -> None:
        """Change the tables."""
        with self.engine.begin() as connection:
            for statement in statements:
                connection.execute(text(statement))


@pytest.fixture(params=["sqlite", "postgresql"])
def released(request: pytest.FixtureRequest, state_dir: Path) -> Iterator[Both]:
    """The tables of the last release: of the kept server, and what its migrations make of an empty PostgreSQL."""
    if request.param == "sqlite":
        unpack(path_of(STEP), state_dir)
        url = f"sqlite:///{state_dir}/{DATABASE}"
    else:
        url = request.getfixturevalue("fresh_postgres_url")
        command.upgrade(configuration(url), STEP)
    engine = create_engine(url)
    yield Both(url, engine)
    engine.dispose()


def test_migrations_since_the_release_only_add(released: Both) -> None:
    """No table, column or constraint that the release knows is gone or narrower, and it may leave new columns out."""
    assert released.changed(lambda: create(released.url)) == []


def test_the_release_starts_on_the_tables_of_today() -> None:
    """Its processes take tables that are one step newer than their own, and no others."""
    assert newest() <= int(STEP) + 1


NARROWER: Sequence[tuple[str, tuple[str, ...]]] = (
    ("leavings.since is gone", ("ALTER TABLE leavings DROP COLUMN since",)),
    ("leavings.since is gone", ("DROP TABLE leavings",)),
    (
        "second_factors.since is new and must be given",
        (
            "ALTER TABLE second_factors RENAME TO before",
            "CREATE TABLE second_factors (since INTEGER NOT NULL)",
        ),
    ),
    ("leavings.note is new and signed", ("ALTER TABLE leavings ADD COLUMN note VARCHAR(12)",)),
    (
        "leavings: from now on unique ['since']",
        ("CREATE UNIQUE INDEX uq_leavings_since ON leavings (since)",),
    ),
    (
        "address_changes: no more key ['user_id']",
        ("ALTER TABLE address_changes RENAME TO before", "CREATE TABLE address_changes (user_id INTEGER)"),
    ),
    (
        "leavings.since is VARCHAR(9) and was BIGINT",
        ("ALTER TABLE leavings DROP COLUMN since", "ALTER TABLE leavings ADD COLUMN since VARCHAR(9)"),
    ),
    (
        "leavings.signed must be given",
        (
            "ALTER TABLE leavings DROP COLUMN signed",
            "ALTER TABLE leavings ADD COLUMN signed {bytes} NOT NULL DEFAULT {empty}",
        ),
    ),
)


@pytest.mark.parametrize(("said", "statements"), NARROWER, ids=[said for said, _ in NARROWER])
def test_whatever_narrows_a_table_is_found(released: Both, said: str, statements: Sequence[str]) -> None:
    """The law sees a column or table that goes, one that must be given, one that signatures cover, a new rule."""
    lite = released.engine.dialect.name == "sqlite"
    words = {"bytes": "BLOB" if lite else "BYTEA", "empty": "x''" if lite else "''"}
    assert said in released.changed(lambda: released.run(*(one.format(**words) for one in statements)))


def test_what_only_adds_is_no_trouble(released: Both) -> None:
    """A new table, an index, a column that may be left out where rows are not signed over all: the law lets it pass."""
    statements = (
        "CREATE TABLE extra (id INTEGER PRIMARY KEY, said VARCHAR(9) NOT NULL)",
        "ALTER TABLE letters_out ADD COLUMN note VARCHAR(12)",
        "ALTER TABLE letters_out ADD COLUMN turns INTEGER NOT NULL DEFAULT 0",
        "CREATE INDEX ix_extra ON letters_out (made_at)",
    )
    assert released.changed(lambda: released.run(*statements)) == []

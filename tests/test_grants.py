"""Each process may do in PostgreSQL what `store/grants.py` says, and nothing else."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest
from sqlalchemy import Connection, create_engine, text
from sqlalchemy.exc import ProgrammingError

from pbem.ops.servers import Postgres
from pbem.store import grants
from pbem.store.grants import COLUMNS, GRANTS, LETTERS, PROCESSES
from pbem.store.models import Base
from pbem.store.schema import upgrade

ROLES = (*PROCESSES, "metrics", "backup")
TABLES = {*Base.metadata.tables, "alembic_version"}


def test_each_table_is_granted_by_name() -> None:
    """A new table is one that nobody reaches until somebody says who may; letters stand in one order."""
    assert set(GRANTS) == TABLES
    assert {letters for row in GRANTS.values() for letters in row.values()} <= {
        "".join(letter for letter in "siud" if number >> "siud".index(letter) & 1) or "-" for number in range(16)
    }
    named = [(table, columns) for tables in COLUMNS.values() for table, columns in tables.items()]
    assert all(set(columns) <= set(_columns(table)) for table, columns in named)


def _columns(table: str) -> list[str]:
    return ["version_num"] if table == "alembic_version" else list(Base.metadata.tables[table].columns.keys())


def test_the_entrance_can_only_add_letters() -> None:
    """Who breaks into the process that takes mail changes and deletes nothing, and reads no letter."""
    assert {table: row["smtp"] for table, row in GRANTS.items() if row["smtp"] != "-"} == {
        "inbound_emails": "i",
        "inbound_email_bodies": "i",
    }
    assert COLUMNS["smtp"]["games"] == ("id",)
    assert COLUMNS["smtp"]["capabilities"] == ("game_id", "hash", "seat", "user_id")
    assert "inbound_email_bodies" not in COLUMNS["smtp"]


def declared_rights(role: str, table: str) -> str:
    """What the declaration lets a role do with a whole table."""
    letters = GRANTS[table][role].strip("-") if role in PROCESSES else ""
    whole = role == "backup" or set(COLUMNS.get(role, {}).get(table, ())) == set(_columns(table))
    return "s" + letters if whole else letters


STATEMENTS = {
    "s": "SELECT * FROM {table} LIMIT 0",
    "i": "INSERT INTO {table} SELECT * FROM (SELECT {nulls}) AS nothing WHERE false",
    "u": "UPDATE {table} SET {column} = {column} WHERE false",
    "d": "DELETE FROM {table}",
}
"""Nothing is in the tables, and nothing comes into them."""


@pytest.fixture
def owner(fresh_postgres_url: str) -> Iterator[Connection]:
    """A connection of the owner's, to a database that was migrated."""
    upgrade(fresh_postgres_url)
    engine = create_engine(fresh_postgres_url)
    with engine.connect() as connection:
        yield connection
    engine.dispose()


@contextmanager
def acting(connection: Connection, role: str) -> Iterator[None]:
    """Act as a role, for one try of which nothing stays."""
    part = connection.begin_nested()
    try:
        connection.execute(text(f"SET LOCAL ROLE pbem_{role}"))
        yield
    finally:
        part.rollback()


def may(connection: Connection, role: str, statement: str) -> bool:
    """Return True if PostgreSQL carries a statement out for a role; raises for any other error."""
    try:
        with acting(connection, role):
            connection.execute(text(statement))
    except ProgrammingError as error:
        assert isinstance(error.orig, psycopg.errors.InsufficientPrivilege), error
        return False
    return True


@pytest.mark.long
def test_every_role_may_do_with_every_table_what_is_declared(owner: Connection) -> None:
    """All seven roles try to select, insert, update and delete on all tables: what succeeds is what is declared."""
    tried, wrong = 0, list[str]()
    for role in ROLES:
        for table in sorted(TABLES):
            columns = _columns(table)
            nulls = ", ".join(f"NULL::{_type(owner, table, column)}" for column in columns)
            for letter, statement in STATEMENTS.items():
                if letter == "u" and "s" not in declared_rights(role, table):
                    statement = f"UPDATE {table} SET {columns[0]} = DEFAULT WHERE false"
                tried += 1
                asked = statement.format(table=table, column=columns[0], nulls=nulls)
                if may(owner, role, asked) != (letter in declared_rights(role, table)):
                    wrong.append(f"{role} {LETTERS[letter]} {table}")
    assert wrong == []
    assert tried == 4 * len(ROLES) * len(TABLES)


def _type(connection: Connection, table: str, column: str) -> str:
    asked = text(
        "SELECT format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = to_regclass(:t) AND attname = :c"
    )
    return str(connection.scalar(asked, {"t": table, "c": column}))


@pytest.mark.long
@pytest.mark.parametrize("role", sorted(COLUMNS))
def test_two_roles_read_single_columns(owner: Connection, role: str) -> None:
    """Each may read the columns that are declared, and no other."""
    for table in sorted(TABLES):
        for column in _columns(table):
            read = may(owner, role, f"SELECT {column} FROM {table} LIMIT 0")
            assert read == (column in COLUMNS[role].get(table, ())), f"{table}.{column}"


@pytest.mark.long
def test_who_may_add_rows_may_number_them(owner: Connection) -> None:
    """The number of a new row is drawn by the roles that may add it, and by no other."""
    numbered = [table for table in Base.metadata.sorted_tables if table.autoincrement_column is not None]
    assert len(numbered) > 5
    for role in ROLES:
        for table in numbered:
            column = table.autoincrement_column.name  # type: ignore[union-attr]
            sequence = owner.scalar(text("SELECT pg_get_serial_sequence(:t, :c)"), {"t": table.name, "c": column})
            draws = sequence is not None and may(owner, role, f"SELECT nextval('{sequence}')")
            assert draws == ("i" in declared_rights(role, table.name) and sequence is not None), f"{role} {table.name}"


@pytest.mark.long
def test_no_role_is_more_than_its_grants(owner: Connection) -> None:
    """None can sign in, makes tables, roles or databases."""
    rows = owner.execute(
        text(
            "SELECT rolname, rolcanlogin, rolsuper, rolcreaterole, rolcreatedb, rolbypassrls FROM pg_roles"
            " WHERE rolname LIKE 'pbem\\_%'"
        )
    ).all()
    assert {row[0] for row in rows} == {f"pbem_{role}" for role in ROLES}
    assert not any(any(row[1:]) for row in rows)
    assert not any(may(owner, role, "CREATE TABLE more (x int)") for role in ROLES)


@pytest.mark.long
def test_who_may_make_no_roles_is_told_what_to_do(postgres: Postgres, fresh_postgres_url: str) -> None:
    """An owner without the right to make roles gets a sentence; where they are, the owner grants."""
    upgrade(fresh_postgres_url)
    engine = create_engine(fresh_postgres_url)
    postgres.run("CREATE ROLE plain LOGIN")
    try:
        with engine.connect() as connection:
            connection.execute(text("SET LOCAL ROLE plain"))
            with pytest.raises(grants.RolesMissing, match="superuser"):
                grants._make_role(connection, "pbem_nobody")
    finally:
        engine.dispose()
        postgres.run("DROP ROLE plain")

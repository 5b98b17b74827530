"""A copy of all rows of a server's database, which can be put back, on either database."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Engine, MetaData, create_engine, select

from tests.service.server_fixtures import ServerHarness


class DatabaseCopy:
    """What the tables hold when it is made."""

    def __init__(self, harness: ServerHarness) -> None:
        self.url = harness.resolver.db.engine.url
        self.tables = MetaData()
        with self._engine() as engine:
            self.tables.reflect(engine)
            with engine.connect() as connection:
                tables = self.tables.sorted_tables
                self.rows = {t: [dict(row) for row in connection.execute(select(t)).mappings()] for t in tables}

    def put_back(self) -> None:
        """Let the tables hold that again, whatever they hold now."""
        with self._engine() as engine, engine.begin() as connection:
            for table in reversed(self.tables.sorted_tables):
                connection.execute(table.delete())
            for table, rows in self.rows.items():
                if rows:
                    connection.execute(table.insert(), rows)

    def write(self, statement: str, values: tuple[Any, ...]) -> int:
        """Carry out a statement, as who has nothing but a connection to the database does; how many rows it met."""
        with self._engine() as engine, engine.begin() as connection:
            mark = "?" if engine.dialect.name == "sqlite" else "%s"
            return connection.exec_driver_sql(statement.replace("?", mark), values).rowcount

    @contextmanager
    def _engine(self) -> Iterator[Engine]:
        """A connection of one's own: of SQLite, one that minds no references."""
        engine = create_engine(self.url)
        yield engine
        engine.dispose()

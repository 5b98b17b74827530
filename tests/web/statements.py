"""What a page asks the database."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import event

from tests.service.server_fixtures import ServerHarness

MOST = 7
"""As many statements as the page of a seat may cost on any turn."""


@contextmanager
def counted(harness: ServerHarness) -> Iterator[list[str]]:
    """The statements that the database is asked meanwhile, without the beginnings of transactions."""
    asked: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        if not statement.startswith("BEGIN"):
            asked.append(statement)

    event.listen(harness.web.db.engine, "before_cursor_execute", note)
    try:
        yield asked
    finally:
        event.remove(harness.web.db.engine, "before_cursor_execute", note)

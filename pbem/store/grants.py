"""What each process may do in a database of PostgreSQL: a role for each, which `pbem migrate` makes and grants.

Nobody signs in as such a role: the login of each process is a member of its own (`deploy/postgresql/setup.sql`).  SQLite
has no roles, and there a process may do what it can open the file for.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Final

from sqlalchemy import Connection, text
from sqlalchemy.exc import ProgrammingError

from pbem.store.models import Base

PROCESSES: Final = ("web", "smtp", "mailer", "resolver", "scheduler")
LETTERS: Final = {"s": "SELECT", "i": "INSERT", "u": "UPDATE", "d": "DELETE"}

_GRANTS: Final = """

"""
"""A table, and what web, smtp, mailer, resolver and scheduler may do with it."""

GRANTS: Final[Mapping[str, Mapping[str, str]]] = {
    table: dict(zip(PROCESSES, letters, strict=True)) for table, *letters in map(str.split, _GRANTS.strip().splitlines())
}
"""The letters of each process by table; `-` for none."""

COUNTED: Final[Mapping[str, tuple[str, ...]]] = {
    "alembic_version": ("version_num",),
    "board_images": ("state",),
    "daily_keys": ("created_at",),
    "games": ("failure", "resolve_requested_at", "state"),
    "heartbeats": ("beat_at", "name"),
    "inbound_emails": ("id", "no_reply_reason", "received_at", "state"),
    "outages": ("cause", "is_compensated"),
    "outbound_emails": ("created_at", "due_at", "error", "key", "kind", "sent_at", "state"),
    "pending_draws": ("signature",),
    "questions": ("answered_at", "closes_at", "game_id", "gate", "is_blocking"),
    "resolver_requests": ("state",),
    "users": ("bounced_at",),
    "webhooks": ("failures", "state"),
}
"""The columns that the metrics process reads: it counts, and sees no name, address or content."""


class RolesMissing(Exception):
    """The roles are not there, and whoever migrates may make none."""

    def __init__(self) -> None:
        super().__init__(
            "The database lacks a role for each process, and this role may make none: run"
            " deploy/postgresql/setup.sql as PostgreSQL's superuser, and try again."
        )


def apply(connection: Connection) -> None:
    """Make the roles that are missing, and let each do what is said above and nothing else; raises RolesMissing."""
    for role in (*PROCESSES, "metrics", "backup"):
        _make_role(connection, f"pbem_{role}")
    for role in PROCESSES:
        by_letters: dict[str, list[str]] = defaultdict(list)
        for table, letters in GRANTS.items():
            by_letters[letters[role]].append(table)
        for letters, tables in by_letters.items():
            _grant(connection, ", ".join(LETTERS[letter] for letter in letters.strip("-")), tables, role)
        _grant(connection, "USAGE", _sequences(connection, role), role, "SEQUENCE")
    for table, columns in COUNTED.items():
        _grant(connection, f"SELECT ({', '.join(columns)})", [table], "metrics")
    for kind in ("TABLES", "SEQUENCES"):
        connection.execute(text(f"GRANT SELECT ON ALL {kind} IN SCHEMA public TO pbem_backup"))


def _make_role(connection: Connection, role: str) -> None:
    """A role that may do nothing yet."""
    if not connection.scalar(text("SELECT count(*) FROM pg_roles WHERE rolname = :role"), {"role": role}):
        try:
            connection.execute(text(f"CREATE ROLE {role}"))
        except ProgrammingError:
            raise RolesMissing from None
    for kind in ("TABLES", "SEQUENCES"):
        connection.execute(text(f"REVOKE ALL ON ALL {kind} IN SCHEMA public FROM {role}"))
    connection.execute(text(f"GRANT USAGE ON SCHEMA public TO {role}"))


def _grant(connection: Connection, what: str, places: Iterable[str], role: str, kind: str = "TABLE") -> None:
    if what and (named := ", ".join(places)):
        connection.execute(text(f"GRANT {what} ON {kind} {named} TO pbem_{role}"))


def _sequences(connection: Connection, role: str) -> list[str]:
    """Those that number the rows which a role adds."""
    numbered = [
        (table.name, table.autoincrement_column.name)
        for table in Base.metadata.sorted_tables
        if table.autoincrement_column is not None and "i" in GRANTS[table.name][role]
    ]
    asked = text("SELECT pg_get_serial_sequence(:table, :column)")
    found = (connection.scalar(asked, {"table": table, "column": column}) for table, column in numbered)
    return [str(name) for name in found if name is not None]

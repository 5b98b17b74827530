"""What each process may do in a database of PostgreSQL: a role for each, which `pbem migrate` makes and grants.

Nobody signs in as such a role: the login of each process is a member of its own (`deploy/postgresql/setup.sql`).
SQLite has no roles, and there each process may do everything.
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
absences              siud -    siud siud -
account_deletions     siud -    siud siud -
address_changes       siud -    siud siud -
alembic_version       s    -    s    s    s
api_tokens            siud -    sud  siud -
applications          siud -    siud siud -
archive_search_terms  sd   -    sd   siud -
audit_entries         siud -    siud siud -
board_images          sd   -    siud siud sd
bots                  siud -    siud siud su
capabilities          siud -    siud siud -
daily_keys            s    -    siud s    -
deadline_extensions   siud -    siud siud -
deputies              siud -    siud siud -
discord_accounts      siud -    sud  siud -
game_mutes            siud -    siud siud -
game_results          sd   -    sd   siud -
games                 siud -    siud siud su
heartbeats            s    -    siud siud siu
inbound_email_bodies  s    i    siud siud -
inbound_emails        s    i    siud siud s
invitation_opt_outs   siud -    siud siud -
join_links            siud -    siud siud -
journal_entries       sd   -    sd   siud -
mail_preferences      siud -    siud siud -
master_settings       siud -    siud siud -
masters               siud -    siud siud -
message_addresses     siud -    siud siud -
message_mutes         siud -    siud siud -
message_readers       siud -    siud siud -
messages              siud -    siud siud -
open_tables           siud -    siud siud -
operator_actions      siud -    sud  siud s
order_revisions       siud -    siud siud -
outages               siud -    siud siud s
outbound_email_bodies siud -    siud siud -
outbound_emails       siud -    siud siud s
pending_confirmations siud -    siud siud -
pending_draws         sd   -    siud siud -
practice_games        siud -    siud siud -
printed_emails        sd   -    siud sd   -
questions             siud -    siud siud s
rematch_invitations   siud -    siud siud -
resolver_requests     siud -    siud siud s
sealed_orders         siud -    siud siud -
seat_tenures          siud -    siud siud -
seat_views            sd   -    sd   siud -
seats                 siud -    siud siud s
second_factors        sd   -    sd   siud -
spectators            siud -    siud siud -
turn_statistics       sd   -    sd   siud -
users                 siud -    siud siud -
votes                 siud -    siud siud -
webhook_messages      siud -    siud siud -
webhook_rate_limits   siud -    siud siud -
webhooks              siud -    siud siud -
"""
"""A table, and what web, smtp, mailer, resolver and scheduler may do with it."""

GRANTS: Final[Mapping[str, Mapping[str, str]]] = {
    table: dict(zip(PROCESSES, letters, strict=True))
    for table, *letters in map(str.split, _GRANTS.strip().splitlines())
}
"""The letters of each process by table; `-` for none."""

COLUMNS: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
    "smtp": {
        "alembic_version": ("version_num",),
        "capabilities": ("game_id", "hash", "seat", "user_id"),
        "daily_keys": ("created_at", "id", "public_key", "restored_at", "signed"),
        "games": ("id",),
        "heartbeats": ("beat_at", "name"),
        "inbound_emails": ("id",),
    },
    "metrics": {
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
    },
}
"""The only columns that two processes read: smtp looks addresses up and whose they are, and metrics counts."""


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
        by_letters = defaultdict[str, list[str]](list)
        for table, row in GRANTS.items():
            by_letters[row[role]].append(table)
        for letters, tables in by_letters.items():
            _grant(connection, ", ".join(LETTERS[letter] for letter in letters.strip("-")), tables, role)
        _grant(connection, "USAGE", _sequences(connection, role), role, "SEQUENCE")
    for role, tables_read in COLUMNS.items():
        for table, columns in tables_read.items():
            _grant(connection, f"SELECT ({', '.join(columns)})", [table], role)
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

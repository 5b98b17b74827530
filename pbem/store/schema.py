"""The database's schema, brought to the newest version."""

from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import inspect, text

from pbem.store.database import Database

if TYPE_CHECKING:
    from alembic.config import Config

MIGRATIONS = Path(__file__).parent / "migrations"


def upgrade(url: str) -> None:
    """Make or migrate the tables of a database, and grant them to the role of each process; raises RolesMissing.

    What migrates is loaded here: processes only ask for the step.
    """
    from alembic import command

    from pbem.store import grants

    command.upgrade(alembic_config(url), "head")
    database = Database(url)
    if not database.sqlite:
        with database.engine.begin() as connection:
            grants.apply(connection)
    database.close()


def alembic_config(url: str) -> "Config":
    """What alembic needs to know, without a file of its own."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["url"] = url
    return config


def head_revision() -> int:
    """The number of the newest migration that this version has."""
    return max(int(path.name[:4]) for path in (MIGRATIONS / "versions").glob("[0-9]*.py"))


def incompatibility(database: Database) -> str:
    """Why this version cannot work with the tables of a database, in a sentence; empty if it can.

    One step newer will do: it was made for a version that can be rolled back to this one.  Raises SQLAlchemyError where
    the database does not answer.
    """
    found = current_revision(database)
    if found is None:
        return "The database has no tables yet: run pbem migrate."
    steps = f"The tables of the database are of step {found:04}, and this version knows {head_revision():04}"
    if found < head_revision():
        return f"{steps}: run pbem migrate."
    return f"{steps}: install a newer version." if found > head_revision() + 1 else ""


def current_revision(database: Database) -> int | None:
    """The number of the last migration that the tables have seen; None where there are none yet."""
    with database.snapshot() as session:
        known = inspect(session.connection()).has_table("alembic_version")
        found = session.scalar(text("SELECT version_num FROM alembic_version")) if known else None
    return int(found) if found is not None else None

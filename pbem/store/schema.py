"""The database's schema, brought to the newest version."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import inspect, text

from pbem.store.database import Database

MIGRATIONS = Path(__file__).parent / "migrations"


def create(url: str) -> None:
    """Make or migrate the tables of a database."""
    command.upgrade(configuration(url), "head")


def configuration(url: str) -> Config:
    """What alembic needs to know, without a file of its own."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["url"] = url
    return config


def newest() -> int:
    """The number of the newest migration that this version has."""
    return max(int(path.name[:4]) for path in (MIGRATIONS / "versions").glob("[0-9]*.py"))


def trouble(database: Database) -> str:
    """Why this version cannot work with the tables of a database, in a sentence; empty if it can.

    One step newer will do: it was made for a version that can be rolled back to this one.  Raises SQLAlchemyError where
    the database does not answer.
    """
    with database.reading() as session:
        known = inspect(session.connection()).has_table("alembic_version")
        found = session.scalar(text("SELECT version_num FROM alembic_version")) if known else None
    if found is None:
        return "The database has no tables yet: run pbem migrate."
    steps = f"The tables of the database are of step {found}, and this version knows {newest():04}"
    if int(found) < newest():
        return f"{steps}: run pbem migrate."
    return f"{steps}: install a newer version." if int(found) > newest() + 1 else ""

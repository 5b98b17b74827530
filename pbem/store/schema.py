"""The database's schema, brought to the newest version."""

from pathlib import Path

from alembic import command
from alembic.config import Config

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

"""The table of tables that look for players."""

from sqlalchemy import ForeignKey
from sqlalchemy.orm import Mapped, mapped_column

from pbem.store.models import Base


class Listed(Base):
    """A table that is open to everybody here, since when; one without a row is for those who are invited."""

    __tablename__ = "listed"
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    since: Mapped[int]

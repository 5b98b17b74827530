"""What is kept of finished games: the words of their stories, and how they ended for each seat."""

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from pbem.store.models.base import TAG, Base


class ArchiveSearchTerm(Base):
    """A word of the story of a finished game, in a language, and the entries whose telling holds it, packed."""

    __tablename__ = "archive_search_terms"
    language: Mapped[str] = mapped_column(TAG, primary_key=True)
    word: Mapped[str] = mapped_column(String(40), primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True, index=True)
    entries: Mapped[bytes]


class GameResult(Base):
    """How a finished game ended for a seat.

    `power`: the id of the name that it played under; `tied_with`: with whom.
    """

    __tablename__ = "game_results"
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    seat: Mapped[str] = mapped_column(String(8), primary_key=True)
    user_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"), index=True)
    rules: Mapped[str] = mapped_column(String(40), index=True)
    power: Mapped[str] = mapped_column(String(40))
    place: Mapped[int]
    tied_with: Mapped[int]
    players: Mapped[int]
    points: Mapped[int]

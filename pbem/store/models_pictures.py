"""The tables of pictures that go along with letters, and of figures that are followed from turn to turn."""

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from pbem.store.models import Base


class PictureRow(Base):
    """The board as one viewer saw it after an entry, as PNG, for one language; made once, whoever is sent it.

    `since`: what has changed from this entry on is marked; 0: nothing is.  `state`: `wanted`, `made`, `failed`.
    `sealed`: to post, which sends it and alone reads it; empty until it is made.
    """

    __tablename__ = "pictures"
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    viewer: Mapped[str] = mapped_column(String(8), primary_key=True)
    entry: Mapped[int] = mapped_column(primary_key=True)
    since: Mapped[int] = mapped_column(primary_key=True)
    language: Mapped[str] = mapped_column(String(2), primary_key=True)
    state: Mapped[str] = mapped_column(String(8), index=True)
    wanted_at: Mapped[int]
    claimed_at: Mapped[int | None]
    error: Mapped[str] = mapped_column(String(80), default="")
    sealed: Mapped[bytes] = mapped_column(default=b"")


class PlotRow(Base):
    """The public figures of a turn, as they stood after its last entry so far; sealed like a public view.

    After a game went back, rows of later turns are those of a course that was given up: `entry` tells them apart.
    """

    __tablename__ = "plots"
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    turn: Mapped[int] = mapped_column(primary_key=True)
    entry: Mapped[int]
    sealed: Mapped[bytes]

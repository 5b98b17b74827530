"""The table of pictures that go along with letters."""

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

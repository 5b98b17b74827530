"""What happened in games: the journal, and what each viewer may have of it."""

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from pbem.store.models.base import Base


class JournalEntry(Base):
    """A journal entry: what everybody may have of it, its link in the chain, and the rest under the game's own key."""

    __tablename__ = "journal_entries"
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    gate: Mapped[str] = mapped_column(String(80))
    created_at: Mapped[int]
    public: Mapped[bytes]
    chain_link: Mapped[bytes]
    entry_ciphertext: Mapped[bytes]
    state_ciphertext: Mapped[bytes]
    salts_ciphertext: Mapped[bytes]


class SeatView(Base):
    """What one viewer may have of an entry: `kind` is `view` (the redacted position) or `events`.

    `holder`: the number of the person who held the seat then, bound into the seal; 0 if nobody.
    """

    __tablename__ = "seat_views"
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    viewer: Mapped[str] = mapped_column(String(8), primary_key=True)
    kind: Mapped[str] = mapped_column(String(8), primary_key=True)
    entry: Mapped[int] = mapped_column(primary_key=True)
    holder: Mapped[int]
    ciphertext: Mapped[bytes]


class TurnStatistics(Base):
    """The public figures of a turn, as they stood after its last entry so far; sealed like a public view.

    After a game went back, rows of later turns are those of a course that was given up: `entry` tells them apart.
    """

    __tablename__ = "turn_statistics"
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    turn: Mapped[int] = mapped_column(primary_key=True)
    entry: Mapped[int]
    ciphertext: Mapped[bytes]

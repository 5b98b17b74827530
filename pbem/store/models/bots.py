"""Bots and practice tables: those who play here without an address; and how people come to a table that forms."""

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from pbem.store.models.base import Base


class Bot(Base):
    """A bot at its one table.  That it is one, the address of its person says, which is signed.

    `pace`: how long it thinks.  `seed`: what decides its choices.  `due_at`: when it is to look what it owes; None: not
    before a resolver tells it something.
    """

    __tablename__ = "bots"
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), primary_key=True, autoincrement=False)
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), index=True)
    pace: Mapped[str] = mapped_column(String(8))
    seed: Mapped[bytes]
    due_at: Mapped[int | None] = mapped_column(index=True)


class PracticeGame(Base):
    """A practice table, its guest, and until when there is anything of it."""

    __tablename__ = "practice_games"
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    expires_at: Mapped[int] = mapped_column(index=True)


class JoinLink(Base):
    """The link by which whoever has it may sit down at a table that forms, so that its host can copy it again.

    What it opens is said by the token of that hash alone.
    """

    __tablename__ = "join_links"
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    ciphertext: Mapped[bytes]
    created_at: Mapped[int]


class RematchInvitation(Base):
    """A seat to which a player of an earlier table is asked: its host is shown their name, and not their address."""

    __tablename__ = "rematch_invitations"
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    seat: Mapped[str] = mapped_column(String(8), primary_key=True)

"""What is said at tables: messages, their readers, their addresses, and whom a player does not want to hear."""

from sqlalchemy import ForeignKey, Index, LargeBinary, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from pbem.store.models.base import KEY, Base, SignedRow


class Message(Base):
    """Something said at a table, or noted in a diary.  Who said it, to whom, and the words lie in `ciphertext`.

    `kind`: `public`, `private`, `master`, `diary`. `source`: the letter or form that brought it; it acts once.
    """

    __tablename__ = "messages"
    __table_args__ = (Index("ix_messages_place", "game_id", "kind"),)
    id: Mapped[int] = mapped_column(KEY, primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"))
    kind: Mapped[str] = mapped_column(String(8))
    entry: Mapped[int]
    created_at: Mapped[int]
    source: Mapped[str] = mapped_column(String(120), unique=True)
    ciphertext: Mapped[bytes]


class MessageReader(SignedRow, Base):
    """For whom a message is that is not for everybody: persons, and not seats, so that no successor finds it."""

    __tablename__ = "message_readers"
    message_id: Mapped[int] = mapped_column(ForeignKey("messages.id"), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), primary_key=True, index=True)


class TalkAddress(SignedRow, Base):
    """A person's address for a circle of readers at a table: all, the master, or seats, each by its name.

    The token itself lies in `ciphertext`, since many letters have it; its hash, and whether it still holds, in
    `capabilities`.
    """

    __tablename__ = "message_addresses"
    __table_args__ = (UniqueConstraint("game_id", "user_id", "audience"),)
    hash: Mapped[bytes] = mapped_column(LargeBinary(32), ForeignKey("capabilities.hash"), primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"))
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    audience: Mapped[str] = mapped_column(String(80))
    ciphertext: Mapped[bytes]


class TalkMute(Base):
    """Whom a player does not want to hear at a table; `muted_user_id` 0: those who do not sign."""

    __tablename__ = "message_mutes"
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), primary_key=True)
    muted_user_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)

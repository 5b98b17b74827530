"""The tables of what is beside a game: talk and diaries, deputies, onlookers, and the records of finished games."""

from sqlalchemy import ForeignKey, Index, LargeBinary, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from pbem.store.models import _KEY, Base


class Message(Base):
    """Something said at a table, or noted in a diary.  Who said it, to whom, and the words lie in `sealed`.

    `kind`: `public`, `private`, `master`, `diary`. `source`: the letter or form that brought it; it acts once.
    """

    __tablename__ = "messages"
    __table_args__ = (Index("ix_messages_place", "game_id", "kind"),)
    id: Mapped[int] = mapped_column(_KEY, primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"))
    kind: Mapped[str] = mapped_column(String(8))
    entry: Mapped[int]
    made_at: Mapped[int]
    source: Mapped[str] = mapped_column(String(120), unique=True)
    sealed: Mapped[bytes]


class MessageReader(Base):
    """For whom a message is that is not for everybody: persons, and not seats, so that no successor finds it."""

    __tablename__ = "message_readers"
    message_id: Mapped[int] = mapped_column(ForeignKey("messages.id"), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), primary_key=True, index=True)


class TalkAddress(Base):
    """Somebody's address for a circle of readers at a table: all, the master, or seats, each by its name.

    The token itself lies in `sealed`, for it stands in many letters; its hash, and whether it still holds, in `tokens`.
    """

    __tablename__ = "talk_addresses"
    __table_args__ = (UniqueConstraint("game_id", "user_id", "circle"),)
    hash: Mapped[bytes] = mapped_column(LargeBinary(32), ForeignKey("tokens.hash"), primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"))
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    circle: Mapped[str] = mapped_column(String(80))
    sealed: Mapped[bytes]


class TalkMute(Base):
    """Whom somebody does not want to hear at a table; `muted` 0: whoever does not sign."""

    __tablename__ = "talk_mutes"
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), primary_key=True)
    muted: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)


class Deputy(Base):
    """Who answers for a seat while its player is away.

    `agreed_at`: he said that he will. `began_at` and `known_from`: since when he does, and what he may see from there
    on. `ended_at`, `why`: `over` (the time), `back`, `refused`, `withdrawn`, `replaced`.
    """

    __tablename__ = "deputies"
    id: Mapped[int] = mapped_column(_KEY, primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), index=True)
    seat: Mapped[str] = mapped_column(String(8))
    owner_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    since: Mapped[int]
    until: Mapped[int]
    made_at: Mapped[int]
    agreed_at: Mapped[int | None]
    began_at: Mapped[int | None]
    known_from: Mapped[int] = mapped_column(default=0)
    ended_at: Mapped[int | None]
    why: Mapped[str] = mapped_column(String(10), default="")


class Watcher(Base):
    """Somebody who looks on: what everybody may see, and nothing else.  `asked_by`: whoever invited him.

    `letters_from`: he wants letters, of what comes after that entry; empty: none.
    """

    __tablename__ = "watchers"
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), primary_key=True, index=True)
    since: Mapped[int]
    asked_by: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    letters_from: Mapped[int | None]


class RecordWord(Base):
    """A word of the story of a finished game, in a language, and the entries whose telling holds it, packed."""

    __tablename__ = "record_words"
    language: Mapped[str] = mapped_column(String(2), primary_key=True)
    word: Mapped[str] = mapped_column(String(40), primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True, index=True)
    entries: Mapped[bytes]


class ResultRow(Base):
    """How a finished game ended for a seat.  `power`: the id of the name that it played under; `shared`: with whom."""

    __tablename__ = "results"
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    seat: Mapped[str] = mapped_column(String(8), primary_key=True)
    user_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"), index=True)
    title: Mapped[str] = mapped_column(String(40), index=True)
    power: Mapped[str] = mapped_column(String(40))
    place: Mapped[int]
    shared: Mapped[int]
    players: Mapped[int]
    points: Mapped[int]

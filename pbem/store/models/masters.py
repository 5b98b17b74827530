"""Game masters: who they are, what they asked for twice, what they did, what players want of them."""

from sqlalchemy import ForeignKey, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from pbem.store.models.base import KEY, Base, SignedRow


class Master(SignedRow, Base):
    """A master of a game, from when to when; `seen_at`: their last sign of life.

    `blind`: they have opened nothing beyond what everybody sees.  The host of a table has a row from its beginning:
    one whose rows were deleted has no master.
    """

    __tablename__ = "masters"
    id: Mapped[int] = mapped_column(KEY, primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), index=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    starts_at: Mapped[int]
    ends_at: Mapped[int | None]
    blind: Mapped[bool] = mapped_column(default=True)
    seen_at: Mapped[int]


class MasterSettings(SignedRow, Base):
    """What a table has settled about its masters.

    `requires_second_master`: dangerous acts need a second master. `approval`: people who want a seat must be approved.
    `absence_days`: after so long without a sign of life the seats may elect another. `called_at`: since when a seat
    asks for the master.
    """

    __tablename__ = "master_settings"
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    requires_second_master: Mapped[bool] = mapped_column(default=False)
    approval: Mapped[bool] = mapped_column(default=False)
    absence_days: Mapped[int] = mapped_column(default=7)
    called_at: Mapped[int | None]


class AuditEntry(Base):
    """One act of a master, for everybody to read: who, by which channel, when, the line, and what came of it.

    `line` names nothing hidden: no order of a seat, and addresses are masked. `announced_at`: when the players were
    told; None: with the next report.
    """

    __tablename__ = "audit_entries"
    __table_args__ = (Index("ix_audit_entries_place", "game_id", "id"),)
    id: Mapped[int] = mapped_column(KEY, primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"))
    created_at: Mapped[int]
    entry: Mapped[int]
    user_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"), index=True)
    name: Mapped[str] = mapped_column(String(80))
    channel: Mapped[str] = mapped_column(String(12))
    action: Mapped[str] = mapped_column(String(24))
    line: Mapped[str] = mapped_column(String(400))
    outcome: Mapped[str] = mapped_column(String(12))
    reason: Mapped[str] = mapped_column(String(2000), default="")
    announced_at: Mapped[int | None]


class PendingConfirmation(SignedRow, Base):
    """An act that was asked for once: with its word, from the same state of the game, it is done.

    `digest` is of the act as it was understood. `line`: the act and the lines that belong to it, empty once its author
    has confirmed it. `needs_approval`: another person must agree, and not its author. `approved_by`: that person.
    """

    __tablename__ = "pending_confirmations"
    __table_args__ = (UniqueConstraint("game_id", "code"),)
    id: Mapped[int] = mapped_column(KEY, primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"))
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    code: Mapped[str] = mapped_column(String(12))
    digest: Mapped[str] = mapped_column(String(64))
    line: Mapped[str] = mapped_column(Text, default="")
    needs_approval: Mapped[bool]
    entry: Mapped[int]
    created_at: Mapped[int]
    used_at: Mapped[int | None]
    approved_by: Mapped[int | None] = mapped_column(ForeignKey("users.id"))


class Application(SignedRow, Base):
    """A person asks for a seat of a table that wants to approve, or is asked whether they take one.

    Open while `decided_at` is empty.  `seat` empty: any free one, of a table that forms; `seed_words`: what they put
    into its deal.  `outcome` of who asks: empty, `approved`, `refused`, `withdrawn`, `full`; of who is asked:
    `offered`,
    `accepted`, `declined`, `taken_back`, `over`.
    """

    __tablename__ = "applications"
    id: Mapped[int] = mapped_column(KEY, primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), index=True)
    seat: Mapped[str] = mapped_column(String(8))
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
    created_at: Mapped[int]
    decided_at: Mapped[int | None]
    outcome: Mapped[str] = mapped_column(String(12), default="")
    seed_words: Mapped[str] = mapped_column(String(200), default="")


class Vote(SignedRow, Base):
    """A seat's voice: for a new master (`motion` master, `target` a person's number), or to put a seat out (`out`)."""

    __tablename__ = "votes"
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    motion: Mapped[str] = mapped_column(String(8), primary_key=True)
    target: Mapped[str] = mapped_column(String(20), primary_key=True)
    seat: Mapped[str] = mapped_column(String(8), primary_key=True)
    created_at: Mapped[int]

"""Who is at a table beside its players: deputies and spectators."""

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from pbem.store.models.base import KEY, Base, SignedRow


class Deputy(SignedRow, Base):
    """Who answers for a seat while its player is away.

    `agreed_at`: they said they will. `started_at` and `visible_from_entry`: since when they do, and what they may see
    from there on. `ended_at`, `end_reason`: `over` (the time), `back`, `refused`, `withdrawn`, `replaced`.
    """

    __tablename__ = "deputies"
    id: Mapped[int] = mapped_column(KEY, primary_key=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), index=True)
    seat: Mapped[str] = mapped_column(String(8))
    owner_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    starts_at: Mapped[int]
    ends_at: Mapped[int]
    created_at: Mapped[int]
    agreed_at: Mapped[int | None]
    began_at: Mapped[int | None]
    visible_from_entry: Mapped[int] = mapped_column(default=0)
    ended_at: Mapped[int | None]
    end_reason: Mapped[str] = mapped_column(String(10), default="")


class Spectator(SignedRow, Base):
    """A spectator: they see what everybody may see, and nothing else.  `invited_by`: the person who invited them.

    `emails_since`: they want letters, of what comes after that entry; empty: none.
    """

    __tablename__ = "spectators"
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), primary_key=True, index=True)
    created_at: Mapped[int]
    invited_by: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    emails_since: Mapped[int | None]

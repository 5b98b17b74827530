"""Who is at a table beside its players: deputies and spectators."""

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from pbem.store.models.base import KEY, Base, SignedRow


class Deputy(SignedRow, Base):
    """Who answers for a seat while its player is away.

    `agreed_at`: they said they will. `began_at` and `known_from`: since when they do, and what they may see from there
    on. `ended_at`, `why`: `over` (the time), `back`, `refused`, `withdrawn`, `replaced`.
    """

    __tablename__ = "deputies"
    id: Mapped[int] = mapped_column(KEY, primary_key=True)
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


class Spectator(SignedRow, Base):
    """A spectator: they see what everybody may see, and nothing else.  `asked_by`: the person who invited them.

    `letters_from`: they want letters, of what comes after that entry; empty: none.
    """

    __tablename__ = "watchers"
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), primary_key=True, index=True)
    since: Mapped[int]
    asked_by: Mapped[int | None] = mapped_column(ForeignKey("users.id"))
    letters_from: Mapped[int | None]

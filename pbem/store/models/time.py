"""What moves deadlines: absences, signs of life, time that was lost and given back."""

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from pbem.store.models.base import KEY, Base


class Absence(Base):
    """An absence that a player announced; it never moves a deadline that runs already."""

    __tablename__ = "absences"
    id: Mapped[int] = mapped_column(KEY, primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    starts_at: Mapped[int]
    ends_at: Mapped[int]
    created_at: Mapped[int]


class Heartbeat(Base):
    """A sign of life, by name: `scheduler`, `mail_jobs`, `probe_sent`, `probe` (a letter to ourselves came back),
    `probe_signed` (it had a signature of DKIM).  And `restored`: a copy of the database was put back.
    """

    __tablename__ = "heartbeats"
    name: Mapped[str] = mapped_column(String(12), primary_key=True)
    beat_at: Mapped[int]


class Outage(Base):
    """A stretch of time that players lost, of one game or player if it names one.

    `cause`: `stopped` (the server), `jumped` (its clock), `inbound` (letters did not come in), `bounce` (theirs did not
    arrive), `halt` (many missed at once), `pause`. Until it is compensated, no deadline that it touches
    passes.
    """

    __tablename__ = "outages"
    id: Mapped[int] = mapped_column(KEY, primary_key=True)
    cause: Mapped[str] = mapped_column(String(10))
    game_id: Mapped[str | None] = mapped_column(ForeignKey("games.id"), index=True)
    user_id: Mapped[int | None] = mapped_column(ForeignKey("users.id"), index=True)
    started_at: Mapped[int]
    ended_at: Mapped[int | None]
    is_compensated: Mapped[bool] = mapped_column(default=False, index=True)
    declared_by: Mapped[str] = mapped_column(String(80), default="")


class DeadlineExtension(Base):
    """The log of time given back: what was lost of a question's time, and what its deadline was and is."""

    __tablename__ = "deadline_extensions"
    id: Mapped[int] = mapped_column(KEY, primary_key=True)
    outage_id: Mapped[int] = mapped_column(ForeignKey("outages.id"), index=True)
    game_id: Mapped[str] = mapped_column(ForeignKey("games.id"), index=True)
    gate: Mapped[str] = mapped_column(String(80))
    seat: Mapped[str] = mapped_column(String(8))
    lost_ms: Mapped[int]
    due_before: Mapped[int]
    due_after: Mapped[int]
    created_at: Mapped[int]

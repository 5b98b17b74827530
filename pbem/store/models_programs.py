"""The table of what programs play with.  Whose it is, for which seat, until when and whether it was ended stands with
all other capabilities in `tokens`; so does its hash, and whatever ends those of a seat ends these.
"""

from sqlalchemy import ForeignKey, LargeBinary, String
from sqlalchemy.orm import Mapped, mapped_column

from pbem.store.models import _KEY, Base


class ProgramRow(Base):
    """A program that its owner lets in: what he calls it, and its `scope` (`read`, `play` or `master`)."""

    __tablename__ = "programs"
    id: Mapped[int] = mapped_column(_KEY, primary_key=True)
    hash: Mapped[bytes] = mapped_column(LargeBinary(32), ForeignKey("tokens.hash"), unique=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    name: Mapped[str] = mapped_column(String(60))
    scope: Mapped[str] = mapped_column(String(8))

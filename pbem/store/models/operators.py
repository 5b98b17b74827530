"""Operators: their second factors, and what they asked for on their page."""

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from pbem.store.models.base import KEY, Base, SignedRow


class SecondFactor(SignedRow, Base):
    """The secret from which an operator's codes are made (RFC 6238); enrolled on the server's command line alone."""

    __tablename__ = "second_factors"
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), primary_key=True, autoincrement=False)
    secret_ciphertext: Mapped[bytes]
    created_at: Mapped[int]


class OperatorAction(SignedRow, Base):
    """An act that an operator confirmed with a code: what, at which table, and what came of it; they stay, as an audit.

    Signed is what was asked; `done_at` and `outcome` (`done`, `nothing`, `old`, `failed`) are what a resolver found.
    """

    __tablename__ = "operator_actions"
    SIGNED_COLUMNS = ("id", "user_id", "action", "subject", "created_at")
    id: Mapped[int] = mapped_column(KEY, primary_key=True)
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"), index=True)
    action: Mapped[str] = mapped_column(String(12))
    subject: Mapped[str] = mapped_column(String(12))
    created_at: Mapped[int]
    done_at: Mapped[int | None] = mapped_column(index=True)
    outcome: Mapped[str] = mapped_column(String(12), default="")

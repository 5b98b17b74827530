"""Operators: the secrets of their second factors, and what they asked for on their page."""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None

KEY = sa.Integer().with_variant(sa.BigInteger(), "postgresql")


def upgrade() -> None:
    """Two tables."""
    op.create_table(
        "second_factors",
        sa.Column("user_id", KEY, sa.ForeignKey("users.id", name="fk_second_factors_user_id"), nullable=False),
        sa.Column("secret_sealed", sa.LargeBinary(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("signed", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("user_id", name="pk_second_factors"),
    )
    op.create_table(
        "operator_acts",
        sa.Column("id", KEY, nullable=False),
        sa.Column("user_id", KEY, sa.ForeignKey("users.id", name="fk_operator_acts_user_id"), nullable=False),
        sa.Column("act", sa.String(12), nullable=False),
        sa.Column("subject", sa.String(12), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("done_at", sa.BigInteger(), nullable=True),
        sa.Column("outcome", sa.String(12), nullable=False),
        sa.Column("signed", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_operator_acts"),
    )
    op.create_index("ix_operator_acts_user_id", "operator_acts", ["user_id"])
    op.create_index("ix_operator_acts_done_at", "operator_acts", ["done_at"])

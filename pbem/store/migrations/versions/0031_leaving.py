"""People who change their address, and people who want to be forgotten."""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None

KEY = sa.Integer().with_variant(sa.BigInteger(), "postgresql")


def upgrade() -> None:
    """Two tables."""
    op.create_table(
        "address_changes",
        sa.Column("user_id", KEY, sa.ForeignKey("users.id", name="fk_address_changes_user_id"), nullable=False),
        sa.Column("to_user_id", KEY, sa.ForeignKey("users.id", name="fk_address_changes_to_user_id"), nullable=False),
        sa.Column("old_hash", sa.LargeBinary(32), nullable=False),
        sa.Column("new_hash", sa.LargeBinary(32), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("old_at", sa.BigInteger(), nullable=True),
        sa.Column("new_at", sa.BigInteger(), nullable=True),
        sa.Column("signed", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("user_id", name="pk_address_changes"),
        sa.UniqueConstraint("old_hash", name="uq_address_changes_old_hash"),
        sa.UniqueConstraint("new_hash", name="uq_address_changes_new_hash"),
    )
    op.create_index("ix_address_changes_to_user_id", "address_changes", ["to_user_id"])
    op.create_table(
        "leavings",
        sa.Column("user_id", KEY, sa.ForeignKey("users.id", name="fk_leavings_user_id"), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("signed", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("user_id", name="pk_leavings"),
    )

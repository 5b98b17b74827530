"""Rates are counted in the broker's store."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Drop the counts of hours long past."""
    op.drop_table("hits")


def downgrade() -> None:
    """Make the table of counts again, empty."""
    op.create_table(
        "hits",
        sa.Column("who", sa.LargeBinary(length=32), nullable=False),
        sa.Column("hour", sa.BigInteger(), nullable=False),
        sa.Column("count", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("who", "hour", name=op.f("pk_hits")),
    )

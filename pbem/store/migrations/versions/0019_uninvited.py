"""Mailboxes whose owners want no invitations, by their digests."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Without a row a person can be invited, as before."""
    op.create_table(
        "uninvited",
        sa.Column("mark", sa.LargeBinary(length=32), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("mark", name=op.f("pk_uninvited")),
    )

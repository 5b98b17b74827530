"""What went out lately is found by an index: figures ask for it each time, and each letter that was refused does."""

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Of letters that were sent alone: one that waits is in it no earlier than it goes out."""
    there = sa.text("sent_at IS NOT NULL")
    op.create_index("ix_letters_out_sent_at", "letters_out", ["sent_at"], sqlite_where=there, postgresql_where=there)

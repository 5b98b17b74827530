"""Rows that ask play or post for something are signed, and what a game is; those that are there need vouching for."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None

SIGNED = ("channels", "commands", "letters_out", "listed")


def upgrade() -> None:
    """Columns for the signatures; that of a game is over more than before, so `pbem keys vouch` makes it anew."""
    for table in SIGNED:
        op.add_column(table, sa.Column("signed", sa.LargeBinary(), nullable=True))
    op.execute("UPDATE games SET signed = NULL")

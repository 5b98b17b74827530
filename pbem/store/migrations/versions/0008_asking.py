"""What whoever asks for a seat puts into the deal; onlookers who want letters."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns."""
    words = sa.Column("words", sa.String(length=200), nullable=False, server_default="")
    op.add_column("applications", words)
    op.add_column("watchers", sa.Column("letters_from", sa.BigInteger(), nullable=True))

"""What the luck of a game is made of: one that is there goes on as it began."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Games that are there mix commitments."""
    op.add_column("games", sa.Column("mixing", sa.BigInteger(), nullable=False, server_default="1"))

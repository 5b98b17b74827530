"""A third waiting time: a choice within a turn waits longer than an interruption, and not as long as a turn."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """No question that is open is such a choice."""
    op.add_column("decisions", sa.Column("choice", sa.Boolean(), nullable=False, server_default=sa.false()))

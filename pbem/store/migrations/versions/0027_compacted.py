"""Games that are over are kept smaller: when that was done."""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Games that ended before are visited for it at the next tidying."""
    op.add_column("games", sa.Column("compacted_at", sa.BigInteger(), nullable=True))

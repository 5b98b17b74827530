"""Why a letter got no answer, for the operator's list."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nothing is known of letters of before."""
    op.add_column("letters_in", sa.Column("unanswered", sa.String(length=32), nullable=True))

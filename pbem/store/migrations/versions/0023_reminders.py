"""What a clock looks for is found by an index: questions to be reminded of, those that are due, and tables to hold."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Questions that are open are looked at once; one that a server of long ago put closes at its deadline."""
    op.add_column("decisions", sa.Column("remind_at", sa.BigInteger(), nullable=True))
    op.create_index("ix_decisions_remind_at", "decisions", ["remind_at"])
    op.execute("UPDATE decisions SET remind_at = 0 WHERE due_at IS NOT NULL")
    op.execute("UPDATE decisions SET closes_at = due_at WHERE closes_at IS NULL")
    op.drop_index("ix_games_state", "games")
    op.create_index("ix_games_state", "games", ["state", "rules", "rules_version"])
    op.drop_index("ix_decisions_due_at", "decisions")

"""The table of tables that look for players."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make it."""
    op.create_table(
        "listed",
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_listed_game_id")),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_listed")),
    )

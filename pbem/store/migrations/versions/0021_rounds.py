"""Gates that wait for a round of the public beacon: none in the games that are there."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """No question that is open has been counted."""
    op.add_column("decisions", sa.Column("counted", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_table(
        "rounds",
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("entry", sa.BigInteger(), nullable=False),
        sa.Column("gate", sa.String(length=80), nullable=False),
        sa.Column("round", sa.BigInteger(), nullable=False),
        sa.Column("signature", sa.LargeBinary(), nullable=True),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column("fixed_at", sa.BigInteger(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
        sa.Column("tries", sa.BigInteger(), nullable=False),
        sa.Column("told", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_rounds_game_id")),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_rounds")),
    )
    op.create_index(op.f("ix_rounds_due_at"), "rounds", ["due_at"], unique=False)

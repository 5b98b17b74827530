"""The tables for pictures of the board."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make them."""
    op.create_table(
        "pictures",
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("viewer", sa.String(length=8), nullable=False),
        sa.Column("entry", sa.BigInteger(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("language", sa.String(length=2), nullable=False),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("wanted_at", sa.BigInteger(), nullable=False),
        sa.Column("claimed_at", sa.BigInteger(), nullable=True),
        sa.Column("error", sa.String(length=80), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_pictures_game_id")),
        sa.PrimaryKeyConstraint("game_id", "viewer", "entry", "since", "language", name=op.f("pk_pictures")),
    )
    op.create_index(op.f("ix_pictures_state"), "pictures", ["state"], unique=False)
    op.create_table(
        "plots",
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("turn", sa.BigInteger(), nullable=False),
        sa.Column("entry", sa.BigInteger(), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_plots_game_id")),
        sa.PrimaryKeyConstraint("game_id", "turn", name=op.f("pk_plots")),
    )
    with op.batch_alter_table("seats") as table:
        table.add_column(sa.Column("ordered_entry", sa.BigInteger(), nullable=True))

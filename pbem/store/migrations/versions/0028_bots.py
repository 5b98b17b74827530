"""Bots at tables, practice tables, links by which one sits down at a table, and seats of a rematch."""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None

KEY = sa.Integer().with_variant(sa.BigInteger(), "postgresql")


def upgrade() -> None:
    """No table has any of them."""
    op.create_table(
        "bots",
        sa.Column("user_id", KEY, sa.ForeignKey("users.id", name="fk_bots_user_id"), nullable=False),
        sa.Column("game_id", sa.String(12), sa.ForeignKey("games.id", name="fk_bots_game_id"), nullable=False),
        sa.Column("pace", sa.String(8), nullable=False),
        sa.Column("seed", sa.LargeBinary(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("user_id", name="pk_bots"),
    )
    op.create_index("ix_bots_game_id", "bots", ["game_id"])
    op.create_index("ix_bots_due_at", "bots", ["due_at"])
    op.create_table(
        "practices",
        sa.Column("game_id", sa.String(12), sa.ForeignKey("games.id", name="fk_practices_game_id"), nullable=False),
        sa.Column("user_id", KEY, sa.ForeignKey("users.id", name="fk_practices_user_id"), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", name="pk_practices"),
    )
    op.create_index("ix_practices_user_id", "practices", ["user_id"])
    op.create_index("ix_practices_until", "practices", ["until"])
    op.create_table(
        "table_links",
        sa.Column("game_id", sa.String(12), sa.ForeignKey("games.id", name="fk_table_links_game_id"), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("game_id", name="pk_table_links"),
    )
    op.create_table(
        "asked_again",
        sa.Column("game_id", sa.String(12), sa.ForeignKey("games.id", name="fk_asked_again_game_id"), nullable=False),
        sa.Column("seat", sa.String(8), nullable=False),
        sa.PrimaryKeyConstraint("game_id", "seat", name="pk_asked_again"),
    )

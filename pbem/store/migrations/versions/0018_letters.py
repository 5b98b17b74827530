"""Which letters a person wants: of which tables, how many, receipts of what they send on the page, pictures."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

KEY = sa.Integer().with_variant(sa.BigInteger(), "postgresql")


def upgrade() -> None:
    """Without a row a person gets everything, as before."""
    op.create_table(
        "letter_choices",
        sa.Column("user_id", KEY, autoincrement=False, nullable=False),
        sa.Column("owed_only", sa.Boolean(), nullable=False),
        sa.Column("page_receipts", sa.Boolean(), nullable=False),
        sa.Column("pictures", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_letter_choices_user_id")),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_letter_choices")),
    )
    op.create_table(
        "quiet_tables",
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("user_id", KEY, autoincrement=False, nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_quiet_tables_game_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_quiet_tables_user_id")),
        sa.PrimaryKeyConstraint("game_id", "user_id", name=op.f("pk_quiet_tables")),
    )

"""The tables for what programs need to play."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make them."""
    op.create_table(
        "programs",
        sa.Column("id", sa.Integer().with_variant(sa.BigInteger(), "postgresql"), nullable=False),
        sa.Column("hash", sa.LargeBinary(length=32), nullable=False),
        sa.Column("user_id", sa.Integer().with_variant(sa.BigInteger(), "postgresql"), nullable=False),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("scope", sa.String(length=8), nullable=False),
        sa.ForeignKeyConstraint(["hash"], ["tokens.hash"], name=op.f("fk_programs_hash")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_programs_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_programs")),
        sa.UniqueConstraint("hash", name=op.f("uq_programs_hash")),
    )
    op.create_index(op.f("ix_programs_user_id"), "programs", ["user_id"], unique=False)

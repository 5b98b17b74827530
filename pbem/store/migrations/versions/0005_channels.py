"""The tables for other ways than mail."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

_KEY = sa.Integer().with_variant(sa.BigInteger(), "postgresql")


def upgrade() -> None:
    """Make them."""
    op.create_table(
        "channels",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("made_by", _KEY, nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("form", sa.String(length=8), nullable=False),
        sa.Column("language", sa.String(length=2), nullable=False),
        sa.Column("address_sealed", sa.LargeBinary(), nullable=False),
        sa.Column("shown", sa.String(length=120), nullable=False),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("seen", sa.JSON(), nullable=False),
        sa.Column("anchor", sa.String(length=24), nullable=False),
        sa.Column("place", sa.String(length=24), nullable=False),
        sa.Column("failures", sa.BigInteger(), nullable=False),
        sa.Column("error", sa.String(length=80), nullable=False),
        sa.Column("failing_at", sa.BigInteger(), nullable=True),
        sa.Column("failed_at", sa.BigInteger(), nullable=True),
        sa.Column("worked_at", sa.BigInteger(), nullable=True),
        sa.Column("claimed_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_channels_game_id")),
        sa.ForeignKeyConstraint(["made_by"], ["users.id"], name=op.f("fk_channels_made_by")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_channels")),
    )
    for column in ("game_id", "place", "state"):
        op.create_index(op.f(f"ix_channels_{column}"), "channels", [column], unique=False)
    op.create_table(
        "bulletins",
        sa.Column("id", _KEY, nullable=False),
        sa.Column("key", sa.String(length=120), nullable=False),
        sa.Column("channel_id", sa.String(length=32), nullable=False),
        sa.Column("kind", sa.String(length=12), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("entry", sa.BigInteger(), nullable=False),
        sa.Column("terms", sa.JSON(), nullable=False),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("remote", sa.String(length=24), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("tries", sa.BigInteger(), nullable=False),
        sa.Column("error", sa.String(length=80), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
        sa.Column("sent_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["channel_id"], ["channels.id"], name=op.f("fk_bulletins_channel_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bulletins")),
        sa.UniqueConstraint("key", name=op.f("uq_bulletins_key")),
    )
    op.create_index(op.f("ix_bulletins_channel_id"), "bulletins", ["channel_id"], unique=False)
    op.create_index("ix_bulletins_waiting", "bulletins", ["state", "due_at"], unique=False)
    op.create_table(
        "allowances",
        sa.Column("place", sa.String(length=120), nullable=False),
        sa.Column("route", sa.String(length=8), nullable=False),
        sa.Column("bucket", sa.String(length=120), nullable=False),
        sa.Column("spare", sa.Integer(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("place", "route", name=op.f("pk_allowances")),
    )
    op.create_table(
        "accounts",
        sa.Column("user_id", _KEY, nullable=False),
        sa.Column("outside", sa.String(length=24), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("linked_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_accounts_user_id")),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_accounts")),
        sa.UniqueConstraint("outside", name=op.f("uq_accounts_outside")),
    )

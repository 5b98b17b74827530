"""The tables for talk at the table, deputies, onlookers and records."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make them."""
    op.create_table(
        "deputies",
        sa.Column("id", sa.Integer().with_variant(sa.BigInteger(), "postgresql"), nullable=False),
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("seat", sa.String(length=8), nullable=False),
        sa.Column("owner_id", sa.Integer().with_variant(sa.BigInteger(), "postgresql"), nullable=False),
        sa.Column("user_id", sa.Integer().with_variant(sa.BigInteger(), "postgresql"), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("agreed_at", sa.BigInteger(), nullable=True),
        sa.Column("began_at", sa.BigInteger(), nullable=True),
        sa.Column("known_from", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.Column("why", sa.String(length=10), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_deputies_game_id")),
        sa.ForeignKeyConstraint(["owner_id"], ["users.id"], name=op.f("fk_deputies_owner_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_deputies_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_deputies")),
    )
    op.create_index(op.f("ix_deputies_game_id"), "deputies", ["game_id"], unique=False)
    op.create_index(op.f("ix_deputies_owner_id"), "deputies", ["owner_id"], unique=False)
    op.create_index(op.f("ix_deputies_user_id"), "deputies", ["user_id"], unique=False)
    op.create_table(
        "messages",
        sa.Column("id", sa.Integer().with_variant(sa.BigInteger(), "postgresql"), nullable=False),
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("entry", sa.BigInteger(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("source", sa.String(length=120), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_messages_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_messages")),
        sa.UniqueConstraint("source", name=op.f("uq_messages_source")),
    )
    op.create_index("ix_messages_place", "messages", ["game_id", "kind"], unique=False)
    op.create_table(
        "record_words",
        sa.Column("language", sa.String(length=2), nullable=False),
        sa.Column("word", sa.String(length=40), nullable=False),
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("entries", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_record_words_game_id")),
        sa.PrimaryKeyConstraint("language", "word", "game_id", name=op.f("pk_record_words")),
    )
    op.create_index(op.f("ix_record_words_game_id"), "record_words", ["game_id"], unique=False)
    op.create_table(
        "results",
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("seat", sa.String(length=8), nullable=False),
        sa.Column("user_id", sa.Integer().with_variant(sa.BigInteger(), "postgresql"), nullable=True),
        sa.Column("title", sa.String(length=40), nullable=False),
        sa.Column("power", sa.String(length=40), nullable=False),
        sa.Column("place", sa.BigInteger(), nullable=False),
        sa.Column("shared", sa.BigInteger(), nullable=False),
        sa.Column("players", sa.BigInteger(), nullable=False),
        sa.Column("points", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_results_game_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_results_user_id")),
        sa.PrimaryKeyConstraint("game_id", "seat", name=op.f("pk_results")),
    )
    op.create_index(op.f("ix_results_title"), "results", ["title"], unique=False)
    op.create_index(op.f("ix_results_user_id"), "results", ["user_id"], unique=False)
    op.create_table(
        "talk_mutes",
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("user_id", sa.Integer().with_variant(sa.BigInteger(), "postgresql"), nullable=False),
        sa.Column("muted", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_talk_mutes_game_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_talk_mutes_user_id")),
        sa.PrimaryKeyConstraint("game_id", "user_id", "muted", name=op.f("pk_talk_mutes")),
    )
    op.create_table(
        "watchers",
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("user_id", sa.Integer().with_variant(sa.BigInteger(), "postgresql"), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("asked_by", sa.Integer().with_variant(sa.BigInteger(), "postgresql"), nullable=True),
        sa.ForeignKeyConstraint(["asked_by"], ["users.id"], name=op.f("fk_watchers_asked_by")),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_watchers_game_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_watchers_user_id")),
        sa.PrimaryKeyConstraint("game_id", "user_id", name=op.f("pk_watchers")),
    )
    op.create_index(op.f("ix_watchers_user_id"), "watchers", ["user_id"], unique=False)
    op.create_table(
        "message_readers",
        sa.Column("message_id", sa.Integer().with_variant(sa.BigInteger(), "postgresql"), nullable=False),
        sa.Column("user_id", sa.Integer().with_variant(sa.BigInteger(), "postgresql"), nullable=False),
        sa.ForeignKeyConstraint(["message_id"], ["messages.id"], name=op.f("fk_message_readers_message_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_message_readers_user_id")),
        sa.PrimaryKeyConstraint("message_id", "user_id", name=op.f("pk_message_readers")),
    )
    op.create_index(op.f("ix_message_readers_user_id"), "message_readers", ["user_id"], unique=False)
    op.create_table(
        "talk_addresses",
        sa.Column("hash", sa.LargeBinary(length=32), nullable=False),
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("user_id", sa.Integer().with_variant(sa.BigInteger(), "postgresql"), nullable=False),
        sa.Column("circle", sa.String(length=80), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_talk_addresses_game_id")),
        sa.ForeignKeyConstraint(["hash"], ["tokens.hash"], name=op.f("fk_talk_addresses_hash")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_talk_addresses_user_id")),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_talk_addresses")),
        sa.UniqueConstraint("game_id", "user_id", "circle", name=op.f("uq_talk_addresses_game_id_user_id_circle")),
    )
    op.create_index(op.f("ix_talk_addresses_user_id"), "talk_addresses", ["user_id"], unique=False)

"""The tables of the first version."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make all tables."""
    op.create_table(
        "beats",
        sa.Column("name", sa.String(length=12), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_beats")),
    )
    op.create_table(
        "hits",
        sa.Column("who", sa.LargeBinary(length=32), nullable=False),
        sa.Column("hour", sa.BigInteger(), nullable=False),
        sa.Column("count", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("who", "hour", name=op.f("pk_hits")),
    )
    op.create_table(
        "letters_in",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("received_at", sa.BigInteger(), nullable=False),
        sa.Column("recipient", sa.String(length=320), nullable=False),
        sa.Column("null_sender", sa.Boolean(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("content_sealed", sa.LargeBinary(), nullable=False),
        sa.Column("fingerprint", sa.String(length=64), nullable=True),
        sa.Column("tries", sa.BigInteger(), nullable=False),
        sa.Column("error", sa.String(length=80), nullable=True),
        sa.Column("claimed_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_letters_in")),
        sa.UniqueConstraint("fingerprint", name=op.f("uq_letters_in_fingerprint")),
    )
    op.create_index(op.f("ix_letters_in_state"), "letters_in", ["state"], unique=False)
    op.create_table(
        "users",
        sa.Column("id", sa.Integer().with_variant(sa.BigInteger(), "postgresql"), nullable=False),
        sa.Column("address", sa.String(length=320), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("language", sa.String(length=2), nullable=False),
        sa.Column("zone", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("muted_at", sa.BigInteger(), nullable=True),
        sa.Column("bounced_at", sa.BigInteger(), nullable=True),
        sa.Column("mute_sealed", sa.LargeBinary(), nullable=True),
        sa.Column("turns", sa.BigInteger(), nullable=False),
        sa.Column("turns_on_time", sa.BigInteger(), nullable=False),
        sa.Column("games_begun", sa.BigInteger(), nullable=False),
        sa.Column("games_finished", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_users")),
        sa.UniqueConstraint("address", name=op.f("uq_users_address")),
    )
    op.create_table(
        "absences",
        sa.Column("id", sa.Integer().with_variant(sa.BigInteger(), "postgresql"), nullable=False),
        sa.Column("user_id", sa.Integer().with_variant(sa.BigInteger(), "postgresql"), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_absences_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_absences")),
    )
    op.create_index(op.f("ix_absences_user_id"), "absences", ["user_id"], unique=False)
    op.create_table(
        "games",
        sa.Column("id", sa.String(length=12), nullable=False),
        sa.Column("title", sa.String(length=40), nullable=False),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("host_id", sa.Integer().with_variant(sa.BigInteger(), "postgresql"), nullable=False),
        sa.Column("entry", sa.BigInteger(), nullable=False),
        sa.Column("deadline_hours", sa.BigInteger(), nullable=True),
        sa.Column("schedule", sa.JSON(), nullable=False),
        sa.Column("look_at", sa.BigInteger(), nullable=True),
        sa.Column("halted_entry", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("started_at", sa.BigInteger(), nullable=True),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.Column("keys", sa.LargeBinary(), nullable=True),
        sa.Column("seed_sealed", sa.LargeBinary(), nullable=True),
        sa.Column("seed_digest", sa.String(length=64), nullable=True),
        sa.Column("rules_version", sa.String(length=20), nullable=False),
        sa.Column("play_wanted", sa.BigInteger(), nullable=True),
        sa.Column("play_tries", sa.BigInteger(), nullable=False),
        sa.Column("trouble", sa.String(length=80), nullable=True),
        sa.ForeignKeyConstraint(["host_id"], ["users.id"], name=op.f("fk_games_host_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_games")),
    )
    op.create_index(op.f("ix_games_look_at"), "games", ["look_at"], unique=False)
    op.create_index(op.f("ix_games_play_wanted"), "games", ["play_wanted"], unique=False)
    op.create_index(op.f("ix_games_state"), "games", ["state"], unique=False)
    op.create_table(
        "ballots",
        sa.Column("id", sa.Integer().with_variant(sa.BigInteger(), "postgresql"), nullable=False),
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("gate", sa.String(length=80), nullable=False),
        sa.Column("opening_entry", sa.BigInteger(), nullable=False),
        sa.Column("seat", sa.String(length=8), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column("commitment", sa.String(length=64), nullable=False),
        sa.Column("standing", sa.Boolean(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_ballots_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ballots")),
        sa.UniqueConstraint(
            "game_id", "gate", "seat", "kind", "revision", name=op.f("uq_ballots_game_id_gate_seat_kind_revision")
        ),
    )
    op.create_index("ix_ballots_place", "ballots", ["game_id", "seat", "kind"], unique=False)
    op.create_table(
        "commands",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("kind", sa.String(length=12), nullable=False),
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("seat", sa.String(length=8), nullable=True),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("request", sa.LargeBinary(), nullable=False),
        sa.Column("answer", sa.LargeBinary(), nullable=True),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("done_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_commands_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_commands")),
    )
    op.create_index(op.f("ix_commands_game_id"), "commands", ["game_id"], unique=False)
    op.create_index(op.f("ix_commands_state"), "commands", ["state"], unique=False)
    op.create_table(
        "decisions",
        sa.Column("id", sa.Integer().with_variant(sa.BigInteger(), "postgresql"), nullable=False),
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("gate", sa.String(length=80), nullable=False),
        sa.Column("seat", sa.String(length=8), nullable=False),
        sa.Column("asks", sa.String(length=40), nullable=False),
        sa.Column("blocking", sa.Boolean(), nullable=False),
        sa.Column("reaction", sa.Boolean(), nullable=False),
        sa.Column("opening_entry", sa.BigInteger(), nullable=False),
        sa.Column("opened_at", sa.BigInteger(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=True),
        sa.Column("closes_at", sa.BigInteger(), nullable=True),
        sa.Column("answered_at", sa.BigInteger(), nullable=True),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("stance", sa.String(length=8), nullable=False),
        sa.Column("excused", sa.Boolean(), nullable=False),
        sa.Column("lost_ms", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_decisions_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_decisions")),
        sa.UniqueConstraint("game_id", "gate", "seat", name=op.f("uq_decisions_game_id_gate_seat")),
    )
    op.create_index(op.f("ix_decisions_closes_at"), "decisions", ["closes_at"], unique=False)
    op.create_index(op.f("ix_decisions_due_at"), "decisions", ["due_at"], unique=False)
    op.create_index(op.f("ix_decisions_game_id"), "decisions", ["game_id"], unique=False)
    op.create_table(
        "holdings",
        sa.Column("id", sa.Integer().with_variant(sa.BigInteger(), "postgresql"), nullable=False),
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("seat", sa.String(length=8), nullable=False),
        sa.Column("user_id", sa.Integer().with_variant(sa.BigInteger(), "postgresql"), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=True),
        sa.Column("why", sa.String(length=12), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_holdings_game_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_holdings_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_holdings")),
    )
    op.create_index(op.f("ix_holdings_game_id"), "holdings", ["game_id"], unique=False)
    op.create_index(op.f("ix_holdings_user_id"), "holdings", ["user_id"], unique=False)
    op.create_table(
        "journal",
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("gate", sa.String(length=80), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("public", sa.LargeBinary(), nullable=False),
        sa.Column("link", sa.LargeBinary(), nullable=False),
        sa.Column("entry_sealed", sa.LargeBinary(), nullable=False),
        sa.Column("position_sealed", sa.LargeBinary(), nullable=False),
        sa.Column("salts_sealed", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_journal_game_id")),
        sa.PrimaryKeyConstraint("game_id", "number", name=op.f("pk_journal")),
    )
    op.create_table(
        "letters_out",
        sa.Column("key", sa.String(length=120), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("game_id", sa.String(length=12), nullable=True),
        sa.Column("seat", sa.String(length=8), nullable=True),
        sa.Column("user_id", sa.Integer().with_variant(sa.BigInteger(), "postgresql"), nullable=True),
        sa.Column("entry", sa.BigInteger(), nullable=True),
        sa.Column("since", sa.BigInteger(), nullable=True),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("content_sealed", sa.LargeBinary(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
        sa.Column("sent_at", sa.BigInteger(), nullable=True),
        sa.Column("claimed_at", sa.BigInteger(), nullable=True),
        sa.Column("tries", sa.BigInteger(), nullable=False),
        sa.Column("error", sa.String(length=80), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_letters_out_game_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_letters_out_user_id")),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_letters_out")),
    )
    op.create_index(op.f("ix_letters_out_game_id"), "letters_out", ["game_id"], unique=False)
    op.create_index(op.f("ix_letters_out_state"), "letters_out", ["state"], unique=False)
    op.create_table(
        "outages",
        sa.Column("id", sa.Integer().with_variant(sa.BigInteger(), "postgresql"), nullable=False),
        sa.Column("cause", sa.String(length=10), nullable=False),
        sa.Column("game_id", sa.String(length=12), nullable=True),
        sa.Column("user_id", sa.Integer().with_variant(sa.BigInteger(), "postgresql"), nullable=True),
        sa.Column("began_at", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.Column("given", sa.Boolean(), nullable=False),
        sa.Column("who", sa.String(length=80), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_outages_game_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_outages_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outages")),
    )
    op.create_index(op.f("ix_outages_game_id"), "outages", ["game_id"], unique=False)
    op.create_index(op.f("ix_outages_given"), "outages", ["given"], unique=False)
    op.create_index(op.f("ix_outages_user_id"), "outages", ["user_id"], unique=False)
    op.create_table(
        "revisions",
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("gate", sa.String(length=80), nullable=False),
        sa.Column("seat", sa.String(length=8), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_revisions_game_id")),
        sa.PrimaryKeyConstraint("game_id", "gate", "seat", "kind", name=op.f("pk_revisions")),
    )
    op.create_table(
        "seats",
        sa.Column("id", sa.Integer().with_variant(sa.BigInteger(), "postgresql"), nullable=False),
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("seat", sa.String(length=8), nullable=False),
        sa.Column("user_id", sa.Integer().with_variant(sa.BigInteger(), "postgresql"), nullable=True),
        sa.Column("invited", sa.String(length=320), nullable=True),
        sa.Column("joined_at", sa.BigInteger(), nullable=True),
        sa.Column("words", sa.String(length=200), nullable=False),
        sa.Column("nonce", sa.LargeBinary(), nullable=True),
        sa.Column("reported_entry", sa.BigInteger(), nullable=False),
        sa.Column("known_from", sa.BigInteger(), nullable=False),
        sa.Column("bank_ms", sa.BigInteger(), nullable=True),
        sa.Column("excuses", sa.BigInteger(), nullable=True),
        sa.Column("missed", sa.BigInteger(), nullable=False),
        sa.Column("offered_at", sa.BigInteger(), nullable=True),
        sa.Column("wants", sa.String(length=8), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_seats_game_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_seats_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_seats")),
        sa.UniqueConstraint("game_id", "seat", name=op.f("uq_seats_game_id_seat")),
    )
    op.create_index(op.f("ix_seats_game_id"), "seats", ["game_id"], unique=False)
    op.create_index(op.f("ix_seats_user_id"), "seats", ["user_id"], unique=False)
    op.create_table(
        "tokens",
        sa.Column("hash", sa.LargeBinary(length=32), nullable=False),
        sa.Column("purpose", sa.String(length=12), nullable=False),
        sa.Column("user_id", sa.Integer().with_variant(sa.BigInteger(), "postgresql"), nullable=True),
        sa.Column("game_id", sa.String(length=12), nullable=True),
        sa.Column("seat", sa.String(length=8), nullable=True),
        sa.Column("entry", sa.BigInteger(), nullable=True),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=True),
        sa.Column("used_at", sa.BigInteger(), nullable=True),
        sa.Column("revoked_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_tokens_game_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_tokens_user_id")),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_tokens")),
    )
    op.create_index(op.f("ix_tokens_game_id"), "tokens", ["game_id"], unique=False)
    op.create_index(op.f("ix_tokens_user_id"), "tokens", ["user_id"], unique=False)
    op.create_table(
        "views",
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("viewer", sa.String(length=8), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("entry", sa.BigInteger(), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_views_game_id")),
        sa.PrimaryKeyConstraint("game_id", "viewer", "kind", "entry", name=op.f("pk_views")),
    )
    op.create_table(
        "given_back",
        sa.Column("id", sa.Integer().with_variant(sa.BigInteger(), "postgresql"), nullable=False),
        sa.Column("outage_id", sa.Integer().with_variant(sa.BigInteger(), "postgresql"), nullable=False),
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("gate", sa.String(length=80), nullable=False),
        sa.Column("seat", sa.String(length=8), nullable=False),
        sa.Column("lost_ms", sa.BigInteger(), nullable=False),
        sa.Column("before", sa.BigInteger(), nullable=False),
        sa.Column("after", sa.BigInteger(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_given_back_game_id")),
        sa.ForeignKeyConstraint(["outage_id"], ["outages.id"], name=op.f("fk_given_back_outage_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_given_back")),
    )
    op.create_index(op.f("ix_given_back_game_id"), "given_back", ["game_id"], unique=False)
    op.create_index(op.f("ix_given_back_outage_id"), "given_back", ["outage_id"], unique=False)


def downgrade() -> None:
    """Drop all tables."""
    op.drop_index(op.f("ix_given_back_outage_id"), table_name="given_back")
    op.drop_index(op.f("ix_given_back_game_id"), table_name="given_back")
    op.drop_table("given_back")
    op.drop_table("views")
    op.drop_index(op.f("ix_tokens_user_id"), table_name="tokens")
    op.drop_index(op.f("ix_tokens_game_id"), table_name="tokens")
    op.drop_table("tokens")
    op.drop_index(op.f("ix_seats_user_id"), table_name="seats")
    op.drop_index(op.f("ix_seats_game_id"), table_name="seats")
    op.drop_table("seats")
    op.drop_table("revisions")
    op.drop_index(op.f("ix_outages_user_id"), table_name="outages")
    op.drop_index(op.f("ix_outages_given"), table_name="outages")
    op.drop_index(op.f("ix_outages_game_id"), table_name="outages")
    op.drop_table("outages")
    op.drop_index(op.f("ix_letters_out_state"), table_name="letters_out")
    op.drop_index(op.f("ix_letters_out_game_id"), table_name="letters_out")
    op.drop_table("letters_out")
    op.drop_table("journal")
    op.drop_index(op.f("ix_holdings_user_id"), table_name="holdings")
    op.drop_index(op.f("ix_holdings_game_id"), table_name="holdings")
    op.drop_table("holdings")
    op.drop_index(op.f("ix_decisions_game_id"), table_name="decisions")
    op.drop_index(op.f("ix_decisions_due_at"), table_name="decisions")
    op.drop_index(op.f("ix_decisions_closes_at"), table_name="decisions")
    op.drop_table("decisions")
    op.drop_index(op.f("ix_commands_state"), table_name="commands")
    op.drop_index(op.f("ix_commands_game_id"), table_name="commands")
    op.drop_table("commands")
    op.drop_index("ix_ballots_place", table_name="ballots")
    op.drop_table("ballots")
    op.drop_index(op.f("ix_games_state"), table_name="games")
    op.drop_index(op.f("ix_games_play_wanted"), table_name="games")
    op.drop_index(op.f("ix_games_look_at"), table_name="games")
    op.drop_table("games")
    op.drop_index(op.f("ix_absences_user_id"), table_name="absences")
    op.drop_table("absences")
    op.drop_table("users")
    op.drop_index(op.f("ix_letters_in_state"), table_name="letters_in")
    op.drop_table("letters_in")
    op.drop_table("hits")
    op.drop_table("beats")

"""Make the tables of version 1.0.0."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

KEY = sa.Integer().with_variant(sa.BigInteger(), "postgresql")


def upgrade() -> None:
    """Make every table, each after those that it refers to."""
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
        "beats",
        sa.Column("name", sa.String(length=12), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_beats")),
    )
    op.create_table(
        "day_keys",
        sa.Column("id", KEY, nullable=False),
        sa.Column("public", sa.LargeBinary(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("restored_at", sa.BigInteger(), nullable=False),
        sa.Column("signed", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_day_keys")),
    )
    op.create_table(
        "letters_in",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("received_at", sa.BigInteger(), nullable=False),
        sa.Column("null_sender", sa.Boolean(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("fingerprint", sa.String(length=64), nullable=True),
        sa.Column("tries", sa.BigInteger(), nullable=False),
        sa.Column("error", sa.String(length=80), nullable=True),
        sa.Column("claimed_at", sa.BigInteger(), nullable=True),
        sa.Column("unanswered", sa.String(length=32), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_letters_in")),
        sa.UniqueConstraint("fingerprint", name=op.f("uq_letters_in_fingerprint")),
    )
    op.create_index(op.f("ix_letters_in_state"), "letters_in", ["state"], unique=False)
    op.create_table(
        "uninvited",
        sa.Column("mark", sa.LargeBinary(length=32), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("mark", name=op.f("pk_uninvited")),
    )
    op.create_table(
        "users",
        sa.Column("id", KEY, nullable=False),
        sa.Column("address", sa.String(length=320), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("language", sa.String(length=35), nullable=False),
        sa.Column("zone", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("muted_at", sa.BigInteger(), nullable=True),
        sa.Column("bounced_at", sa.BigInteger(), nullable=True),
        sa.Column("mute_sealed", sa.LargeBinary(), nullable=True),
        sa.Column("turns", sa.BigInteger(), nullable=False),
        sa.Column("turns_on_time", sa.BigInteger(), nullable=False),
        sa.Column("games_begun", sa.BigInteger(), nullable=False),
        sa.Column("games_finished", sa.BigInteger(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("signed", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_users")),
        sa.UniqueConstraint("address", name=op.f("uq_users_address")),
    )
    op.create_table(
        "absences",
        sa.Column("id", KEY, nullable=False),
        sa.Column("user_id", KEY, nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_absences_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_absences")),
    )
    op.create_index(op.f("ix_absences_user_id"), "absences", ["user_id"], unique=False)
    op.create_table(
        "accounts",
        sa.Column("user_id", KEY, nullable=False),
        sa.Column("outside", sa.String(length=24), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("linked_at", sa.BigInteger(), nullable=False),
        sa.Column("signed", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_accounts_user_id")),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_accounts")),
        sa.UniqueConstraint("outside", name=op.f("uq_accounts_outside")),
    )
    op.create_table(
        "address_changes",
        sa.Column("user_id", KEY, autoincrement=False, nullable=False),
        sa.Column("to_user_id", KEY, nullable=False),
        sa.Column("old_hash", sa.LargeBinary(length=32), nullable=False),
        sa.Column("new_hash", sa.LargeBinary(length=32), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("old_at", sa.BigInteger(), nullable=True),
        sa.Column("new_at", sa.BigInteger(), nullable=True),
        sa.Column("signed", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["to_user_id"], ["users.id"], name=op.f("fk_address_changes_to_user_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_address_changes_user_id")),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_address_changes")),
        sa.UniqueConstraint("new_hash", name=op.f("uq_address_changes_new_hash")),
        sa.UniqueConstraint("old_hash", name=op.f("uq_address_changes_old_hash")),
    )
    op.create_index(op.f("ix_address_changes_to_user_id"), "address_changes", ["to_user_id"], unique=False)
    op.create_table(
        "games",
        sa.Column("id", sa.String(length=12), nullable=False),
        sa.Column("rules", sa.String(length=40), nullable=False),
        sa.Column("title", sa.String(length=60), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("host_id", KEY, nullable=False),
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
        sa.Column("holders_sealed", sa.LargeBinary(), nullable=True),
        sa.Column("filed_sealed", sa.LargeBinary(), nullable=True),
        sa.Column("doubt", sa.String(length=120), nullable=True),
        sa.Column("seed_digest", sa.String(length=64), nullable=True),
        sa.Column("rules_version", sa.String(length=20), nullable=False),
        sa.Column("mixing", sa.BigInteger(), nullable=False),
        sa.Column("compacted_at", sa.BigInteger(), nullable=True),
        sa.Column("play_wanted", sa.BigInteger(), nullable=True),
        sa.Column("play_tries", sa.BigInteger(), nullable=False),
        sa.Column("trouble", sa.String(length=80), nullable=True),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("signed", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["host_id"], ["users.id"], name=op.f("fk_games_host_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_games")),
    )
    op.create_index(op.f("ix_games_host_id"), "games", ["host_id"], unique=False)
    op.create_index(op.f("ix_games_look_at"), "games", ["look_at"], unique=False)
    op.create_index(op.f("ix_games_play_wanted"), "games", ["play_wanted"], unique=False)
    op.create_index("ix_games_state", "games", ["state", "rules", "rules_version"], unique=False)
    op.create_table(
        "leavings",
        sa.Column("user_id", KEY, autoincrement=False, nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("signed", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_leavings_user_id")),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_leavings")),
    )
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
        "letters_in_contents",
        sa.Column("letter", sa.String(length=32), nullable=False),
        sa.Column("content_sealed", sa.LargeBinary(), nullable=False),
        sa.Column("day", KEY, nullable=True),
        sa.ForeignKeyConstraint(["day"], ["day_keys.id"], name=op.f("fk_letters_in_contents_day")),
        sa.ForeignKeyConstraint(
            ["letter"],
            ["letters_in.id"],
            name=op.f("fk_letters_in_contents_letter"),
            ondelete="CASCADE",
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("letter", name=op.f("pk_letters_in_contents")),
    )
    op.create_index(op.f("ix_letters_in_contents_day"), "letters_in_contents", ["day"], unique=False)
    op.create_table(
        "operator_acts",
        sa.Column("id", KEY, nullable=False),
        sa.Column("user_id", KEY, nullable=False),
        sa.Column("act", sa.String(length=12), nullable=False),
        sa.Column("subject", sa.String(length=12), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("done_at", sa.BigInteger(), nullable=True),
        sa.Column("outcome", sa.String(length=12), nullable=False),
        sa.Column("signed", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_operator_acts_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_operator_acts")),
    )
    op.create_index(op.f("ix_operator_acts_done_at"), "operator_acts", ["done_at"], unique=False)
    op.create_index(op.f("ix_operator_acts_user_id"), "operator_acts", ["user_id"], unique=False)
    op.create_table(
        "second_factors",
        sa.Column("user_id", KEY, autoincrement=False, nullable=False),
        sa.Column("secret_sealed", sa.LargeBinary(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("signed", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_second_factors_user_id")),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_second_factors")),
    )
    op.create_table(
        "applications",
        sa.Column("id", KEY, nullable=False),
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("seat", sa.String(length=8), nullable=False),
        sa.Column("user_id", KEY, nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("decided_at", sa.BigInteger(), nullable=True),
        sa.Column("outcome", sa.String(length=12), nullable=False),
        sa.Column("words", sa.String(length=200), nullable=False),
        sa.Column("signed", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_applications_game_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_applications_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_applications")),
    )
    op.create_index(op.f("ix_applications_game_id"), "applications", ["game_id"], unique=False)
    op.create_table(
        "asked_again",
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("seat", sa.String(length=8), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_asked_again_game_id")),
        sa.PrimaryKeyConstraint("game_id", "seat", name=op.f("pk_asked_again")),
    )
    op.create_table(
        "askings",
        sa.Column("id", KEY, nullable=False),
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("user_id", KEY, nullable=False),
        sa.Column("word", sa.String(length=12), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("line", sa.String(length=400), nullable=False),
        sa.Column("entry", sa.BigInteger(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("used_at", sa.BigInteger(), nullable=True),
        sa.Column("agreed_by", KEY, nullable=True),
        sa.Column("signed", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["agreed_by"], ["users.id"], name=op.f("fk_askings_agreed_by")),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_askings_game_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_askings_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_askings")),
        sa.UniqueConstraint("game_id", "word", name=op.f("uq_askings_game_id_word")),
    )
    op.create_table(
        "audit",
        sa.Column("id", KEY, nullable=False),
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("entry", sa.BigInteger(), nullable=False),
        sa.Column("user_id", KEY, nullable=True),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("door", sa.String(length=12), nullable=False),
        sa.Column("action", sa.String(length=24), nullable=False),
        sa.Column("line", sa.String(length=400), nullable=False),
        sa.Column("outcome", sa.String(length=12), nullable=False),
        sa.Column("reason", sa.String(length=2000), nullable=False),
        sa.Column("told_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_audit_game_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_audit_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
    )
    op.create_index("ix_audit_place", "audit", ["game_id", "id"], unique=False)
    op.create_index(op.f("ix_audit_user_id"), "audit", ["user_id"], unique=False)
    op.create_table(
        "ballots",
        sa.Column("id", KEY, nullable=False),
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
        sa.Column("ended", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_ballots_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ballots")),
        sa.UniqueConstraint(
            "game_id", "gate", "seat", "kind", "revision", name=op.f("uq_ballots_game_id_gate_seat_kind_revision")
        ),
    )
    op.create_index("ix_ballots_place", "ballots", ["game_id", "seat", "kind"], unique=False)
    op.create_table(
        "bots",
        sa.Column("user_id", KEY, autoincrement=False, nullable=False),
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("pace", sa.String(length=8), nullable=False),
        sa.Column("seed", sa.LargeBinary(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_bots_game_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_bots_user_id")),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_bots")),
    )
    op.create_index(op.f("ix_bots_due_at"), "bots", ["due_at"], unique=False)
    op.create_index(op.f("ix_bots_game_id"), "bots", ["game_id"], unique=False)
    op.create_table(
        "channels",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("made_by", KEY, nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("form", sa.String(length=8), nullable=False),
        sa.Column("language", sa.String(length=35), nullable=False),
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
        sa.Column("signed", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_channels_game_id")),
        sa.ForeignKeyConstraint(["made_by"], ["users.id"], name=op.f("fk_channels_made_by")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_channels")),
    )
    op.create_index(op.f("ix_channels_game_id"), "channels", ["game_id"], unique=False)
    op.create_index(op.f("ix_channels_place"), "channels", ["place"], unique=False)
    op.create_index(op.f("ix_channels_state"), "channels", ["state"], unique=False)
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
        sa.Column("signed", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_commands_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_commands")),
    )
    op.create_index(op.f("ix_commands_game_id"), "commands", ["game_id"], unique=False)
    op.create_index(op.f("ix_commands_state"), "commands", ["state"], unique=False)
    op.create_table(
        "decisions",
        sa.Column("id", KEY, nullable=False),
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("gate", sa.String(length=80), nullable=False),
        sa.Column("seat", sa.String(length=8), nullable=False),
        sa.Column("asks", sa.String(length=40), nullable=False),
        sa.Column("blocking", sa.Boolean(), nullable=False),
        sa.Column("reaction", sa.Boolean(), nullable=False),
        sa.Column("choice", sa.Boolean(), nullable=False),
        sa.Column("opening_entry", sa.BigInteger(), nullable=False),
        sa.Column("opened_at", sa.BigInteger(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=True),
        sa.Column("closes_at", sa.BigInteger(), nullable=True),
        sa.Column("remind_at", sa.BigInteger(), nullable=True),
        sa.Column("answered_at", sa.BigInteger(), nullable=True),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("stance", sa.String(length=8), nullable=False),
        sa.Column("excused", sa.Boolean(), nullable=False),
        sa.Column("lost_ms", sa.BigInteger(), nullable=False),
        sa.Column("forced", sa.Boolean(), nullable=False),
        sa.Column("counted", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_decisions_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_decisions")),
        sa.UniqueConstraint("game_id", "gate", "seat", name=op.f("uq_decisions_game_id_gate_seat")),
    )
    op.create_index(op.f("ix_decisions_closes_at"), "decisions", ["closes_at"], unique=False)
    op.create_index(op.f("ix_decisions_game_id"), "decisions", ["game_id"], unique=False)
    op.create_index(op.f("ix_decisions_remind_at"), "decisions", ["remind_at"], unique=False)
    op.create_table(
        "deputies",
        sa.Column("id", KEY, nullable=False),
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("seat", sa.String(length=8), nullable=False),
        sa.Column("owner_id", KEY, nullable=False),
        sa.Column("user_id", KEY, nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("agreed_at", sa.BigInteger(), nullable=True),
        sa.Column("began_at", sa.BigInteger(), nullable=True),
        sa.Column("known_from", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.Column("why", sa.String(length=10), nullable=False),
        sa.Column("signed", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_deputies_game_id")),
        sa.ForeignKeyConstraint(["owner_id"], ["users.id"], name=op.f("fk_deputies_owner_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_deputies_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_deputies")),
    )
    op.create_index(op.f("ix_deputies_game_id"), "deputies", ["game_id"], unique=False)
    op.create_index(op.f("ix_deputies_owner_id"), "deputies", ["owner_id"], unique=False)
    op.create_index(op.f("ix_deputies_user_id"), "deputies", ["user_id"], unique=False)
    op.create_table(
        "holdings",
        sa.Column("id", KEY, nullable=False),
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("seat", sa.String(length=8), nullable=False),
        sa.Column("user_id", KEY, nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=True),
        sa.Column("why", sa.String(length=12), nullable=False),
        sa.Column("signed", sa.LargeBinary(), nullable=True),
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
        sa.Column("user_id", KEY, nullable=True),
        sa.Column("entry", sa.BigInteger(), nullable=True),
        sa.Column("since", sa.BigInteger(), nullable=True),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
        sa.Column("sent_at", sa.BigInteger(), nullable=True),
        sa.Column("claimed_at", sa.BigInteger(), nullable=True),
        sa.Column("tries", sa.BigInteger(), nullable=False),
        sa.Column("error", sa.String(length=80), nullable=True),
        sa.Column("signed", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_letters_out_game_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_letters_out_user_id")),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_letters_out")),
    )
    op.create_index(op.f("ix_letters_out_game_id"), "letters_out", ["game_id"], unique=False)
    op.create_index(
        "ix_letters_out_sent_at",
        "letters_out",
        ["sent_at"],
        unique=False,
        sqlite_where=sa.text("sent_at IS NOT NULL"),
        postgresql_where=sa.text("sent_at IS NOT NULL"),
    )
    op.create_index(op.f("ix_letters_out_state"), "letters_out", ["state"], unique=False)
    op.create_table(
        "listed",
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("signed", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_listed_game_id")),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_listed")),
    )
    op.create_table(
        "mastering",
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("two", sa.Boolean(), nullable=False),
        sa.Column("approval", sa.Boolean(), nullable=False),
        sa.Column("gone_days", sa.BigInteger(), nullable=False),
        sa.Column("called_at", sa.BigInteger(), nullable=True),
        sa.Column("signed", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_mastering_game_id")),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_mastering")),
    )
    op.create_table(
        "masters",
        sa.Column("id", KEY, nullable=False),
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("user_id", KEY, nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=True),
        sa.Column("blind", sa.Boolean(), nullable=False),
        sa.Column("seen_at", sa.BigInteger(), nullable=False),
        sa.Column("signed", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_masters_game_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_masters_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_masters")),
    )
    op.create_index(op.f("ix_masters_game_id"), "masters", ["game_id"], unique=False)
    op.create_index(op.f("ix_masters_user_id"), "masters", ["user_id"], unique=False)
    op.create_table(
        "messages",
        sa.Column("id", KEY, nullable=False),
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
        "outages",
        sa.Column("id", KEY, nullable=False),
        sa.Column("cause", sa.String(length=10), nullable=False),
        sa.Column("game_id", sa.String(length=12), nullable=True),
        sa.Column("user_id", KEY, nullable=True),
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
        "pictures",
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("viewer", sa.String(length=8), nullable=False),
        sa.Column("entry", sa.BigInteger(), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("language", sa.String(length=35), nullable=False),
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
    op.create_table(
        "practices",
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("user_id", KEY, nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_practices_game_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_practices_user_id")),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_practices")),
    )
    op.create_index(op.f("ix_practices_until"), "practices", ["until"], unique=False)
    op.create_index(op.f("ix_practices_user_id"), "practices", ["user_id"], unique=False)
    op.create_table(
        "quiet_tables",
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("user_id", KEY, autoincrement=False, nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_quiet_tables_game_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_quiet_tables_user_id")),
        sa.PrimaryKeyConstraint("game_id", "user_id", name=op.f("pk_quiet_tables")),
    )
    op.create_table(
        "record_words",
        sa.Column("language", sa.String(length=35), nullable=False),
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
        sa.Column("user_id", KEY, nullable=True),
        sa.Column("rules", sa.String(length=40), nullable=False),
        sa.Column("power", sa.String(length=40), nullable=False),
        sa.Column("place", sa.BigInteger(), nullable=False),
        sa.Column("shared", sa.BigInteger(), nullable=False),
        sa.Column("players", sa.BigInteger(), nullable=False),
        sa.Column("points", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_results_game_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_results_user_id")),
        sa.PrimaryKeyConstraint("game_id", "seat", name=op.f("pk_results")),
    )
    op.create_index(op.f("ix_results_rules"), "results", ["rules"], unique=False)
    op.create_index(op.f("ix_results_user_id"), "results", ["user_id"], unique=False)
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
    op.create_table(
        "seats",
        sa.Column("id", KEY, nullable=False),
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("seat", sa.String(length=8), nullable=False),
        sa.Column("user_id", KEY, nullable=True),
        sa.Column("invited", sa.String(length=320), nullable=True),
        sa.Column("joined_at", sa.BigInteger(), nullable=True),
        sa.Column("words", sa.String(length=200), nullable=False),
        sa.Column("nonce", sa.LargeBinary(), nullable=True),
        sa.Column("reported_entry", sa.BigInteger(), nullable=False),
        sa.Column("ordered_entry", sa.BigInteger(), nullable=True),
        sa.Column("known_from", sa.BigInteger(), nullable=False),
        sa.Column("bank_ms", sa.BigInteger(), nullable=True),
        sa.Column("excuses", sa.BigInteger(), nullable=True),
        sa.Column("missed", sa.BigInteger(), nullable=False),
        sa.Column("offered_at", sa.BigInteger(), nullable=True),
        sa.Column("wants", sa.String(length=8), nullable=False),
        sa.Column("signed", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_seats_game_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_seats_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_seats")),
        sa.UniqueConstraint("game_id", "seat", name=op.f("uq_seats_game_id_seat")),
    )
    op.create_index(op.f("ix_seats_game_id"), "seats", ["game_id"], unique=False)
    op.create_index(op.f("ix_seats_invited"), "seats", ["invited"], unique=False)
    op.create_index(op.f("ix_seats_offered_at"), "seats", ["offered_at"], unique=False)
    op.create_index(op.f("ix_seats_user_id"), "seats", ["user_id"], unique=False)
    op.create_table(
        "table_links",
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_table_links_game_id")),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_table_links")),
    )
    op.create_table(
        "talk_mutes",
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("user_id", KEY, nullable=False),
        sa.Column("muted", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_talk_mutes_game_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_talk_mutes_user_id")),
        sa.PrimaryKeyConstraint("game_id", "user_id", "muted", name=op.f("pk_talk_mutes")),
    )
    op.create_table(
        "tokens",
        sa.Column("hash", sa.LargeBinary(length=32), nullable=False),
        sa.Column("purpose", sa.String(length=12), nullable=False),
        sa.Column("user_id", KEY, nullable=True),
        sa.Column("game_id", sa.String(length=12), nullable=True),
        sa.Column("seat", sa.String(length=8), nullable=True),
        sa.Column("entry", sa.BigInteger(), nullable=True),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=True),
        sa.Column("used_at", sa.BigInteger(), nullable=True),
        sa.Column("revoked_at", sa.BigInteger(), nullable=True),
        sa.Column("signed", sa.LargeBinary(), nullable=True),
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
        "votes",
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("subject", sa.String(length=8), nullable=False),
        sa.Column("about", sa.String(length=20), nullable=False),
        sa.Column("seat", sa.String(length=8), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("signed", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_votes_game_id")),
        sa.PrimaryKeyConstraint("game_id", "subject", "about", "seat", name=op.f("pk_votes")),
    )
    op.create_table(
        "watchers",
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("user_id", KEY, nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("asked_by", KEY, nullable=True),
        sa.Column("letters_from", sa.BigInteger(), nullable=True),
        sa.Column("signed", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["asked_by"], ["users.id"], name=op.f("fk_watchers_asked_by")),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_watchers_game_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_watchers_user_id")),
        sa.PrimaryKeyConstraint("game_id", "user_id", name=op.f("pk_watchers")),
    )
    op.create_index(op.f("ix_watchers_user_id"), "watchers", ["user_id"], unique=False)
    op.create_table(
        "bulletins",
        sa.Column("id", KEY, nullable=False),
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
        "given_back",
        sa.Column("id", KEY, nullable=False),
        sa.Column("outage_id", KEY, nullable=False),
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
    op.create_table(
        "letters_out_contents",
        sa.Column("letter", sa.String(length=120), nullable=False),
        sa.Column("content_sealed", sa.LargeBinary(), nullable=False),
        sa.Column("day", KEY, nullable=True),
        sa.ForeignKeyConstraint(["day"], ["day_keys.id"], name=op.f("fk_letters_out_contents_day")),
        sa.ForeignKeyConstraint(
            ["letter"],
            ["letters_out.key"],
            name=op.f("fk_letters_out_contents_letter"),
            ondelete="CASCADE",
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("letter", name=op.f("pk_letters_out_contents")),
    )
    op.create_index(op.f("ix_letters_out_contents_day"), "letters_out_contents", ["day"], unique=False)
    op.create_table(
        "message_readers",
        sa.Column("message_id", KEY, nullable=False),
        sa.Column("user_id", KEY, nullable=False),
        sa.Column("signed", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["message_id"], ["messages.id"], name=op.f("fk_message_readers_message_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_message_readers_user_id")),
        sa.PrimaryKeyConstraint("message_id", "user_id", name=op.f("pk_message_readers")),
    )
    op.create_index(op.f("ix_message_readers_user_id"), "message_readers", ["user_id"], unique=False)
    op.create_table(
        "programs",
        sa.Column("id", KEY, nullable=False),
        sa.Column("hash", sa.LargeBinary(length=32), nullable=False),
        sa.Column("user_id", KEY, nullable=False),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("scope", sa.String(length=8), nullable=False),
        sa.Column("signed", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["hash"], ["tokens.hash"], name=op.f("fk_programs_hash")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_programs_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_programs")),
        sa.UniqueConstraint("hash", name=op.f("uq_programs_hash")),
    )
    op.create_index(op.f("ix_programs_user_id"), "programs", ["user_id"], unique=False)
    op.create_table(
        "talk_addresses",
        sa.Column("hash", sa.LargeBinary(length=32), nullable=False),
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("user_id", KEY, nullable=False),
        sa.Column("circle", sa.String(length=80), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column("signed", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_talk_addresses_game_id")),
        sa.ForeignKeyConstraint(["hash"], ["tokens.hash"], name=op.f("fk_talk_addresses_hash")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_talk_addresses_user_id")),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_talk_addresses")),
        sa.UniqueConstraint("game_id", "user_id", "circle", name=op.f("uq_talk_addresses_game_id_user_id_circle")),
    )
    op.create_index(op.f("ix_talk_addresses_user_id"), "talk_addresses", ["user_id"], unique=False)

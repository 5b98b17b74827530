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
        "webhook_rate_limits",
        sa.Column("place", sa.String(length=120), nullable=False),
        sa.Column("route", sa.String(length=8), nullable=False),
        sa.Column("bucket", sa.String(length=120), nullable=False),
        sa.Column("remaining", sa.Integer(), nullable=False),
        sa.Column("resets_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("place", "route", name=op.f("pk_webhook_rate_limits")),
    )
    op.create_table(
        "heartbeats",
        sa.Column("name", sa.String(length=12), nullable=False),
        sa.Column("beat_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_heartbeats")),
    )
    op.create_table(
        "daily_keys",
        sa.Column("id", KEY, nullable=False),
        sa.Column("public_key", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("restored_at", sa.BigInteger(), nullable=False),
        sa.Column("signed", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_daily_keys")),
    )
    op.create_table(
        "inbound_emails",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("received_at", sa.BigInteger(), nullable=False),
        sa.Column("null_sender", sa.Boolean(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("payer", sa.String(length=32), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
        sa.Column("fingerprint", sa.String(length=64), nullable=True),
        sa.Column("attempts", sa.BigInteger(), nullable=False),
        sa.Column("error", sa.String(length=80), nullable=True),
        sa.Column("no_reply_reason", sa.String(length=32), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_inbound_emails")),
        sa.UniqueConstraint("fingerprint", name=op.f("uq_inbound_emails_fingerprint")),
    )
    op.create_index("ix_inbound_emails_turns", "inbound_emails", ["state", "payer", "received_at"], unique=False)
    op.create_table(
        "invitation_opt_outs",
        sa.Column("email_hash", sa.LargeBinary(length=32), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("email_hash", name=op.f("pk_invitation_opt_outs")),
    )
    op.create_table(
        "users",
        sa.Column("id", KEY, nullable=False),
        sa.Column("email", sa.String(length=320), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("language", sa.String(length=35), nullable=False),
        sa.Column("time_zone", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("muted_at", sa.BigInteger(), nullable=True),
        sa.Column("bounced_at", sa.BigInteger(), nullable=True),
        sa.Column("unsubscribe_token_ciphertext", sa.LargeBinary(), nullable=True),
        sa.Column("turns_asked", sa.BigInteger(), nullable=False),
        sa.Column("turns_on_time", sa.BigInteger(), nullable=False),
        sa.Column("games_begun", sa.BigInteger(), nullable=False),
        sa.Column("games_finished", sa.BigInteger(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("signed", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_users")),
        sa.UniqueConstraint("email", name=op.f("uq_users_email")),
    )
    op.create_table(
        "absences",
        sa.Column("id", KEY, nullable=False),
        sa.Column("user_id", KEY, nullable=False),
        sa.Column("starts_at", sa.BigInteger(), nullable=False),
        sa.Column("ends_at", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_absences_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_absences")),
    )
    op.create_index(op.f("ix_absences_user_id"), "absences", ["user_id"], unique=False)
    op.create_table(
        "discord_accounts",
        sa.Column("user_id", KEY, nullable=False),
        sa.Column("discord_id", sa.String(length=24), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("linked_at", sa.BigInteger(), nullable=False),
        sa.Column("signed", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_discord_accounts_user_id")),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_discord_accounts")),
        sa.UniqueConstraint("discord_id", name=op.f("uq_discord_accounts_discord_id")),
    )
    op.create_table(
        "address_changes",
        sa.Column("user_id", KEY, autoincrement=False, nullable=False),
        sa.Column("to_user_id", KEY, nullable=False),
        sa.Column("old_hash", sa.LargeBinary(length=32), nullable=False),
        sa.Column("new_hash", sa.LargeBinary(length=32), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("old_confirmed_at", sa.BigInteger(), nullable=True),
        sa.Column("new_confirmed_at", sa.BigInteger(), nullable=True),
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
        sa.Column("scheduled_at", sa.BigInteger(), nullable=True),
        sa.Column("failed_entry", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("started_at", sa.BigInteger(), nullable=True),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.Column("keys", sa.LargeBinary(), nullable=True),
        sa.Column("seed_ciphertext", sa.LargeBinary(), nullable=True),
        sa.Column("holders_checkpoint", sa.LargeBinary(), nullable=True),
        sa.Column("orders_checkpoint", sa.LargeBinary(), nullable=True),
        sa.Column("integrity_warning", sa.String(length=120), nullable=True),
        sa.Column("seed_digest", sa.String(length=64), nullable=True),
        sa.Column("rules_version", sa.String(length=20), nullable=False),
        sa.Column("draw_mixing", sa.BigInteger(), nullable=False),
        sa.Column("compacted_at", sa.BigInteger(), nullable=True),
        sa.Column("resolve_requested_at", sa.BigInteger(), nullable=True),
        sa.Column("resolve_attempts", sa.BigInteger(), nullable=False),
        sa.Column("failure", sa.String(length=80), nullable=True),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("signed", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["host_id"], ["users.id"], name=op.f("fk_games_host_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_games")),
    )
    op.create_index(op.f("ix_games_host_id"), "games", ["host_id"], unique=False)
    op.create_index(op.f("ix_games_scheduled_at"), "games", ["scheduled_at"], unique=False)
    op.create_index(op.f("ix_games_resolve_requested_at"), "games", ["resolve_requested_at"], unique=False)
    op.create_index("ix_games_state", "games", ["state", "rules", "rules_version"], unique=False)
    op.create_table(
        "account_deletions",
        sa.Column("user_id", KEY, autoincrement=False, nullable=False),
        sa.Column("requested_at", sa.BigInteger(), nullable=False),
        sa.Column("signed", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_account_deletions_user_id")),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_account_deletions")),
    )
    op.create_table(
        "mail_preferences",
        sa.Column("user_id", KEY, autoincrement=False, nullable=False),
        sa.Column("only_when_due", sa.Boolean(), nullable=False),
        sa.Column("web_receipts", sa.Boolean(), nullable=False),
        sa.Column("pictures", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_mail_preferences_user_id")),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_mail_preferences")),
    )
    op.create_table(
        "inbound_email_bodies",
        sa.Column("email_key", sa.String(length=32), nullable=False),
        sa.Column("content_ciphertext", sa.LargeBinary(), nullable=False),
        sa.Column("daily_key_id", KEY, nullable=True),
        sa.ForeignKeyConstraint(["daily_key_id"], ["daily_keys.id"], name=op.f("fk_inbound_email_bodies_daily_key_id")),
        sa.ForeignKeyConstraint(
            ["email_key"],
            ["inbound_emails.id"],
            name=op.f("fk_inbound_email_bodies_email_key"),
            ondelete="CASCADE",
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("email_key", name=op.f("pk_inbound_email_bodies")),
    )
    op.create_index(
        op.f("ix_inbound_email_bodies_daily_key_id"), "inbound_email_bodies", ["daily_key_id"], unique=False
    )
    op.create_table(
        "operator_actions",
        sa.Column("id", KEY, nullable=False),
        sa.Column("user_id", KEY, nullable=False),
        sa.Column("action", sa.String(length=12), nullable=False),
        sa.Column("subject", sa.String(length=12), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("done_at", sa.BigInteger(), nullable=True),
        sa.Column("outcome", sa.String(length=12), nullable=False),
        sa.Column("signed", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_operator_actions_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_operator_actions")),
    )
    op.create_index(op.f("ix_operator_actions_done_at"), "operator_actions", ["done_at"], unique=False)
    op.create_index(op.f("ix_operator_actions_user_id"), "operator_actions", ["user_id"], unique=False)
    op.create_table(
        "second_factors",
        sa.Column("user_id", KEY, autoincrement=False, nullable=False),
        sa.Column("secret_ciphertext", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
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
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("decided_at", sa.BigInteger(), nullable=True),
        sa.Column("outcome", sa.String(length=12), nullable=False),
        sa.Column("seed_words", sa.String(length=200), nullable=False),
        sa.Column("signed", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_applications_game_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_applications_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_applications")),
    )
    op.create_index(op.f("ix_applications_game_id"), "applications", ["game_id"], unique=False)
    op.create_table(
        "rematch_invitations",
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("seat", sa.String(length=8), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_rematch_invitations_game_id")),
        sa.PrimaryKeyConstraint("game_id", "seat", name=op.f("pk_rematch_invitations")),
    )
    op.create_table(
        "pending_confirmations",
        sa.Column("id", KEY, nullable=False),
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("user_id", KEY, nullable=False),
        sa.Column("code", sa.String(length=12), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("line", sa.Text(), nullable=False),
        sa.Column("needs_approval", sa.Boolean(), nullable=False),
        sa.Column("entry", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("used_at", sa.BigInteger(), nullable=True),
        sa.Column("approved_by", KEY, nullable=True),
        sa.Column("signed", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["approved_by"], ["users.id"], name=op.f("fk_pending_confirmations_approved_by")),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_pending_confirmations_game_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_pending_confirmations_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pending_confirmations")),
        sa.UniqueConstraint("game_id", "code", name=op.f("uq_pending_confirmations_game_id_code")),
    )
    op.create_table(
        "audit_entries",
        sa.Column("id", KEY, nullable=False),
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("entry", sa.BigInteger(), nullable=False),
        sa.Column("user_id", KEY, nullable=True),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("channel", sa.String(length=12), nullable=False),
        sa.Column("action", sa.String(length=24), nullable=False),
        sa.Column("line", sa.String(length=400), nullable=False),
        sa.Column("outcome", sa.String(length=12), nullable=False),
        sa.Column("reason", sa.String(length=2000), nullable=False),
        sa.Column("announced_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_audit_entries_game_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_audit_entries_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit_entries")),
    )
    op.create_index("ix_audit_entries_place", "audit_entries", ["game_id", "id"], unique=False)
    op.create_index(op.f("ix_audit_entries_user_id"), "audit_entries", ["user_id"], unique=False)
    op.create_table(
        "sealed_orders",
        sa.Column("id", KEY, nullable=False),
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("gate", sa.String(length=80), nullable=False),
        sa.Column("opening_entry", sa.BigInteger(), nullable=False),
        sa.Column("seat", sa.String(length=8), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("ciphertext", sa.LargeBinary(), nullable=False),
        sa.Column("commitment", sa.String(length=64), nullable=False),
        sa.Column("is_current", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("end_signature", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_sealed_orders_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sealed_orders")),
        sa.UniqueConstraint(
            "game_id", "gate", "seat", "kind", "revision", name=op.f("uq_sealed_orders_game_id_gate_seat_kind_revision")
        ),
    )
    op.create_index("ix_sealed_orders_place", "sealed_orders", ["game_id", "seat", "kind"], unique=False)
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
        "webhooks",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("created_by", KEY, nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("form", sa.String(length=8), nullable=False),
        sa.Column("language", sa.String(length=35), nullable=False),
        sa.Column("url_ciphertext", sa.LargeBinary(), nullable=False),
        sa.Column("masked_url", sa.String(length=120), nullable=False),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("last_state", sa.JSON(), nullable=False),
        sa.Column("remote_message_id", sa.String(length=24), nullable=False),
        sa.Column("discord_channel", sa.String(length=24), nullable=False),
        sa.Column("failures", sa.BigInteger(), nullable=False),
        sa.Column("error", sa.String(length=80), nullable=False),
        sa.Column("failing_since", sa.BigInteger(), nullable=True),
        sa.Column("failed_at", sa.BigInteger(), nullable=True),
        sa.Column("last_success_at", sa.BigInteger(), nullable=True),
        sa.Column("claimed_at", sa.BigInteger(), nullable=True),
        sa.Column("signed", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_webhooks_game_id")),
        sa.ForeignKeyConstraint(["created_by"], ["users.id"], name=op.f("fk_webhooks_created_by")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhooks")),
    )
    op.create_index(op.f("ix_webhooks_game_id"), "webhooks", ["game_id"], unique=False)
    op.create_index(op.f("ix_webhooks_discord_channel"), "webhooks", ["discord_channel"], unique=False)
    op.create_index(op.f("ix_webhooks_state"), "webhooks", ["state"], unique=False)
    op.create_table(
        "resolver_requests",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("kind", sa.String(length=12), nullable=False),
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("seat", sa.String(length=8), nullable=True),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("request", sa.LargeBinary(), nullable=False),
        sa.Column("answer", sa.LargeBinary(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("done_at", sa.BigInteger(), nullable=True),
        sa.Column("signed", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_resolver_requests_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_resolver_requests")),
    )
    op.create_index(op.f("ix_resolver_requests_game_id"), "resolver_requests", ["game_id"], unique=False)
    op.create_index(op.f("ix_resolver_requests_state"), "resolver_requests", ["state"], unique=False)
    op.create_table(
        "questions",
        sa.Column("id", KEY, nullable=False),
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("gate", sa.String(length=80), nullable=False),
        sa.Column("seat", sa.String(length=8), nullable=False),
        sa.Column("topic", sa.String(length=40), nullable=False),
        sa.Column("is_blocking", sa.Boolean(), nullable=False),
        sa.Column("is_reaction", sa.Boolean(), nullable=False),
        sa.Column("is_choice", sa.Boolean(), nullable=False),
        sa.Column("opening_entry", sa.BigInteger(), nullable=False),
        sa.Column("opened_at", sa.BigInteger(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=True),
        sa.Column("closes_at", sa.BigInteger(), nullable=True),
        sa.Column("remind_at", sa.BigInteger(), nullable=True),
        sa.Column("answered_at", sa.BigInteger(), nullable=True),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("pace_request", sa.String(length=8), nullable=False),
        sa.Column("grace_used", sa.Boolean(), nullable=False),
        sa.Column("paused_ms", sa.BigInteger(), nullable=False),
        sa.Column("resolve_now", sa.Boolean(), nullable=False),
        sa.Column("answers_fixed", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_questions_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_questions")),
        sa.UniqueConstraint("game_id", "gate", "seat", name=op.f("uq_questions_game_id_gate_seat")),
    )
    op.create_index(op.f("ix_questions_closes_at"), "questions", ["closes_at"], unique=False)
    op.create_index(op.f("ix_questions_game_id"), "questions", ["game_id"], unique=False)
    op.create_index(op.f("ix_questions_remind_at"), "questions", ["remind_at"], unique=False)
    op.create_table(
        "deputies",
        sa.Column("id", KEY, nullable=False),
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("seat", sa.String(length=8), nullable=False),
        sa.Column("owner_id", KEY, nullable=False),
        sa.Column("user_id", KEY, nullable=False),
        sa.Column("starts_at", sa.BigInteger(), nullable=False),
        sa.Column("ends_at", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("agreed_at", sa.BigInteger(), nullable=True),
        sa.Column("began_at", sa.BigInteger(), nullable=True),
        sa.Column("visible_from_entry", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.Column("end_reason", sa.String(length=10), nullable=False),
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
        "seat_tenures",
        sa.Column("id", KEY, nullable=False),
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("seat", sa.String(length=8), nullable=False),
        sa.Column("user_id", KEY, nullable=False),
        sa.Column("starts_at", sa.BigInteger(), nullable=False),
        sa.Column("ends_at", sa.BigInteger(), nullable=True),
        sa.Column("end_reason", sa.String(length=12), nullable=False),
        sa.Column("signed", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_seat_tenures_game_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_seat_tenures_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_seat_tenures")),
    )
    op.create_index(op.f("ix_seat_tenures_game_id"), "seat_tenures", ["game_id"], unique=False)
    op.create_index(op.f("ix_seat_tenures_user_id"), "seat_tenures", ["user_id"], unique=False)
    op.create_table(
        "journal_entries",
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("gate", sa.String(length=80), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("public", sa.LargeBinary(), nullable=False),
        sa.Column("chain_link", sa.LargeBinary(), nullable=False),
        sa.Column("entry_ciphertext", sa.LargeBinary(), nullable=False),
        sa.Column("state_ciphertext", sa.LargeBinary(), nullable=False),
        sa.Column("salts_ciphertext", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_journal_entries_game_id")),
        sa.PrimaryKeyConstraint("game_id", "number", name=op.f("pk_journal_entries")),
    )
    op.create_table(
        "outbound_emails",
        sa.Column("key", sa.String(length=120), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("game_id", sa.String(length=12), nullable=True),
        sa.Column("seat", sa.String(length=8), nullable=True),
        sa.Column("user_id", KEY, nullable=True),
        sa.Column("entry", sa.BigInteger(), nullable=True),
        sa.Column("from_entry", sa.BigInteger(), nullable=True),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
        sa.Column("sent_at", sa.BigInteger(), nullable=True),
        sa.Column("claimed_at", sa.BigInteger(), nullable=True),
        sa.Column("attempts", sa.BigInteger(), nullable=False),
        sa.Column("error", sa.String(length=80), nullable=True),
        sa.Column("server_reply", sa.String(length=200), nullable=True),
        sa.Column("address_hash", sa.LargeBinary(length=32), nullable=True),
        sa.Column("signed", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_outbound_emails_game_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_outbound_emails_user_id")),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_outbound_emails")),
    )
    op.create_index(op.f("ix_outbound_emails_game_id"), "outbound_emails", ["game_id"], unique=False)
    op.create_index(
        "ix_outbound_emails_sent_at",
        "outbound_emails",
        ["sent_at"],
        unique=False,
        sqlite_where=sa.text("sent_at IS NOT NULL"),
        postgresql_where=sa.text("sent_at IS NOT NULL"),
    )
    op.create_index(op.f("ix_outbound_emails_state"), "outbound_emails", ["state"], unique=False)
    op.create_table(
        "open_tables",
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("opened_at", sa.BigInteger(), nullable=False),
        sa.Column("signed", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_open_tables_game_id")),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_open_tables")),
    )
    op.create_table(
        "master_settings",
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("requires_second_master", sa.Boolean(), nullable=False),
        sa.Column("approval", sa.Boolean(), nullable=False),
        sa.Column("absence_days", sa.BigInteger(), nullable=False),
        sa.Column("called_at", sa.BigInteger(), nullable=True),
        sa.Column("signed", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_master_settings_game_id")),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_master_settings")),
    )
    op.create_table(
        "masters",
        sa.Column("id", KEY, nullable=False),
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("user_id", KEY, nullable=False),
        sa.Column("starts_at", sa.BigInteger(), nullable=False),
        sa.Column("ends_at", sa.BigInteger(), nullable=True),
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
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("source", sa.String(length=120), nullable=False),
        sa.Column("ciphertext", sa.LargeBinary(), nullable=False),
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
        sa.Column("started_at", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.Column("is_compensated", sa.Boolean(), nullable=False),
        sa.Column("declared_by", sa.String(length=80), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_outages_game_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_outages_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outages")),
    )
    op.create_index(op.f("ix_outages_game_id"), "outages", ["game_id"], unique=False)
    op.create_index(op.f("ix_outages_is_compensated"), "outages", ["is_compensated"], unique=False)
    op.create_index(op.f("ix_outages_user_id"), "outages", ["user_id"], unique=False)
    op.create_table(
        "board_images",
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("viewer", sa.String(length=8), nullable=False),
        sa.Column("entry", sa.BigInteger(), nullable=False),
        sa.Column("from_entry", sa.BigInteger(), nullable=False),
        sa.Column("language", sa.String(length=35), nullable=False),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("requested_at", sa.BigInteger(), nullable=False),
        sa.Column("claimed_at", sa.BigInteger(), nullable=True),
        sa.Column("error", sa.String(length=80), nullable=False),
        sa.Column("ciphertext", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_board_images_game_id")),
        sa.PrimaryKeyConstraint("game_id", "viewer", "entry", "from_entry", "language", name=op.f("pk_board_images")),
    )
    op.create_index(op.f("ix_board_images_state"), "board_images", ["state"], unique=False)
    op.create_table(
        "turn_statistics",
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("turn", sa.BigInteger(), nullable=False),
        sa.Column("entry", sa.BigInteger(), nullable=False),
        sa.Column("ciphertext", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_turn_statistics_game_id")),
        sa.PrimaryKeyConstraint("game_id", "turn", name=op.f("pk_turn_statistics")),
    )
    op.create_table(
        "practice_games",
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("user_id", KEY, nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_practice_games_game_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_practice_games_user_id")),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_practice_games")),
    )
    op.create_index(op.f("ix_practice_games_expires_at"), "practice_games", ["expires_at"], unique=False)
    op.create_index(op.f("ix_practice_games_user_id"), "practice_games", ["user_id"], unique=False)
    op.create_table(
        "game_mutes",
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("user_id", KEY, autoincrement=False, nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_game_mutes_game_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_game_mutes_user_id")),
        sa.PrimaryKeyConstraint("game_id", "user_id", name=op.f("pk_game_mutes")),
    )
    op.create_table(
        "archive_search_terms",
        sa.Column("language", sa.String(length=35), nullable=False),
        sa.Column("word", sa.String(length=40), nullable=False),
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("entries", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_archive_search_terms_game_id")),
        sa.PrimaryKeyConstraint("language", "word", "game_id", name=op.f("pk_archive_search_terms")),
    )
    op.create_index(op.f("ix_archive_search_terms_game_id"), "archive_search_terms", ["game_id"], unique=False)
    op.create_table(
        "game_results",
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("seat", sa.String(length=8), nullable=False),
        sa.Column("user_id", KEY, nullable=True),
        sa.Column("rules", sa.String(length=40), nullable=False),
        sa.Column("power", sa.String(length=40), nullable=False),
        sa.Column("place", sa.BigInteger(), nullable=False),
        sa.Column("tied_with", sa.BigInteger(), nullable=False),
        sa.Column("players", sa.BigInteger(), nullable=False),
        sa.Column("points", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_game_results_game_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_game_results_user_id")),
        sa.PrimaryKeyConstraint("game_id", "seat", name=op.f("pk_game_results")),
    )
    op.create_index(op.f("ix_game_results_rules"), "game_results", ["rules"], unique=False)
    op.create_index(op.f("ix_game_results_user_id"), "game_results", ["user_id"], unique=False)
    op.create_table(
        "order_revisions",
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("gate", sa.String(length=80), nullable=False),
        sa.Column("seat", sa.String(length=8), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_order_revisions_game_id")),
        sa.PrimaryKeyConstraint("game_id", "gate", "seat", "kind", name=op.f("pk_order_revisions")),
    )
    op.create_table(
        "pending_draws",
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("entry", sa.BigInteger(), nullable=False),
        sa.Column("gate", sa.String(length=80), nullable=False),
        sa.Column("round", sa.BigInteger(), nullable=False),
        sa.Column("signature", sa.LargeBinary(), nullable=True),
        sa.Column("ciphertext", sa.LargeBinary(), nullable=False),
        sa.Column("fixed_at", sa.BigInteger(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
        sa.Column("attempts", sa.BigInteger(), nullable=False),
        sa.Column("is_announced", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_pending_draws_game_id")),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_pending_draws")),
    )
    op.create_index(op.f("ix_pending_draws_due_at"), "pending_draws", ["due_at"], unique=False)
    op.create_table(
        "seats",
        sa.Column("id", KEY, nullable=False),
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("seat", sa.String(length=8), nullable=False),
        sa.Column("user_id", KEY, nullable=True),
        sa.Column("invited_email", sa.String(length=320), nullable=True),
        sa.Column("joined_at", sa.BigInteger(), nullable=True),
        sa.Column("seed_words", sa.String(length=200), nullable=False),
        sa.Column("seed_nonce", sa.LargeBinary(), nullable=True),
        sa.Column("last_report_entry", sa.BigInteger(), nullable=False),
        sa.Column("last_order_entry", sa.BigInteger(), nullable=True),
        sa.Column("visible_from_entry", sa.BigInteger(), nullable=False),
        sa.Column("time_bank_ms", sa.BigInteger(), nullable=True),
        sa.Column("excused_misses", sa.BigInteger(), nullable=True),
        sa.Column("missed", sa.BigInteger(), nullable=False),
        sa.Column("open_since", sa.BigInteger(), nullable=True),
        sa.Column("pause_request", sa.String(length=8), nullable=False),
        sa.Column("signed", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_seats_game_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_seats_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_seats")),
        sa.UniqueConstraint("game_id", "seat", name=op.f("uq_seats_game_id_seat")),
    )
    op.create_index(op.f("ix_seats_game_id"), "seats", ["game_id"], unique=False)
    op.create_index(op.f("ix_seats_invited_email"), "seats", ["invited_email"], unique=False)
    op.create_index(op.f("ix_seats_open_since"), "seats", ["open_since"], unique=False)
    op.create_index(op.f("ix_seats_user_id"), "seats", ["user_id"], unique=False)
    op.create_table(
        "join_links",
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("ciphertext", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_join_links_game_id")),
        sa.PrimaryKeyConstraint("game_id", name=op.f("pk_join_links")),
    )
    op.create_table(
        "message_mutes",
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("user_id", KEY, nullable=False),
        sa.Column("muted_user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_message_mutes_game_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_message_mutes_user_id")),
        sa.PrimaryKeyConstraint("game_id", "user_id", "muted_user_id", name=op.f("pk_message_mutes")),
    )
    op.create_table(
        "capabilities",
        sa.Column("hash", sa.LargeBinary(length=32), nullable=False),
        sa.Column("purpose", sa.String(length=20), nullable=False),
        sa.Column("user_id", KEY, nullable=True),
        sa.Column("game_id", sa.String(length=12), nullable=True),
        sa.Column("seat", sa.String(length=8), nullable=True),
        sa.Column("entry", sa.BigInteger(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=True),
        sa.Column("used_at", sa.BigInteger(), nullable=True),
        sa.Column("revoked_at", sa.BigInteger(), nullable=True),
        sa.Column("last_words", sa.LargeBinary(length=32), nullable=True),
        sa.Column("signed", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_capabilities_game_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_capabilities_user_id")),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_capabilities")),
    )
    op.create_index(op.f("ix_capabilities_game_id"), "capabilities", ["game_id"], unique=False)
    op.create_index(op.f("ix_capabilities_user_id"), "capabilities", ["user_id"], unique=False)
    op.create_table(
        "seat_views",
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("viewer", sa.String(length=8), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("entry", sa.BigInteger(), nullable=False),
        sa.Column("holder", sa.BigInteger(), nullable=False),
        sa.Column("ciphertext", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_seat_views_game_id")),
        sa.PrimaryKeyConstraint("game_id", "viewer", "kind", "entry", name=op.f("pk_seat_views")),
    )
    op.create_table(
        "votes",
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("motion", sa.String(length=8), nullable=False),
        sa.Column("target", sa.String(length=20), nullable=False),
        sa.Column("seat", sa.String(length=8), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("signed", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_votes_game_id")),
        sa.PrimaryKeyConstraint("game_id", "motion", "target", "seat", name=op.f("pk_votes")),
    )
    op.create_table(
        "spectators",
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("user_id", KEY, nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("invited_by", KEY, nullable=True),
        sa.Column("emails_since", sa.BigInteger(), nullable=True),
        sa.Column("signed", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["invited_by"], ["users.id"], name=op.f("fk_spectators_invited_by")),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_spectators_game_id")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_spectators_user_id")),
        sa.PrimaryKeyConstraint("game_id", "user_id", name=op.f("pk_spectators")),
    )
    op.create_index(op.f("ix_spectators_user_id"), "spectators", ["user_id"], unique=False)
    op.create_table(
        "webhook_messages",
        sa.Column("id", KEY, nullable=False),
        sa.Column("key", sa.String(length=120), nullable=False),
        sa.Column("webhook_id", sa.String(length=32), nullable=False),
        sa.Column("kind", sa.String(length=12), nullable=False),
        sa.Column("from_entry", sa.BigInteger(), nullable=False),
        sa.Column("entry", sa.BigInteger(), nullable=False),
        sa.Column("terms", sa.JSON(), nullable=False),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("remote_message_id", sa.String(length=24), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("attempts", sa.BigInteger(), nullable=False),
        sa.Column("error", sa.String(length=80), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
        sa.Column("sent_at", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["webhook_id"], ["webhooks.id"], name=op.f("fk_webhook_messages_webhook_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhook_messages")),
        sa.UniqueConstraint("key", name=op.f("uq_webhook_messages_key")),
    )
    op.create_index(op.f("ix_webhook_messages_webhook_id"), "webhook_messages", ["webhook_id"], unique=False)
    op.create_index("ix_webhook_messages_waiting", "webhook_messages", ["state", "due_at"], unique=False)
    op.create_table(
        "deadline_extensions",
        sa.Column("id", KEY, nullable=False),
        sa.Column("outage_id", KEY, nullable=False),
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("gate", sa.String(length=80), nullable=False),
        sa.Column("seat", sa.String(length=8), nullable=False),
        sa.Column("lost_ms", sa.BigInteger(), nullable=False),
        sa.Column("due_before", sa.BigInteger(), nullable=False),
        sa.Column("due_after", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_deadline_extensions_game_id")),
        sa.ForeignKeyConstraint(["outage_id"], ["outages.id"], name=op.f("fk_deadline_extensions_outage_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_deadline_extensions")),
    )
    op.create_index(op.f("ix_deadline_extensions_game_id"), "deadline_extensions", ["game_id"], unique=False)
    op.create_index(op.f("ix_deadline_extensions_outage_id"), "deadline_extensions", ["outage_id"], unique=False)
    op.create_table(
        "outbound_email_bodies",
        sa.Column("email_key", sa.String(length=120), nullable=False),
        sa.Column("content_ciphertext", sa.LargeBinary(), nullable=False),
        sa.Column("daily_key_id", KEY, nullable=True),
        sa.ForeignKeyConstraint(
            ["daily_key_id"], ["daily_keys.id"], name=op.f("fk_outbound_email_bodies_daily_key_id")
        ),
        sa.ForeignKeyConstraint(
            ["email_key"],
            ["outbound_emails.key"],
            name=op.f("fk_outbound_email_bodies_email_key"),
            ondelete="CASCADE",
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("email_key", name=op.f("pk_outbound_email_bodies")),
    )
    op.create_index(
        op.f("ix_outbound_email_bodies_daily_key_id"), "outbound_email_bodies", ["daily_key_id"], unique=False
    )
    op.create_table(
        "printed_emails",
        sa.Column("token_hash", sa.LargeBinary(length=32), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("email_key", sa.String(length=120), nullable=False),
        sa.Column("content_ciphertext", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["email_key"],
            ["outbound_emails.key"],
            name=op.f("fk_printed_emails_email_key"),
            ondelete="CASCADE",
            initially="DEFERRED",
            deferrable=True,
        ),
        sa.PrimaryKeyConstraint("token_hash", "kind", name=op.f("pk_printed_emails")),
    )
    op.create_index(op.f("ix_printed_emails_email_key"), "printed_emails", ["email_key"], unique=False)
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
        "api_tokens",
        sa.Column("id", KEY, nullable=False),
        sa.Column("hash", sa.LargeBinary(length=32), nullable=False),
        sa.Column("user_id", KEY, nullable=False),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("scope", sa.String(length=8), nullable=False),
        sa.Column("signed", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["hash"], ["capabilities.hash"], name=op.f("fk_api_tokens_hash")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_api_tokens_user_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_api_tokens")),
        sa.UniqueConstraint("hash", name=op.f("uq_api_tokens_hash")),
    )
    op.create_index(op.f("ix_api_tokens_user_id"), "api_tokens", ["user_id"], unique=False)
    op.create_table(
        "message_addresses",
        sa.Column("hash", sa.LargeBinary(length=32), nullable=False),
        sa.Column("game_id", sa.String(length=12), nullable=False),
        sa.Column("user_id", KEY, nullable=False),
        sa.Column("audience", sa.String(length=80), nullable=False),
        sa.Column("ciphertext", sa.LargeBinary(), nullable=False),
        sa.Column("signed", sa.LargeBinary(), nullable=True),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_message_addresses_game_id")),
        sa.ForeignKeyConstraint(["hash"], ["capabilities.hash"], name=op.f("fk_message_addresses_hash")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_message_addresses_user_id")),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_message_addresses")),
        sa.UniqueConstraint(
            "game_id", "user_id", "audience", name=op.f("uq_message_addresses_game_id_user_id_audience")
        ),
    )
    op.create_index(op.f("ix_message_addresses_user_id"), "message_addresses", ["user_id"], unique=False)

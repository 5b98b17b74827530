"""The tables for what game masters need."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_KEY = sa.Integer().with_variant(sa.BigInteger(), "postgresql")


def _game() -> sa.Column[str]:
    return sa.Column("game_id", sa.String(length=12), sa.ForeignKey("games.id"), nullable=False)


def _user(name: str = "user_id", *, nullable: bool = False) -> sa.Column[int]:
    return sa.Column(name, _KEY, sa.ForeignKey("users.id"), nullable=nullable)


def _moment(name: str, *, nullable: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger(), nullable=nullable)


def upgrade() -> None:
    """Make them."""
    with op.batch_alter_table("decisions") as table:
        table.add_column(sa.Column("forced", sa.Boolean(), nullable=False, server_default=sa.false()))
    with op.batch_alter_table("decisions") as table:
        table.alter_column("forced", server_default=None)
    op.create_table(
        "masters",
        sa.Column("id", _KEY, primary_key=True),
        _game(),
        _user(),
        _moment("since"),
        _moment("until", nullable=True),
        sa.Column("blind", sa.Boolean(), nullable=False),
        _moment("seen_at"),
    )
    op.create_index("ix_masters_game_id", "masters", ["game_id"])
    op.create_index("ix_masters_user_id", "masters", ["user_id"])
    op.create_table(
        "mastering",
        sa.Column("game_id", sa.String(length=12), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("two", sa.Boolean(), nullable=False),
        sa.Column("approval", sa.Boolean(), nullable=False),
        sa.Column("gone_days", sa.BigInteger(), nullable=False),
        _moment("called_at", nullable=True),
    )
    _audit()
    _askings()
    op.create_table(
        "applications",
        sa.Column("id", _KEY, primary_key=True),
        _game(),
        sa.Column("seat", sa.String(length=8), nullable=False),
        _user(),
        _moment("made_at"),
        _moment("decided_at", nullable=True),
        sa.Column("outcome", sa.String(length=12), nullable=False),
    )
    op.create_index("ix_applications_game_id", "applications", ["game_id"])
    op.create_table(
        "votes",
        sa.Column("game_id", sa.String(length=12), sa.ForeignKey("games.id"), primary_key=True),
        sa.Column("subject", sa.String(length=8), primary_key=True),
        sa.Column("about", sa.String(length=20), primary_key=True),
        sa.Column("seat", sa.String(length=8), primary_key=True),
        _moment("made_at"),
    )


def _audit() -> None:
    op.create_table(
        "audit",
        sa.Column("id", _KEY, primary_key=True),
        _game(),
        _moment("at"),
        sa.Column("entry", sa.BigInteger(), nullable=False),
        _user(nullable=True),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("door", sa.String(length=12), nullable=False),
        sa.Column("action", sa.String(length=24), nullable=False),
        sa.Column("line", sa.String(length=400), nullable=False),
        sa.Column("outcome", sa.String(length=12), nullable=False),
        sa.Column("reason", sa.String(length=2000), nullable=False),
        _moment("told_at", nullable=True),
    )
    op.create_index("ix_audit_place", "audit", ["game_id", "id"])
    op.create_index("ix_audit_user_id", "audit", ["user_id"])


def _askings() -> None:
    op.create_table(
        "askings",
        sa.Column("id", _KEY, primary_key=True),
        _game(),
        _user(),
        sa.Column("word", sa.String(length=12), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("line", sa.String(length=400), nullable=False),
        sa.Column("entry", sa.BigInteger(), nullable=False),
        _moment("made_at"),
        _moment("used_at", nullable=True),
        _user("agreed_by", nullable=True),
        sa.UniqueConstraint("game_id", "word"),
    )

"""Keys of post that live a day, and which of them each letter is sealed to."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

KEY = sa.Integer().with_variant(sa.BigInteger(), "postgresql")


def upgrade() -> None:
    """A letter that waits has no such key: it is read with the key that it was sealed to before."""
    op.create_table(
        "day_keys",
        sa.Column("id", KEY, nullable=False),
        sa.Column("public", sa.LargeBinary(), nullable=False),
        sa.Column("made_at", sa.BigInteger(), nullable=False),
        sa.Column("restored_at", sa.BigInteger(), nullable=False),
        sa.Column("signed", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_day_keys")),
    )
    for table in ("letters_in", "letters_out"):
        kind = "INTEGER" if op.get_bind().dialect.name == "sqlite" else "BIGINT"
        refers = f"CONSTRAINT fk_{table}_day REFERENCES day_keys (id)"
        op.execute(f"ALTER TABLE {table} ADD COLUMN day {kind} {refers}")
        op.create_index(op.f(f"ix_{table}_day"), table, ["day"])

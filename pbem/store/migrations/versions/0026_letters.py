"""Letters hold nothing of what was in them any more."""

from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """The step before this has moved it.  As one of its own: no version from before that works with these tables."""
    for table in ("letters_in", "letters_out"):
        op.drop_index(op.f(f"ix_{table}_day"), table)
        for column in ("content_sealed", "day"):
            op.execute(f"ALTER TABLE {table} DROP COLUMN {column}")

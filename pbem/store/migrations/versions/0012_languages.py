"""A language is a tag of any length that such tags have (BCP 47)."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

HELD = ("users", "channels", "pictures", "record_words")


def upgrade() -> None:
    """Widen the columns where a database minds their length; SQLite does not."""
    if op.get_bind().dialect.name == "sqlite":
        return
    for table in HELD:
        op.alter_column(table, "language", type_=sa.String(length=35), existing_nullable=False)

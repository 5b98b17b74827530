"""Rows that open something to somebody are signed; those that are there are signed by `pbem keys vouch`."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

SIGNED = (
    "accounts",
    "applications",
    "askings",
    "deputies",
    "games",
    "holdings",
    "mastering",
    "masters",
    "message_readers",
    "programs",
    "seats",
    "talk_addresses",
    "tokens",
    "users",
    "votes",
    "watchers",
)


def upgrade() -> None:
    """Columns for the signatures, and for what play knows of the holders of seats; empty until somebody vouches."""
    for table in SIGNED:
        op.add_column(table, sa.Column("signed", sa.LargeBinary(), nullable=True))
    op.add_column("games", sa.Column("holders_sealed", sa.LargeBinary(), nullable=True))

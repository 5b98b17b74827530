"""A ballot that was taken back says so by a signature; those that stood no longer are gone: nothing marks how."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """A column for the signature, and the keeping of what play last saw."""
    op.execute(sa.text("DELETE FROM ballots WHERE NOT standing"))
    op.add_column("ballots", sa.Column("ended", sa.LargeBinary(), nullable=True))
    op.add_column("games", sa.Column("filed_sealed", sa.LargeBinary(), nullable=True))
    op.add_column("games", sa.Column("doubt", sa.String(length=120), nullable=True))

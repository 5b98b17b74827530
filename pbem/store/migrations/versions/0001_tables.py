"""The tables of the first version."""

from alembic import op

from pbem.store.models import Base

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make all tables."""
    Base.metadata.create_all(op.get_bind())


def downgrade() -> None:
    """Drop all tables."""
    Base.metadata.drop_all(op.get_bind())

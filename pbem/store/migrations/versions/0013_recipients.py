"""The address that a letter was sent to is a capability: it lies sealed, and of letters that are done not at all."""

from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Blank what is done or put aside; a letter that still waits is read with the address beside it."""
    op.execute("UPDATE letters_in SET recipient = '' WHERE state <> 'stored'")
    op.execute("UPDATE letters_in SET size = (size + 511) / 512 * 512")

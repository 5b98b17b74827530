"""Lists are found by an index: a host's tables, seats that look for a player, and invitations."""

from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nothing but what finds them."""
    op.create_index("ix_games_host_id", "games", ["host_id"])
    op.create_index("ix_seats_invited", "seats", ["invited"])
    op.create_index("ix_seats_offered_at", "seats", ["offered_at"])

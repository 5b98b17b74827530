"""Name a table's rules `rules`, and call `title` what its players call it."""

from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Rename the columns; what they hold stays."""
    op.alter_column("games", "title", new_column_name="rules")
    op.alter_column("games", "name", new_column_name="title")
    op.drop_index(op.f("ix_results_title"), table_name="results")
    op.alter_column("results", "title", new_column_name="rules")
    op.create_index(op.f("ix_results_rules"), "results", ["rules"], unique=False)

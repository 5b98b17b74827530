"""What is in letters lies in tables of their own: rows of letters that are done stay small."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None

KEY = sa.Integer().with_variant(sa.BigInteger(), "postgresql")
LETTERS = {"letters_in": ("id", 32), "letters_out": ("key", 120)}


def upgrade() -> None:
    """Letters that wait, or were put aside, bring theirs along; of all others there is none."""
    for table, (key, length) in LETTERS.items():
        made = f"{table}_contents"
        op.create_table(
            made,
            sa.Column("letter", sa.String(length=length), nullable=False),
            sa.Column("content_sealed", sa.LargeBinary(), nullable=False),
            sa.Column("day", KEY, nullable=True),
            sa.ForeignKeyConstraint(
                ["letter"],
                [f"{table}.{key}"],
                name=op.f(f"fk_{made}_letter"),
                ondelete="CASCADE",
                deferrable=True,
                initially="DEFERRED",
            ),
            sa.ForeignKeyConstraint(["day"], ["day_keys.id"], name=op.f(f"fk_{made}_day")),
            sa.PrimaryKeyConstraint("letter", name=op.f(f"pk_{made}")),
        )
        op.create_index(op.f(f"ix_{made}_day"), made, ["day"])
        sealed, day = sa.Column("content_sealed", sa.LargeBinary()), sa.Column("day", KEY)
        before = sa.select(sa.column(key, sa.String()), sealed, day).select_from(sa.table(table))
        after = sa.table(made, sa.column("letter"), sa.column("content_sealed"), sa.column("day"))
        held = before.where(sa.func.length(sealed) > 0)
        op.execute(sa.insert(after).from_select(["letter", "content_sealed", "day"], held))

"""Keep international mail addresses in one form: normal form C, the domain in ASCII."""

import unicodedata

import idna
import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

USERS = sa.table("users", sa.column("id", sa.Integer), sa.column("address", sa.String))
SEATS = sa.table("seats", sa.column("id", sa.Integer), sa.column("invited", sa.String))


def kept(address: str) -> str:
    """The address as it is kept from now on; one whose domain cannot exist stays as it is."""
    local, _, domain = address.rpartition("@")
    try:
        return f"{unicodedata.normalize('NFC', local)}@{idna.encode(domain, uts46=True).decode('ascii')}"
    except idna.IDNAError:
        return address


def upgrade() -> None:
    """Write anew what was not ASCII; where the person is known by that address already, both stay."""
    db = op.get_bind()
    people = {row.address: row.id for row in db.execute(sa.select(USERS))}
    for address, number in people.items():
        if not address.isascii() and kept(address) not in people:
            db.execute(sa.update(USERS).where(USERS.c.id == number).values(address=kept(address)))
    for row in db.execute(sa.select(SEATS).where(SEATS.c.invited.is_not(None))).all():
        if not row.invited.isascii():
            db.execute(sa.update(SEATS).where(SEATS.c.id == row.id).values(invited=kept(row.invited)))


def downgrade() -> None:
    """Nothing: both forms name the same mailbox."""

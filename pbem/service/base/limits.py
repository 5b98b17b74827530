"""How often somebody may knock within an hour.  Counted in the database, under a hash.

The count is one statement, so that two who knock at once are counted as two, on PostgreSQL as well.
"""

import hashlib

from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from pbem.service.base.services import Office
from pbem.store.models import Hit

MOST = {
    "letters": 120, "sign_ins": 6, "tables": 20, "invitations": 40, "acts": 240, "talk": 60, "channels": 20,
    "links": 10,
}  # fmt: skip
"""Knocks allowed within an hour, by sort; an office may be given others."""

HOUR_MS = 3_600_000


def over(office: Office, session: Session, sort: str, who: str) -> bool:
    """Count one knock; True once there were more within this hour than allowed."""
    return beyond(office, session, sort, who) > 0


def beyond(office: Office, session: Session, sort: str, who: str) -> int:
    """Count one knock; by how many the knocks of this hour go beyond what is allowed: 1 for the first too many."""
    mark = hashlib.sha256(f"{sort}\0{who.lower()}".encode("utf-8", "surrogatepass")).digest()
    insert = sqlite.insert if office.db.sqlite else postgresql.insert
    row = insert(Hit).values(who=mark, hour=office.now() // HOUR_MS, count=1)
    adding = row.on_conflict_do_update(index_elements=["who", "hour"], set_={"count": Hit.count + 1})
    count = session.execute(adding.returning(Hit.count)).scalar_one()
    return max(0, count - office.most.get(sort, MOST[sort]))

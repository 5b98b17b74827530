"""How often somebody may knock within an hour.  Counted in the database, under a hash."""

import hashlib

from sqlalchemy.orm import Session

from pbem.service.office import Office
from pbem.store.models import Hit

MOST = {"letters": 120, "sign_ins": 6}
"""Knocks allowed within an hour, by sort; an office may be given others."""

HOUR_MS = 3_600_000


def over(office: Office, session: Session, sort: str, who: str) -> bool:
    """Count one knock; True once there were more within this hour than allowed."""
    mark = hashlib.sha256(f"{sort}\0{who.lower()}".encode("utf-8", "surrogatepass")).digest()
    hour = office.now() // HOUR_MS
    row = session.get(Hit, (mark, hour))
    if row is None:
        row = Hit(who=mark, hour=hour, count=0)
        session.add(row)
    row.count += 1
    return row.count > office.most.get(sort, MOST[sort])

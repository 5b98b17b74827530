"""Whether the database answers: what a process asks before it says that it can serve."""

from sqlalchemy import text

from pbem.common.outage_log import is_connection_error
from pbem.service.base.services import Services


def is_ready(services: Services) -> bool:
    """Return True if the database answers."""
    try:
        with services.db.snapshot() as session:
            session.execute(text("SELECT 1"))
    except Exception as error:
        if is_connection_error(error):
            return False
        raise
    return True

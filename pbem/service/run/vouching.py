"""Vouching for the rows of a database: once after the update that began to sign them, and before old keys go."""

from pbem.service.base.services import Services
from pbem.service.game import holders
from pbem.store import signed_rows
from pbem.store.database import Database
from pbem.store.signed_rows import RowKeys
from pbem.vault import KeyFolder, Role


def vouch(services: Services, db: Database, folder: KeyFolder) -> int:
    """Sign every row that nobody has signed; how many they were.  `db`: the same database, without keys."""
    with db.writing() as session:
        found = signed_rows.vouch(session, _keys(folder))
    holders.note_all(services)
    return found


def sign_anew(db: Database, folder: KeyFolder) -> int:
    """Sign every row anew under the newest keys; how many they were.  Raises Tampered for one that nobody signed."""
    with db.writing() as session:
        return signed_rows.sign_anew(session, _keys(folder))


def unsigned(db: Database) -> int:
    """How many rows nobody has signed."""
    with db.reading() as session:
        return signed_rows.unsigned(session)


def _keys(folder: KeyFolder) -> dict[Role, RowKeys]:
    known = folder.verify_keys()
    return {role: RowKeys(signing, known) for role, signing in folder.signing_keys().items()}

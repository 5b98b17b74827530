"""Signatures of rows under new keys, before the old keys go."""

from pbem.crypto import KeyFolder
from pbem.store import row_signatures
from pbem.store.database import Database
from pbem.store.row_signatures import RowSigner


def resign_all_rows(db: Database, folder: KeyFolder) -> int:
    """Sign every row under the newest keys, and return how many; raises Tampered for one whose signature does not fit.

    `db`: the database without keys.
    """
    known = folder.verify_keys()
    with db.transaction() as session:
        keys = {role: RowSigner(signing, known) for role, signing in folder.signing_keys().items()}
        return row_signatures.resign_all_rows(session, keys)

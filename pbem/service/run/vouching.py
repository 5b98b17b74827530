"""Signatures of rows under new keys, before the old keys go."""

from pbem.store import signed_rows
from pbem.store.database import Database
from pbem.store.signed_rows import RowKeys
from pbem.vault import KeyFolder


def sign_anew(db: Database, folder: KeyFolder) -> int:
    """Sign every row under the newest keys, and return how many; raises Tampered for one whose signature does not fit.

    `db`: the database without keys.
    """
    known = folder.verify_keys()
    with db.writing() as session:
        keys = {role: RowKeys(signing, known) for role, signing in folder.signing_keys().items()}
        return signed_rows.sign_anew(session, keys)

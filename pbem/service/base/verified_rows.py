"""Rows that are read one by one where one among them may not be believed, so that it holds up no other."""

from collections.abc import Sequence
from functools import cache
from typing import TypeVar

from sqlalchemy import Select, inspect, select
from sqlalchemy.orm import Session

from pbem.common.outage_log import SIGNATURE_ERRORS
from pbem.crypto import DecryptionError
from pbem.store.columns import InClause
from pbem.store.models import Base

M = TypeVar("M", bound=Base)
K = TypeVar("K", int, str)


def load_verified(session: Session, model: type[M], key: int | str | None) -> M | None:
    """A row, if there is one and its signature fits; otherwise the log tells of it."""
    try:
        return session.get(model, key) if key is not None else None
    except DecryptionError as error:
        SIGNATURE_ERRORS.record(error)
        return None


@cache
def _by_key(model: type[M]) -> InClause[Select[M]]:
    return InClause(inspect(model).primary_key[0], lambda these: select(model).where(these))


def split_verified(session: Session, model: type[M], keys: Sequence[K]) -> tuple[list[M], list[K]]:
    """The rows of these keys that are believed, in this order, and the keys of the others."""
    if not keys:
        return [], []
    own = inspect(model).primary_key[0]
    try:
        found: dict[K, M] = {getattr(row, own.name): row for row in session.scalars(*_by_key(model).of(keys))}
    except DecryptionError:
        rows = {key: load_verified(session, model, key) for key in keys}
        found = {key: row for key, row in rows.items() if row is not None}
        return list(found.values()), [key for key in keys if key not in found]
    return [found[key] for key in keys if key in found], []

"""Columns, asked for where no object is to stand for a row: it takes a third of what a session takes to make objects.

Statements are made once.  One about several values is made once for each number of them: SQLAlchemy words an expanding
`IN` anew each time.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any, Generic, TypeVar, TypeVarTuple

from sqlalchemy import ColumnElement, Executable, Row, Select, bindparam
from sqlalchemy.orm import InstrumentedAttribute, Session

from pbem.store.models.base import SignedRow
from pbem.store.optimistic import SnapshotSession
from pbem.store.row_signatures import SIGNER_KEY, RowSigner

S = TypeVar("S", bound=Executable)
Ts = TypeVarTuple("Ts")
Column = InstrumentedAttribute[Any] | ColumnElement[Any]


def select_columns(session: Session, statement: Select[*Ts], values: Mapping[str, Any]) -> Sequence[Row[*Ts]]:
    """The rows that a statement finds; what waits to be written is written first, as before any statement."""
    if isinstance(session, SnapshotSession):
        session.check_read(statement, values)
    elif session.autoflush:
        session.flush()
    return session.connection().execute(statement, values).all()


def select_verified_columns(
    session: Session, model: type[SignedRow], statement: Select[*Ts], values: Mapping[str, Any]
) -> Sequence[Row[*Ts]]:
    """The same of whole rows of a signed table; raises Tampered where the signature of one does not fit."""
    found = select_columns(session, statement, values)
    keys: RowSigner | None = session.info.get(SIGNER_KEY)
    if keys is not None:
        for row in found:
            keys.verify_cached(model, row._mapping)
    return found


class InClause(Generic[S]):
    """A statement about rows of which a column has one of several values."""

    def __init__(self, column: Column, make: Callable[[ColumnElement[bool]], S]) -> None:
        """`make`: the statement about those for which this holds."""

        @lru_cache(maxsize=64)
        def made(several: int) -> S:
            return make(column.in_([bindparam(f"one{n}", type_=column.type) for n in range(several)]))

        self._statements = made

    def bind(self, values: Collection[Any], **more: Any) -> tuple[S, dict[str, Any]]:
        """The statement about these, and with what it is executed: `more` are its other values."""
        return self._statements(len(values)), {f"one{n}": value for n, value in enumerate(values)} | more

"""What every table is made of."""

from typing import Any, ClassVar

from sqlalchemy import JSON, BigInteger, Integer, LargeBinary, MetaData, String
from sqlalchemy.orm import DeclarativeBase

_NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}


class Base(DeclarativeBase):
    """All tables; constraints have names, so that migrations can change them."""

    metadata = MetaData(naming_convention=_NAMES)
    type_annotation_map: ClassVar[dict[Any, Any]] = {int: BigInteger, dict[str, Any]: JSON, bytes: LargeBinary}


KEY = Integer().with_variant(BigInteger(), "postgresql")
"""A number for each row.  SQLite numbers rows by itself only where the key is a plain INTEGER."""

TAG = String(35).with_variant(String(2), "sqlite")
"""The tag of a language (BCP 47).  SQLite keeps a text of any length, whatever its column says."""

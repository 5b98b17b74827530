"""What every table is made of."""

from enum import StrEnum
from functools import cache
from typing import Any, ClassVar, Generic, TypeVar

from sqlalchemy import JSON, BigInteger, Dialect, Integer, LargeBinary, MetaData, String, TypeDecorator
from sqlalchemy.orm import DeclarativeBase, Mapped, Mapper, mapped_column
from sqlalchemy.sql.schema import ScalarElementColumnDefault

E = TypeVar("E", bound=StrEnum)

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

    def __init__(self, **values: Any) -> None:
        """Make a row; what is not named has the default of its column from here on, not only once it is written."""
        for name, value in (scalar_defaults(self.__mapper__) | values).items():
            setattr(self, name, value)


@cache
def scalar_defaults(mapper: Mapper[Any]) -> dict[str, Any]:
    """The values of columns that may be left open, by the names of their attributes."""
    columns = ((mapper.get_property_by_column(column).key, column.default) for column in mapper.columns)
    return {name: default.arg for name, default in columns if isinstance(default, ScalarElementColumnDefault)}


def column_length(model: type[Base], column: str) -> int:
    """How many signs a column of text holds."""
    kind = model.__mapper__.columns[column].type
    if not isinstance(kind, String) or kind.length is None:
        raise TypeError(f"{column} holds any text, or none")
    return kind.length


KEY = Integer().with_variant(BigInteger(), "postgresql")
"""A number for each row.  SQLite numbers rows by itself only where the key is a plain INTEGER."""

TAG = String(35)
"""The tag of a language (BCP 47)."""


class EnumString(TypeDecorator[E], Generic[E]):
    """A column of one of the words of an enum; raises ValueError for any other."""

    impl = String
    cache_ok = True

    def __init__(self, words: type[E], length: int) -> None:
        """`length`: how many signs the column holds."""
        super().__init__(length)
        self.words, self.length = words, length

    def process_bind_param(self, value: E | None, dialect: Dialect) -> str | None:
        """What the database holds."""
        return None if value is None else self.words(value).value

    def process_result_value(self, value: str | None, dialect: Dialect) -> E | None:
        """What the program reads."""
        return None if value is None else self.words(value)


class SignedRow:
    """A table whose rows open something to somebody: `signed` is over all columns but `version`, or over those of
    `SIGNED_COLUMNS`.
    """

    SIGNED_COLUMNS: ClassVar[tuple[str, ...]] = ()
    signed: Mapped[bytes | None] = mapped_column(sort_order=99)

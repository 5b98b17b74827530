"""Loading of the JSON tables stored next to a game's code."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import is_dataclass
from enum import Enum
from importlib.resources import files
from types import MappingProxyType
from typing import Any, NoReturn, TypeVar, get_args, get_type_hints

from engine.kernel.catalogues import Catalogue

R = TypeVar("R")


def load_table(package: str, name: str) -> Any:
    """Load `data/<name>.json` of a package.

    Raises FileNotFoundError if there is no such file. Raises ValueError if it is not JSON, has a number that is not an
    integer (the engine uses no floats), or repeats a key in one object.
    """
    text = files(package).joinpath("data", f"{name}.json").read_text(encoding="utf-8")
    return json.loads(text, parse_float=_reject_number, parse_constant=_reject_number, object_pairs_hook=_build_object)


def build_row(cls: type[R], row: Mapping[str, Any], **given: object) -> R:
    """Build a dataclass from a row of a table; `given` overrides the fields of the row.

    Arrays become tuples and objects become read-only mappings, or an instance of the field's enum or dataclass.
    """
    kinds: Mapping[str, Any] = get_type_hints(cls)
    names = [name for name in kinds if name in row and name not in given]
    return cls(**{name: _convert(kinds[name], row[name]) for name in names}, **given)


def build_rows(
    cls: type[R], rows: Sequence[Mapping[str, Any]], said: Catalogue | None = None, section: str = ""
) -> Mapping[str, R]:
    """Build dataclasses from the rows of a table, by `id`, in the order of the table.

    `said`, `section`: the catalogue and section that give each row's `words`, for a class with that field.
    """
    given = [{} if said is None else {"words": said(f"{section}.{row['id']}")} for row in rows]
    return MappingProxyType({row["id"]: build_row(cls, row, **more) for row, more in zip(rows, given, strict=True)})


def _convert(kind: Any, value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_convert(next(iter(get_args(kind)), None), item) for item in value)
    classes = [option for option in (kind, *get_args(kind)) if isinstance(option, type)]
    made_of = next((option for option in classes if is_dataclass(option) or issubclass(option, Enum)), None)
    if value is None or (made_of is None and not isinstance(value, dict)):
        return value
    if made_of is None:
        return MappingProxyType(value)
    return build_row(made_of, value) if is_dataclass(made_of) else made_of(value)


def _reject_number(number: str) -> NoReturn:
    raise ValueError(f"{number} is no integer: tables hold integers only")


def _build_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Build an object of JSON. Raises ValueError for a repeated key, which would silently drop a fact."""
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError(f"a key is written twice among {sorted(key for key, _ in pairs)}")
    return made

"""Reading the tables that lie beside a game's code."""

import json
from importlib.resources import files
from typing import Any, NoReturn


def read_table(package: str, name: str) -> Any:
    """The content of `data/<name>.json` in `package`, installed or not.

    Raises FileNotFoundError if there is none, ValueError if it is not JSON, holds a number that is no integer
    (the engine knows no floats) or the same key twice in one object.
    """
    text = files(package).joinpath("data", f"{name}.json").read_text(encoding="utf-8")
    return json.loads(text, parse_float=_refused, parse_constant=_refused, object_pairs_hook=_once)


def _refused(number: str) -> NoReturn:
    raise ValueError(f"{number} is no integer: tables hold integers only")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON; a key written twice would silently lose a fact."""
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError(f"a key is written twice among {sorted(key for key, _ in pairs)}")
    return made

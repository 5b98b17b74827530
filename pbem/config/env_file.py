"""A file of variables, NAME=VALUE a line, as systemd and containers read it too; no shell is asked what it means."""

import re
from collections.abc import Mapping
from typing import Final

_LINE: Final = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=(.*)")
_PLAIN: Final = re.compile(r"[A-Za-z0-9_./:@+,=?-]*")
_QUOTES: Final = ("'", '"')


class BadLine(ValueError):
    """A line that means nothing; the text names it by its number, and holds none of it."""


def parse_env_file(text: str) -> dict[str, str]:
    """The variables of a file; a value may stand between quotes.  Raises BadLine."""
    found = {}
    for number, line in enumerate(text.splitlines(), 1):
        bare = line.strip()
        if not bare or bare[0] in "#;":
            continue
        match = _LINE.fullmatch(bare)
        if match is None:
            raise BadLine(f"line {number} is no variable; expected NAME=VALUE, or # before a remark")
        found[match[1]] = _parse_value(match[2].strip(), number)
    return found


def _parse_value(raw: str, number: int) -> str:
    if raw[:1] not in _QUOTES:
        return raw
    if len(raw) < 2 or raw[-1] != raw[0] or raw[0] in raw[1:-1]:
        raise BadLine(f"line {number} has a quotation mark without its other one; expected NAME='VALUE'")
    return raw[1:-1]


def format_env_file(variables: Mapping[str, str]) -> str:
    """The text of such a file, which a shell would understand as well; ValueError for a value with a single quote."""
    if any("'" in value or not value.isprintable() for value in variables.values()):
        raise ValueError("a value of a variable is one line without single quotes")
    quoted = {name: value if _PLAIN.fullmatch(value) else f"'{value}'" for name, value in variables.items()}
    return "".join(f"{name}={value}\n" for name, value in quoted.items())

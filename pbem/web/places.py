"""What may stand in an address where a name or a number is expected; anything else leads nowhere.

A database refuses some signs, and numbers that are too large for it; whoever tries them finds nothing, like any other
address that does not exist.
"""

from typing import Any

from werkzeug.routing import BaseConverter, IntegerConverter, Map, ValidationError

LONGEST, LARGEST = 128, 999_999_999


class Name(BaseConverter):
    """A name: ASCII that can be printed, and not longer than any that is given here."""

    def __init__(self, map: Map, *args: Any, **kwargs: Any) -> None:
        super().__init__(map)
        self.regex = f"[^/]{{1,{LONGEST}}}"

    def to_python(self, value: str) -> str:
        """The same; raises ValidationError, which is: not found."""
        if not (value.isascii() and value.isprintable()):
            raise ValidationError
        return value


class Number(IntegerConverter):
    """A number that any database can hold."""

    def __init__(self, map: Map, *args: Any, **kwargs: Any) -> None:
        super().__init__(map, max=LARGEST)

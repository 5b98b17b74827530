"""What may stand in an address where a name or a number is expected; anything else leads nowhere.

A database refuses some signs, and numbers that are too large for it; a request with them finds nothing, like any other
address that does not exist.
"""

from werkzeug.routing import BaseConverter, IntegerConverter


class NameConverter(BaseConverter):
    """A name: ASCII that can be printed, and not longer than any that is given here."""

    regex = "[ -.0-~]{1,128}"


class NumberConverter(IntegerConverter):
    """A number that any database can hold."""

    regex = "[0-9]{1,9}"

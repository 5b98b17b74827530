"""Text that people write, fit to be kept and shown."""

import unicodedata
from collections.abc import Iterator


def visible(text: str) -> str:
    """The text without invisible characters: formatting marks go, all others become blanks.

    Line ends and tabs are invisible too; control characters, surrogates and unknown code points are what no database
    or screen should meet.
    """
    return text if text.isprintable() else "".join(_seen(text))


def _seen(text: str) -> Iterator[str]:
    for character in text:
        if character.isprintable():
            yield character
        elif unicodedata.category(character) != "Cf":
            yield " "


def one_line(text: str, most: int | None = None) -> str:
    """The visible text on one line with single blanks, cut after `most` characters."""
    return " ".join(visible(text).split())[:most].rstrip()

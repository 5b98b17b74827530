"""Text that people write, fit to be kept and shown."""

import re
import unicodedata
from collections.abc import Iterator


def strip_invisible(text: str) -> str:
    """The text without invisible characters: formatting marks go, all others become blanks.

    Line ends and tabs are invisible too; control characters, surrogates and unknown code points are what no database
    or screen should meet.
    """
    return text if text.isprintable() else "".join(_visible_characters(text))


def _visible_characters(text: str) -> Iterator[str]:
    for character in text:
        if character.isprintable():
            yield character
        elif unicodedata.category(character) != "Cf":
            yield " "


_WEB_ADDRESS = re.compile(r"://|\bwww\.|\b[^\W_](?:[\w-]*[^\W_])?\.[^\W\d_]{2,}(?:[/:?#]|\b)", re.IGNORECASE)


def has_web_address(text: str) -> bool:
    """Return True if mail programs would make a link of a part of this text, as of a word with a full stop inside."""
    return _WEB_ADDRESS.search(unicodedata.normalize("NFKC", text).replace("\u3002", ".")) is not None


def to_one_line(text: str, most: int | None = None) -> str:
    """The visible text on one line with single blanks, cut after `most` characters."""
    return " ".join(strip_invisible(text).split())[:most].rstrip()


def to_name(text: str, most: int) -> str:
    """A name or title on one line: visible, in at most `most` characters, without what begins a comment in orders."""
    return to_one_line("".join(" " if unicodedata.normalize("NFKC", sign) == ";" else sign for sign in text), most)

"""Words as a search compares them: what is told, and what is looked for, go the same way."""

import re
import unicodedata
from typing import Final

LONGEST: Final = 40
_WORD: Final = re.compile(r"[^\W\d_]+")


def search_terms(text: str) -> tuple[str, ...]:
    """The words of a text in order, without case, accents and numbers."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    bare = "".join(sign for sign in plain if not unicodedata.combining(sign)).replace("œ", "oe").replace("æ", "ae")
    return tuple(word[:LONGEST] for word in _WORD.findall(bare) if len(word) > 1)

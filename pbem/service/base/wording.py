"""The words that the server itself reads, out of the catalogues of `pbem/service/words`."""

import re
from typing import Final

from engine.kernel.catalogues import load_catalogue

WORDS: Final = load_catalogue("pbem.service")


def spellings(key: str) -> frozenset[str]:
    """Every spelling of a word in small letters, in all languages."""
    return frozenset(spelling.casefold() for spelling in WORDS(key).all_forms())


def spelling_regex(key: str) -> str:
    """A regular expression for any spelling of a word, in all languages."""
    return "|".join(re.escape(spelling) for spelling in sorted(WORDS(key).all_forms(), key=len, reverse=True))

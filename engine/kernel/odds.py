"""How likely something is, in per cent: what may fail is never called certain, what may come off never impossible."""

from typing import Final

from engine.kernel.catalogues import catalogue
from engine.kernel.languages import Language

_WORDS: Final = catalogue(__package__).section("odds")


def per_cent(wins: int, of: int, language: Language) -> str:
    """`wins` of `of` equally likely cases, in whole per cent as the language writes it.

    Raises ValueError unless 0 <= wins <= of and of > 0.
    """
    if not 0 <= wins <= of or not of:
        raise ValueError(f"{wins} of {of} is no chance")
    nearest = (200 * wins + of) // (2 * of)
    if wins < of and nearest == 100:
        word, said = "over", 99
    elif wins and not nearest:
        word, said = "under", 1
    else:
        word, said = "exactly", nearest
    return _WORDS[word].printed(language).format(n=said)

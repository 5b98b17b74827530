"""Probabilities in percent.

A result that may fail is never shown as 100 %, and a possible one never as 0 %.
"""

from collections.abc import Sequence
from typing import Final

from engine.kernel.catalogues import load_catalogue
from engine.kernel.languages import Language

_WORDS: Final = load_catalogue(__package__).section("odds")


def to_percent(wins: int, of: int, language: Language) -> str:
    """Return `wins` of `of` equally likely cases in whole percent, as the language writes it.

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


def to_shares(parts: Sequence[int], language: Language) -> tuple[str, ...]:
    """Return the parts of a whole in percent, adding up to 100; the largest remainders are rounded up.

    Raises ValueError for a negative part, or if the sum is 0.
    """
    whole = sum(parts)
    if not whole or min(parts) < 0:
        raise ValueError(f"{parts} are no shares")
    said = [100 * part // whole for part in parts]
    largest = sorted(range(len(parts)), key=lambda n: -(100 * parts[n] % whole))
    for n in largest[: 100 - sum(said)]:
        said[n] += 1
    return tuple(_WORDS["exactly"].printed(language).format(n=n) for n in said)

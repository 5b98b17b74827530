"""Words in the two languages that the tests speak."""

from engine.kernel.catalogues import Words


def words(french: str, english: str) -> Words:
    """Words in French and English, their alternatives parted by `|`."""
    return Words((("fr", tuple(french.split("|"))), ("en", tuple(english.split("|")))))

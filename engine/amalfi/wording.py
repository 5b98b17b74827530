"""The words of the game in every language, out of the files in `words/`."""

from typing import Final

from engine.kernel.catalogues import catalogue

WORDS: Final = catalogue(__package__)

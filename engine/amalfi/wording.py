"""The words of the game in every language, out of the files in `words/`."""

from typing import Final

from engine.kernel.catalogues import load_catalogue

WORDS: Final = load_catalogue(__package__)

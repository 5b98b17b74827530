"""Every word of the picture that is no name of the catalogue."""

from collections.abc import Mapping
from typing import Final

from engine.age_of_renaissance.wording import WORDS
from engine.kernel.catalogues import Words
from engine.kernel.languages import Language

PICTURE: Final[Mapping[str, Words]] = WORDS.section("picture")


def say(language: Language, word: str, **terms: object) -> str:
    """A word or sentence, its terms filled in."""
    return PICTURE[word].shown(language).format(**terms)

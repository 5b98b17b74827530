"""What is said in channels and at Discord, in both languages: one catalogue each, with the same keys."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from engine.kernel.languages import Language
from pbem.narration.filling import fill
from pbem.narration.tidying import french_spaces


@cache
def catalogue(language: Language) -> Mapping[str, Mapping[str, Any]]:
    """All words of a language, by chapter."""
    text = files(__package__).joinpath(f"{language}.toml").read_text(encoding="utf-8")
    return tomllib.loads(french_spaces(text) if language == "fr" else text)


def say(language: Language, key: str, **terms: object) -> str:
    """The words under `chapter.key` with its terms filled in; raises Wordless."""
    chapter, _, name = key.partition(".")
    return fill(key, catalogue(language).get(chapter, {}).get(name), language, terms)

"""What is said in channels and at Discord, in both languages: one catalogue each, with the same keys."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from engine.kernel.languages import Language
from pbem.narration.tidying import french_spaces


class Wordless(Exception):
    """A key has no words; the text names it."""


@cache
def catalogue(language: Language) -> Mapping[str, Mapping[str, Any]]:
    """All words of a language, by chapter; what counts things has `one` and `many`."""
    text = files(__package__).joinpath(f"{language}.toml").read_text(encoding="utf-8")
    return tomllib.loads(french_spaces(text) if language == "fr" else text)


def say(language: Language, key: str, **terms: object) -> str:
    """The words under `chapter.key`, their places filled; raises Wordless.  `n` chooses between one and many."""
    chapter, _, name = key.partition(".")
    found = catalogue(language).get(chapter, {}).get(name)
    if isinstance(found, dict):
        number = terms["n"]
        single = isinstance(number, int) and (abs(number) < 2 if language == "fr" else number == 1)
        found = found["one" if single else "many"]
    if not isinstance(found, str):
        raise Wordless(f"words/{language} says nothing for {key}")
    return found.format(**terms)

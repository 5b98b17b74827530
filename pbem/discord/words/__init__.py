"""What is said in channels and at Discord, in every language: one catalogue each, with the same keys."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from engine.kernel.languages import Language, fallbacks
from pbem.narration.folders import folders
from pbem.narration.manner import manner
from pbem.narration.tidying import spaced


class Wordless(Exception):
    """A key has no words; the text names it."""


@cache
def catalogue(language: Language) -> Mapping[str, Mapping[str, Any]]:
    """All words of a language, by chapter; what counts things has `one` and `many`."""
    found: dict[str, dict[str, Any]] = {}
    for tag in reversed(fallbacks(language)):
        for folder in (Path(str(files(__package__))), *(folder / "channels" for folder in folders())):
            file = folder / f"{tag}.toml"
            text = file.read_text(encoding="utf-8") if file.is_file() else ""
            for chapter, said in tomllib.loads(spaced(text, tag)).items():
                found.setdefault(chapter, {}).update(said)
    return found


def say(language: Language, key: str, **terms: object) -> str:
    """The words under `chapter.key`, their places filled; raises Wordless.  `n` chooses between one and many."""
    chapter, _, name = key.partition(".")
    found = catalogue(language).get(chapter, {}).get(name)
    if isinstance(found, dict):
        number = terms["n"]
        single = isinstance(number, int) and manner(language).single(number)
        found = found["one" if single else "many"]
    if not isinstance(found, str):
        raise Wordless(f"words/{language} says nothing for {key}")
    return found.format(**terms)

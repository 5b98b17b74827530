"""What is said in channels and at Discord, in every language: one catalogue each, with the same keys."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from engine.kernel.languages import Language, fallback_chain
from pbem.narration.filling import fill_in
from pbem.narration.folders import template_folders
from pbem.narration.text_cleanup import fix_spaces


@cache
def load_catalogue(language: Language) -> Mapping[str, Mapping[str, Any]]:
    """All words of a language, by chapter."""
    found: dict[str, dict[str, Any]] = {}
    for tag in reversed(fallback_chain(language)):
        for folder in (Path(str(files(__package__))), *(folder / "channels" for folder in template_folders())):
            file = folder / f"{tag}.toml"
            text = file.read_text(encoding="utf-8") if file.is_file() else ""
            for chapter, said in tomllib.loads(fix_spaces(text, tag)).items():
                found.setdefault(chapter, {}).update(said)
    return found


def translate(language: Language, key: str, **terms: object) -> str:
    """The words under `chapter.key` with its terms filled in; raises MissingText."""
    chapter, _, name = key.partition(".")
    return fill_in(key, load_catalogue(language).get(chapter, {}).get(name), language, terms)

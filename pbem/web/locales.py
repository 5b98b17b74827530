"""What the pages themselves say, in every language: one catalogue each, with the same keys, a file for each chapter.
What a language lacks is read in the first of its fallbacks that has it.

What the page of a game's table says lies with that page: `boards/<language>/<game>.toml` of the templates.
"""

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from engine.kernel.languages import Language, fallback_chain
from pbem.narration.filling import fill_in, has_number_forms
from pbem.narration.folders import template_folders
from pbem.narration.text_cleanup import fix_spaces


@cache
def load_catalogue(language: Language) -> Mapping[str, Any]:
    """All words of a language by dotted key, the games' own too."""
    found: dict[str, Any] = {}
    for tag in reversed(fallback_chain(language)):
        for file in _catalogue_files(tag):
            found |= _flatten("", tomllib.loads(fix_spaces(file.read_text(encoding="utf-8"), tag)))
    return found


def _catalogue_files(language: Language) -> Iterator[Path]:
    yield from sorted(Path(str(files("pbem.web"))).glob(f"words/{language}/*.toml"))
    for kind in ("pages", "boards"):
        yield from sorted(file for folder in template_folders() for file in folder.glob(f"{kind}/{language}/*.toml"))


def _flatten(prefix: str, table: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, value in table.items():
        if isinstance(value, dict) and not has_number_forms(value):
            yield from _flatten(f"{prefix}{key}.", value)
        else:
            yield prefix + key, value


def has_key(language: Language, key: str) -> bool:
    """Return True if a key has words: of a game kept elsewhere not everything is said."""
    return key in load_catalogue(language)


def translate(language: Language, key: str, **terms: object) -> str:
    """The words under a key with its terms filled in; raises MissingText."""
    return fill_in(key, load_catalogue(language).get(key), language, terms)

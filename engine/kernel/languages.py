"""The registry of languages, and the fallbacks when a language lacks a text."""

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

NAME: Final = "pbem_languages"


@cache
def external_folders() -> tuple[Path, ...]:
    """Return the language folders outside this project, in the order of Python's path; usually none."""
    spec = find_spec(NAME)
    places = spec.submodule_search_locations if spec is not None else None
    return tuple(Path(place) for place in places or ())


Language = str
"""A BCP 47 tag."""
REGISTRY: Final = "languages.toml"


def _registries() -> Iterator[Mapping[str, Any]]:
    for folder in (files(__package__), *external_folders()):
        yield tomllib.loads(folder.joinpath(REGISTRY).read_text(encoding="utf-8"))


def _load_registered() -> tuple[Mapping[Language, str], Language]:
    """Return every language with its own name, and the default.

    Raises ValueError if the default is not a registered language.
    """
    names: dict[Language, str] = {}
    default = ""
    for registry in _registries():
        names |= registry["languages"]
        default = default or registry["default"]
    if default not in names:
        raise ValueError(f"{REGISTRY}: the default {default!r} is no language of it")
    return names, default


NAMES, DEFAULT = _load_registered()
"""`NAMES`: each language's name for itself, in the order in which languages are offered.

`DEFAULT`: the fallback.
"""
LANGUAGES: Final[tuple[Language, ...]] = tuple(NAMES)
_FOLDED: Final = {language.lower(): language for language in LANGUAGES}


def find_language(tag: str) -> Language:
    """Return the registered language of a tag or of its shortened forms (RFC 4647 §3.4); "" if there is none."""
    parts = tag.lower().split("-")
    shorter = ("-".join(parts[:n]) for n in range(len(parts), 0, -1))
    return next((_FOLDED[one] for one in shorter if one in _FOLDED), "")


@cache
def fallback_chain(language: Language) -> tuple[Language, ...]:
    """Return the registered languages to read in place of `language`, best first.

    The language and its shorter tags (`fr-CA`, `fr`), then the default, then all others in order.
    """
    parts = language.split("-")
    shorter = (find_language("-".join(parts[:n])) for n in range(len(parts), 0, -1))
    return tuple(dict.fromkeys(tag for tag in (*shorter, DEFAULT, *LANGUAGES) if tag))


def language_for(tag: str) -> Language:
    """Return the registered language for a reader of a tag, or the default."""
    return find_language(tag) or DEFAULT

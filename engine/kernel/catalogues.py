"""Words in every language, and their catalogues: a file `words/<tag>.toml` for each language."""

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

from engine.kernel.languages import LANGUAGES, Language, external_folders, fallback_chain

Spellings = tuple[str, ...]


@dataclass(frozen=True)
class Words:
    """A word or phrase in each language that has it. The first spelling is printed, all are accepted."""

    in_language: tuple[tuple[Language, Spellings], ...]

    @classmethod
    def each(cls, spelt: Callable[[Language], Spellings]) -> "Words":
        """Return words made language by language."""
        return cls(tuple((language, spelt(language)) for language in LANGUAGES))

    @classmethod
    def same(cls, *spellings: str) -> "Words":
        """Return words that are the same in every language, such as a name or a number."""
        return cls.each(lambda language: spellings)

    def of(self, language: Language) -> Spellings:
        """Return the spellings in a language, or in the first fallback that has any; ("",) if none has."""
        for tag in fallback_chain(language):
            for known, spellings in self.in_language:
                if known == tag:
                    return spellings
        return ("",)

    def printed(self, language: Language) -> str:
        """Return the spelling to print in a language."""
        return self.of(language)[0]

    def all_forms(self) -> Spellings:
        """Return every accepted spelling, in all languages."""
        return tuple([spelling for _, spellings in self.in_language for spelling in spellings])

    def formatted(self, **terms: object) -> "Words":
        """Return the words with `{terms}` filled in."""
        return Words(tuple((tag, tuple(s.format(**terms) for s in spellings)) for tag, spellings in self.in_language))

    def __or__(self, others: "Words") -> "Words":
        """Return these words with the others as further spellings."""
        return Words.each(lambda language: (*self.of(language), *others.of(language)))


NOTHING: Final = Words(())


class Catalogue:
    """The words of one package, by dotted key: `orders.attack.about`."""

    def __init__(self, package: str) -> None:
        self.package = package
        self._tables = {language: dict(_flatten(_table(package, language))) for language in LANGUAGES}

    def __call__(self, key: str) -> Words:
        """Return the words of a key, in the languages that have it. Raises KeyError if none has."""
        found = tuple((tag, tuple(t[key].split("|"))) for tag, t in self._tables.items() if key in t)
        if not found:
            raise KeyError(f"{self.package} has no words for {key!r} in any language")
        return Words(found)

    def section(self, name: str) -> Mapping[str, Words]:
        """Return all words under a key by the rest of their keys, in the order of the files.

        Raises KeyError if there are none.
        """
        start = f"{name}."
        keys = dict.fromkeys(key for table in self._tables.values() for key in table if key.startswith(start))
        if not keys:
            raise KeyError(f"{self.package} has no section {name!r} in any language")
        return {key.removeprefix(start): self(key) for key in keys}

    def keys(self, language: Language) -> frozenset[str]:
        """Return the keys for which a language has words."""
        return frozenset(self._tables[language])


@cache
def load_catalogue(package: str) -> Catalogue:
    """Load the words in `words/` of a package, and those that external language folders add."""
    return Catalogue(package)


def _table(package: str, language: Language) -> dict[str, Any]:
    """Return the words of one language for a package; empty if it has none."""
    name = package.rpartition(".")[2]
    own = files(package).joinpath("words", f"{language}.toml")
    found = [own, *(folder / "words" / language / f"{name}.toml" for folder in external_folders())]
    return {k: v for file in found if file.is_file() for k, v in tomllib.loads(file.read_text("utf-8")).items()}


def _flatten(table: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, str]]:
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _flatten(value, f"{above}{key}.")
        elif isinstance(value, str):
            yield f"{above}{key}", value
        else:
            raise TypeError(f"{above}{key}: words are text, alternatives are parted by |")

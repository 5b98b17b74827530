"""Names with the grammar that a sentence needs: articles, "du" and "de l'", "en Islande", "in the East Indies".

A name stands in `names/<language>/<game>.toml` as `article Name; gender and number; preposition`; everything else
follows from that by the rules of the language.
"""

import tomllib
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from engine import GAMES
from engine.kernel.languages import LANGUAGES, Language

_VOWELS: Final = frozenset("aeiouœæø")
"""An h is none of them: which names begin with a silent one no rule tells, and "de Henri" is read everywhere."""
_FRENCH_ARTICLES: Final = {"le ": "m", "la ": "f", "l'": "", "les ": ""}
_OF: Final = {"": "de ", "le ": "du ", "la ": "de la ", "l'": "de l'", "les ": "des "}
_TO: Final = {"": "à ", "le ": "au ", "la ": "à la ", "l'": "à l'", "les ": "aux "}


class Unnamed(Exception):
    """A thing has no name in a language; the text tells which."""


@dataclass(frozen=True)
class Name:
    """A name in every form that sentences use.

    `bare` alone; `the` with its article; `a` with the indefinite one where it takes any; `of` and `to` the whole
    after "de" and "à"; `de` without article ("pénurie d'Épices"); `at` the place or group one is in.
    """

    bare: str
    the: str
    a: str
    of: str
    de: str
    to: str
    at: str
    feminine: bool = False
    plural: bool = False

    def __str__(self) -> str:
        return self.bare

    def agree(self, word: str) -> str:
        """A French adjective or participle, made to agree: `joué`, `jouée`, `joués`, `jouées`."""
        return word + ("e" if self.feminine else "") + ("s" if self.plural else "")

    def v(self, one: str, many: str) -> str:
        """The verb that goes with it as a subject."""
        return many if self.plural else one


def elided(word: str, before: str) -> str:
    """`de` or `que` before a name: "d'Oran", "d'Évora", "d'Yves"; "de Venezia", "de Yann"."""
    return f"{word[:-1]}'{before}" if _open(before) else f"{word} {before}"


def _open(word: str) -> bool:
    """Whether a word begins with the sound of a vowel; a y does so before a consonant."""
    plain = [c for c in unicodedata.normalize("NFD", word[:2].lower()) if not unicodedata.combining(c)]
    first, second = (*plain, "", "")[:2]
    return first in _VOWELS or (first == "y" and second.isalpha() and second not in _VOWELS)


def french(text: str, bare: str = "") -> Name:
    """The forms of a French name."""
    name, marks, within = _parts(text)
    article = next((a for a in _FRENCH_ARTICLES if name.startswith(a)), "")
    own = name[len(article) :]
    plural = "p" in marks or article == "les "
    feminine = "f" in marks or _FRENCH_ARTICLES.get(article) == "f"
    of = _OF[article] + own if article else elided("de", own)
    indefinite = ("des " if plural else "une " if feminine else "un ") if article else ""
    at = {"": _TO[article] + own, "en": f"en {own}"}.get(within, f"{within} {name}")
    return Name(bare or own, name, indefinite + own, of, elided("de", own), _TO[article] + own, at, feminine, plural)


def english(text: str, bare: str = "") -> Name:
    """The forms of an English name."""
    name, marks, within = _parts(text)
    article = "the " if name.startswith("the ") else ""
    own = name[len(article) :]
    indefinite = ("" if "p" in marks else "an " if own[:1] in "AEIOUaeiou" else "a ") if article else ""
    at = f"{within or 'in'} {name}"
    return Name(bare or own, name, indefinite + own, f"of {name}", f"of {own}", f"to {name}", at, False, "p" in marks)


def _parts(text: str) -> tuple[str, str, str]:
    name, marks, within = (*(part.strip() for part in text.split(";")), "", "")[:3]
    return name, marks, within


FORMS: Final = {"fr": french, "en": english}


@dataclass(frozen=True)
class Glossary:
    """All names of one game in one language, by kind and id."""

    language: Language
    names: Mapping[str, Mapping[str, Name]]

    def name(self, kind: str, thing: str) -> Name:
        """The name of a thing; raises Unnamed."""
        try:
            return self.names[kind][thing]
        except KeyError:
            raise Unnamed(f"{kind} {thing!r} has no name in {self.language!r}") from None

    def listed(self, parts: Sequence[str]) -> str:
        """Several things in one phrase: "A, B et C", "A, B and C"."""
        last = {"fr": " et ", "en": " and "}[self.language]
        return last.join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else "".join(parts)

    def count(self, number: int, one: str, many: str = "") -> str:
        """A number with its noun: "0 ducat" in French, "0 ducats" in English, "−2 ducats" in both."""
        single = abs(number) < 2 if self.language == "fr" else abs(number) == 1
        return f"{number} {one if single else many or one + 's'}".replace("-", "−", 1 if number < 0 else 0)


@cache
def templates() -> Path:
    """Where letters and names lie: inside the package when installed, beside it in a checkout."""
    inside = Path(__file__).resolve().parent.parent / "mail_templates"
    return inside if inside.is_dir() else inside.parent.parent / "mail_templates"


_FURTHER: list[Path] = []


def folders() -> tuple[Path, ...]:
    """Every folder of templates, in the order in which they are searched: our own, then those of games kept elsewhere.

    All are laid out alike: `names`, `effects`, `narration` and `boards`, each by language.
    """
    return templates(), *_FURTHER


def add_folder(folder: Path) -> None:
    """Search one more folder of templates; to be called before anything is told."""
    if folder not in _FURTHER:
        _FURTHER.append(folder)


def _found(path: str) -> Path | None:
    return next((folder / path for folder in folders() if (folder / path).is_file()), None)


def has_template(path: str) -> bool:
    """Whether one of the folders has this file."""
    return _found(path) is not None


def table_of(path: str) -> dict[str, Any]:
    """A TOML file of the templates, from the first folder that has it; empty where none has."""
    found = _found(path)
    return tomllib.loads(found.read_text(encoding="utf-8")) if found is not None else {}


@cache
def glossary(game: str, language: Language) -> Glossary:
    """The names of a game in a language; raises Unnamed when the language is not one of ours.

    Topics that are not named there are called as letters head them, and phases as topics.
    """
    if language not in LANGUAGES:
        raise Unnamed(f"there are no names in the language {language!r}")
    tables = table_of(f"names/{language}/{game}.toml")
    made = {kind: {k: _made(language, v) for k, v in rows.items()} for kind, rows in tables.items()}
    if game in GAMES:  # a letter may be about none
        topics = GAMES[game].meta.topics
        made.setdefault("topic", {t.asks: _made(language, t.words.shown(language).lower()) for t in topics})
        made.setdefault("phase", made["topic"])
    return Glossary(language, made)


@cache
def effects(game: str, language: Language) -> Mapping[str, Mapping[str, str]]:
    """What things of a game do, a sentence each, by kind and id; empty for a game that tells nothing of it."""
    return table_of(f"effects/{language}/{game}.toml")


def _made(language: Language, written: str | Mapping[str, str]) -> Name:
    if isinstance(written, str):
        return FORMS[language](written)
    return FORMS[language](written["text"], written.get("bare", ""))

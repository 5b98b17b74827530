"""The rules by which a language makes the forms of names, and says whose a thing is.

A language takes one of these grammars (`grammar/<language>.toml` says which), its own or that of a near relative.
"""

import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

_VOWELS: Final = frozenset("aeiouœæø")
"""An h is none of them: which names begin with a silent one no rule tells, and "de Henri" is read everywhere."""
_FRENCH_ARTICLES: Final = {"le ": "m", "la ": "f", "l'": "", "les ": ""}
_OF: Final = {"": "de ", "le ": "du ", "la ": "de la ", "l'": "de l'", "les ": "des "}
_MARKS: Final = frozenset("mfp")
_WITHOUT_ARTICLE: Final = "en".split()
"""Prepositions that take a name without its article: "en Islande"."""
_TO: Final = {"": "à ", "le ": "au ", "la ": "à la ", "l'": "à l'", "les ": "aux "}


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


def with_elision(word: str, before: str) -> str:
    """`de` or `que` before a name: "d'Oran", "d'Évora", "d'Yves"; "de Venezia", "de Yann"."""
    return f"{word[:-1]}'{before}" if _begins_with_vowel(before) else f"{word} {before}"


def _begins_with_vowel(word: str) -> bool:
    """Return True if a word begins with the sound of a vowel; a y does so before a consonant."""
    plain = [c for c in unicodedata.normalize("NFD", word[:2].lower()) if not unicodedata.combining(c)]
    first, second = (*plain, "", "")[:2]
    return first in _VOWELS or (first == "y" and second.isalpha() and second not in _VOWELS)


class Grammar(Protocol):
    """The forms that one language needs."""

    def name(self, text: str, bare: str = "") -> Name:
        """A name from `article Name; marks; preposition`, or from the name alone; `bare` where it differs."""
        ...

    def of(self, name: str) -> str:
        """The name of a person after "of"."""
        ...

    def to(self, name: str) -> str:
        """The name of a person after "to"."""
        ...

    def possessive(self, thing: str, yours: str, owner: str, of: str) -> str:
        """A thing of an owner, of the reader where that is empty: `of` says "of the owner", `yours` "your thing"."""
        ...

    def ordinal(self, number: int) -> str:
        """A number in an order: 1st, 1er."""
        ...

    def clock(self, city: str) -> str:
        """Whose time it is, behind the time: ` Paris`."""
        ...


@dataclass(frozen=True)
class French:
    """French: gender, elision, contracted articles; it needs no forms."""

    forms: Mapping[str, Any]

    def name(self, text: str, bare: str = "") -> Name:
        """The forms of a French name."""
        name, marks, within = _split_name(text)
        article = next((a for a in _FRENCH_ARTICLES if name.startswith(a)), "")
        own = name[len(article) :]
        plural = "p" in marks or article == "les "
        feminine = "f" in marks or _FRENCH_ARTICLES.get(article) == "f"
        of = _OF[article] + own if article else with_elision("de", own)
        indefinite = ""
        if article:
            singular = "une " if feminine else "un "
            indefinite = "des " if plural else singular
        at = f"{within} {own if within in _WITHOUT_ARTICLE else name}" if within else _TO[article] + own
        return Name(
            bare or own, name, indefinite + own, of, with_elision("de", own), _TO[article] + own, at, feminine, plural
        )

    def of(self, name: str) -> str:
        """As `Grammar` says: "d'Édouard"."""
        return with_elision("de", name)

    def to(self, name: str) -> str:
        """As `Grammar` says."""
        return f"à {name}"

    def possessive(self, thing: str, yours: str, owner: str, of: str) -> str:
        """As `Grammar` says: the thing has its article, "le rang", "votre rang"."""
        return f"{thing} {of}" if owner else yours

    def ordinal(self, number: int) -> str:
        """As `Grammar` says."""
        return "1er" if number == 1 else f"{number}e"

    def clock(self, city: str) -> str:
        """As `Grammar` says: ", heure de Paris", ", heure du Caire"."""
        article, _, rest = city.partition(" ")
        return f", heure {self.name(f'{article.lower()} {rest}' if article in ('Le', 'Les') else city).of}"


@dataclass(frozen=True)
class Articled:
    """A grammar like that of English: one article, names that do not change, an owner before the thing.

    All that it says comes from the file of its language: `article`, and `indefinite` before a consonant and a vowel;
    `of`, `to`, `at`, `owned`, `owned_long`, `yours` and `clock` with places for the name, the thing, its owner, the
    city; `ordinals`, the endings of 1, 2, 3 and the others.
    """

    forms: Mapping[str, Any]

    def name(self, text: str, bare: str = "") -> Name:
        """As `Grammar` says."""
        name, marks, within = _split_name(text)
        article = f"{self.forms['article']} " if name.startswith(f"{self.forms['article']} ") else ""
        own, plural = name[len(article) :], "p" in marks
        of, to = self.of(name), self.to(name)
        at = f"{within} {name}" if within else self._with_article("at", name)
        return Name(bare or own, name, self._indefinite(article, own, plural), of, self.of(own), to, at, plural=plural)

    def _indefinite(self, article: str, own: str, plural: bool) -> str:
        if not article or plural:
            return own
        consonant, vowel = self.forms["indefinite"]
        return f"{vowel if own[:1] in 'AEIOUaeiou' else consonant} {own}"

    def _with_article(self, form: str, name: str) -> str:
        return str(self.forms[form].format(name=name))

    def of(self, name: str) -> str:
        """As `Grammar` says."""
        return self._with_article("of", name)

    def to(self, name: str) -> str:
        """As `Grammar` says."""
        return self._with_article("to", name)

    def possessive(self, thing: str, yours: str, owner: str, of: str) -> str:
        """As `Grammar` says: the thing has no article."""
        form = "yours"
        if owner:
            form = "owned_long" if owner.endswith(")") else "owned"
        return str(self.forms[form].format(thing=thing, owner=owner))

    def ordinal(self, number: int) -> str:
        """As `Grammar` says: 1st, 2nd, 3rd, 4th, 11th."""
        first, second, third, other = self.forms["ordinals"]
        ending = {1: first, 2: second, 3: third}.get(number % 10, other)
        return f"{number}{other if 10 < number % 100 < 14 else ending}"

    def clock(self, city: str) -> str:
        """As `Grammar` says."""
        return str(self.forms["clock"].format(city=city))


def _split_name(text: str) -> tuple[str, str, str]:
    name, marks, within = (*(part.strip() for part in text.split(";")), "", "")[:3]
    if not set(marks) <= _MARKS:
        raise ValueError(
            f"{text!r}: after the first ; stand m, f or p (gender, plural), after the second a preposition"
        )
    return name, marks, within


GRAMMARS: Final[Mapping[str, Callable[[Mapping[str, Any]], Grammar]]] = {"french": French, "articled": Articled}
"""Each grammar by name, made from the forms that a language gives it."""

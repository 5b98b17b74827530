"""Texts of a catalogue with their terms filled in: the form that agrees with a number, and French elision."""

from collections.abc import Mapping
from functools import cache
from string import Formatter
from typing import Any, Final

from engine.kernel.languages import Language
from pbem.narration.grammars import with_elision
from pbem.narration.typography import load_typography

_ELIDED: Final = frozenset({"de", "que"})


class MissingText(Exception):
    """A key has no text; the message names it."""


class _Filling(Formatter):
    """Fills `{name}`; `{name:de}` also writes the word that stands before it: "d'Alice", "de Bob"."""

    def format_field(self, value: Any, format_spec: str) -> str:
        return with_elision(format_spec, str(value)) if format_spec in _ELIDED else str(format(value, format_spec))


_FILLING: Final = _Filling()


def has_number_forms(text: Any) -> bool:
    """Return True if a table of a catalogue holds the forms of one text for one and for many."""
    return isinstance(text, Mapping) and {"one", "many"} <= set(text)


def fill_in(key: str, text: Any, language: Language, terms: Mapping[str, object]) -> str:
    """The text of a key with its terms; raises MissingText where there is none.

    A text that agrees with a number is a table: `one` and `many`, chosen by the term `n` or by the one that `count`
    names, as the language counts.
    """
    if isinstance(text, Mapping):
        number = terms[text.get("count", "n")]
        text = text["one" if isinstance(number, int) and load_typography(language).single(number) else "many"]
    if not isinstance(text, str):
        raise MissingText(f"words/{language} says nothing for {key}")
    return _FILLING.vformat(text, (), terms) if _needs_elision(text) else text.format_map(terms)


@cache
def _needs_elision(text: str) -> bool:
    """Whether a text asks for elision: all others are filled in by what is ten times as fast."""
    return any(spec in _ELIDED for _, _, spec, _ in _FILLING.parse(text))

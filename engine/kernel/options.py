"""The options that the kernel and the server themselves read, for every game that offers them."""

from dataclasses import replace
from typing import Final

from engine.kernel.catalogues import Catalogue
from engine.kernel.keywords import WORDS
from engine.kernel.rules import Option


def option(said: Catalogue, name: str, *values: str, table: bool = False) -> Option:
    """An option with the words that a catalogue has for it below `options`; the first value is the default."""
    named = {value: said(f"options.{name}.{value}") for value in values}
    return Option(name, said(f"options.{name}.title"), named, table=table)


PACE: Final = option(WORDS, "pace", "sealed", "order")
FAILURES: Final = option(WORDS, "failures", "next", "drop", "again")
UNANSWERED: Final = option(WORDS, "unanswered", "default", "ask")
TALK: Final = option(WORDS, "talk", "public", "free", "none", table=True)
"""In public alone is the rule of games that say so, and what a game takes that says nothing."""
ANONYMOUS: Final = option(WORDS, "anonymous", "no", "yes", table=True)
WATCHERS: Final = option(WORDS, "watchers", "invited", "open", "none", table=True)
COMMON: Final = (PACE, FAILURES, UNANSWERED, TALK, ANONYMOUS, WATCHERS)


def common(**usual: str) -> tuple[Option, ...]:
    """The same options with other values taken where nobody chooses, each by its option's name; raises KeyError."""
    return tuple(_first(option, usual[option.name]) if option.name in usual else option for option in COMMON)


def _first(option: Option, value: str) -> Option:
    return replace(option, values={value: option.values[value], **option.values})

"""The options that the kernel or the server read, for every game that offers them."""

from dataclasses import replace
from typing import Final

from engine.kernel.catalogues import Catalogue
from engine.kernel.keywords import WORDS
from engine.kernel.position import Options
from engine.kernel.rules import Option

FIRST: Final = "1"
"""The readings of games set up before this option existed."""


def make_option(said: Catalogue, name: str, *values: str, table: bool = False) -> Option:
    """Return an option with the words of a catalogue under `options`. The first value is the default."""
    named = {value: said(f"options.{name}.{value}") for value in values}
    return Option(name, said(f"options.{name}.title"), named, table=table)


def uses_reading(options: Options, version: int) -> bool:
    """Return True if a game uses the readings of `version` of its rules or of a later one."""
    return int(options.get("readings", FIRST)) >= version


PACE: Final = make_option(WORDS, "pace", "sealed", "order")
FAILURES: Final = make_option(WORDS, "failures", "next", "drop", "again")
ON_MISSED: Final = make_option(WORDS, "unanswered", "default", "ask")
TALK: Final = make_option(WORDS, "talk", "public", "free", "none", table=True)
"""Games that say nothing about talk take the default, public messages only."""
ANONYMOUS: Final = make_option(WORDS, "anonymous", "no", "yes", table=True)
SHOWN, HIDDEN = "shown", "hidden"
NAMES: Final = make_option(WORDS, "names", SHOWN, HIDDEN, table=True)
"""Hidden: from the deal until the game is over nobody is told who plays which seat."""
SPECTATORS: Final = make_option(WORDS, "watchers", "invited", "open", "none", table=True)
BY_SERVER: Final = "server"
BY_BEACON: Final = "beacon"
DRAWS: Final = make_option(WORDS, "draws", BY_SERVER, BY_BEACON, table=True)
"""What is mixed into dice and shuffles: words of the server and the players, or a public beacon as well."""
COMMON: Final = (PACE, FAILURES, ON_MISSED, TALK, ANONYMOUS, NAMES, SPECTATORS, DRAWS)


def common_options(**usual: str) -> tuple[Option, ...]:
    """Return the common options with other defaults, given by name."""
    return tuple(_first(option, usual[option.name]) if option.name in usual else option for option in COMMON)


def _first(option: Option, value: str) -> Option:
    return replace(option, values={value: option.values[value], **option.values})

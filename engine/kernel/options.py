"""The options that the kernel and the server themselves read, for every game that offers them."""

from dataclasses import replace
from typing import Final

from engine.kernel.catalogues import Catalogue
from engine.kernel.keywords import WORDS
from engine.kernel.position import Options
from engine.kernel.rules import Option

FIRST: Final = "1"
"""The readings of games that were set up before there was a choice of them."""


def make_option(said: Catalogue, name: str, *values: str, table: bool = False, before: str = "") -> Option:
    """Return an option with the words of a catalogue below `options`. The first value is the default."""
    named = {value: said(f"options.{name}.{value}") for value in values}
    return Option(name, said(f"options.{name}.title"), named, table=table, before=before)


def readings_option(said: Catalogue, *versions: str) -> Option:
    """Return the option that says by which version's readings of the rulebook a game is played (newest first)."""
    return make_option(said, "readings", *versions, before=FIRST)


def uses_reading(options: Options, version: int) -> bool:
    """Return True if a game is played by the readings of this version of its rules, or of a later one."""
    return int(options.get("readings", FIRST)) >= version


PACE: Final = make_option(WORDS, "pace", "sealed", "order")
FAILURES: Final = make_option(WORDS, "failures", "next", "drop", "again")
ON_MISSED: Final = make_option(WORDS, "unanswered", "default", "ask")
TALK: Final = make_option(WORDS, "talk", "public", "free", "none", table=True)
"""In public alone is the rule of games that say so, and what a game takes that says nothing."""
ANONYMOUS: Final = make_option(WORDS, "anonymous", "no", "yes", table=True)
SPECTATORS: Final = make_option(WORDS, "watchers", "invited", "open", "none", table=True)
BY_SERVER: Final = "server"
BY_BEACON: Final = "beacon"
DRAWS: Final = make_option(WORDS, "draws", BY_SERVER, BY_BEACON, table=True)
"""What dice and shuffles are mixed with: what the server and the players have, or a public beacon too."""
COMMON: Final = (PACE, FAILURES, ON_MISSED, TALK, ANONYMOUS, SPECTATORS, DRAWS)


def common_options(**usual: str) -> tuple[Option, ...]:
    """Return the common options with other defaults, by the name of the option. Raises KeyError."""
    return tuple(_first(option, usual[option.name]) if option.name in usual else option for option in COMMON)


def _first(option: Option, value: str) -> Option:
    return replace(option, values={value: option.values[value], **option.values})

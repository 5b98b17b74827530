"""How a language is written and said, outside the templates: what `grammar/<language>.toml` says of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from babel import Locale

from engine.kernel.languages import Language, fallback_chain
from pbem.narration.folders import load_table
from pbem.narration.grammars import GRAMMARS, Grammar

NBSP = "\u00a0"


@dataclass(frozen=True)
class Typography:
    """How one language is written and said.

    `locale`: whose plurals, dates and places (CLDR) it takes. `spaced`: whether its punctuation keeps no-break spaces.
    `quotes`, `player`: sentences with a place to fill. `last`, `parted`: between the last two things of a list, between
    reasons. `moment`: patterns of dates.
    """

    grammar: Grammar
    locale: Locale
    spaced: bool
    quotes: str
    parted: str
    last: str
    you: str
    player: str
    moment: Mapping[str, str]

    def single(self, number: int) -> bool:
        """Return True if a number of things takes the singular."""
        return _is_singular(self.locale, abs(number))


@lru_cache(maxsize=4096)
def _is_singular(locale: Locale, number: int) -> bool:
    return bool(locale.plural_form(number) == "one")


@cache
def load_typography(language: Language) -> Typography:
    """How a language is written; what its file leaves out is that of its fallbacks.  Raises KeyError for a gap."""
    said: dict[str, Any] = {}
    for tag in reversed(fallback_chain(language)):
        said |= load_table(f"grammar/{tag}.toml")
    return Typography(
        GRAMMARS[said["grammar"]](said.get("forms", {})),
        Locale.parse(said["locale"], sep="-"),
        said["spaced"],
        said["quotes"],
        said["semicolon"],
        said["and"],
        said["you"],
        said["player"],
        {name: pattern.replace("~", NBSP) for name, pattern in said["moment"].items()},
    )

"""The rules of each game together with what they say of its telling."""

from dataclasses import dataclass
from functools import cache
from typing import Any

from engine import rules
from engine.kernel.rules import Meta, Rules
from engine.kernel.telling import Telling, telling_of


@dataclass(frozen=True)
class Teller:
    """One game, as far as telling it goes."""

    rules: Rules[Any]
    telling: Telling

    @property
    def meta(self) -> Meta:
        """Title, options, topics, endings."""
        return self.rules.meta


@cache
def teller(game: str) -> Teller:
    """The teller of a game; raises KeyError, whose text names the games there are."""
    found = rules(game)
    return Teller(found, telling_of(found))

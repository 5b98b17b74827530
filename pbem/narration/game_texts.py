"""The rules of each game together with what they say of its telling."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

from engine import rules
from engine.kernel.charts import HasStatistics
from engine.kernel.narration_hooks import NarrationHooks, hooks_of, without_figures
from engine.kernel.position import Position
from engine.kernel.rules import Meta, Rules
from engine.kernel.viewers import Seat


@dataclass(frozen=True)
class GameTexts:
    """One game, as far as telling it goes."""

    rules: Rules[Any]
    telling: NarrationHooks

    @property
    def meta(self) -> Meta:
        """Title, options, topics, endings."""
        return self.rules.meta


@cache
def load_game_texts(game: str) -> GameTexts:
    """The teller of a game; raises KeyError, whose text names the games there are.

    A game that names no figures of a seat, but some that everybody may follow, compares these in reports.
    """
    found = rules(game)
    telling = hooks_of(found)
    if isinstance(found, HasStatistics) and telling.figures is without_figures:
        telling = replace(telling, figures=partial(_count_forms, found))
    return GameTexts(found, telling)


def _count_forms(found: Any, position: Position[Any], seat: Seat) -> Mapping[str, int]:
    numbers = found.count(found.present(position, seat))
    return {name: known for name, by_seat in numbers.items() if (known := by_seat.get(seat)) is not None}

"""The rules of each game together with what they say of its telling: figures, zones of the board, highlights."""

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from typing import Any, Final

from engine import rules
from engine.kernel.charts import HasStatistics
from engine.kernel.events import Event
from engine.kernel.languages import Language
from engine.kernel.narration_hooks import NarrationHooks, hooks_of, without_figures
from engine.kernel.position import Position
from engine.kernel.rules import Meta, Rules, View
from engine.kernel.viewers import Seat
from engine.kernel.zones import HasZones


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
        telling = replace(telling, figures=partial(_own_figures, found))
    return GameTexts(found, telling)


def _own_figures(found: Any, position: Position[Any], seat: Seat) -> Mapping[str, int]:
    numbers = found.count(found.present_view(position, seat))
    return {name: known for name, by_seat in numbers.items() if (known := by_seat.get(seat)) is not None}


@dataclass(frozen=True)
class ZoneText:
    """A zone of the board: its heading, and what there is to say of it."""

    title: str
    lines: tuple[str, ...]


def zone_texts(rules: object, view: View, language: Language, since: View | None = None) -> tuple[ZoneText, ...]:
    """The zones of a view, with what has changed since an earlier one; empty for a game whose board has none."""
    if not isinstance(rules, HasZones):
        return ()
    placed = rules.zones(view, language, since=since)
    told = (ZoneText(one.zone.words.printed(language), one.lines(language)) for one in placed)
    return tuple(ZoneText(zone.title[:1].upper() + zone.title[1:], zone.lines) for zone in told if zone.lines)


@dataclass
class ShownRows:
    """What the macros of a report are given: what a reader sees, and the topics that they are asked.

    `filed`: the topics of which they have something on file.
    Most games have words of their own for their board, so its zones are looked for only if a template names them.
    """

    rules: object
    language: Language
    view: View
    asks: Set[str] = frozenset()
    filed: Set[str] = frozenset()
    earlier: Callable[[], View | None] = lambda: None

    @cached_property
    def zones(self) -> tuple[ZoneText, ...]:
        """The zones of the view, with what has changed since the earlier one."""
        return zone_texts(self.rules, self.view, self.language, self.earlier())


LINES: Final = 10
"""How many events a seat's story has."""


def select_highlights(game: str, events: Sequence[Event], seat: Seat) -> tuple[Event, ...]:
    """The weightiest events for a seat, in the order in which they happened, each under the heading of its turn."""
    telling = load_game_texts(game).telling
    weights = {number: telling.weight(event, seat) for number, event in enumerate(events)}
    heavy = sorted((n for n, weight in weights.items() if weight), key=lambda n: (-weights[n], n))[:LINES]
    begun = telling.turns(events)
    heads = {max(before) for n in heavy if (before := [turn for turn in begun if turn < n])}
    return tuple(begun[n] if n in heads else events[n] for n in sorted({*heavy, *heads}))

"""A board of zones in words: for plain letters, and for readers who do not look at its picture."""

from dataclasses import dataclass

from engine.kernel.languages import Language
from engine.kernel.rules import View
from engine.kernel.zones import Zoned


@dataclass(frozen=True)
class ZoneTold:
    """A zone of the board: its heading, and what there is to say of it."""

    title: str
    lines: tuple[str, ...]


def zones_told(rules: object, view: View, language: Language, since: View | None = None) -> tuple[ZoneTold, ...]:
    """The zones of a view, with what has changed since an earlier one; empty for a game whose board has none."""
    if not isinstance(rules, Zoned):
        return ()
    placed = rules.zones(view, language, since=since)
    told = (ZoneTold(one.zone.words.printed(language), one.lines(language)) for one in placed)
    return tuple(ZoneTold(zone.title[:1].upper() + zone.title[1:], zone.lines) for zone in told if zone.lines)

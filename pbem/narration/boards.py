"""A board of zones in words: for plain letters, and for readers who do not look at its picture."""

from dataclasses import dataclass

from engine.kernel.languages import Language
from engine.kernel.rules import View
from engine.kernel.zones import HasZones


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

"""Parts of the map that are legible on a phone: the regions in play, cut into strips if too wide."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from engine.age_of_renaissance.catalogue import PROVINCES, REGIONS, Province
from engine.age_of_renaissance.drawing import chart, shapes
from engine.kernel.catalogues import Words
from engine.kernel.pictures import LEGIBLE, Part

ASIDE, ABOVE, BELOW = 190, 130, 220
"""The space that a province's name, pill and pieces take beside, above and below its centre."""
STRIP: Final = LEGIBLE - 2 * ASIDE


@lru_cache(maxsize=8)
def windows(players: int) -> Mapping[str, Part]:
    """Return every part with `players` players, in the order of the regions."""
    return {name: Part(title, _box(held)) for name, title, held in _parts(players)}


@lru_cache(maxsize=8)
def _places(players: int) -> Mapping[str, frozenset[str]]:
    return {name: frozenset(province.id for province in held) for name, _, held in _parts(players)}


def weighed(players: int, weights: Mapping[str, int]) -> Mapping[str, Part]:
    """Return the parts with the weights of their provinces, the heaviest first."""
    places, found = _places(players), windows(players)
    weight = {name: sum(weights.get(province, 0) for province in places[name]) for name in found}
    return {name: replace(found[name], weight=weight[name]) for name in sorted(found, key=lambda n: -weight[n])}


def _parts(players: int) -> Iterator[tuple[str, Words, Sequence[Province]]]:
    """Yield each part: its key, its words, its provinces."""
    for region in REGIONS:
        held = [p for p in PROVINCES.values() if p.region == region and chart.in_play(p, players)]
        strips = _strips(held) if held else []
        for n, strip in enumerate(strips, 1):
            alone = len(strips) == 1
            yield (region if alone else f"{region}-{n}"), (REGIONS[region].words if alone else _called(strip)), strip


def _strips(held: Sequence[Province]) -> list[list[Province]]:
    """Return provinces from west to east, in as few strips of equal width as make each narrow enough."""
    across = {p.id: shapes.MIDDLES[p.id][0] for p in held}
    west, wide = min(across.values()), max(across.values()) - min(across.values())
    number = max(1, -(-wide // STRIP))
    strips: list[list[Province]] = [[] for _ in range(number)]
    for province in held:
        strips[min(number - 1, (across[province.id] - west) * number // max(1, wide))].append(province)
    return [strip for strip in strips if strip]


def _called(strip: Sequence[Province]) -> Words:
    """Return the words for a strip: its region and its largest province."""
    region, chief = REGIONS[strip[0].region].words, max(strip, key=lambda p: p.capacity).words
    return Words.each(lambda language: (f"{region.printed(language)} – {chief.printed(language)}",))


def _box(held: Sequence[Province]) -> tuple[int, int, int, int]:
    """Return a box around the names and pieces of provinces, of the full legible width, within the canvas."""
    xs, ys = zip(*(shapes.MIDDLES[p.id] for p in held), strict=True)
    top, bottom = min(ys) - ABOVE, max(ys) + BELOW
    high = max(bottom - top, LEGIBLE * 3 // 4)
    left, top = (min(xs) + max(xs) - LEGIBLE) // 2, (top + bottom - high) // 2
    return max(0, min(left, shapes.WIDE - LEGIBLE)), max(0, min(top, shapes.HIGH - high)), LEGIBLE, high

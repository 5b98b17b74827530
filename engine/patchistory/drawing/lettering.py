"""Names of locations fitted into their squares: broken, narrowed a little, and cut only if necessary."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from engine.kernel.pictures import SMALLEST, Theme, label
from engine.kernel.text_layout import light_width, strip_marks
from engine.patchistory.drawing.look import PALETTE

LEADING: Final = 36
"""The distance between the lines of a name."""
NARROWED: Final = 14
"""The most that a line may be narrowed, in percent."""
_KEPT: Final = 4
"""The fewest letters of a word that is cut."""
_SPREAD: Final = 8
"""A line wider than this many ninths of its room is held to its width, because other fonts are wider."""
_VOWELS: Final = frozenset("aeiouyœ")
_TOGETHER: Final = frozenset("th ch ph sh gh qu gn tr br gr dr cr fr pr vr bl cl fl gl pl".split())
"""Consonants that stay on one line."""


class Name(NamedTuple):
    """A name in its lines, the cost of this way of writing it, and its width."""

    cost: int
    wide: int
    lines: tuple[str, ...]


def named(said: str, wide: int, x: int, y: int, theme: Theme) -> Iterator[str]:
    """Yield a name in the space of its squares, in at most two lines of fixed width."""
    for n, line in enumerate(lines(said, wide)):
        taken = light_width(line, SMALLEST)
        held = min(taken, wide) if taken * (_SPREAD + 1) > wide * _SPREAD else None
        way = "spacingAndGlyphs" if held else None
        look = PALETTE.fill("ink", theme)
        yield label(x, y + LEADING * n, line, SMALLEST, textLength=held, lengthAdjust=way, **look)


@lru_cache(maxsize=1024)
def lines(said: str, wide: int) -> tuple[str, ...]:
    """Return the best way to write a name: whole, else with its last word cut, else without that word."""
    return next((found.lines for one in _shortened(said) if (found := _best(one, wide))), (said,))


def _best(said: str, wide: int) -> Name | None:
    """Return the cheapest way to fit all of a name, the most even of equals; None if there is none."""
    ways = (_weighed(cost, way, wide) for cost, way in _ways(said))
    return min((name for name in ways if name is not None), default=None)


def _weighed(cost: int, way: tuple[str, ...], wide: int) -> Name | None:
    most = max(light_width(line, SMALLEST) for line in way)
    narrowed = max(0, 100 - 100 * wide // most)
    return Name(cost + 3 * narrowed, most, way) if narrowed <= NARROWED else None


def _ways(said: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield ways to write a name with their costs: one line, or two, broken between words, after a hyphen, or in a
    word.
    """
    yield 0, (said,)
    for n, letter in enumerate(said):
        if letter == " ":
            yield 10, (said[:n], said[n + 1 :])
        elif letter == "-":
            yield 11, (said[: n + 1], said[n + 1 :])
        elif _breaks(said, n):
            yield 45, (f"{said[:n]}-", said[n:])


def _breaks(said: str, n: int) -> bool:
    """Return True if a word may be broken before a letter: a syllable begins, with three letters on either side."""
    start, stop = said.rfind(" ", 0, n) + 1, (said + " ").find(" ", n)
    word, at = strip_marks(said[start:stop]).lower(), n - start
    if not word.isalpha() or not 3 <= at <= len(word) - 3:
        return False
    sound = at + 1 + (word[at : at + 2] in _TOGETHER)
    begins = word[at] not in _VOWELS and word[sound : sound + 1] in _VOWELS
    return begins and word[at - 1 : at + 1] not in _TOGETHER and not _VOWELS.isdisjoint(word[:at])


def _shortened(said: str) -> Iterator[str]:
    """Yield a name, then shorter ones: with its last word cut between consonant and vowel, then without it."""
    words = said.split()
    while words:
        yield " ".join(words)
        last = words.pop()
        plain = strip_marks(last).lower()
        for n in range(len(last) - 1, _KEPT - 1, -1):
            if plain[n] in _VOWELS and plain[n - 1].isalpha() and plain[n - 1] not in _VOWELS:
                yield " ".join((*words, f"{last[:n]}."))
        while words and len(words[-1]) < _KEPT:
            words.pop()

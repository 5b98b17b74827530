"""Names of locations within their squares: broken, narrowed a little, and cut only where nothing else helps."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from engine.kernel.pictures import Theme, label
from engine.kernel.text_layout import light_width, strip_marks
from engine.patchistory.drawing.look import PALETTE

SIZE: Final = 32
"""The size of names: the smallest that can be read on a phone."""
LEADING: Final = 33
"""How far the second line of a name stands below the first."""
NARROWED: Final = 14
"""By how many hundredths a line may be narrowed at most."""
_KEPT: Final = 4
"""The fewest letters of a word that is cut."""
_SPREAD: Final = 8
"""A line is held to its width where it comes nearer to the edge than this part of it: other fonts are wider."""
_VOWELS: Final = frozenset("aeiouyœ")
_TOGETHER: Final = frozenset("th ch ph sh gh qu gn tr br gr dr cr fr pr vr bl cl fl gl pl".split())
"""Consonants that stay on one line."""


class Name(NamedTuple):
    """A name in its lines, what this way of writing it costs, and how wide it is."""

    cost: int
    wide: int
    lines: tuple[str, ...]


def named(said: str, wide: int, x: int, y: int, theme: Theme) -> Iterator[str]:
    """A name in the room of a square or two, two lines at most, each as wide as reckoned in whatever font."""
    for n, line in enumerate(lines(said, wide)):
        taken = light_width(line, SIZE)
        held = min(taken, wide) if taken * (_SPREAD + 1) > wide * _SPREAD else None
        way = "spacingAndGlyphs" if held else None
        look = PALETTE.fill("ink", theme)
        yield label(x, y + LEADING * n, line, SIZE, textLength=held, lengthAdjust=way, **look)


@lru_cache(maxsize=1024)
def lines(said: str, wide: int) -> tuple[str, ...]:
    """The best way to write a name: whole if it can be, else its last word cut, else without that word."""
    return next((found.lines for one in _shortened(said) if (found := _best(one, wide))), (said,))


def _best(said: str, wide: int) -> Name | None:
    """The cheapest way in which all of a name has room, the most even of equals."""
    ways = (_weighed(cost, way, wide) for cost, way in _ways(said))
    return min((name for name in ways if name is not None), default=None)


def _weighed(cost: int, way: tuple[str, ...], wide: int) -> Name | None:
    most = max(light_width(line, SIZE) for line in way)
    narrowed = max(0, 100 - 100 * wide // most)
    return Name(cost + 3 * narrowed, most, way) if narrowed <= NARROWED else None


def _ways(said: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """In one line; in two, broken between words, behind a hyphen, within a word: with what each costs."""
    yield 0, (said,)
    for n, letter in enumerate(said):
        if letter == " ":
            yield 10, (said[:n], said[n + 1 :])
        elif letter == "-":
            yield 11, (said[: n + 1], said[n + 1 :])
        elif _breaks(said, n):
            yield 45, (f"{said[:n]}-", said[n:])


def _breaks(said: str, n: int) -> bool:
    """Return True where a word may be broken before a letter: a syllable begins, three letters stand either side."""
    start, stop = said.rfind(" ", 0, n) + 1, (said + " ").find(" ", n)
    word, at = strip_marks(said[start:stop]).lower(), n - start
    if not word.isalpha() or not 3 <= at <= len(word) - 3:
        return False
    sound = at + 1 + (word[at : at + 2] in _TOGETHER)
    begins = word[at] not in _VOWELS and word[sound : sound + 1] in _VOWELS
    return begins and word[at - 1 : at + 1] not in _TOGETHER and not _VOWELS.isdisjoint(word[:at])


def _shortened(said: str) -> Iterator[str]:
    """A name, then shorter and shorter: its last word cut between consonant and vowel, then without that word."""
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

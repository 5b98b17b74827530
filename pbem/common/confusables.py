"""Which names people take for one another on a screen (UTS 39 §4, with Unicode's confusables.txt).

Two names are alike if they show the same, whatever their letters are: case, full width, invisible signs, punctuation,
single letters set apart, and letters of other scripts or digits that look the same make no difference; accents do.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final
from unicodedata import category, normalize

_INVISIBLE: Final = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180e\u180f\u2800\u3164\ufeff\uffa0",
    "".join(map(chr, range(0x200B, 0x2010))),
    "".join(map(chr, range(0x202A, 0x202F))),
    "".join(map(chr, range(0x2060, 0x2070))),
    "".join(map(chr, range(0xFE00, 0xFE10))),
    "".join(map(chr, range(0xE0000, 0xE1000))),
)
"""Signs that show nothing: Default_Ignorable_Code_Point (DerivedCoreProperties.txt), and the empty Braille cell."""
_DROP: Final = dict.fromkeys(map(ord, "".join(_INVISIBLE)))
_MARK: Final = "\u200e"
"""Stands around the right-to-left entries of the library's data."""


def skeleton(name: str) -> str:
    """What a name shows, as the words that are left without signs that show nothing."""
    return " ".join(normalize("NFKC", name).translate(_DROP).split())


def is_confusable(name: str, other: str) -> bool:
    """Return True if people take one name for the other."""
    return bool(_skeletons(name) & _skeletons(other))


def find_confusable(name: str, others: Iterable[str]) -> str | None:
    """The first of these names that people take for this one."""
    mine = _skeletons(name)
    return next((other for other in others if mine & _skeletons(other)), None)


def make_distinct(name: str, others: Iterable[str], most: int) -> str:
    """The name with the lowest number behind it that sets it apart from these names, in at most so many signs."""
    taken, number = list(others), 2
    while find_confusable(found := f"{name[: most - len(str(number)) - 1]} {number}", taken) is not None:
        number += 1
    return found


def has_confusable_word(name: str, word: str) -> bool:
    """Return True if people take one of the words of a name for this one."""
    return any(is_confusable(other, word) for other in _plain_words(skeleton(name)))


def _plain_words(shown: str) -> list[str]:
    """The words of what a name shows, without punctuation; single letters in a row are one word."""
    bare = "".join(_plain_sign(sign) for sign in shown)
    return _SINGLES.sub(lambda run: run[0].replace(" ", ""), bare).split()


_SINGLES: Final = re.compile(r"(?<!\S)\S(?: \S)+(?!\S)")


def _plain_sign(sign: str) -> str:
    """A sign, a blank for one that parts words, nothing for one that people overlook."""
    kind = category(sign)
    if kind in ("Pd", "Ps", "Pe", "Pc"):
        return " "
    return "" if kind.startswith("P") or kind == "Sk" or (kind == "Sm" and sign != "|") else sign


@lru_cache(maxsize=1024)
def _skeletons(name: str) -> frozenset[str]:
    """A name's skeleton in small letters and as it is written: Ian is like lan, and like IAN."""
    shown = skeleton(name)
    plain = " ".join(_plain_words(shown)) or shown
    return frozenset({_skeleton(plain.casefold()), _skeleton(_skeleton(plain).casefold())})


def _skeleton(text: str) -> str:
    """The text with each sign replaced by the one that stands for all that look like it (UTS 39 §4)."""
    return normalize("NFD", "".join(map(_prototype, normalize("NFD", text)))).translate(_DROP)


def _prototype(sign: str) -> str:
    middle = _middle(sign)
    return "".join(map(_middle, middle)) if len(middle) > 1 else middle


def _middle(sign: str) -> str:
    return _middles().get(sign, sign)


@cache
def _middles() -> dict[str, str]:
    """What stands in the middle of a sign's group, by sign; all other signs stand for themselves.

    The library's module would hold all its data for good, and what is left of it would lie scattered among pages that
    are held for its sake: its file is read and let go of, and what is wanted of it is written down and read anew.
    """
    return dict(json.loads(_condense()))


def _condense() -> str:
    """What stands in the middle of a sign's group, by sign, as text."""
    data = json.loads(files("confusable_homoglyphs").joinpath("confusables.json").read_bytes())
    like = {sign.strip(_MARK): [other["c"].strip(_MARK) for other in others] for sign, others in data.items()}
    found = ((sign, _choose(sign, others, like)) for sign, others in like.items())
    return json.dumps({sign: middle for sign, middle in found if middle != sign})


def _choose(sign: str, others: Sequence[str], like: Mapping[str, Sequence[str]]) -> str:
    """The one in the middle of a sign's group, which looks like all others.

    Of two that only look like each other it is the longer, then the lower.
    """
    if len(others) != 1:
        return sign
    (other,) = others
    if len(like.get(other, ())) != 1:
        return other
    return min((sign, other), key=lambda one: (-len(one), one))

"""Words as people type them: folding, tokens, and tolerant comparison with a vocabulary.

This module knows no game and no keyword. Case, accents, ligatures, hyphens, apostrophes and quotation marks never
matter. A name may be abbreviated if it stays unambiguous, and misspelled if only one name is near.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from engine.kernel.catalogues import Words, load_catalogue
from engine.kernel.forms import Choice

_LOOKALIKES: Final = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′`´ʼ＇", "'"),
        **dict.fromkeys("“”„‟″«»‹›＂", '"'),
        **dict.fromkeys("‐‑‒–—―−﹘﹣－⁃", "-"),
        **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u00ad\u200e\u200f\ufe0f\u202a\u202b\u202c\u202d\u202e", None),
        "×": "x",
        "⁄": ".",
        "；": ";",
    }
)
_LIGATURES: Final = str.maketrans({"œ": "oe", "æ": "ae", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"})
_TOKEN: Final = re.compile(r"\d+(?:\.\d+)+|\d+|[^\W\d_]+|[,:]|(?<![^\W_])-(?=\s*\d)")
_WORDS: Final = load_catalogue(__package__)
_LINKS: Final = frozenset(_WORDS("small.links").all_forms())
_SAINTS: Final = frozenset(("st", "ste"))
_DIGITS: Final = 9

SPACED_DASH: Final = "–"
"""The token of a dash with a space after it: a separator, not a minus sign."""

MARKS: Final = frozenset((",", ":", "-", SPACED_DASH))
"""Tokens that are not words."""


def clean(text: str) -> str:
    """Return the text with typographic quotes, dashes, spaces and invisible characters made plain."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", text.translate(_LOOKALIKES)).translate(_LOOKALIKES)


def split_remarks(comment: str) -> tuple[str, ...]:
    """Return the parts of what stands behind a semicolon, each once."""
    return tuple(dict.fromkeys(filter(None, map(str.strip, comment.split(";")))))


@lru_cache(maxsize=8192)
def fold(word: str) -> str:
    """Return one word without case, accents and ligatures, or a number without leading zeros."""
    if word.isdecimal():
        return str(int(word)) if len(word) <= _DIGITS else word
    if word.isascii():
        return word.lower()
    bare = unicodedata.normalize("NFKD", word.casefold().translate(_LIGATURES))
    return "".join(c for c in bare if not unicodedata.combining(c)).casefold()


@dataclass(frozen=True)
class Text:
    """A cleaned text and its folded tokens. `starts`, `ends`: the position of each token in `raw`."""

    raw: str
    words: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    @property
    def stop(self) -> int:
        """Return the index after the last word; marks at the end of a line are ignored."""
        stop = len(self.words)
        while stop and self.words[stop - 1] in MARKS:
            stop -= 1
        return stop

    def typed(self, start: int, stop: int) -> str:
        """Return the tokens from `start` to before `stop` as they were typed."""
        return self.raw[self.starts[start] : self.ends[stop - 1]] if start < stop else ""

    def rearranged(self, order: Sequence[tuple[int, str]]) -> "Text":
        """Return a text of the tokens at these indexes, in this order, each with the given word."""
        places = [place for place, _ in order]
        words = tuple([word for _, word in order])
        return Text(self.raw, words, tuple([self.starts[p] for p in places]), tuple([self.ends[p] for p in places]))


def tokens(text: str) -> Text:
    """Split a text into words, numbers, commas, colons and signs; other characters only separate them."""
    raw = clean(text)
    words: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for found in _TOKEN.finditer(raw):
        start, end = found.span()
        word = fold(found.group())
        if word == "-" and not raw[end].isdecimal():
            word = SPACED_DASH
        if word:
            words.append(word)
            starts.append(start)
            ends.append(end)
    return Text(raw, tuple(words), tuple(starts), tuple(ends))


@lru_cache(maxsize=4096)
def fold_tokens(name: str) -> tuple[str, ...]:
    """Return the words of a name, folded, without marks."""
    return tuple(w for w in tokens(name).words if w not in MARKS)


_NUMBERS: Final = {fold_tokens(s): int(n) for n, spelt in _WORDS.section("numbers").items() for s in spelt.all_forms()}


def numbers(words: Sequence[str], start: int, stop: int) -> list[tuple[int | None, int]]:
    """Return (value, index after it) for each number that begins at `start`, in digits or in words up to twenty.

    The value is None for a number with more than nine digits.
    """
    word = words[start] if start < stop else ""
    if word.isdecimal():
        return [(int(word) if len(word) <= _DIGITS else None, start + 1)]
    runs = [(tuple(words[start : start + n]), start + n) for n in (2, 1) if start + n <= stop]
    return [(_NUMBERS[run], end) for run, end in runs if run in _NUMBERS]


def distance(one: str, other: str, limit: int) -> int:
    """Return the edits between two words (insert, delete, replace, swap neighbours), at most `limit + 1`."""
    if abs(len(one) - len(other)) > limit:
        return limit + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        last, before, row = before, row, [i]
        for j, b in enumerate(other, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == other[j - 2] and one[i - 2] == b:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
        if min(row) > limit and min(before) > limit:
            return limit + 1
    return min(row[-1], limit + 1)


def letter_bits(word: str) -> int:
    """Return the set of letters of a word as bits.

    One edit changes at most two bits, which rules out most words without computing a distance.
    """
    bits = 0
    for letter in word:
        bits |= 1 << (ord(letter) & 63)
    return bits


def tolerance(length: int) -> int:
    """Return how many edits are forgiven in a name of `length` letters."""
    if length < 4:
        return 0
    return 1 if length < 7 else 2


class Hit(NamedTuple):
    """The indexes of the names that some words may mean, and the cost (0: exact)."""

    positions: tuple[int, ...]
    cost: int


NOTHING: Final = Hit((), 0)
SHORTENED: Final = 10
"""The cost of an abbreviation; each edit of a misspelling costs ten times as much."""


class _Name(NamedTuple):
    place: int
    words: tuple[str, ...]
    joined: str
    core: tuple[str, ...]
    digits: str
    letters: int


def _name(place: int, spelt: str) -> _Name:
    words = fold_tokens(spelt)
    joined = "".join(words)
    return _Name(place, words, joined, strip_links(words), _digits(joined), letter_bits(joined))


def strip_links(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words without articles and `of`, unless nothing is left."""
    return tuple(w for w in words if w not in _LINKS) or words


def _digits(joined: str) -> str:
    return "".join(c for c in joined if c.isdecimal())


class Vocabulary:
    """The names of some things, and a search for typed words among them."""

    def __init__(self, names: Iterable[Words]) -> None:
        """`names`: the spellings of each thing; a Hit gives indexes in this order."""
        every = [_name(place, spelt) for place, each in enumerate(names) for spelt in each.all_forms()]
        self._names = [n for n in every if n.joined]
        self.longest = max((len(n.words) for n in self._names), default=0)
        self._exact: dict[str, tuple[int, ...]] = {}
        self._starting: dict[str, list[_Name]] = {}
        for name in self._names:
            known = self._exact.get(name.joined, ())
            self._exact[name.joined] = known if name.place in known else (*known, name.place)
            for letter in {name.joined[0], name.core[0][0]}:
                self._starting.setdefault(letter, []).append(name)
        self._found: dict[tuple[tuple[str, ...], bool], Hit] = {}

    def has_exactly(self, word: str) -> bool:
        """Return True if a folded word is a whole name."""
        return word in self._exact

    def find(self, run: tuple[str, ...], fuzzy: bool) -> Hit:
        """Return the exact names; else those that the words abbreviate; else, if `fuzzy`, those that they misspell."""
        found = self._found.get((run, fuzzy))
        if found is None:
            if len(self._found) > 4096:
                self._found.clear()
            found = self._found[run, fuzzy] = self._find(run, fuzzy)
        return found

    def _find(self, run: tuple[str, ...], fuzzy: bool) -> Hit:
        joined = "".join(run)
        exact = self._exact.get(joined)
        if exact:
            return Hit(exact, 0)
        short = self._find_abbreviated(run, joined)
        if short or not fuzzy:
            return Hit(short, SHORTENED if short else 0)
        return self._find_misspelled(run, joined)

    def _find_abbreviated(self, run: tuple[str, ...], joined: str) -> tuple[int, ...]:
        if len(joined) < 2 or joined.isdecimal():
            return ()
        core = strip_links(run)
        near = {id(n): n for w in (joined, core[0]) for n in self._starting.get(w[0], ())}
        if len(core) < len(run):
            literally = _unique_hits(n.place for n in near.values() if _match_words(n.words, run))
            if literally:
                return literally
        return _unique_hits(
            n.place for n in near.values() if _starts_with(n.joined, joined) or _match_words(n.core, core)
        )

    def _find_misspelled(self, run: tuple[str, ...], joined: str) -> Hit:
        found = self.nearest(run, joined, 2)
        near = [(d, place) for d, length, place in found if d <= tolerance(min(length, len(joined)))]
        return Hit(_unique_hits(p for _, p in near), 10 * SHORTENED * min(near)[0]) if near else NOTHING

    def nearest(self, run: tuple[str, ...], joined: str, limit: int) -> list[tuple[int, int, int]]:
        """Return (edits, length of the name, index) of each name within `limit` edits, nearest first."""
        digits, letters = _digits(joined), letter_bits(joined)
        likely = (
            n
            for n in self._names
            if (n.letters ^ letters).bit_count() <= 2 * limit and n.digits == digits and len(run) <= len(n.words)
        )
        measured = ((distance(joined, n.joined, limit), len(n.joined), n.place) for n in likely)
        return sorted(m for m in measured if m[0] <= limit)


def _unique_hits(places: Iterable[int]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(places))


def _starts_with(name: str, typed: str) -> bool:
    if not name.startswith(typed):
        return False
    return not (typed[-1].isdecimal() and name[len(typed) : len(typed) + 1].isdecimal())


def _match_words(name: tuple[str, ...], typed: tuple[str, ...]) -> bool:
    """Return True if each typed word begins the word at its position in the name."""
    return len(typed) <= len(name) and all(map(word_begins, name, typed))


def word_begins(full: str, typed: str) -> bool:
    """Return True if a typed word abbreviates a full one.

    Numbers are never abbreviated; St may mean Saint.
    """
    if typed.isdecimal():
        return full == typed
    return full.startswith(typed) or (typed in _SAINTS and full.startswith("saint"))


@lru_cache(maxsize=512)
def build_vocabulary(names: tuple[Words, ...]) -> Vocabulary:
    """Return the vocabulary of these names; cached."""
    return Vocabulary(names)


_by_identity: dict[int, tuple[tuple[Choice, ...], Vocabulary]] = {}


def vocabulary_of(choices: tuple[Choice, ...]) -> Vocabulary:
    """Return the vocabulary of a slot's choices; cached by the identity of the tuple, which is faster than its hash."""
    known = _by_identity.get(id(choices))
    if known is not None and known[0] is choices:
        return known[1]
    if len(_by_identity) > 1024:
        _by_identity.clear()
    made = build_vocabulary(tuple(c.names for c in choices))
    _by_identity[id(choices)] = (choices, made)
    return made


LONGEST: Final = 40
_WORD: Final = re.compile(r"[^\W\d_]+")


def search_terms(text: str) -> tuple[str, ...]:
    """Return the words of a text in order for a search: without case, accents, numbers and single letters."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    bare = "".join(sign for sign in plain if not unicodedata.combining(sign)).replace("œ", "oe").replace("æ", "ae")
    return tuple(word[:LONGEST] for word in _WORD.findall(bare) if len(word) > 1)

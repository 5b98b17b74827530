"""The keywords of the order language, and recognition of a keyword at the start of a line."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from engine.kernel.catalogues import Words, load_catalogue
from engine.kernel.spelling import MARKS, SHORTENED, distance, fold_tokens, word_begins

WORDS: Final = load_catalogue(__package__)
IF: Final = WORDS("keywords.if")
UNLESS: Final = WORDS("keywords.unless")
NOT: Final = WORDS("keywords.not")
ALWAYS: Final = WORDS("keywords.always")
AND: Final = WORDS("keywords.and")
OR: Final = WORDS("keywords.or")
ELSE: Final = WORDS("keywords.else")
ASK_ME: Final = WORDS("keywords.ask_me")
THEN: Final = WORDS("keywords.then")
UP_TO: Final = WORDS("keywords.up_to")
TIMES: Final = WORDS("keywords.times")
FOR: Final = WORDS("keywords.for")
TURN: Final = WORDS("keywords.turn")
ON: Final = WORDS("keywords.on")
NONE: Final = WORDS("keywords.none")
PASS: Final = WORDS("keywords.pass")
END: Final = WORDS("keywords.end")
LUCK: Final = WORDS("keywords.luck")
COMMANDS: Final = WORDS.section("commands")

FILLERS: Final = frozenset(WORDS("small.fillers").all_forms())
"""Small words that may come between slots and mean nothing."""

ORDINARY: Final = frozenset(WORDS("small.ordinary").all_forms())
"""Everyday words that are never read as an abbreviated or misspelled keyword."""


class KeywordMatch(NamedTuple):
    """A keyword found at the start: its index in the list, the token after it, and the cost of what was forgiven."""

    place: int
    end: int
    cost: int


class KeywordMatches(NamedTuple):
    """The keywords that the tokens may begin with. `ambiguous`: the indexes that an abbreviation may mean."""

    matches: tuple[KeywordMatch, ...]
    ambiguous: tuple[int, ...] = ()


class _SpelledText(NamedTuple):
    place: int
    words: tuple[str, ...]
    joined: str


class _Run(NamedTuple):
    """What some words may be: keywords with their costs, or the indexes that they may mean."""

    found: tuple[tuple[int, int], ...] = ()
    unclear: tuple[int, ...] = ()


class Keywords:
    """A list of keywords, each with spellings of one or more words."""

    def __init__(self, names: Sequence[Words]) -> None:
        """`names`: the keywords; matches give their indexes."""
        spelt = [(place, fold_tokens(s)) for place, each in enumerate(names) for s in each.all_forms()]
        self._spelt = [_SpelledText(place, s, "".join(s)) for place, s in spelt if s]
        self._longest = max((len(s.words) for s in self._spelt), default=0)
        self._known: dict[tuple[tuple[str, ...], bool], _Run] = {}

    def find_at(self, line: Sequence[str], start: int, stop: int, fuzzy: bool) -> KeywordMatches:
        """Return every keyword that the tokens from `start` begin with.

        A keyword may be in full or shortened to three letters, or with `fuzzy` misspelled by one edit.
        """
        head = _first_word(line, start, min(stop, start + self._longest + 1))
        found: dict[KeywordMatch, None] = {}
        unclear: tuple[int, ...] = ()
        for n in range(len(head), 0, -1):
            run = self._run(head[:n], fuzzy)
            unclear = unclear or run.unclear
            found |= {KeywordMatch(place, start + n, cost): None for place, cost in run.found}
        return KeywordMatches(tuple(found), unclear)

    def _run(self, run: tuple[str, ...], fuzzy: bool) -> _Run:
        known = self._known.get((run, fuzzy))
        if known is None:
            if len(self._known) > 4096:
                self._known.clear()
            known = self._known[run, fuzzy] = self._search(run, fuzzy)
        return known

    def _search(self, run: tuple[str, ...], fuzzy: bool) -> _Run:
        joined = "".join(run)
        exact = tuple((s.place, 0) for s in self._spelt if s.joined == joined)
        if exact:
            return _Run(tuple(dict.fromkeys(exact)))
        others = [] if len(run) == 1 and joined in ORDINARY else self._find_abbreviated(run, joined, fuzzy)
        if _merge_same(others):
            return _Run(tuple(dict.fromkeys((place, cost) for place, _, cost in others)))
        return _Run((), tuple(dict.fromkeys(place for place, _, _ in others)))

    def _find_abbreviated(self, run: tuple[str, ...], joined: str, fuzzy: bool) -> list[tuple[int, str, int]]:
        """Return (index, the words meant, cost) of keywords that the words shorten, else misspell by one edit."""
        n = len(run)
        if len(joined) < 3:
            return []
        longer = [s for s in self._spelt if n <= len(s.words)]
        short = [(s.place, "".join(s.words[:n])) for s in longer if all(map(word_begins, s.words, run))]
        if short or not fuzzy or len(joined) < 4:
            return [(place, meant, SHORTENED) for place, meant in short]
        near = [s for s in longer if len(s.joined) >= 5 and distance(joined, s.joined, 1) == 1]
        return [(s.place, s.joined, 10 * SHORTENED) for s in near]


def _first_word(line: Sequence[str], start: int, stop: int) -> tuple[str, ...]:
    end = start
    while end < stop and line[end] not in MARKS:
        end += 1
    return tuple(line[start:end])


def _merge_same(others: Sequence[tuple[int, str, int]]) -> bool:
    """Return True if all keywords that may be meant share a word: PLACER and PLACE of one form, ACHETER of two."""
    meanings: dict[int, set[str]] = {}
    for place, meant, _ in others:
        meanings.setdefault(place, set()).add(meant)
    sets = list(meanings.values())
    return all(a & b for i, a in enumerate(sets) for b in sets[i + 1 :])


@lru_cache(maxsize=512)
def keywords(names: tuple[Words, ...]) -> Keywords:
    """Return the keywords of these names; cached."""
    return Keywords(names)


@lru_cache(maxsize=512)
def _spellings(fixed: Words) -> tuple[tuple[str, ...], ...]:
    return tuple(sorted({fold_tokens(s) for s in fixed.all_forms() if fold_tokens(s)}, key=len, reverse=True))


class _Fixed(NamedTuple):
    words: Words
    spellings: tuple[tuple[str, ...], ...]
    first: frozenset[str]


_fixed_word: dict[int, _Fixed] = {}


def _fixed_spellings(fixed: Words) -> _Fixed:
    """Return the spellings of a fixed word.

    Cached by identity, because this runs many times for every line.
    """
    known = _fixed_word.get(id(fixed))
    if known is None or known.words is not fixed:
        if len(_fixed_word) > 1024:
            _fixed_word.clear()
        spellings = _spellings(fixed)
        known = _fixed_word[id(fixed)] = _Fixed(fixed, spellings, frozenset(s[0] for s in spellings))
    return known


def skip_keyword(fixed: Words, line: Sequence[str], start: int, stop: int) -> int:
    """Return the index after a fixed word in full at `start` (its longest spelling), or `start` if it is not there."""
    known = _fixed_spellings(fixed)
    if start >= stop or line[start] not in known.first:
        return start
    for spelt in known.spellings:
        end = start + len(spelt)
        if end <= stop and tuple(line[start:end]) == spelt:
            return end
    return start


@lru_cache(maxsize=512)
def is_omissible(fixed: Words) -> bool:
    """Return True if a spelling of a fixed word is only a mark (`-`), so that it may be left out."""
    return any(spelt and not fold_tokens(spelt) for spelt in fixed.all_forms())


def is_exactly(fixed: Words, line: Sequence[str], start: int, stop: int) -> bool:
    """Return True if the tokens from `start` to `stop` are one spelling of a fixed word."""
    return tuple(line[start:stop]) in _fixed_spellings(fixed).spellings


def all_spellings(fixed: Words) -> tuple[tuple[str, ...], ...]:
    """Return every folded spelling of a fixed word, longest first."""
    return _fixed_spellings(fixed).spellings

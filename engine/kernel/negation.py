"""Rewriting of negated conditions: `IF I DO NOT HOLD` and `SI JE NE TIENS PAS` become `IF NOT I HOLD` and `SI PAS JE
TIENS`.
"""

from collections.abc import Sequence
from typing import Final

from engine.kernel.keywords import AND, IF, NOT, UNLESS, WORDS, all_spellings, skip_keyword
from engine.kernel.languages import DEFAULT
from engine.kernel.spelling import Text, fold_tokens


def _pairs(key: str) -> frozenset[tuple[str, str]]:
    """Return spellings of two words each. Raises ValueError for any other number of words."""
    pairs = (fold_tokens(spelling) for spelling in WORDS(f"denials.{key}").all_forms())
    return frozenset((first, second) for first, second in pairs)


_BEFORE: Final = _pairs("before")
"""Two words before the verb that negate it: `do not`."""
_BEHIND: Final = _pairs("behind")
"""A verb and the word that negates it: `is not`."""
_AROUND: Final = dict(_pairs("around"))
"""A word before the verb and the word after it that negate it: `ne ... pas`."""
_FIRST: Final = frozenset(pair[0] for pair in _BEFORE | _BEHIND) | frozenset(_AROUND)
_NOT: Final = fold_tokens(NOT.printed(DEFAULT))[0]


def skip_condition_word(words: Sequence[str], start: int, stop: int) -> int:
    """Return the index after IF or UNLESS at `start`, or `start`."""
    unless = skip_keyword(UNLESS, words, start, stop)
    return unless if unless != start else skip_keyword(IF, words, start, stop)


def move_negation_first(text: Text) -> Text:
    """Return the text with the negated verb of each condition made positive, and NOT before the condition.

    This affects one verb for each condition, and none after its colon, where an order may contain a negation.
    """
    if _FIRST.isdisjoint(text.words):
        return text
    order: list[tuple[int, str]] = []
    begins, fresh = 0, False
    skipped: set[int] = set()
    for at, word in enumerate(text.words):
        denial = _find_negation(text.words, at) if begins and fresh else ()
        if denial:
            order.insert(begins, (denial[-1], _NOT))
            skipped |= set(denial)
            fresh = False
        if at not in skipped:
            order.append((at, word))
        if word == ":":
            begins = 0
        elif skip_condition_word(text.words, at, len(text.words)) == at + 1 or (
            begins and (word,) in all_spellings(AND)
        ):
            begins, fresh = len(order), True
    return text.rearranged(order)


def _find_negation(words: Sequence[str], at: int) -> tuple[int, ...]:
    """Return the indexes of the tokens that negate a verb at `at`; empty if there are none."""
    pair = tuple(words[at : at + 2])
    if pair in _BEFORE:
        return (at, at + 1)
    if pair in _BEHIND:
        return (at + 1,)
    if words[at] not in _AROUND:
        return ()
    end = next((n for n in range(at + 2, min(at + 4, len(words))) if words[n] == _AROUND[words[at]]), None)
    return () if end is None else (at, end)

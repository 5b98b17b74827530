"""`IF I DO NOT HOLD` and `SI JE NE TIENS PAS`, told as `IF NOT I HOLD` and `SI PAS JE TIENS`: one shape to read."""

from collections.abc import Sequence
from typing import Final

from engine.kernel.keywords import AND, IF, UNLESS, after, all_spellings
from engine.kernel.spelling import Text

_ENGLISH: Final = (("do", "not"), ("does", "not"), ("don", "t"), ("doesn", "t"))
_BEING: Final = frozenset(("is", "was", "has", "isn", "wasn", "hasn"))
_VERBS: Final = _BEING | {"do", "does", "don", "doesn", "ne", "n"}


def conditional(words: Sequence[str], start: int, stop: int) -> int:
    """Where IF or UNLESS ends that stands at `start`, or `start`."""
    unless = after(UNLESS, words, start, stop)
    return unless if unless != start else after(IF, words, start, stop)


def negation_first(text: Text) -> Text:
    """The same text with the negated verb of each condition undone, and NOT put where its condition begins.

    One verb a condition, and none behind its colon: what follows may be an order that denies something itself.
    """
    if _VERBS.isdisjoint(text.words):
        return text
    order: list[tuple[int, str]] = []
    begins, fresh = 0, False
    skipped: set[int] = set()
    for at, word in enumerate(text.words):
        denial = _denial(text.words, at) if begins and fresh else ()
        if denial:
            order.insert(begins, (denial[-1], "not"))
            skipped |= set(denial)
            fresh = False
        if at not in skipped:
            order.append((at, word))
        if word == ":":
            begins = 0
        elif conditional(text.words, at, len(text.words)) == at + 1 or (begins and (word,) in all_spellings(AND)):
            begins, fresh = len(order), True
    return text.rearranged(order)


def _denial(words: Sequence[str], at: int) -> tuple[int, ...]:
    """The tokens that negate a verb at `at`, or none."""
    if tuple(words[at : at + 2]) in _ENGLISH:
        return (at, at + 1)
    if words[at] in _BEING and tuple(words[at + 1 : at + 2]) in (("not",), ("t",)):
        return (at + 1,)
    if words[at] not in ("ne", "n"):
        return ()
    end = next((n for n in range(at + 2, min(at + 4, len(words))) if words[n] == "pas"), None)
    return () if end is None else (at, end)

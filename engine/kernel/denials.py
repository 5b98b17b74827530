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
    """The same text with each negated verb of a condition undone, and NOT put where its condition begins."""
    if _VERBS.isdisjoint(text.words):
        return text
    order: list[tuple[int, str]] = []
    begins: int | None = None
    skipped: set[int] = set()
    for at, word in enumerate(text.words):
        denial = _denial(text.words, at) if begins is not None else ()
        if denial and begins is not None:
            order.insert(begins, (denial[-1], "not"))
            skipped |= set(denial)
        if at not in skipped:
            order.append((at, word))
        if conditional(text.words, at, len(text.words)) == at + 1 or (begins and (word,) in all_spellings(AND)):
            begins = len(order)
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

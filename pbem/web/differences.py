"""A picture as what changes it from another one that its reader has: a check of orders need not send the board anew."""

import hashlib
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence

Hunk = tuple[int, int, str]
"""From which piece on, how many pieces of the old text are replaced, and by what."""

_PIECE = re.compile(r"<[^<]*")


def split_pieces(text: str) -> list[str]:
    """A text as its tags, each with what follows it: the page's script parts the picture in the same way."""
    return _PIECE.findall(text)


def hash_pieces(text: str) -> str:
    """By which reader and server know that they speak of the same picture."""
    return hashlib.sha256(text.encode()).hexdigest()[:24]


def compute_hunks(old: str, new: str) -> list[Hunk]:
    """The hunks that turn one text into another, in order; near linear time, and not always the fewest."""
    before, after = split_pieces(old), split_pieces(new)
    found: list[Hunk] = []
    i = j = 0
    for next_i, next_j in (*_anchors(before, after), (len(before), len(after))):
        found += _hunks_between(before, after, (i, next_i), (j, next_j))
        i, j = next_i, next_j
    return _merge(found)


def _anchors(before: Sequence[str], after: Sequence[str]) -> list[tuple[int, int]]:
    """Pieces that stand once in both texts, in the longest run that keeps their order."""
    once, again = Counter(before), Counter(after)
    there = {piece: j for j, piece in enumerate(after) if again[piece] == 1}
    pairs = [(i, there[piece]) for i, piece in enumerate(before) if once[piece] == 1 and piece in there]
    tails: list[int] = []
    heads: list[int] = []
    links: list[int] = []
    for n, (_, j) in enumerate(pairs):
        place = bisect_left(tails, j)
        links.append(heads[place - 1] if place else -1)
        if place == len(tails):
            tails.append(j)
            heads.append(n)
        else:
            tails[place], heads[place] = j, n
    run: list[tuple[int, int]] = []
    n = heads[-1] if heads else -1
    while n >= 0:
        run.append(pairs[n])
        n = links[n]
    return run[::-1]


def _hunks_between(
    before: Sequence[str], after: Sequence[str], olds: tuple[int, int], news: tuple[int, int]
) -> Iterator[Hunk]:
    """What is other between two anchors, without what is alike at its ends."""
    (i, i_end), (j, j_end) = olds, news
    while i < i_end and j < j_end and before[i] == after[j]:
        i, j = i + 1, j + 1
    while i < i_end and j < j_end and before[i_end - 1] == after[j_end - 1]:
        i_end, j_end = i_end - 1, j_end - 1
    if i < i_end or j < j_end:
        yield i, i_end - i, "".join(after[j:j_end])


def _merge(hunks: Sequence[Hunk]) -> list[Hunk]:
    """Hunks that touch as one."""
    found: list[Hunk] = []
    for start, count, text in hunks:
        if found and found[-1][0] + found[-1][1] == start:
            before = found.pop()
            start, count, text = before[0], before[1] + count, before[2] + text
        found.append((start, count, text))
    return found

"""Orders that were uncovered where they stood: in our own orders template, inside the letter that is answered.

Every line of the template begins with a semicolon, which keeps it from being read.  A line without one was changed by
the person who answers, whatever marks of quotation stand before it.  Of everything else that is quoted nothing is read.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from engine.kernel.keywords import END, is_exactly
from engine.kernel.spelling import tokens

_MOST_LINES = 300
_WRAPPED_AT = 72
"""Mail programs that wrap what they quote do it at this width or a little further."""


def extract(quoted: Sequence[str]) -> tuple[str, ...]:
    """The changed lines of the first orders template in a letter, its own marks of quotation taken off before."""
    first = next((at for at, line in enumerate(quoted) if _is_comment(line)), None)
    if first is None:
        return ()
    zone = [line.strip() for line in quoted[first : first + _MOST_LINES]]
    return tuple(_changed_lines(zone[: _template_length(zone)]))


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith(";")


def _template_length(zone: Sequence[str]) -> int:
    """How many lines belong to the template: up to its END, or, where that is gone, up to a blank after its lines."""
    ended = next((at for at, line in enumerate(zone) if _is_wrapped_end(line)), None)
    if ended is not None:
        return ended
    last = max(at for at, line in enumerate(zone) if _is_comment(line))
    return last + sum(1 for _ in takewhile(bool, zone[last:]))


def _is_wrapped_end(line: str) -> bool:
    words = tokens(line).words if len(line) < _WRAPPED_AT else ()
    return is_exactly(END, words, 0, len(words))


def _changed_lines(zone: Sequence[str]) -> list[str]:
    """Lines without their semicolon; the rest of a line that was wrapped belongs to the line before it."""
    found: list[str] = []
    before, covered = "", False
    wrapped = all(len(line) <= _WRAPPED_AT + 8 for line in zone)
    for line in filter(None, zone):
        if wrapped and before and not _is_comment(line) and _is_continuation(before, line):
            if not covered and found:
                found[-1] += f" {line}"
        else:
            covered = _is_comment(line)
            found += [] if covered else [line]
        before = line
    return found


def _is_continuation(before: str, line: str) -> bool:
    """Return True if the first word of a line had no room at the end of the one before it."""
    return len(before) + 1 + len(line.partition(" ")[0]) > _WRAPPED_AT

"""Text made of templates, tidied: single spaces, capitals where sentences begin, French punctuation kept together."""

import re
from typing import Final

from engine.kernel.languages import Language

_SPACES: Final = re.compile(r"[ \t\r\n]+")
_BEFORE_STOP: Final = re.compile(r" +([.,)])")
_SENTENCE: Final = re.compile(r"(^|[.!?]\s)(\w)")
_FRENCH: Final = re.compile(r" ([:;!?»])")
_MARKS: Final = (" :", " ;", " !", " ?", " »", "« ")
NBSP: Final = "\u00a0"


def tidy(text: str, language: Language) -> str:
    """One line: single spaces, capitals where sentences begin, the spaces of French punctuation kept together."""
    line = one_line(text)
    line = _SENTENCE.sub(lambda m: m[1] + m[2].upper(), line)
    return french_spaces(line) if language == "fr" else line


def one_line(text: str) -> str:
    return _BEFORE_STOP.sub(r"\1", _SPACES.sub(" ", text).strip())


def french_spaces(line: str) -> str:
    """A colon, a semicolon, a question mark never begins a line in French."""
    if not any(mark in line for mark in _MARKS):
        return line
    return _FRENCH.sub(NBSP + r"\1", line).replace("« ", "«" + NBSP)

"""Text made of templates, tidied: single spaces, capitals where sentences begin, spaces that punctuation keeps."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from engine.kernel.languages import Language
from pbem.narration.typography import NBSP, load_typography

_SPACES: Final = re.compile(r"[ \t\r\n]+")
_BEFORE_STOP: Final = re.compile(r" +([.,)])")
_SENTENCE: Final = re.compile(r"([.!?]\s)(\w)")
_SPACED: Final = re.compile(r" ([:;!?»])")
_BLANKS: Final = " \t\r\n"
_MARKS: Final = re.compile(r" [:;!?»]|« ")


def tidy(text: str, language: Language) -> str:
    """One line: single spaces, capitals where sentences begin, no-break spaces where the language sets them."""
    line = join_lines(text)
    line = line[:1].upper() + line[1:]
    if ". " in line or "! " in line or "? " in line or not line.isprintable():
        line = _SENTENCE.sub(lambda m: m[1] + m[2].upper(), line)
    return fix_spaces(line, language)


def lowercase_first(sentence: str) -> str:
    """A sentence inside another one, such as what happens by default: it never begins with a name."""
    return sentence[:1].lower() + sentence[1:]


def in_parentheses(name: str) -> str:
    """A name in brackets, behind another one; brackets of its own become a comma (`Green (Bruno, bot)`)."""
    plain = f"{name[:-1].replace(' (', ', ')}" if name.endswith(")") else name
    return f" ({plain})" if plain else ""


def join_lines(text: str) -> str:
    """A text with single spaces, none of them before a stop.  A report tidies hundreds, most of which are tidy."""
    line = text.strip(_BLANKS)
    if "  " in line or "\n" in line or "\t" in line or "\r" in line:
        line = _SPACES.sub(" ", line)
    line = line.strip()
    return _BEFORE_STOP.sub(r"\1", line) if " ." in line or " ," in line or " )" in line else line


def fix_spaces(line: str, language: Language) -> str:
    """The same with no-break spaces where a language sets them: its colon, its question mark never begins a line."""
    if not load_typography(language).spaced or _MARKS.search(line) is None:
        return line
    return _SPACED.sub(NBSP + r"\1", line).replace("« ", "«" + NBSP)


def fix_all_spaces(said: Any, language: Language) -> Any:
    """A table of texts with the same spaces in each."""
    if isinstance(said, dict):
        return {key: fix_all_spaces(text, language) for key, text in said.items()}
    if isinstance(said, list):
        return [fix_all_spaces(text, language) for text in said]
    return fix_spaces(said, language) if isinstance(said, str) else said


def minus(number: object) -> str:
    """A number, or what stands in its place, with the sign that is as wide as a figure."""
    return str(number).replace("-", "−")


FILTERS: Final[Mapping[str, Callable[..., str]]] = {"minus": minus, "spaced": fix_spaces}
"""What pages may ask of them."""

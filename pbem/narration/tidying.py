"""Text made of templates, tidied: single spaces, capitals where sentences begin, spaces that punctuation keeps."""

import re
from typing import Any, Final

from engine.kernel.languages import Language
from pbem.narration.manner import NBSP, manner

_SPACES: Final = re.compile(r"[ \t\r\n]+")
_BEFORE_STOP: Final = re.compile(r" +([.,)])")
_SENTENCE: Final = re.compile(r"([.!?]\s)(\w)")
_SPACED: Final = re.compile(r" ([:;!?»])")
_BLANKS: Final = " \t\r\n"
_MARKS: Final = re.compile(r" [:;!?»]|« ")


def tidy(text: str, language: Language) -> str:
    """One line: single spaces, capitals where sentences begin, no-break spaces where the language sets them."""
    line = one_line(text)
    line = line[:1].upper() + line[1:]
    if ". " in line or "! " in line or "? " in line or not line.isprintable():
        line = _SENTENCE.sub(lambda m: m[1] + m[2].upper(), line)
    return spaced(line, language)


def down(sentence: str) -> str:
    """A sentence inside another one, such as what happens by default: it never begins with a name."""
    return sentence[:1].lower() + sentence[1:]


def aside(name: str) -> str:
    """A name in brackets, behind another one; brackets of its own become a comma (`Green (Bruno, bot)`)."""
    plain = f"{name[:-1].replace(' (', ', ')}" if name.endswith(")") else name
    return f" ({plain})" if plain else ""


def one_line(text: str) -> str:
    """A text with single spaces, none of them before a stop.  A report tidies hundreds, most of which are tidy."""
    line = text.strip(_BLANKS)
    if "  " in line or "\n" in line or "\t" in line or "\r" in line:
        line = _SPACES.sub(" ", line)
    line = line.strip()
    return _BEFORE_STOP.sub(r"\1", line) if " ." in line or " ," in line or " )" in line else line


def spaced(line: str, language: Language) -> str:
    """The same with no-break spaces where a language sets them: its colon, its question mark never begins a line."""
    if not manner(language).spaced or _MARKS.search(line) is None:
        return line
    return _SPACED.sub(NBSP + r"\1", line).replace("« ", "«" + NBSP)


def spaced_all(said: Any, language: Language) -> Any:
    """A table of texts with the same spaces in each."""
    if isinstance(said, dict):
        return {key: spaced_all(text, language) for key, text in said.items()}
    if isinstance(said, list):
        return [spaced_all(text, language) for text in said]
    return spaced(said, language) if isinstance(said, str) else said

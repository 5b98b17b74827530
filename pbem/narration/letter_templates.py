"""The templates of letters: what stands in them beside the words of games."""

from functools import cache
from typing import Final

from jinja2 import Environment, Template

from engine.kernel.keywords import COMMANDS
from engine.kernel.languages import Language
from engine.kernel.printing import to_keyword
from pbem.narration.document import cells, to_plain
from pbem.narration.folders import find_path
from pbem.narration.glossary import load_glossary
from pbem.narration.narrator import environment
from pbem.narration.text_cleanup import lowercase_first


@cache
def _environment(language: Language) -> Environment:
    """The templates of letters: what a value holds can never become a block of the document."""
    env = environment(language)
    env.finalize = to_plain
    words = load_glossary("", language)
    env.globals["n"] = words.count
    env.globals["listed"] = lambda parts: words.join_phrases([str(part) for part in parts])
    env.globals["command"] = lambda name: to_keyword(COMMANDS[name], language)
    env.filters.update(cells=cells, down=lowercase_first, short=_shorten, stop=_end_sentence)
    return env


def _shorten(text: str) -> str:
    """A line that a person wrote, cut where it is too long to be repeated."""
    return text if len(text) <= _LONGEST else text[:_LONGEST].rstrip() + "…"


_LONGEST: Final = 80


def _end_sentence(words: str) -> str:
    """What a person wrote, as a sentence."""
    said = words.strip()
    return said if said[-1:] in ".!?…" else f"{said}."


@cache
def load_template(language: Language, name: str) -> Template:
    """A template of letters by name."""
    return _environment(language).get_template(find_path("letters", language, f"{name}.j2"))

"""Lines of orders without a table: read by the forms of the phase, as letters are."""

from functools import cache, lru_cache
from typing import Final

from engine.diplomacy.board import Phase
from engine.diplomacy.facts import FACTS
from engine.diplomacy.forms import FORMS
from engine.diplomacy.meta import META, topic_of
from engine.kernel.grammar import Grammar, Section
from engine.kernel.orders import Order, Problem, single_order
from engine.kernel.section_parser import SectionParser
from engine.kernel.spelling import tokens

LONGEST: Final = 200
"""How long a line may be, in characters."""
PROBLEMS: Final = (
    "line_too_long",  # {most}
    "no_plan_here",  # {}
    "too_many_lines",  # {most}
)
"""Why a line is not read where there is no table; letters have limits of their own."""


def read_order(text: str, phase: Phase) -> Order | Problem:
    """Return the order that a line means in a phase, or why it cannot be read. Whether it counts is not judged here."""
    return Problem("line_too_long", {"most": LONGEST}) if len(text) > LONGEST else _read(text, topic_of(phase))


@lru_cache(maxsize=4096)
def _read(text: str, topic: str) -> Order | Problem:
    section, said = _section(topic), tokens(text)
    parser = SectionParser(Grammar((section,), facts=FACTS))
    line = parser.parse(section, said, 0, said.stop) if said.stop else None
    if line is None:
        return parser.explain(section, said, 0, said.stop)
    return single_order((line,)) or Problem("no_plan_here")


@cache
def _section(topic: str) -> Section:
    return Section(META.topic(topic), FORMS[topic])

"""What one seat may write in one letter: the sections it may fill, the riders, the facts that IF may ask."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.kernel.forms import Fact, Form, Language, Topic
from engine.kernel.names import Seat
from engine.kernel.orders import Decision, Line
from engine.kernel.position import B, Position
from engine.kernel.rules import Rules

SectionKey = tuple[str, int | None]
"""What a section answers: the topic's `asks`, and the turn where one is named."""


@dataclass(frozen=True)
class Section:
    """One question that a letter may answer.

    `open`: asked now; otherwise answered ahead, and only its form is judged. `turn` None: any turn.
    `likely`: lines that would be accepted alone now, best first (what `Rules.suggest` gives).  `optional`: nobody
    waits for an answer (a question that stands open beside the others), so a bare PASS does not mean it.
    """

    topic: Topic
    forms: Sequence[Form]
    turn: int | None = None
    open: bool = False
    likely: Sequence[Line] = ()
    optional: bool = False

    @property
    def key(self) -> SectionKey:
        """What the section answers."""
        return (self.topic.asks, self.turn)


@dataclass(frozen=True)
class Grammar:
    """Everything that a letter of one seat may say.

    `topics`: all topics of the game, so that a heading for a phase that cannot be answered now is
    understood and refused instead of letting its lines fall into another section.
    `language`: the reader's, in which candidates and accepted lines are shown; never what he must write.
    """

    sections: Sequence[Section]
    riders: Sequence[Section] = ()
    facts: Sequence[Fact] = ()
    language: Language = "en"
    topics: Sequence[Topic] = ()


def turn_of(gate: str) -> int | None:
    """The turn that a gate's name carries (`expansion/5`, `expansion/5/venezia`, `expansion/5~2`), or None."""
    number = gate.partition("/")[2].partition("/")[0].partition("~")[0]
    return int(number) if number.isdecimal() else None


def section_of(rules: Rules[B], seen: Position[B], decision: Decision, now: bool) -> Section:
    """The section that answers one question; `now`: it is open, so what would be accepted is looked up."""
    likely = tuple(rules.suggest(seen, decision)) if now else ()
    forms = tuple(rules.forms(seen, decision))
    topic, optional = rules.meta.topic(decision.asks), not decision.blocking
    return Section(topic, forms, turn_of(decision.gate), now, likely, optional)


def grammar_of(rules: Rules[B], seen: Position[B], seat: Seat, language: Language) -> Grammar:
    """All that `seat` may write now, from its own view of the position."""
    asked = tuple(section_of(rules, seen, d, True) for d in seen.core.open if d.seat == seat)
    ahead = tuple(section_of(rules, seen, d, False) for d in rules.ahead(seen, seat))
    return Grammar(
        (*asked, *(s for s in ahead if not s.topic.rider)),
        tuple(s for s in ahead if s.topic.rider),
        tuple(rules.facts(seen, seat)),
        language,
        rules.meta.topics,
    )

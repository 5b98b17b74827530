"""Orders as the reader would write them: printed back, and likely lines."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final

from engine.kernel.forms import Fact, Form
from engine.kernel.gates import Gate
from engine.kernel.grammar import Section, section_of
from engine.kernel.keywords import IF, ON
from engine.kernel.languages import Language
from engine.kernel.names import Seat
from engine.kernel.orders import Condition, Decision, Line
from engine.kernel.position import Position
from engine.kernel.printing import (
    HelpRow,
    Unprintable,
    colon,
    heading,
    help_rows,
    loud,
    printed,
    printed_condition,
    shown,
    under,
    usage,
)
from engine.kernel.secrets import seen_by
from pbem.narration.document import COLUMNS
from pbem.narration.glossary import glossary
from pbem.narration.tellers import teller

_FORMS: dict[tuple[str, str, tuple[Seat, ...], Seat], tuple[Form, ...]] = {}
LIKELY: Final = 8
"""How many likely lines a letter offers for one question."""


@dataclass(frozen=True)
class RiderHelp:
    """A choice that may be put on file: what it answers, what it is about, a line that does it or how it is written."""

    topic: str
    about: str
    line: str


def _lasting(form: Form) -> Form:
    """A form without what is likely now, which would hold the position that it was made on."""
    return replace(form, slots=tuple(replace(slot, likely=()) for slot in form.slots))


@cache
def _topics(game: str) -> tuple[str, ...]:
    return tuple(topic.asks for topic in teller(game).rules.meta.topics)


@dataclass(frozen=True)
class Writing:
    """How one seat writes, from its own view. What is not asked is printed by the forms that any question has."""

    game: str
    language: Language
    position: Position[Any]
    seat: Seat

    def __call__(self, thing: object, topic: str = "") -> str:
        """A thing of the order language as text; `topic` is a topic or the gate that it belongs to."""
        asks = Gate.parse(topic).asks
        if isinstance(thing, Condition):
            return printed_condition(self._facts(), thing, self.language)
        for one in (asks, *_topics(self.game)):
            try:
                return str(printed(self._forms(one), thing, self.language, self._facts()))  # type: ignore[arg-type]
            except Unprintable:
                continue
        raise Unprintable(f"no form of this game writes this {type(thing).__name__}")

    def _forms(self, asks: str) -> tuple[Form, ...]:
        place = (self.game, asks, self.position.core.seats, self.seat)  # orders may name seats, and not one's own
        known = _FORMS.get(place)
        if known is None and asks in _topics(self.game):
            decision = Decision(f"{asks}/0", self.seat, asks)
            with seen_by(self.seat):
                found = teller(self.game).rules.forms(self.position, decision)
            known = _FORMS[place] = tuple(map(_lasting, found))
        return known or ()

    def _facts(self) -> Sequence[Fact]:
        with seen_by(self.seat):
            return teller(self.game).rules.facts(self.position, self.seat)

    def likely(self, decision: Decision, most: int) -> tuple[Line, ...]:
        """So many lines at most that would each be accepted alone now, best first."""
        with seen_by(self.seat):
            return tuple(teller(self.game).rules.suggest(self.position, decision, most))

    def template(self, decision: Decision, likely: Sequence[Line]) -> tuple[str, ...]:
        """The likely lines, each behind a `;`, ready to be uncovered."""
        section = section_of(teller(self.game).rules, self.position, decision, True)
        return tuple(f"; {under(section, self(line, decision.asks), self.language)}" for line in likely)

    def help(self, decision: Decision) -> tuple[HelpRow, ...]:
        """How answers to a question are written, each with an example that would stand, if any would."""
        with seen_by(self.seat):
            section = section_of(teller(self.game).rules, self.position, decision, True)
        return help_rows(section, self.language)

    def ahead(self) -> tuple[str, ...]:
        """The lines that open a part for a phase that is not open yet."""
        return tuple(heading(section, self.language) for section in self._sections_ahead() if not section.topic.rider)

    def riders(self) -> tuple[RiderHelp, ...]:
        """The choices that may be put on file now, each with a line that does it or how it is written."""
        found = (section for section in self._sections_ahead() if section.topic.rider and section.forms)
        return tuple(self._rider_help(section) for section in found)

    def conditions(self) -> tuple[str, ...]:
        """How the facts are written that a line may be made to depend on."""
        said = (self._condition(fact) for fact in self._facts())
        return tuple(dict.fromkeys(said))

    def _condition(self, fact: Fact) -> str:
        language = self.language
        before = [f"<{slot.title.printed(language)}>" for slot in fact.slots if slot.before]
        after = [f"<{slot.title.printed(language)}>" for slot in fact.slots if not slot.before]
        return " ".join((loud(IF, language), *before, loud(fact.keyword, language), *after))

    def _rider_help(self, section: Section) -> RiderHelp:
        language, topic = self.language, section.topic
        name = glossary(self.game, language).name("topic", topic.asks).bare
        lead = f"{loud(ON, language)} {loud(topic.words, language)}{colon(language)}"
        examples = filter(None, (shown(section, form, language) for form in section.forms))
        fitting = (line for said in examples if len(line := f"{lead} {said}") <= COLUMNS)
        line = next(fitting, f"{lead} {usage(section.forms[0], language)}")
        return RiderHelp(name, topic.about.printed(language), line)

    def _sections_ahead(self) -> tuple[Section, ...]:
        rules = teller(self.game).rules
        with seen_by(self.seat):
            return tuple(section_of(rules, self.position, d, False) for d in rules.ahead(self.position, self.seat))

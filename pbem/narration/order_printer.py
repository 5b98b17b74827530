"""Orders as the reader would write them: printed back, and likely lines."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final

from engine.kernel.forms import Fact, Form
from engine.kernel.gates import Gate
from engine.kernel.grammar import Section, section_of
from engine.kernel.keywords import IF, ON, PASS
from engine.kernel.languages import Language
from engine.kernel.orders import Condition, Line, Orders, Question
from engine.kernel.plans import offer_ahead, plan_turns
from engine.kernel.position import Position
from engine.kernel.printing import (
    CannotPrint,
    HelpRow,
    add_colon,
    heading,
    help_rows,
    print_clause,
    print_condition,
    print_example,
    print_reaction,
    print_under,
    to_keyword,
    usage,
)
from engine.kernel.secrets import seen_by
from engine.kernel.viewers import Seat
from pbem.narration.document import COLUMNS
from pbem.narration.game_texts import load_game_texts
from pbem.narration.glossary import load_glossary

_FORMS: dict[tuple[str, str, tuple[Seat, ...], Seat], tuple[Form, ...]] = {}
LIKELY: Final = 8
"""How many likely lines a letter offers for one question."""


@dataclass(frozen=True)
class ReactionHelp:
    """A choice that may be put on file: what it answers, what it is about, a line that does it or how it is written.

    `lasts`: it counts until it is changed, not only in its turn.
    """

    topic: str
    about: str
    line: str
    lasts: bool


def _without_suggestions(form: Form) -> Form:
    """A form without what is likely now, which would hold the position that it was made on."""
    return replace(form, slots=tuple(slot.suggesting(()) for slot in form.slots))


@cache
def _topics(game: str) -> tuple[str, ...]:
    return tuple(topic.key for topic in load_game_texts(game).rules.meta.topics)


@dataclass(frozen=True)
class OrderPrinter:
    """How one seat writes, from its own view. What is not asked is printed by the forms that any question has."""

    game: str
    language: Language
    position: Position[Any]
    seat: Seat

    def __call__(self, thing: object, topic: str = "") -> str:
        """A thing of the order language as text; `topic` is a topic or the gate that it belongs to."""
        asks = Gate.parse(topic).topic
        if isinstance(thing, Condition):
            return print_condition(self._facts(), thing, self.language)
        for one in (asks, *_topics(self.game)):
            try:
                return str(print_clause(self._forms(one), thing, self.language, self._facts()))  # type: ignore[arg-type]
            except CannotPrint:
                continue
        raise CannotPrint(f"no form of this game writes this {type(thing).__name__}")

    def _forms(self, asks: str) -> tuple[Form, ...]:
        place = (self.game, asks, self.position.core.seats, self.seat)  # orders may name seats, and not one's own
        known = _FORMS.get(place)
        if known is None and asks in _topics(self.game):
            decision = Question(f"{asks}/0", self.seat, asks)
            with seen_by(self.seat):
                found = load_game_texts(self.game).rules.forms(self.position, decision)
            known = _FORMS[place] = tuple(map(_without_suggestions, found))
        return known or ()

    def _facts(self) -> Sequence[Fact]:
        with seen_by(self.seat):
            return load_game_texts(self.game).rules.facts(self.position, self.seat)

    def likely_lines(self, decision: Question, most: int) -> tuple[Line, ...]:
        """So many lines at most that would each be accepted alone now, best first."""
        with seen_by(self.seat):
            return tuple(load_game_texts(self.game).rules.suggest_orders(self.position, decision, most))

    def order_template(self, decision: Question, likely: Sequence[Line]) -> tuple[str, ...]:
        """The likely lines, each behind a `;`, ready to be uncovered."""
        section = section_of(load_game_texts(self.game).rules, self.position, decision, True)
        return tuple(f"; {print_under(section, self(line, decision.topic), self.language)}" for line in likely)

    def plan(self, decision: Question) -> Orders:
        """A line for each of the next turns, where answers are done one a turn; else none."""
        return plan_turns(load_game_texts(self.game).rules, self.position, decision)

    def plan_template(self, decision: Question, planned: Orders) -> tuple[str, ...]:
        """A plan below the heading of its first turn, each line behind a `;`: its lines are no alternatives."""
        section = section_of(load_game_texts(self.game).rules, self.position, decision, True)
        said = (self(line, decision.topic) for line in planned)
        return tuple(f"; {line}" for line in (heading(section, self.language), *said))

    def offered_ahead(self, filed: Mapping[str, Orders]) -> Iterator[tuple[Question, Orders]]:
        """What may be filed beyond what is asked, and is not on file."""
        return offer_ahead(load_game_texts(self.game).rules, self.position, self.seat, filed)

    def template_ahead(self, decision: Question, orders: Orders) -> tuple[str, ...]:
        """Orders ahead, each line behind a `;`: a reaction with its occasion, a set below its heading."""
        section = section_of(load_game_texts(self.game).rules, self.position, decision, False)
        if section.topic.is_reaction:
            return tuple(f"; {print_reaction(section, line, self.language)}" for line in orders)
        said = [self(line, decision.topic) for line in orders] or [to_keyword(PASS, self.language)]
        return tuple(f"; {line}" for line in (heading(section, self.language), *said))

    def help(self, decision: Question) -> tuple[HelpRow, ...]:
        """How answers to a question are written, each with an example that would stand, if any would."""
        with seen_by(self.seat):
            section = section_of(load_game_texts(self.game).rules, self.position, decision, True)
        return help_rows(section, self.language)

    def advance_help(self) -> tuple[str, ...]:
        """The lines that open a part for a phase that is not open yet."""
        return tuple(
            heading(section, self.language) for section in self._sections_ahead() if not section.topic.is_reaction
        )

    def reaction_help(self) -> tuple[ReactionHelp, ...]:
        """The choices that may be put on file now, each with a line that does it or how it is written."""
        found = (section for section in self._sections_ahead() if section.topic.is_reaction and section.forms)
        return tuple(self._reaction_help(section) for section in found)

    def conditions(self) -> tuple[str, ...]:
        """How the facts are written that a line may be made to depend on."""
        said = (self._condition(fact) for fact in self._facts())
        return tuple(dict.fromkeys(said))

    def _condition(self, fact: Fact) -> str:
        language = self.language
        before = [f"<{slot.title.printed(language)}>" for slot in fact.slots if slot.leading]
        after = [f"<{slot.title.printed(language)}>" for slot in fact.slots if not slot.leading]
        return " ".join((to_keyword(IF, language), *before, to_keyword(fact.keyword, language), *after))

    def _reaction_help(self, section: Section) -> ReactionHelp:
        language, topic = self.language, section.topic
        name = load_glossary(self.game, language).name("topic", topic.key).bare
        lead = f"{to_keyword(ON, language)} {to_keyword(topic.words, language)}{add_colon(language)}"
        examples = filter(None, (print_example(section, form, language) for form in section.forms))
        fitting = (line for said in examples if len(line := f"{lead} {said}") <= COLUMNS)
        line = next(fitting, f"{lead} {usage(section.forms[0], language)}")
        return ReactionHelp(name, topic.about.printed(language), line, topic.lasts)

    def _sections_ahead(self) -> tuple[Section, ...]:
        rules = load_game_texts(self.game).rules
        with seen_by(self.seat):
            return tuple(
                section_of(rules, self.position, d, False) for d in rules.advance_questions(self.position, self.seat)
            )

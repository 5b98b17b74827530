"""What one seat may write in one email: its sections, reactions, and the facts for IF."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any, NamedTuple

from engine.kernel.catalogues import Words
from engine.kernel.forms import Fact, Form, Topic
from engine.kernel.gates import Gate
from engine.kernel.keywords import TURN
from engine.kernel.languages import DEFAULT, Language
from engine.kernel.lazy import LazySequence
from engine.kernel.moves import Moves
from engine.kernel.orders import Line, Order, Question
from engine.kernel.phrasebook import is_within
from engine.kernel.position import B, Position
from engine.kernel.rules import Rules
from engine.kernel.viewers import Seat


class SectionKey(NamedTuple):
    """The identity of a section: the topic's key, the turn if named, and the number if the topic is counted."""

    topic: str
    turn: int | None
    number: int | None = None


def key_of(topic: Topic, gate: str) -> SectionKey:
    """Return the key of the section that answers a question."""
    named = Gate.parse(gate)
    return SectionKey(topic.key, named.turn, named.number if topic.counted else None)


@dataclass(frozen=True)
class Section:
    """One question that an email may answer.

    `turn`: None for any turn.
    `open`: the question is asked now. If False, the orders are stored in advance, and only their form is checked.
    `likely`: lines that would each be valid alone now, best first (`Rules.suggest_orders`).
    `optional`: the question does not block, so a bare PASS does not mean it.
    `examples`: orders valid now, at least one for each form that has any; if not `open`, the suggested ones.
    `number`: which of several questions of its topic in the turn; None for any, or the only one.
    `display_name`: the game's word for a turn.
    `moves`: returns what is legal now; None if not `open`.
    """

    topic: Topic
    forms: Sequence[Form]
    turn: int | None = None
    open: bool = False
    likely: Sequence[Line] = ()
    optional: bool = False
    examples: Sequence[Order] = ()
    number: int | None = None
    display_name: Words = TURN
    moves: Callable[[], Moves[Any]] | None = field(default=None, compare=False, repr=False)

    @property
    def key(self) -> SectionKey:
        """Return the identity of the section."""
        return SectionKey(self.topic.key, self.turn, self.number)


@dataclass(frozen=True)
class Grammar:
    """Everything that an email from one seat may say.

    `topics`: all topics of the game, so that a heading of a phase that cannot be answered now is refused and its lines
    do not end up in another section.
    `language`: the reader's, for candidates and accepted lines; they may write in any language.
    `display_names`: the game's word for a turn; TURN is understood as well.
    """

    sections: Sequence[Section]
    reactions: Sequence[Section] = ()
    facts: Sequence[Fact] = ()
    language: Language = DEFAULT
    topics: Sequence[Topic] = ()
    display_names: Words = TURN

    def without_section(self, closed: Iterable[Question]) -> "Grammar":
        """Return a copy without the open sections of these questions."""
        topics = {topic.key: topic for topic in self.topics}
        keys = {key_of(topics[decision.topic], decision.gate) for decision in closed}
        return replace(self, sections=tuple(s for s in self.sections if not (s.open and s.key in keys)))


def section_of(rules: Rules[B], seen: Position[B], decision: Question, now: bool) -> Section:
    """Return the section that answers a question. `now`: the question is open."""
    likely = LazySequence(decision.seat, lambda: rules.suggest_orders(seen, decision))
    forms = LazySequence(decision.seat, lambda: rules.forms(seen, decision))
    topic, optional = rules.meta.topic(decision.topic), not decision.blocking
    moves = cache(lambda: Moves(rules, seen, decision)) if now else None
    examples = LazySequence(decision.seat, lambda: _build_examples(likely, moves))
    key, called = key_of(topic, decision.gate), rules.meta.turn
    return Section(topic, forms, key.turn, now, likely if now else (), optional, examples, key.number, called, moves)


def _build_examples(likely: Sequence[Line], moves: Callable[[], Moves[B]] | None) -> Iterator[Order]:
    """Yield the likely orders, then for each form without one, an order that is valid now, if there is any."""
    said = [line.plan[0].order for line in likely if line.plan]
    yield from said
    if moves is None:
        return
    others = [form for form in moves().forms if not any(is_within(form, order) for order in said)]
    plain = (form for form in others if not any(slot.text and not slot.optional for slot in form.slots))
    yield from (order for form in plain if (order := moves().complete(form)) is not None)


def build_grammar(rules: Rules[B], seen: Position[B], seat: Seat, language: Language) -> Grammar:
    """Return the grammar of what `seat` may write now. `seen`: its own view of the position."""
    asked = tuple(section_of(rules, seen, d, True) for d in seen.core.questions if d.seat == seat)
    ahead = tuple(section_of(rules, seen, d, False) for d in rules.advance_questions(seen, seat))
    return Grammar(
        (*asked, *(s for s in ahead if not s.topic.is_reaction)),
        tuple(s for s in ahead if s.topic.is_reaction),
        tuple(rules.facts(seen, seat)),
        language,
        rules.meta.topics,
        rules.meta.turn,
    )

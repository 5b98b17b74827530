"""Facts of a game in the reader's own sentences, with the orders printed and the moments in their zone."""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

from engine.kernel.events import Ended, Event
from engine.kernel.forms import Topic
from engine.kernel.gates import Gate
from engine.kernel.grammar import Grammar, Section, build_grammar
from engine.kernel.languages import Language
from engine.kernel.narration_hooks import NarrationHooks, hooks_of
from engine.kernel.odds import to_percent, to_shares
from engine.kernel.orders import Line, Problem, Question
from engine.kernel.position import Position
from engine.kernel.printing import CannotPrint, print_clause, print_reaction, to_keyword
from engine.kernel.rules import Rules, View
from engine.kernel.secrets import seen_by
from engine.kernel.viewers import PUBLIC, Seat
from pbem.narration.facts import EmailContext, ReceiptFacts
from pbem.narration.game_texts import ShownRows
from pbem.narration.line_receipts import LineReceipt, ReactionReceipt, SetReceipt, build_reactions, build_sets
from pbem.narration.narrator import Context
from pbem.narration.text_cleanup import in_parentheses, lowercase_first
from pbem.service.pages.game_pages import StoryPart
from pbem.web.locales import has_key
from pbem.web.site import Narrator, PageRequest

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Figure:
    """Something that the reader has, as it is and as their orders would leave it; `name` where orders can name it."""

    label: str
    value: str
    previous: str
    name: str = ""


class Presenter:
    """One reader of one game: everything told in their language, from what they may know."""

    def __init__(
        self, visit: PageRequest, frame: EmailContext, seen: Position[Any], grammar: Callable[[], Grammar] | None = None
    ) -> None:
        """`grammar`: how to get what the reader may write, where it is needed elsewhere too."""
        self.visit, self.frame, self.position = visit, frame, seen
        self.language: Language = visit.language
        self.rules: Rules[Any] = visit.services.rules(frame.table.game)
        self.told: Narrator = visit.site.narrator_for(frame.table.game, self.language)
        self.viewer = frame.reader.seat or PUBLIC
        self._look_up = grammar if grammar is not None else self._own_grammar
        self.context = self._context()
        self._called = dict[str, str]()
        self._turns = dict[int, str]()

    def _context(self) -> Context:
        return Context(self.viewer, self.position, dict(self.frame.table.names), self.print_orders)

    @cached_property
    def grammar(self) -> Grammar:
        """What the reader may write; most pages need nothing of it."""
        return self._look_up()

    def _own_grammar(self) -> Grammar:
        if self.viewer == PUBLIC:
            return Grammar((), (), (), self.language, self.rules.meta.topics)
        with seen_by(self.viewer):
            return build_grammar(self.rules, self.position, Seat(self.viewer), self.language)

    @property
    def words(self) -> Mapping[str, Any]:
        """The game's tables and functions that templates may use."""
        return hooks_of(self.rules).words

    def view(self) -> View:
        """What the rules show of the position to its reader."""
        with seen_by(self.viewer):
            return self.rules.present_view(self.position, Seat(self.viewer))

    def part(self, name: str) -> tuple[str, ...]:
        """The lines of a part of a report (`state`, `table`, `hand`), as the reader's letters have them."""
        shown = ShownRows(self.rules, self.language, self.view())
        said = self.told.render_macro(name, shown, self._context())
        return tuple(self.told.tidy(line) for line in said.split("\n") if line.strip())

    def figures(self, after: Position[Any] | None = None) -> tuple[Figure, ...]:
        """What the reader has: as it is, and as it would be at a position that orders lead to."""
        seat, telling = self.frame.reader.seat, hooks_of(self.rules)
        if not seat or seat not in self.position.core.seats:
            return ()
        return self._own_items(telling, seat, after) or self._figures(telling, seat, after)

    def _own_items(self, telling: NarrationHooks, seat: Seat, after: Position[Any] | None) -> tuple[Figure, ...]:
        with seen_by(seat):
            now = telling.hand_items(self.position, seat)
            then = {held.name: held.amount for held in (telling.hand_items(after, seat) if after is not None else now)}
        return tuple(
            Figure(h.words.printed(self.language), str(h.amount), str(then.get(h.name, h.amount)), h.name) for h in now
        )

    def _figures(self, telling: NarrationHooks, seat: Seat, after: Position[Any] | None) -> tuple[Figure, ...]:
        figures = telling.figures
        with seen_by(seat):
            now = figures(self.position, seat)
            then = figures(after, seat) if after is not None else now
        return tuple(self._figure(name, value, then.get(name, value)) for name, value in now.items())

    def _figure(self, name: str, now: int, then: int) -> Figure:
        def value_text(value: int) -> str:
            return self.told.render_macro("figure_value", {"name": name, "value": value}, self.context).strip()

        label = self.told.tidy(self.told.render_macro("figure_label", name, self.context).strip())
        return Figure(label, value_text(now), value_text(then))

    # --- names and moments

    def name(self, kind: str, thing: str) -> str:
        """How a thing of the game is called."""
        return str(self.told.name(kind, thing))

    def phase(self, phase: str) -> str:
        """How a phase is called where it stands alone, without its article."""
        said = self.name("phase", phase)
        return said[:1].upper() + said[1:]

    def effect(self, kind: str, thing: str) -> str:
        """What a thing of the game does; empty where nothing is told of it."""
        return self.told.effect(kind, thing)

    def chance(self, wins: int, of: int) -> str:
        """How likely something is, in per cent; raises ValueError for what is no chance."""
        return to_percent(wins, of, self.language)

    def shares(self, parts: Iterable[int]) -> Sequence[str]:
        """The parts of a whole in per cent, 100 together."""
        return to_shares(tuple(parts), self.language)

    def actor(self, seat: str) -> str:
        """How a seat is called, without its player's name where it plays under another: a page says it many times."""
        if seat not in self._called:
            context = self._context()
            context.met = set(self.position.core.seats)
            said = str(self.told.actor(Seat(seat), context))
            self._called[seat] = said[:1].upper() + said[1:]
        return self._called[seat]

    def in_parentheses(self, seat: str) -> str:
        """The player of a seat in brackets, behind what the seat plays under."""
        return in_parentheses(self.player(seat))

    def player(self, seat: str) -> str:
        """How the player of a seat is called."""
        return self.frame.table.names.get(Seat(seat), "")

    def moment(self, seconds: int) -> str:
        """A moment in the reader's zone and in UTC."""
        return self.visit.moment(seconds)

    def rule(self, asks: str) -> str:
        """What the rulebook says of a question, with its paragraph; empty for a game that tells nothing of it."""
        prefix = f"rules.{self.frame.table.game}."
        return self.visit.translate(prefix + asks) if has_key(self.language, prefix + asks) else ""

    def time_left(self, seconds: int, now: int) -> str:
        """How long it is until a moment, or since: `in 2 days`."""
        return self.visit.time_left(seconds, now)

    def topic(self, asks: str, number: int | None = None) -> str:
        """How a question is called, with its number where the game counts; known only to the server, it has no name."""
        found = next((t for t in self.rules.meta.topics if t.key == asks), None)
        name = _topic_name(found, self.language) if found is not None else ""
        return f"{name} {number}" if found is not None and found.counted and number is not None else name

    # --- sentences

    def events(self, events: Sequence[Event]) -> tuple[str, ...]:
        """The story, a sentence each, in order."""
        return tuple(sentence for sentence in self.sentences(events) if sentence)

    def sentences(self, events: Sequence[Event]) -> tuple[str | None, ...]:
        """The sentence of each event, or None where there is nothing to say of it."""
        context = self._context()
        return tuple(self._sentence(event, context) for event in events)

    def story(self, parts: Sequence[StoryPart]) -> tuple[tuple[int, tuple[str, ...]], ...]:
        """A story in parts: the number of each entry and its sentences, without those of which nothing is said."""
        said = iter(self.sentences([event for part in parts for event in part.events]))
        found = ((part.entry, tuple(filter(None, islice(said, len(part.events))))) for part in parts)
        return tuple((entry, sentences) for entry, sentences in found if sentences)

    def turn(self, number: int) -> str:
        """How a turn is called; empty before the first."""
        if number not in self._turns:
            said = self.told.render_macro("turn_name", number, self._context()).strip() if number else ""
            self._turns[number] = self.told.tidy(said)
        return self._turns[number]

    def result(self, events: Sequence[Event]) -> str:
        """Who won and in what order all finished; why the game is over, where these events do not tell its end.

        Empty for a game under way.
        """
        if not (ending := self.position.core.ending):
            return ""
        told = next((event for event in reversed(events) if isinstance(event, Ended)), None)
        said = self._sentence(told, self._context()) if told is not None else None
        return said or self.visit.translate("seat.over", ending=self.rules.meta.endings[ending].printed(self.language))

    def _sentence(self, event: Event, context: Context) -> str | None:
        """One sentence; a fact that cannot be told must not take the whole page away: the letter tells it."""
        try:
            return self.told.sentence(event, self.viewer, context)
        except Exception as error:  # noqa: BLE001 - whatever is wrong with one sentence, the others are wanted
            _LOG.error("a %s could not be told: %s", type(event).__name__, type(error).__name__)
            return self.visit.translate("seat.untold")

    def reason(self, problem: Problem) -> str:
        """Why an order cannot stand, or a remark about it."""
        return self.told.problem(problem, self.context)

    def question(self, decision: Question) -> str:
        """What is asked."""
        return self.told.question(decision, self.context)

    def default(self, decision: Question) -> str:
        """What happens without an answer."""
        return self.told.default(decision, self.context)

    def consequence(self, decision: Question) -> str:
        """The same as a sentence that says when."""
        return self.visit.translate("seat.default", default=lowercase_first(self.default(decision)))

    # --- orders

    def section(self, asks: str) -> Section:
        """How a question is answered, open or not."""
        topic = Gate.parse(asks).topic
        known = (*self.grammar.sections, *self.grammar.reactions)
        found = next((s for s in known if s.topic.key == topic), None)
        if found is not None:
            return found
        decision = Question(asks, Seat(self.viewer), topic)
        with seen_by(self.viewer):
            forms = tuple(self.rules.forms(self.position, decision))
        return Section(self.rules.meta.topic(topic), forms, Gate.parse(asks).turn)

    def keyword(self, asks: str, **fixed: object) -> str:
        """The word that begins the orders of a question with these fixed fields; those without any for no field."""
        form = next(form for form in self.section(asks).forms if dict(form.fixed) == fixed)
        return to_keyword(form.keyword, self.language)

    def print_orders(self, thing: Any, asks: str) -> str:
        """Orders as lines in the reader's language; nothing for those that belong to no question."""
        if not asks:
            return ""
        try:
            return print_clause(self.section(asks).forms, thing, self.language, self.grammar.facts)
        except CannotPrint:
            return self.visit.translate("receipt.as_written")

    def print_reaction(self, asks: str, lines: Sequence[Line]) -> str:
        """A reaction as it is written."""
        section = self.section(asks)
        return "\n".join(print_reaction(section, line, self.language, self.grammar.facts) for line in lines)

    # --- receipts

    def sets(self, facts: ReceiptFacts) -> tuple[SetReceipt, ...]:
        """Every set and all reactions of a receipt."""
        ridden = build_reactions(self, facts)
        return (*build_sets(self, facts), *((self._as_set(ridden),) if ridden else ()))

    def open_questions(self, facts: ReceiptFacts) -> str:
        """The open questions for which others wait and no answer is in, by name; empty where there is none."""
        due = (o.decision for o in facts.questions if o.decision.blocking and not o.answered)
        return ", ".join(self.topic(decision.topic, Gate.parse(decision.gate).number) for decision in due)

    def count_open(self, facts: ReceiptFacts, sets: Sequence[SetReceipt]) -> tuple[int, tuple[str, ...]]:
        """How many questions others wait for, and those that neither an answer on file nor one of these sets meets."""
        owed = [o for o in facts.questions if o.decision.blocking]
        met = {found.topic for found in sets if found.is_valid and not found.ahead}
        due = [self.topic(o.decision.topic, Gate.parse(o.decision.gate).number) for o in owed if not o.answered]
        return len(owed), tuple(topic for topic in due if topic not in met)

    def title(self, found: SetReceipt) -> str:
        """How a set is called, with its turn where one was named."""
        title = found.topic or self.visit.translate("receipt.astray")
        return f"{title} ({self.visit.translate('common.turn', turn=found.turn)})" if found.turn else title

    def _as_set(self, ridden: Sequence[ReactionReceipt]) -> SetReceipt:
        lines = tuple(
            LineReceipt(
                one.number,
                one.written,
                self.visit.translate("receipt.withdrawn") if one.withdrawn else one.understood,
                not one.problem,
                one.problem,
                one.nearest,
            )
            for one in ridden
        )
        taken = any(line.is_valid for line in lines)
        return SetReceipt(self.visit.translate("receipt.reactions"), None, lines, taken, False, False, "", "", "")


def _topic_name(topic: Topic, language: Language) -> str:
    return topic.words.printed(language).capitalize()

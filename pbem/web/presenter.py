"""Facts of a game in the reader's own sentences, with the orders printed and the moments in his zone."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from typing import Any

from babel.dates import format_timedelta

from engine.kernel.events import Event
from engine.kernel.forms import Topic
from engine.kernel.gates import Gate
from engine.kernel.grammar import Grammar, Section, grammar_of
from engine.kernel.languages import Language
from engine.kernel.names import PUBLIC, Seat
from engine.kernel.orders import Decision, Line, Order, Problem
from engine.kernel.position import Position
from engine.kernel.printing import Unprintable, form_of, printed, printed_rider
from engine.kernel.rules import Rules, View
from engine.kernel.secrets import seen_by
from pbem.narration.facts import Frame, LineRead, ReceiptFacts, RiderRead, SetRead
from pbem.narration.narrator import Context
from pbem.narration.when import Clock
from pbem.web.site import Narrates, PageVisit
from pbem.web.words import known

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class ToldLine:
    """A written line as the page shows it; `why` is empty where it stands; `accepted` would be accepted instead."""

    number: int
    written: str
    understood: str = ""
    why: str = ""
    accepted: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class ToldSet:
    """A set, or the riders, of what was sent: whether it counts, why not as a whole, and its lines."""

    title: str
    lines: tuple[ToldLine, ...]
    taken: bool
    readable: bool
    passed: bool = False
    ahead: bool = False
    why: str = ""
    commitment: str = ""
    replaces: str = ""

    @property
    def refused(self) -> int:
        """How many lines cannot stand."""
        return sum(1 for line in self.lines if line.why)


class Presenter:
    """One reader of one game: everything told in his language, from what he may know."""

    def __init__(
        self, visit: PageVisit, frame: Frame, seen: Position[Any], grammar: Callable[[], Grammar] | None = None
    ) -> None:
        """`grammar`: how to have what the reader may write, if somebody else needs it too."""
        self.visit, self.frame, self.seen = visit, frame, seen
        self.language: Language = visit.language
        self.rules: Rules[Any] = visit.office.rules(frame.table.game)
        self.told: Narrates = visit.site.narrate(frame.table.game, self.language)
        self.viewer = frame.reader.seat or PUBLIC
        self._look_up = grammar if grammar is not None else self._own_grammar
        self.context = self._context()

    def _context(self) -> Context:
        return Context(self.viewer, self.seen, dict(self.frame.table.names), self.written)

    @cached_property
    def grammar(self) -> Grammar:
        """What the reader may write; most pages need nothing of it."""
        return self._look_up()

    def _own_grammar(self) -> Grammar:
        if self.viewer == PUBLIC:
            return Grammar((), (), (), self.language, self.rules.meta.topics)
        with seen_by(self.viewer):
            return grammar_of(self.rules, self.seen, Seat(self.viewer), self.language)

    def view(self) -> View:
        """What the rules show of the position to its reader."""
        with seen_by(self.viewer):
            return self.rules.present(self.seen, Seat(self.viewer))

    def part(self, name: str) -> tuple[str, ...]:
        """The lines of a part of a report (`state`, `table`, `hand`), as the reader's letters have them."""
        said = self.told.tell(name, {"view": self.view(), "asks": frozenset()}, self._context())
        return tuple(self.told.tidy(line) for line in said.split("\n") if line.strip())

    # --- names and moments

    def name(self, kind: str, thing: str) -> str:
        """How a thing of the game is called."""
        return str(self.told.name(kind, thing))

    def effect(self, kind: str, thing: str) -> str:
        """What a thing of the game does; empty where nothing is told of it."""
        return self.told.effect(kind, thing)

    def who(self, seat: str) -> str:
        """How a seat is called, without its player's name where it plays under another."""
        context = self._context()
        context.met = set(self.seen.core.seats)
        said = str(self.told.who(Seat(seat), context))
        return said[:1].upper() + said[1:]

    def player(self, seat: str) -> str:
        """How the player of a seat is called."""
        return self.frame.table.names.get(Seat(seat), "")

    def moment(self, seconds: int) -> str:
        """A moment in the reader's zone and in UTC."""
        return moment(seconds, self.visit.zone, self.language)

    def rule(self, asks: str) -> str:
        """What the rulebook says of a question, with its paragraph; empty for a game that tells nothing of it."""
        prefix = f"rules.{self.frame.table.game}."
        return self.visit.say(prefix + asks) if known(self.language, prefix + asks) else ""

    def left(self, seconds: int, now: int) -> str:
        """How long it is until a moment, or since: `in 2 days`."""
        said = format_timedelta(timedelta(seconds=seconds - now), add_direction=True, locale=self.language)
        return said[:1].upper() + said[1:]

    def topic(self, asks: str) -> str:
        """How a question is called; what is known only to the server has no name."""
        found = next((t for t in self.rules.meta.topics if t.asks == asks), None)
        return _shown(found, self.language) if found is not None else ""

    # --- sentences

    def events(self, events: Sequence[Event]) -> tuple[str, ...]:
        """The story, a sentence each, in order."""
        context = self._context()
        said = (self._sentence(event, context) for event in events)
        return tuple(sentence for sentence in said if sentence)

    def _sentence(self, event: Event, context: Context) -> str | None:
        """One sentence; a fact that cannot be told must not take the whole page away: the letter tells it."""
        try:
            return self.told.sentence(event, self.viewer, context)
        except Exception as error:  # noqa: BLE001 - whatever is wrong with one sentence, the others are wanted
            _LOG.error("a %s could not be told: %s", type(event).__name__, type(error).__name__)
            return self.visit.say("seat.untold")

    def problem(self, problem: Problem) -> str:
        """Why an order cannot stand."""
        return self.told.problem(problem, self.context)

    def question(self, decision: Decision) -> str:
        """What is asked."""
        return self.told.question(decision, self.context)

    def default(self, decision: Decision) -> str:
        """What happens without an answer."""
        return self.told.default(decision, self.context)

    # --- orders

    def section(self, asks: str) -> Section:
        """How a question is answered, open or not."""
        topic = Gate.parse(asks).asks
        known = (*self.grammar.sections, *self.grammar.riders)
        found = next((s for s in known if s.topic.asks == topic), None)
        if found is not None:
            return found
        decision = Decision(asks, Seat(self.viewer), topic)
        with seen_by(self.viewer):
            forms = tuple(self.rules.forms(self.seen, decision))
        return Section(self.rules.meta.topic(topic), forms, Gate.parse(asks).turn)

    def written(self, thing: Any, asks: str) -> str:
        """Orders as lines in the reader's language."""
        try:
            return printed(self.section(asks).forms, thing, self.language, self.grammar.facts)
        except Unprintable:
            return self.visit.say("receipt.as_written")

    def rider(self, asks: str, lines: Sequence[Line]) -> str:
        """A rider as it is written."""
        section = self.section(asks)
        return "\n".join(printed_rider(section, line, self.language, self.grammar.facts) for line in lines)

    # --- receipts

    def sets(self, facts: ReceiptFacts) -> tuple[ToldSet, ...]:
        """Every set and all riders of a receipt."""
        riders = (self._riders(facts.riders),) if facts.riders else ()
        return (*(self._set(found) for found in facts.sets), *riders)

    def _set(self, found: SetRead) -> ToldSet:
        lines = tuple(self._line(found, line) for line in found.lines)
        title = self.topic(found.asks) if found.asks else self.visit.say("receipt.astray")
        if found.turn:
            title = f"{title} ({self.visit.say('common.turn', turn=found.turn)})"
        why = self.problem(found.problem) if found.problem is not None else ""
        stands = not why and not any(line.why for line in lines)
        return ToldSet(title, lines, found.taken, stands, found.passed, found.decision is None and bool(found.asks),
                       why, found.commitment, found.replaces)  # fmt: skip

    def _line(self, found: SetRead, line: LineRead) -> ToldLine:
        understood = self.written(line.line, found.asks) if line.line is not None and found.asks else ""
        notes = tuple(self.problem(note) for note in line.notes)
        if line.problem is None:
            return ToldLine(line.number, line.written, understood, notes=notes)
        accepted = str(line.problem.terms.get("accepted", "")) or self._instead(found.asks, line)
        return ToldLine(line.number, line.written, understood, self.problem(line.problem), accepted, notes)

    def _instead(self, asks: str, line: LineRead) -> str:
        """The likely line that is nearest to a refused one: it would be accepted alone now."""
        if not asks or line.line is None or not line.line.plan:
            return ""
        section, meant = self.section(asks), line.line.plan[0].order
        likely = [other for other in section.likely if other.plan]
        best = max(likely, key=lambda other: _alike(section, meant, other.plan[0].order), default=None)
        return self.written(best, asks) if best is not None else ""

    def _riders(self, riders: Sequence[RiderRead]) -> ToldSet:
        lines = tuple(
            ToldLine(
                rider.number,
                rider.written,
                self.visit.say("receipt.withdrawn") if rider.withdrawn else self.rider(rider.asks, rider.orders),
                self.problem(rider.problem) if rider.problem is not None else "",
                str(rider.problem.terms.get("accepted", "")) if rider.problem is not None else "",
            )
            for rider in riders
        )
        good = any(not line.why for line in lines)
        return ToldSet(self.visit.say("receipt.riders"), lines, good, good)


def _alike(section: Section, meant: Order, other: Order) -> tuple[int, bool]:
    """How many values two orders share, and whether they are of one form."""
    forms = form_of(section.forms, meant), form_of(section.forms, other)
    said = [
        tuple((form.read(order) or {}).values()) if form else ()
        for form, order in zip(forms, (meant, other), strict=True)
    ]
    return sum(value in said[1] for value in said[0] if isinstance(value, str)), forms[0] is forms[1]


def _shown(topic: Topic, language: Language) -> str:
    return topic.words.shown(language).capitalize()


def moment(seconds: int, zone: str, language: Language) -> str:
    """A moment as letters tell it, in a zone and in UTC: `Fri 20 Nov 2026, 20:00 Paris (19:00 UTC)`."""
    return Clock(language, zone).moment(seconds)

"""Rules assembled from chapters and an order language."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from types import MappingProxyType
from typing import Any, Final, Generic

from engine.kernel.forms import Fact, Form, Slot
from engine.kernel.holes import Filling, SlotSearch, SlotValues
from engine.kernel.lazy import LazySequence
from engine.kernel.orders import Clause, Condition, Line, Order, Question
from engine.kernel.phrasebook import likely_forms
from engine.kernel.position import B, Position
from engine.kernel.turn_chapters import Chapters
from engine.kernel.viewers import Seat

ProposeOrders = Callable[[Position[Any], Question], Iterable[Order]]
Proposals = Mapping[str, ProposeOrders]
"""By topic, the orders that are probably valid, best first; refused ones are filtered out here."""
SlotTable = Mapping[tuple[type[Order], str], Callable[[Position[Any], Question, Filling], SlotValues | None]]
"""By order and slot, the values worth trying, given some values of other slots; None for any."""
EACH: Final = 12
"""The most orders of a form that are suggested without proposals."""


def _no_fact_holds(seen: Position[Any], seat: Seat, condition: Condition) -> bool:
    return False


def _no_advance(seen: Position[Any], seat: Seat) -> Iterable[Question]:
    return ()


def _always(seen: Position[Any], decision: Question) -> bool:
    return True


def _count_one(order: Order) -> int:
    return 1


def _without_repeats(orders: Iterable[Order]) -> Iterator[Order]:
    """Yield each order once: two lines that mean the same would take the place of another."""
    given: list[Order] = []
    for order in orders:
        if order not in given:
            given.append(order)
            yield order


def _is_open(seen: Position[B], decision: Question) -> bool:
    return any(decision.gate == d.gate and decision.seat == d.seat for d in seen.core.questions)


class OrderLanguage(Generic[B]):
    """What may be written in answer to a question, and which orders are likely.

    A game supplies tables that do not depend on a position; the methods combine them with a position, as its author
    sees it.
    """

    def __init__(
        self,
        chapters: Chapters[B],
        proposals: Proposals = MappingProxyType({}),
        facts: Sequence[Fact] = (),
        holds: Callable[[Position[B], Seat, Condition], bool] = _no_fact_holds,
        ahead: Callable[[Position[B], Seat], Iterable[Question]] = _no_advance,
        judges: Callable[[Position[B], Question], bool] = _always,
        tries: Callable[[Order], int] = _count_one,
        worth_trying: SlotTable = MappingProxyType({}),
    ) -> None:
        """`proposals`: by topic, likely orders; for a topic without any, the first legal orders are suggested.

        `facts`: the facts for IF, the same for everyone at any time; `holds` decides them.
        `ahead`: questions that a seat may answer in advance; open ones are filtered out.
        `judges`: whether the position can judge answers to a question that is not open; only then are orders suggested.
        `tries`: the repeats of a suggested line for an order.
        `worth_trying`: see `NarrowsSlots`.

        Raises ValueError for proposals of a topic that no form answers.
        """
        chapters.check_topics("proposals", proposals)
        self.chapters, self.fact_holds = chapters, holds
        self.known, self._proposals, self._ahead = facts, proposals, ahead
        self._judges, self._tries, self._worth_trying = judges, tries, worth_trying

    def forms(self, seen: Position[B], decision: Question) -> Sequence[Form]:
        """Return the forms of a question, with the values valid now as suggestions."""
        return likely_forms(
            self.written_forms(seen, decision),
            LazySequence(decision.seat, lambda: self._accepted_lines(seen, decision)),
        )

    def written_forms(self, seen: Position[B], decision: Question) -> Sequence[Form]:
        """Return the forms of a question; a game overrides this if older versions have other forms."""
        return self.chapters.forms[decision.topic]

    def suggest_orders(self, seen: Position[B], decision: Question, most: int | None = None) -> Sequence[Line]:
        """Return lines that would each be valid alone now, best first, at most `most`."""
        lines = self.chapters.execution_of(decision, ()) is not None
        accepted = islice(_without_repeats(self._accepted_lines(seen, decision)), most)
        return tuple(Line((Clause(order),), self._tries(order) if lines else 1) for order in accepted)

    def slot_values(
        self, seen: Position[B], decision: Question, form: Form, slot: Slot, known: Filling
    ) -> SlotValues | None:
        """Return the values worth trying in a slot, as `NarrowsSlots` has it."""
        find = self._worth_trying.get((form.order, slot.name))
        if find is None:
            return None
        return find(seen, decision, known)

    def facts(self, seen: Position[B], seat: Seat) -> Sequence[Fact]:
        """Return the facts for IF."""
        return self.known

    def advance_questions(self, seen: Position[B], seat: Seat) -> Sequence[Question]:
        """Return the questions that may be answered in advance; none once the game is over."""
        if seen.core.over:
            return ()
        asked = {(decision.gate, decision.topic) for decision in seen.core.questions if decision.seat == seat}
        return tuple(d for d in self._ahead(seen, seat) if (d.gate, d.topic) not in asked)

    def _accepted_lines(self, seen: Position[B], decision: Question) -> Iterator[Order]:
        """Yield the proposals that are valid now, each checked only when it is needed."""
        if not (_is_open(seen, decision) or self._judges(seen, decision)):
            return
        propose = self._proposals.get(decision.topic)
        if propose is None:
            for form in self.written_forms(seen, decision):
                yield from islice(self._legal_orders(seen, decision, form), EACH)
        else:
            yield from (o for o in propose(seen, decision) if self.chapters.refusal(seen, decision, o) is None)

    def _legal_orders(self, seen: Position[B], decision: Question, form: Form) -> Iterator[Order]:
        """Yield the legal orders of a form that leave out what they can; none of a form that needs free text."""
        if any(slot.text and not slot.optional for slot in form.slots):
            return
        refuse = partial(self.chapters.refusal, seen, decision)
        search = SlotSearch(form, refuse, partial(self.slot_values, seen, decision, form))
        plain = {slot.name: slot.default for slot in form.slots if slot.optional}
        yield from map(search.make, search.every(search.start(plain)))


class ChapteredRules(Generic[B]):
    """The part of a game's rules that delegates each question to its chapter or to the order language.

    The game adds `meta`, `blank`, `begin`, `apply`, `present_view` and `list_violations`, and optional abilities such
    as `adopt`, `corrections`, `narration_hooks`, `coverage`, `workload`, `draw`, `figures`.
    """

    def __init__(self, language: OrderLanguage[B]) -> None:
        """Take over the methods of `language` and its chapters. The rules have no other state."""
        self.language, chapters = language, language.chapters
        self.every_form = chapters.forms
        self.take = chapters.take
        self.resolve = chapters.resolve
        self.execution_of = chapters.execution_of
        self.refusal = chapters.refusal
        self.default_orders = chapters.default_orders
        self.forms = language.forms
        self.suggest_orders = language.suggest_orders
        self.slot_values = language.slot_values
        self.advance_questions = language.advance_questions
        self.facts = language.facts
        self.fact_holds = language.fact_holds

    def turn(self, seen: Position[B]) -> int:
        """Return the turn of reaction orders sent now: the board's, unless the game overrides this."""
        board: Any = seen.board
        return int(board.turn)

"""Rules put together: chapters that judge and carry out, and an order language, asked as the kernel asks."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from types import MappingProxyType
from typing import Any, Generic

from engine.kernel.forms import Fact, Form
from engine.kernel.lazy import LazySequence
from engine.kernel.orders import Clause, Condition, Line, Order, Question
from engine.kernel.phrasebook import example_orders, likely_forms
from engine.kernel.position import B, Position
from engine.kernel.turn_chapters import Chapters
from engine.kernel.viewers import Seat

ProposeOrders = Callable[[Position[Any], Question], Iterable[Order]]
Proposals = Mapping[str, ProposeOrders]
"""For each question the orders that may well be accepted, best first; what the rules refuse is left out here."""


def _no_fact_holds(seen: Position[Any], seat: Seat, condition: Condition) -> bool:
    return False


def _no_advance(seen: Position[Any], seat: Seat) -> Iterable[Question]:
    return ()


def _always(seen: Position[Any], decision: Question) -> bool:
    return True


def _cached(order: Order) -> int:
    return 1


def _open_questions(seen: Position[B], decision: Question) -> bool:
    return any(decision.gate == d.gate and decision.seat == d.seat for d in seen.core.questions)


class OrderLanguage(Generic[B]):
    """What may be written in answer to a question, and what of it is likely.

    A game gives what does not depend on a position as tables; here they meet a position, as its author sees it.
    """

    def __init__(
        self,
        chapters: Chapters[B],
        proposals: Proposals = MappingProxyType({}),
        facts: Sequence[Fact] = (),
        holds: Callable[[Position[B], Seat, Condition], bool] = _no_fact_holds,
        ahead: Callable[[Position[B], Seat], Iterable[Question]] = _no_advance,
        judges: Callable[[Position[B], Question], bool] = _always,
        tries: Callable[[Order], int] = _cached,
    ) -> None:
        """`proposals`: for a question without any, what its forms can say is tried.

        `facts`: what IF may ask, the same for everybody at any time; `holds` judges them.
        `advance_questions`: the questions that a seat may answer before they are asked, open ones among them.
        `judges`: whether the position can judge answers to a question that is not open, for only then something is
        suggested.  `tries`: how often a line of a set that is suggested for an order is tried.
        """
        chapters.questions("proposals", proposals)
        self.chapters, self.fact_holds = chapters, holds
        self.known, self._proposals, self._ahead = facts, proposals, ahead
        self._judges, self._tries = judges, tries

    def forms(self, seen: Position[B], decision: Question) -> Sequence[Form]:
        """The whole vocabulary of the question, with what would be accepted now."""
        return likely_forms(
            self.written_forms(seen, decision),
            LazySequence(decision.seat, lambda: self._accepted_lines(seen, decision)),
        )

    def written_forms(self, seen: Position[B], decision: Question) -> Sequence[Form]:
        """How the question is answered in this game; a game of an older version may be written otherwise."""
        return self.chapters.forms[decision.topic]

    def suggest_orders(self, seen: Position[B], decision: Question, most: int | None = None) -> Sequence[Line]:
        """Lines that would each be accepted alone now, best first, so many at most."""
        lines = self.chapters.execution_of(decision, ()) is not None
        accepted = islice(self._accepted_lines(seen, decision), most)
        return tuple(Line((Clause(order),), self._tries(order) if lines else 1) for order in accepted)

    def facts(self, seen: Position[B], seat: Seat) -> Sequence[Fact]:
        """What IF may ask."""
        return self.known

    def advance_questions(self, seen: Position[B], seat: Seat) -> Sequence[Question]:
        """What may be answered although it is not open; nothing once the game is over."""
        if seen.core.over:
            return ()
        asked = {(decision.gate, decision.topic) for decision in seen.core.questions if decision.seat == seat}
        return tuple(d for d in self._ahead(seen, seat) if (d.gate, d.topic) not in asked)

    def _accepted_lines(self, seen: Position[B], decision: Question) -> Iterator[Order]:
        """The proposals that the rules do not refuse now, each judged when it is asked for."""
        if not (_open_questions(seen, decision) or self._judges(seen, decision)):
            return
        propose = self._proposals.get(decision.topic)
        proposed = propose(seen, decision) if propose else example_orders(self.chapters.forms[decision.topic])
        yield from (o for o in proposed if self.chapters.refusal(seen, decision, o) is None)


class ChapteredRules(Generic[B]):
    """The part of a game's rules that hands each question on to the chapter, or to the language, that knows.

    The game adds its `meta`, `blank`, `begin`, `apply`, `present` and `problems`, and its optional abilities:
    `adopt`, `corrections`, `narration_hooks`, `coverage`, `workload`, the `picture` of the board, its `figures`.
    """

    def __init__(self, language: OrderLanguage[B]) -> None:
        """Stateless beside the language and its chapters."""
        self.language, chapters = language, language.chapters
        self.take = chapters.take
        self.resolve = chapters.resolve
        self.execution_of = chapters.execution_of
        self.refusal = chapters.refusal
        self.default_orders = chapters.default_orders
        self.forms = language.forms
        self.suggest_orders = language.suggest_orders
        self.advance_questions = language.advance_questions
        self.facts = language.facts
        self.fact_holds = language.fact_holds

    def turn(self, seen: Position[B]) -> int:
        """The turn that riders sent now belong to: the board's, unless the game says otherwise."""
        board: Any = seen.board
        return int(board.turn)

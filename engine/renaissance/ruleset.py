"""The rules of the game, as the kernel asks for them."""

from collections.abc import Mapping, Sequence

from engine.kernel.events import Event
from engine.kernel.forms import Fact, Form
from engine.kernel.names import Seat, Viewer
from engine.kernel.orders import Condition, Decision, Line, Order, Orders, Problem
from engine.kernel.position import Carrying, Options, Step
from engine.kernel.rules import View
from engine.renaissance import chapters, invariants, language, views
from engine.renaissance.acts import Game, Seen
from engine.renaissance.apply import apply
from engine.renaissance.board import Board
from engine.renaissance.meta import META
from engine.renaissance.phases import setup


class Renaissance:
    """Stateless; every method hands on to the chapter that knows."""

    meta = META

    def blank(self, seats: Sequence[Seat], options: Options) -> Board:
        """Préparation  The box, opened."""
        return setup.blank(tuple(seats), options)

    def begin(self, table: Game) -> None:
        """Préparation  Nations first."""
        setup.begin(table)

    def take(self, table: Game, step: Step) -> None:
        """Do one step of the agenda."""
        chapters.take(table, step)

    def resolve(self, table: Game, gate: str, answers: Mapping[Seat, Orders]) -> None:
        """All answers of a gate are in."""
        chapters.resolve(table, gate, answers)

    def apply(self, board: Board, event: Event) -> None:
        """Change the board as the event says."""
        apply(board, event)

    def carrying(self, decision: Decision, orders: Orders) -> Carrying | None:
        """The step that carries out this set line by line; None where the answer is a single order."""
        return chapters.carrying(decision, orders)

    def refusal(self, seen: Seen, decision: Decision, order: Order) -> Problem | None:
        """Why this order cannot be done now, as far as its author knows."""
        return chapters.refusal(seen, decision, order)

    def forms(self, seen: Seen, decision: Decision) -> Sequence[Form]:
        """What may be written in answer."""
        return language.forms(seen, decision)

    def ahead(self, seen: Seen, seat: Seat) -> Sequence[Decision]:
        """What may be answered before it is asked."""
        return language.ahead(seen, seat)

    def turn(self, seen: Seen) -> int:
        """The turn that riders sent now belong to: the one under way, the first while it is being prepared."""
        return max(seen.board.turn, 1)

    def facts(self, seen: Seen, seat: Seat) -> Sequence[Fact]:
        """What IF may ask."""
        return language.facts(seen, seat)

    def holds(self, seen: Seen, seat: Seat, condition: Condition) -> bool:
        """Whether a fact holds on the seat's own view."""
        return language.holds(seen, seat, condition)

    def suggest(self, seen: Seen, decision: Decision) -> Sequence[Line]:
        """Likely lines, best first."""
        return language.suggest(seen, decision)

    def default(self, seen: Seen, decision: Decision) -> Orders:
        """What is taken when nobody answers in time."""
        return chapters.default(seen, decision)

    def present(self, seen: Seen, viewer: Viewer) -> View:
        """What a viewer is shown."""
        return views.present(seen, viewer)

    def problems(self, position: Seen) -> Sequence[Problem]:
        """Broken invariants."""
        return invariants.problems(position)


RULES = Renaissance()

"""The rules of the game, as the kernel asks for them."""

from collections.abc import Mapping, Sequence

from engine.age_of_renaissance import chapters, invariants, language, views
from engine.age_of_renaissance.acts import Game, Seen
from engine.age_of_renaissance.apply import adopt, apply
from engine.age_of_renaissance.board import Board, Phase
from engine.age_of_renaissance.meta import META
from engine.age_of_renaissance.phases import setup
from engine.kernel.events import Event
from engine.kernel.forms import Fact, Form
from engine.kernel.names import Seat, Viewer
from engine.kernel.orders import Condition, Decision, Line, Order, Orders, Problem
from engine.kernel.position import Carrying, Options, Step
from engine.kernel.rules import View


class AgeOfRenaissance:
    """Stateless; every method hands on to the chapter that knows."""

    meta = META

    def blank(self, seats: Sequence[Seat], options: Options) -> Board:
        """§8  The box, opened."""
        return setup.blank(tuple(seats), options["cash"] == "piled")

    def begin(self, table: Game) -> None:
        """§8  Deal and ask."""
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

    def adopt(self, board: Board, option: str, value: str) -> None:
        """Change what the board holds of an option."""
        adopt(board, option, value)

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
        """The turn that riders sent now belong to: once tokens are asked, the one that they are bought for."""
        ahead = seen.board.phase in (Phase.SETUP, Phase.TOKENS)
        return seen.board.turn + ahead

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


RULES = AgeOfRenaissance()

"""The rules of the game, as the kernel asks for them."""

from collections.abc import Sequence

from engine.age_of_renaissance import figures as counted
from engine.age_of_renaissance import invariants, language, views
from engine.age_of_renaissance import picture as drawn
from engine.age_of_renaissance.acts import Game, Seen
from engine.age_of_renaissance.apply import adopt, apply
from engine.age_of_renaissance.board import Board, Phase
from engine.age_of_renaissance.chapters import CHAPTERS
from engine.age_of_renaissance.corrections import CORRECTIONS
from engine.age_of_renaissance.coverage import COVERAGE
from engine.age_of_renaissance.meta import META
from engine.age_of_renaissance.phases import setup
from engine.age_of_renaissance.telling import TELLING
from engine.age_of_renaissance.workload import WORKLOAD
from engine.kernel.chapters import Chaptered
from engine.kernel.events import Event
from engine.kernel.names import Seat, Viewer
from engine.kernel.orders import Problem
from engine.kernel.position import Options
from engine.kernel.rules import View


class AgeOfRenaissance(Chaptered[Board]):
    """Stateless; what the chapters and the order language know is asked of them."""

    meta = META
    corrections = CORRECTIONS
    telling = TELLING
    coverage = COVERAGE
    workload = WORKLOAD
    picture = staticmethod(drawn.picture)
    crops = staticmethod(drawn.crops)
    figures = counted.FIGURES
    count = staticmethod(counted.count)
    called = staticmethod(counted.called)

    def blank(self, seats: Sequence[Seat], options: Options) -> Board:
        """§8  The box, opened."""
        return setup.blank(tuple(seats), options["cash"] == "piled")

    def begin(self, table: Game) -> None:
        """§8  Deal and ask."""
        setup.begin(table)

    def apply(self, board: Board, event: Event) -> None:
        """Change the board as the event says."""
        apply(board, event)

    def adopt(self, board: Board, option: str, value: str) -> None:
        """Change what the board holds of an option."""
        adopt(board, option, value)

    def turn(self, seen: Seen) -> int:
        """The turn that riders sent now belong to: once tokens are asked, the one that they are bought for."""
        ahead = seen.board.phase in (Phase.SETUP, Phase.TOKENS)
        return seen.board.turn + ahead

    def present(self, seen: Seen, viewer: Viewer) -> View:
        """What a viewer is shown."""
        return views.present(seen, viewer)

    def problems(self, position: Seen) -> Sequence[Problem]:
        """Broken invariants."""
        return invariants.problems(position)


RULES = AgeOfRenaissance(CHAPTERS, language)

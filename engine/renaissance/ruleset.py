"""The rules of the game, as the kernel asks for them."""

from collections.abc import Sequence

from engine.kernel.chapters import Chaptered
from engine.kernel.events import Event
from engine.kernel.names import Seat, Viewer
from engine.kernel.orders import Problem
from engine.kernel.position import Options
from engine.kernel.rules import View
from engine.renaissance import figures as counted
from engine.renaissance import invariants, language, views
from engine.renaissance import picture as drawn
from engine.renaissance.acts import Game, Seen
from engine.renaissance.apply import apply
from engine.renaissance.board import Board
from engine.renaissance.chapters import CHAPTERS
from engine.renaissance.corrections import CORRECTIONS
from engine.renaissance.coverage import COVERAGE
from engine.renaissance.meta import META
from engine.renaissance.phases import setup
from engine.renaissance.telling import TELLING
from engine.renaissance.workload import WORKLOAD


class Renaissance(Chaptered[Board]):
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
        """Préparation  The box, opened."""
        return setup.blank(tuple(seats), options)

    def begin(self, table: Game) -> None:
        """Préparation  Nations first."""
        setup.begin(table)

    def apply(self, board: Board, event: Event) -> None:
        """Change the board as the event says."""
        apply(board, event)

    def turn(self, seen: Seen) -> int:
        """The turn that riders sent now belong to: the one under way, the first while it is being prepared."""
        return max(seen.board.turn, 1)

    def present(self, seen: Seen, viewer: Viewer) -> View:
        """What a viewer is shown."""
        return views.present(seen, viewer)

    def problems(self, position: Seen) -> Sequence[Problem]:
        """Broken invariants."""
        return invariants.problems(position)


RULES = Renaissance(CHAPTERS, language)

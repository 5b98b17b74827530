"""Title, seats and topics of the game, and its rules, as the kernel calls them."""

from collections.abc import Mapping, Sequence

from engine.kernel.catalogues import Words
from engine.kernel.charts import FigureLabel, Numbers
from engine.kernel.events import Event
from engine.kernel.languages import Language
from engine.kernel.narration_hooks import NarrationHooks, classes_in, problem_codes
from engine.kernel.options import DRAWS, TALK
from engine.kernel.orders import Problem
from engine.kernel.phrasebook import topic
from engine.kernel.position import Options, Position
from engine.kernel.rules import Meta, View
from engine.kernel.ruleset import ChapteredRules, OrderLanguage
from engine.kernel.table import Table
from engine.kernel.turn_chapters import Chapters
from engine.kernel.viewers import Seat, Viewer
from pbem.stub.game import events, turns
from pbem.stub.game.board import STONES, TURNS, Board
from pbem.stub.game.orders import FORMS, WORDS

META = Meta(
    name="stub",
    title=WORDS("title"),
    designer="",
    seats=(2, 3, 4),
    version="1",
    options=(TALK, DRAWS),
    topics=(topic(WORDS, "offer", may_pass=False),),
    endings=WORDS.section("endings"),
)


class Game(ChapteredRules[Board]):
    """The rules. They have no state; everything that changes is on the board."""

    meta = META
    narration_hooks = NarrationHooks(events=classes_in(events), problems=problem_codes("PROBLEMS", turns))
    figures: Mapping[str, Words] = WORDS.section("figures")

    def blank(self, seats: Sequence[Seat], options: Options) -> Board:
        """Return the board before anything happened."""
        return Board(dict.fromkeys(seats, STONES), dict.fromkeys(seats, 0))

    def begin(self, table: Table[Board]) -> None:
        """Begin the first turn."""
        table.then(turns.Turn(1))

    def apply(self, board: Board, event: Event) -> None:
        """Change the board as the event says. Use no rules and no dice."""
        match event:
            case events.TurnBegan(turn=turn):
                board.turn = turn
            case events.Revealed(offers=offers, winner=winner):
                board.stones = {seat: had - offers[seat] for seat, had in board.stones.items()}
                board.points = {seat: had + (seat == winner) for seat, had in board.points.items()}
            case _:
                raise TypeError(f"the board does not know {type(event).__name__}")

    def present_view(self, seen: Position[Board], viewer: Viewer) -> View:
        """Return what a viewer is shown. Emails need `turn` and `phase`, here the only question."""
        board = seen.board
        return {"turn": board.turn, "phase": "offer", "stones": dict(board.stones), "points": dict(board.points)}

    def count(self, view: View) -> Mapping[str, Numbers]:
        """Return the public figures of each seat, for emails, the page and charts."""
        return {name: view[name] for name in self.figures}

    def labels(self, view: View, language: Language) -> Mapping[str, FigureLabel]:
        """Return the name of each seat in charts."""
        return {seat: FigureLabel(str(seat), n) for n, seat in enumerate(view["stones"])}

    def list_violations(self, position: Position[Board]) -> Sequence[Problem]:
        """Return the broken invariants of a position; checked after every entry."""
        wrong = not 0 <= position.board.turn <= TURNS or min(position.board.stones.values()) < 0
        return (Problem("too_many", {"stones": min(position.board.stones.values())}),) if wrong else ()


RULES = Game(OrderLanguage(Chapters((turns,), FORMS)))

"""Positions for tests, built piece by piece, and short ways to play on from them.

Seats bear the colour of their nation: gold Florence, red Genoa, orange Naples, green Milan, violet Rome, blue Venice;
with fewer players, those that are left.  What the builders change they change in place; `play` and `queue` never do.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TypeVar

from engine.kernel.dice import HmacDraws
from engine.kernel.events import Corrected, Event, StepsQueued
from engine.kernel.orders import LineResult, Order, Orders, Problem, Question, unconditional
from engine.kernel.position import Core, Position, Step
from engine.kernel.run import Advance, advance, correct
from engine.kernel.secrets import Secret, redact, seen_by, truth
from engine.kernel.validation import check_orders
from engine.kernel.viewers import Seat
from engine.renaissance.board import Board, City, Phase
from engine.renaissance.catalogue import CARDS, PROVINCES, SCENARIOS, WAR
from engine.renaissance.events import CardsShown as CardsShown
from engine.renaissance.orders import Attack, Ride
from engine.renaissance.phases.setup import blank, start_of, table_of
from engine.renaissance.ruleset import RULES
from tests.scripted_draws import ScriptedDraws

E = TypeVar("E", bound=Event)
At = Position[Board]
Went = Advance[Board]
Answer = Order | Sequence[Order] | Orders
Script = Mapping[str, int | Sequence[object]]

COLOURS = {
    "florence": "gold",
    "genes": "red",
    "naples": "orange",
    "milan": "green",
    "rome": "violet",
    "venise": "blue",
    "france": "navy",
    "espagne": "amber",
    "saint_empire": "azure",
    "suisse": "olive",
}
GOLD, RED, ORANGE, GREEN, VIOLET, BLUE, NAVY, AMBER, AZURE, OLIVE = (Seat(colour) for colour in COLOURS.values())


def game(players: int = 6, *, turn: int = 2, phase: Phase = Phase.COMBAT, state: str = WAR, **options: str) -> At:
    """A game under way, past its set-up: start cities alone, a garrison each; hands empty, six ducats each.

    Order of play and seats are those of the scenario; nobody is asked anything.
    """
    chosen = RULES.meta.chosen(options)
    layout = table_of(chosen, players)
    starts = [s for s in SCENARIOS[chosen["scenario"]].starts if s.nation not in layout.removed]
    seats = tuple(Seat(COLOURS[start.nation]) for start in starts)
    board = blank(seats, chosen)
    board.turn, board.phase, board.state = turn, phase, state
    board.closed = frozenset(town for name in layout.closed for town in PROVINCES[name].cities)
    board.deck = tuple(Secret(card) for card in CARDS)
    position = Position(Core(seats, chosen, Secret(b"seed")), board)
    for seat, start in zip(seats, starts, strict=True):
        power = board.powers[seat]
        power.nation, power.seas = start.nation, start.seas
        power.starts = (*start.fixed, *start_of(board, seat).choice[:1])
        for town in power.starts:
            city(position, town, seat)
    return position


def order(position: At, *seats: Seat) -> None:
    """The order of play, first to last."""
    position.board.order = seats


def city(
    position: At,
    town: str,
    owner: Seat | None,
    level: int = 1,
    *,
    palace: bool = False,
    artist: str = "",
    pillaged: bool = False,
) -> None:
    """What stands in a city; an artist brings a palace, and leaves the supply."""
    board = position.board
    board.cities[town] = City(owner, level if owner else 0, palace or bool(artist), artist, pillaged)
    board.supply = tuple(a for a in board.supply if a != artist)


def ducats(position: At, seat: Seat, count: int) -> None:
    """Money in hand."""
    position.board.powers[seat].ducats = count


def hand(position: At, seat: Seat, *kinds: str, shown: Sequence[str] = ()) -> None:
    """Exactly these kinds of card, from the deck; `shown`: seen by all. What the hand held goes under the deck."""
    board, power = position.board, position.board.powers[seat]
    with truth():
        board.deck = (*board.deck, *(Secret(c.value) for c in power.hand), *(Secret(c) for c in power.shown))
        power.hand = tuple(Secret(_take(board, kind), frozenset({seat})) for kind in kinds)
        power.shown = tuple(_take(board, kind) for kind in shown)


def _take(board: Board, kind: str) -> str:
    card = next(card.value for card in board.deck if CARDS[card.value] == kind)
    board.deck = tuple(c for c in board.deck if c.value != card)
    return card


def held(position: At, seat: Seat) -> tuple[str, ...]:
    """The kinds of card in a hand, in alphabetical order."""
    with truth():
        return tuple(sorted(position.board.kinds(seat)))


def ask(position: At, asks: str, *seats: Seat) -> str:
    """Open a question of the present turn to these seats (all, if none is named); returns its gate."""
    gate = f"{asks}/{position.board.turn}"
    for seat in seats or position.board.order:
        position.core.questions = (*position.core.questions, Question(gate, seat, asks))
    return gate


def reopen(position: At, asks: str, seat: Seat) -> None:
    """One seat is asked in its turn (pace `order`)."""
    decision = Question(f"{asks}/{position.board.turn}/{seat}", seat, asks)
    position.core.questions = (*position.core.questions, decision)


def orders(answer: Answer) -> Orders:
    """A set of orders from one order, a sequence of them, or lines."""
    if isinstance(answer, Order):
        return unconditional(answer)
    if all(isinstance(line, Order) for line in answer):
        return unconditional(*(line for line in answer if isinstance(line, Order)))
    return tuple(line for line in answer if not isinstance(line, Order))


def play(position: At, gate: str, answers: Mapping[Seat, Answer], script: Script | None = None) -> Went:
    """Close a gate; seats not named take the default. Draws not scripted come from a fixed seed."""
    given: dict[Seat, Orders] = {}
    for decision in position.core.gate(gate):
        if decision.blocking or decision.seat in answers:
            with seen_by(decision.seat):
                given[decision.seat] = RULES.default_orders(redact(position, decision.seat), decision)
    given.update({seat: orders(answer) for seat, answer in answers.items()})
    went = advance(RULES, position, gate, given, draws=_draws(script))
    sound(went.position)
    return went


def queue(position: At, *steps: Step, script: Script | None = None) -> Went:
    """Do these steps before anything else, up to the next question."""
    edits = (StepsQueued(steps=steps),)
    return correct(RULES, position, Corrected(by="test", reason="", edits=edits), draws=_draws(script))


def _draws(script: Script | None) -> ScriptedDraws:
    return ScriptedDraws(script or {}, HmacDraws(b"seed", b"luck"))


def events_of(events: Iterable[Event], kind: type[E]) -> list[E]:
    """The facts of one kind, in order."""
    return [event for event in events if isinstance(event, kind)]


def judged(position: At, seat: Seat, asks: str, answer: Answer) -> tuple[LineResult, ...]:
    """What the author of a set would be told of each line, on their own view."""
    decision = next((d for d in position.core.questions if d.seat == seat and d.topic == asks), None)
    decision = decision or Question(f"{asks}/{position.board.turn}", seat, asks)
    return check_orders(RULES, redact(position, seat), decision, orders(answer))


def code(position: At, seat: Seat, asks: str, answer: Order) -> str:
    """The code of the problem for which one order is refused; empty if it stands."""
    problem = refusal(position, seat, asks, answer)
    return problem.code if problem else ""


def refusal(position: At, seat: Seat, asks: str, answer: Order) -> Problem | None:
    """The problem for which one order is refused on its author's own view; None if it stands."""
    decision = next((d for d in position.core.questions if d.seat == seat and d.topic == asks), None)
    decision = decision or Question(f"{asks}/{position.board.turn}", seat, asks)
    seen = redact(position, seat)
    with seen_by(seat):
        problem: Problem | None = RULES.refusal(seen, decision, answer)
    return problem


def sound(position: At) -> None:
    """Nothing was minted, nothing lost."""
    with truth():
        found = RULES.list_violations(position)
    assert not found, found


@contextmanager
def knowing() -> Iterator[None]:
    """Within this block a test may read everything."""
    with truth():
        yield


class Fight:
    """One battle from its announcement on: reactions are given by topic, the others take the default.

    `attack`, `defence`: the dice; `condottieri`: their throws, as faces of the die (1: rout, 2: betrayal, 3 and 4: four
    points, 5: five, 6: six).
    """

    def __init__(
        self,
        position: At,
        seat: Seat,
        attack: Attack | Ride,
        replies: Mapping[tuple[Seat, str], Answer] | None = None,
        dice: tuple[int, int] = (3, 3),
        condottieri: Sequence[int] = (),
        more: Sequence[Order] = (),
    ) -> None:
        """Announce `attack` in `seat`'s own combat turn (with `more` lines after it), and fight it out."""
        number = position.board.battles + 1
        name = f"battle/{position.board.turn}/{number}"
        self.script: dict[str, int | Sequence[object]] = {f"{name}/attack": dice[0], f"{name}/defence": dice[1]}
        self.script |= {f"{name}/condottiere/{n}": face for n, face in enumerate(condottieri, 1)}
        self.events: list[Event] = []
        self.asked: list[tuple[str, tuple[Seat, ...]]] = []
        gate = ask(position, "combat", seat)
        went = play(position, gate, {seat: (attack, *more)}, self.script)
        self._go_on(went, replies or {})

    def _go_on(self, went: Went, replies: Mapping[tuple[Seat, str], Answer]) -> None:
        self.events += went.events
        while went.position.board.battle is not None:
            gate = next(d.gate for d in went.position.core.questions if d.blocking)
            decisions = [d for d in went.position.core.gate(gate) if d.blocking]
            self.asked.append((decisions[0].topic, tuple(d.seat for d in decisions)))
            answers = {d.seat: replies[d.seat, d.topic] for d in decisions if (d.seat, d.topic) in replies}
            went = play(went.position, gate, answers, self.script)
            self.events += went.events
        self.position = went.position

    def events_of(self, kind: type[E]) -> list[E]:
        """The facts of one kind, in order."""
        return events_of(self.events, kind)

    def topics(self) -> list[str]:
        """What was asked, in order."""
        return [asks for asks, _ in self.asked]

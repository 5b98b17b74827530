"""Positions for tests, built piece by piece, and short ways to play on from them.

What the builders change they change in place; `play` and `enter` never do.
"""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from engine.kernel.dice import HmacDraws
from engine.kernel.events import Corrected, Event, StepsQueued
from engine.kernel.orders import LineResult, Order, Orders, Problem, Question, unconditional
from engine.kernel.position import Core, Position, Step
from engine.kernel.run import Advance, advance, correct
from engine.kernel.secrets import Secret, redact, seen_by, truth
from engine.kernel.validation import check_orders
from engine.kernel.viewers import Seat
from engine.patchistory.board import Board, Phase, Route
from engine.patchistory.catalogue import EQUALITY, FIRST_PACK, LIBERTY, PROSPERITY, ROUNDS, TILES, tiles_of
from engine.patchistory.effects import level
from engine.patchistory.phases.setup import blank
from engine.patchistory.phases.turn import OpenPhase
from engine.patchistory.ruleset import RULES
from engine.patchistory.territory import Square, capital
from tests.scripted_draws import ScriptedDraws

E = TypeVar("E", bound=Event)
At = Position[Board]
Went = Advance[Board]
Answer = Order | Sequence[Order] | Orders
Script = Mapping[str, int | Sequence[object]]

RED, GREEN, BLUE, YELLOW = map(Seat, ("ann", "bob", "cleo", "dan"))
"""Seats by the colour of their workers."""
SEATS = (RED, GREEN, BLUE, YELLOW)
PURSE = {"food": 9, "resource": 9, "money": 9, "culture": 20, "vote": 0}


def game(seats: int = 3, *, turn: int = 2, phase: Phase = Phase.AUCTION, **options: str) -> At:
    """A game under way, past its set-up: nobody is asked anything, nobody has workers, no routes are laid.

    Everybody has 9 of each good and 20 Culture, and is first in the order of SEATS.
    """
    chosen = RULES.meta.chosen(options)
    board = blank(SEATS[:seats], chosen)
    board.turn, board.phase = turn, phase
    tiles, cards = list(FIRST_PACK), list(PROSPERITY)
    for seat, name in zip(SEATS[:seats], LIBERTY, strict=False):
        player = board.players[seat]
        player.capital, player.territory = name, capital(EQUALITY if chosen["side"] == "equality" else LIBERTY[name])
        player.pack = tuple(Secret(tiles.pop(0), frozenset({seat})) for _ in range(4))
        player.cards = tuple(Secret(cards.pop(), frozenset({seat})) for _ in range(3))
    board.pile, board.stack = tuple(map(Secret, tiles)), tuple(map(Secret, cards))
    board.deck = tuple(map(Secret, tiles_of((turn - 1) // ROUNDS + 1)))
    position = Position(Core(SEATS[:seats], chosen, Secret(b"seed")), board)
    for seat in SEATS[:seats]:
        stock(position, seat, **PURSE)
    return position


def stock(position: At, seat: Seat, **goods: int) -> None:
    """Exactly so much of these."""
    with truth():
        for good, n in goods.items():
            position.board.players[seat].put(good, n)


def has(position: At, seat: Seat, good: str) -> int:
    """How much of a good a player has."""
    with truth():
        return position.board.players[seat].amount(good)


def workers(position: At, seat: Seat, *squares: str) -> None:
    """Workers on exactly these squares; those on routes stay."""
    player = position.board.players[seat]
    away = sum(seat in route.spots for route in position.board.of(seat))
    player.workers, player.track = squares, 8 - len(squares) - away


def lay(position: At, seat: Seat, room: str, *squares: str) -> None:
    """A location upon squares of a territory, the rest of its tile being covered."""
    tile = next((t.id for t in TILES.values() if t.special.id == room), f"plain-{room}")
    player = position.board.players[seat]
    player.territory = {**player.territory, **{s: Square(tile, "A", room) for s in squares or ("L9", "L10")}}


def hand(position: At, seat: Seat, *kinds: str) -> None:
    """Building tiles of these kinds first in a player's hand, out of the pile."""
    board = position.board
    with truth():
        for kind in kinds:
            found = next(tile for tile in board.pile if tile.value.startswith(kind))
            board.pile = tuple(tile for tile in board.pile if tile is not found)
            player = board.players[seat]
            board.pile = (*board.pile, Secret(player.pack[-1].value))
            player.pack = (Secret(found.value, frozenset({seat})), *player.pack[:-1])


def route(
    position: At,
    start: Seat,
    end: Seat,
    *,
    allied: bool = False,
    spots: Mapping[Seat, int] | None = None,
    war: Mapping[Seat, str] | None = None,
) -> int:
    """A trade route; its workers come from the People track. Returns its number."""
    board = position.board
    board.laid += 1
    board.routes = (*board.routes, Route(board.laid, start, end, allied, dict(spots or {}), {}, dict(war or {})))
    for seat in spots or {}:
        board.players[seat].track -= 1
    return board.laid


def strong(position: At, seat: Seat, military: int) -> None:
    """Rows of barracks far from the capital, so that Military is this."""
    board, n = position.board, 0
    while level(board, seat, "military") < military:
        here = f"{'ABCDEFG'[n % 7]}{19 - n // 7}"
        player = board.players[seat]
        player.territory = {**player.territory, here: Square(f"plain-{n}", "A", "barracks")}
        n += 1


def play(position: At, gate: str, answers: Mapping[Seat, Answer], script: Script | None = None) -> Went:
    """Close a gate; seats not named confirm the empty set. Only scripted draws are made, if there is a script."""
    given: dict[Seat, Orders] = {d.seat: () for d in position.core.gate(gate) if d.blocking}
    given.update({seat: orders(answer) for seat, answer in answers.items()})
    return advance(RULES, position, gate, given, draws=_draws(script))


def orders(answer: Answer) -> Orders:
    """A set of orders from one order, a sequence of them, or lines."""
    if isinstance(answer, Order):
        return unconditional(answer)
    if all(isinstance(line, Order) for line in answer):
        return unconditional(*(line for line in answer if isinstance(line, Order)))
    return tuple(line for line in answer if not isinstance(line, Order))


def enter(position: At, phase: Phase, script: Script | None = None) -> Went:
    """Begin a phase and go on to the first question, with nothing queued behind the phase."""
    return queue(position, OpenPhase(phase), script=script)


def queue(position: At, *steps: Step, script: Script | None = None) -> Went:
    """Do these steps before anything else, up to the next question."""
    edits = (StepsQueued(steps=steps),)
    return correct(RULES, position, Corrected(by="test", reason="", edits=edits), draws=_draws(script))


def phase(position: At, which: Phase, answers: Mapping[Seat, Answer]) -> Went:
    """A phase whose orders are asked of all at one gate."""
    began = enter(position, which)
    return play(began.position, f"{which.value}/{position.board.turn}", answers)


def _draws(script: Script | None) -> HmacDraws | ScriptedDraws:
    return HmacDraws(b"seed", b"") if script is None else ScriptedDraws(script)


def open_gate(position: At) -> str:
    """The one gate that is open."""
    (gate,) = position.core.gates()
    return gate


def events_of(went: Went, kind: type[E]) -> list[E]:
    """The facts of one kind, in order."""
    return [event for event in went.events if isinstance(event, kind)]


def judged(position: At, seat: Seat, asks: str, answer: Answer, **limits: int | str) -> tuple[LineResult, ...]:
    """What the author of a set would be told of each line, on their own view."""
    decision = Question(f"{asks}/{position.board.turn}", seat, asks, dict(limits))
    return check_orders(RULES, redact(position, seat), decision, orders(answer))


def refused(position: At, seat: Seat, asks: str, answer: Order, **limits: int | str) -> Problem | None:
    """Why one order cannot stand on its author's own view; None if it can."""
    decision = Question(f"{asks}/{position.board.turn}", seat, asks, dict(limits))
    seen = redact(position, seat)
    with seen_by(seat):
        return RULES.refusal(seen, decision, answer)


def code(problem: Problem | None) -> str:
    """The code of a refusal; empty for none."""
    return problem.code if problem else ""


def sound(position: At) -> None:
    """Nothing was minted, nothing lost."""
    with truth():
        found = RULES.list_violations(position)
    assert not found, found

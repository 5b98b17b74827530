"""Positions for tests, built piece by piece, and short ways to play on from them.

What the builders change they change in place; `play` and `act` never do.
"""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from engine.amalfi.acts import effects
from engine.amalfi.board import Board, Phase
from engine.amalfi.catalogue import ARTWORKS, CHARACTERS, PRIVATE, Op
from engine.amalfi.phases.setup import blank
from engine.amalfi.phases.turns import TakeTurn
from engine.amalfi.ruleset import RULES
from engine.kernel.dice import HmacDraws
from engine.kernel.events import Corrected, Event, StepsQueued
from engine.kernel.orders import LineResult, Order, Orders, Problem, Question, unconditional
from engine.kernel.position import Core, Position, Step
from engine.kernel.run import Advance, advance, correct
from engine.kernel.secrets import Secret, redact, seen_by, truth
from engine.kernel.validation import check_orders
from engine.kernel.viewers import Seat
from tests.scripted_draws import ScriptedDraws

E = TypeVar("E", bound=Event)
At = Position[Board]
Went = Advance[Board]
Answer = Order | Sequence[Order] | Orders

ANN, BOB, CLEO, DAN = map(Seat, ("ann", "bob", "cleo", "dan"))
SEATS = (ANN, BOB, CLEO, DAN)
TITLES = ("amiral", "collectionneur", "zelateur")
DECREES = ("colonisation", "benediction", "subsistance", "conclave")


def game(seats: int = 2, *, period: int = 1, **options: str) -> At:
    """A game under way: Ann is asked for a first action; everybody has six bread and no characters.

    The rows hold the first cards of their tables; nobody is a step away from a title.
    """
    chosen = RULES.meta.chosen(options, seats)
    board = blank(SEATS[:seats], chosen)
    board.period, board.phase, board.round, board.active = period, Phase.ACTIONS, 1, ANN
    board.titles, board.decrees, board.claims = TITLES, DECREES, dict.fromkeys(TITLES, ())
    for row, cards in (("atelier", tuple(ARTWORKS)), ("atlas", PRIVATE), ("council", tuple(CHARACTERS))):
        shown = 4 if row == "council" else 5
        board.rows[row], board.decks[row] = cards[:shown], tuple(map(Secret, cards[shown:]))
    for player in board.players.values():
        player.bread = 6
    core = Core(SEATS[:seats], chosen, Secret(b"seed"))
    position = Position(core, board)
    asked = (Question(gate(position, ANN), ANN, "action"),)
    free = (Question(f"free/{period}", seat, "free", blocking=False) for seat in SEATS[:seats])
    core.questions, core.agenda = (*asked, *free), (TakeTurn(ANN, gate(position, ANN)),)
    return position


def gate(position: At, seat: Seat) -> str:
    """Where a player's action of this round is asked."""
    board, sealed = position.board, position.core.options["pace"] == "sealed"
    return f"action/{board.period}/{board.round}" if sealed else f"action/{board.period}/{seat}/{board.round}"


def _pull(board: Board, row: str, card: str) -> None:
    """Take a card from wherever it lies face down or open."""
    shown = board.rows[row]
    board.decks[row] = tuple(c for c in board.decks[row] if c.held != card)
    if card in shown:
        fresh, *rest = board.decks[row]
        board.decks[row] = tuple(rest)
        board.rows[row] = tuple(str(fresh.held) if c == card else c for c in shown)


def row(position: At, name: str, *cards: str) -> None:
    """Exactly these cards open in a row, from the left."""
    board = position.board
    for card in cards:
        if card not in board.rows[name]:
            _pull(board, name, card)
    rest = [Secret(card) for card in board.rows[name] if card not in cards]
    board.rows[name], board.decks[name] = cards, (*board.decks[name], *rest)


def hand(position: At, seat: Seat, *cards: str) -> None:
    """These characters in a hand as well."""
    for card in cards:
        _pull(position.board, "council", card)
    player = position.board.players[seat]
    player.hand = (*player.hand, *(Secret(card, frozenset({seat})) for card in cards))


def place_characters(position: At, seat: Seat, *cards: str, engaged: bool = False) -> None:
    """These characters laid out as well."""
    player = position.board.players[seat]
    for card in cards:
        _pull(position.board, "council", card)
    player.invited = (*player.invited, *cards)
    player.engaged = (*player.engaged, *(cards if engaged else ()))


def owns(position: At, seat: Seat, *things: str) -> None:
    """These artworks and private destinations."""
    player = position.board.players[seat]
    for thing in things:
        _pull(position.board, "atelier" if thing in ARTWORKS else "atlas", thing)
    player.artworks = (*player.artworks, *(thing for thing in things if thing in ARTWORKS))
    player.destinations = (*player.destinations, *(thing for thing in things if thing in PRIVATE))


def stow(position: At, seat: Seat, bay: int | None = None, port: int = 0, **holds: int) -> None:
    """Ships in holds and port, and in the bay; the rest of the ten stay in the yard."""
    player = position.board.players[seat]
    player.holds = {**dict.fromkeys(player.holds, 0), **holds}
    player.port = port
    docked = len(position.board.docked(seat))
    player.bay = 4 - sum(holds.values()) - port - docked if bay is None else bay
    player.yard = 10 - player.bay - port - sum(holds.values()) - docked


def light(position: At, place: str, owner: str) -> None:
    """A lighthouse."""
    position.board.lights[place] = (owner, len(position.board.lights) + 1)


def dock(position: At, place: str, owner: Seat) -> None:
    """A ship of a player's bay lies at a dock."""
    position.board.docks[place] = owner
    position.board.players[owner].bay -= 1


def orders(answer: Answer) -> Orders:
    """A set of orders from one order, a sequence of them, or lines."""
    if isinstance(answer, Order):
        return unconditional(answer)
    if all(isinstance(line, Order) for line in answer):
        return unconditional(*(line for line in answer if isinstance(line, Order)))
    return tuple(line for line in answer if not isinstance(line, Order))


def play(position: At, where: str, answers: Mapping[Seat, Answer], script: Mapping[str, Any] | None = None) -> Went:
    """Close a gate; seats not named confirm the empty set."""
    given: dict[Seat, Orders] = {d.seat: () for d in position.core.gate(where) if d.blocking}
    given.update({seat: orders(answer) for seat, answer in answers.items()})
    draws = HmacDraws(b"seed", b"") if script is None else ScriptedDraws(script)
    return advance(RULES, position, where, given, draws=draws)


def act(position: At, answer: Answer, seat: Seat = ANN) -> Went:
    """A player answers the question for an action; what is sound before is sound after."""
    sound(position)
    refusals = [r.problem for r in judged(position, seat, answer) if r.problem is not None]
    assert not refusals, refusals
    asked = next(d.gate for d in position.core.questions if d.seat == seat and d.topic == "action")
    went = play(position, asked, {seat: answer})
    sound(went.position)
    return went


def answer(went: Went, seat: Seat, order: Answer) -> Went:
    """Answer the choice that a player is asked now."""
    asked = next(d for d in went.position.core.questions if d.seat == seat and d.topic not in ("free", "action"))
    on = play(went.position, asked.gate, {seat: order})
    sound(on.position)
    return on


def queue(position: At, *steps: Step) -> Went:
    """Do these steps before anything else, up to the next question."""
    at = Position(Core(position.core.seats, position.core.options, position.core.seed), position.board)
    went = correct(RULES, at, Corrected(by="test", reason="", edits=(StepsQueued(steps=steps),)))
    sound(went.position)
    return went


def does(position: At, seat: Seat, *ops: Op, cause: str = "test") -> Went:
    """What these effects do."""
    return queue(position, *effects(seat, ops, cause))


def questions_in(went: Went) -> tuple[tuple[str, Seat], ...]:
    """Who is asked what, standing questions apart."""
    return tuple((d.topic, d.seat) for d in went.position.core.questions if d.blocking)


def events_of(went: Went, kind: type[E]) -> list[E]:
    """The facts of one kind, in order."""
    return [event for event in went.events if isinstance(event, kind)]


def judged(position: At, seat: Seat, answer: Answer, asks: str = "action") -> tuple[LineResult, ...]:
    """What the author of a set would be told of each line, on their own view."""
    found = next((d for d in position.core.questions if d.seat == seat and d.topic == asks), None)
    decision = found or Question(f"{asks}/{position.board.period}/{seat}/1", seat, asks)
    return check_orders(RULES, redact(position, seat), decision, orders(answer))


def refused(position: At, seat: Seat, order: Order, asks: str = "action", **limits: int | str) -> str:
    """The code why an order cannot stand on its author's own view; empty if it can."""
    problem = problem_of(position, seat, order, asks, **limits)
    return problem.code if problem else ""


def problem_of(position: At, seat: Seat, order: Order, asks: str = "action", **limits: int | str) -> Problem | None:
    """Why one order cannot stand on its author's own view; None if it can."""
    decision = Question(f"{asks}/{position.board.period}/{seat}/1", seat, asks, dict(limits))
    seen = redact(position, seat)
    with seen_by(seat):
        return RULES.refusal(seen, decision, order)


def hand_of(position: At, seat: Seat) -> tuple[str, ...]:
    """The characters in a hand."""
    with truth():
        return tuple(card.value for card in position.board.players[seat].hand)


def sound(position: At) -> None:
    """Nothing was minted, nothing lost."""
    with truth():
        found = RULES.list_violations(position)
    assert not found, found

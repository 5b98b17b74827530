"""Tour de jeu: the six sequences in order, and of them the return of eliminated players, the vote, the deal and the
order.
"""

from collections.abc import Callable, Mapping
from typing import Final

from engine.kernel.orders import Orders, Problem, Question, unconditional
from engine.kernel.pace import ask_in_turn
from engine.kernel.position import Step
from engine.kernel.turn_chapters import Defaults, Gates, Refusals, Steps
from engine.kernel.viewers import Seat
from engine.renaissance import orders as o
from engine.renaissance.acts import (
    AskInTurn,
    Game,
    Seen,
    draw_cards,
    fall_out,
    first,
    privileged,
)
from engine.renaissance.board import Phase
from engine.renaissance.catalogue import DEALT, PAID, RETURN_DUCATS, SCENARIOS, TURNS, WAR, year
from engine.renaissance.events import OrderDrawn, PhaseBegan, Returned, StanceTaken, StateSet, TurnBegan
from engine.renaissance.phases import combat, council, diplomacy, expansion, purchases, scoring

PROBLEMS: Final = (
    "no_such_state",  # {state}
    "no_such_side",  # {side}
    "not_a_start",  # {city, cities}: a player returns in one of their start cities
)


class BeginTurn(Step, saved="ren.BeginTurn"):
    """Begin the next turn."""


class Sequence(Step, saved="ren.Sequence"):
    """Begin a sequence of the turn."""

    name: str


def begin_turn(table: Game, step: BeginTurn) -> None:
    """Tour de jeu  Ask eliminated players to return, and all players to vote; then queue the sequences."""
    board = table.board
    for seat in board.order:
        table.withdraw(seat)
    turn = board.turn + 1
    table.emit(TurnBegan(turn=turn, year=year(board.scenario, turn)))
    table.emit(PhaseBegan(phase=Phase.STATE))
    table.then(*(Sequence(name) for name in SEQUENCES))
    for seat in board.order:
        diplomacy.offer(table, seat)
    back = (seat for seat in board.order if board.powers[seat].eliminated)
    table.ask(*(Question(f"return/{board.turn}", seat, "return") for seat in back))
    ask_state(table)


def come_back(table: Game, gate: str, answers: Mapping[Seat, Orders]) -> None:
    """A23, A41  Return players in order of play, with the city as it is; a player who loses their last city returns
    next turn.
    """
    for seat in table.board.order:
        order = first(answers.get(seat, ()), o.Return)
        if order is not None:
            loser = table.board.cities[order.city].owner
            table.emit(Returned(seat=seat, city=order.city, loser=loser, ducats=RETURN_DUCATS))
            fall_out(table, loser)


def refuse_return(seen: Seen, decision: Question, order: o.Return) -> Problem | None:
    """Require one of the player's start cities."""
    starts = seen.board.powers[decision.seat].starts
    if order.city in starts:
        return None
    return Problem("not_a_start", {"city": order.city, "cities": starts}, lasting=True)


def default_return(seen: Seen, decision: Question) -> Orders:
    """Return the start city with the strongest walls; of equals, one with a palace."""
    cities, starts = seen.board.cities, seen.board.powers[decision.seat].starts
    best = max(starts, key=lambda town: (cities[town].level, cities[town].palace))
    return unconditional(o.Return(best))


# --- Séquence 1


def ask_state(table: Game) -> None:
    """Séquence 1  Set the state of the scenario in the first turn; later ask all to vote.

    Ask the Swiss for their bonus (A30).
    """
    board = table.board
    if board.turn == 1:
        table.emit(StateSet(state=SCENARIOS[board.scenario].first_turn, votes={}, war=0, of=0))
    else:
        table.ask(*(Question(f"vote/{board.turn}", seat, "vote") for seat in board.order))
    for seat in board.order:
        if privileged(table.core.options, board, seat, "suisse"):
            table.ask(Question(f"stance/{board.turn}", seat, "stance"))


def count_votes(table: Game, gate: str, answers: Mapping[Seat, Orders]) -> None:
    """Séquence 1, A25  Declare war if at least half of the votes are for it; Rome's privilege is a second vote."""
    options, board = table.core.options, table.board
    votes = {seat: order.state for seat, given in answers.items() if (order := first(given, o.Vote))}
    voices = {seat: 1 + privileged(options, board, seat, "rome") for seat in votes}
    war = sum(voices[seat] for seat, vote in votes.items() if vote == WAR)
    total = sum(voices.values())
    table.emit(StateSet(state=WAR if 2 * war >= total else "peace", votes=votes, war=war, of=total))


def take_stance(table: Game, gate: str, answers: Mapping[Seat, Orders]) -> None:
    """A30  Announce the Swiss bonus to all."""
    for seat, given in answers.items():
        order = first(given, o.Stance)
        if order is not None:
            table.emit(StanceTaken(seat=seat, side=order.side))


def refuse_vote(seen: Seen, decision: Question, order: o.Vote) -> Problem | None:
    """Require `peace` or `war`."""
    return None if order.state in DEALT else Problem("no_such_state", {"state": order.state}, lasting=True)


def refuse_stance(seen: Seen, decision: Question, order: o.Stance) -> Problem | None:
    """Require `attack` or `defence`."""
    known = order.side in ("attack", "defence")
    return None if known else Problem("no_such_side", {"side": order.side}, lasting=True)


# --- Séquences 2 and 4


def deal(table: Game) -> None:
    """Séquence 2, A26  Deal in order of play: six cards in war, four and four ducats in peace; one
    more for the Empire.
    """
    board = table.board
    for power in board.playing():
        draw_cards(table, power.seat, DEALT[board.state], board.state, PAID[board.state])
        if privileged(table.core.options, board, power.seat, "saint_empire"):
            draw_cards(table, power.seat, 1, "empire")


def draw_order(table: Game) -> None:
    """Séquence 4  Draw the order from the second turn on; last turn's first player cannot be first again."""
    board = table.board
    if board.turn == 1:
        return
    barred, *others = board.order
    leader = others[table.roll(f"order/{board.turn}/first", len(others)) - 1]
    rest = tuple(seat for seat in board.order if seat != leader)
    table.emit(OrderDrawn(order=(leader, *table.shuffle(f"order/{board.turn}/rest", rest)), barred=barred))


def after_scoring(table: Game) -> None:
    """Séquence 6  Score, then end the game after the last turn, or shuffle all cards and begin the next."""
    scoring.score(table)
    if table.board.turn < TURNS:
        scoring.gather_cards(table)
        table.then(BeginTurn())
    else:
        scoring.finish(table)


SEQUENCES: Final[Mapping[str, Callable[[Game], None]]] = {
    "deal": deal,
    "purchases": purchases.begin,
    "order": draw_order,
    "expansion": expansion.begin,
    "combat": combat.begin,
    "council": council.begin,
    "scoring": after_scoring,
}


def default_vote(seen: Seen, decision: Question) -> Orders:
    """Return a vote for peace."""
    return unconditional(o.Vote("peace"))


def default_stance(seen: Seen, decision: Question) -> Orders:
    """Return the bonus for defence."""
    return unconditional(o.Stance("defence"))


STEPS: Final[Steps] = {
    BeginTurn: begin_turn,
    AskInTurn: ask_in_turn,
    Sequence: lambda table, step: SEQUENCES[step.name](table),
}
GATES: Final[Gates] = {
    "return": come_back,
    "vote": count_votes,
    "stance": take_stance,
}
REFUSALS: Final[Refusals] = {
    o.Return: refuse_return,
    o.Vote: refuse_vote,
    o.Stance: refuse_stance,
}
DEFAULTS: Final[Defaults] = {
    "return": default_return,
    "vote": default_vote,
    "stance": default_stance,
}

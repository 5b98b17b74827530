"""Phases 2 and 3, the new period, and the end of the game."""

from collections.abc import Mapping
from typing import Final

from engine.amalfi import events as e
from engine.amalfi import orders as o
from engine.amalfi.acts import Game, Seen, discard_rightmost, refill, triggered
from engine.amalfi.board import Board, Phase
from engine.amalfi.catalogue import CHARACTERS, DECREES, DESTINATIONS, EVOLVING, MEAL, PERIODS, Category, On
from engine.amalfi.phases import solo
from engine.amalfi.phases.optional import do_optional, means, missing, open_standing, provision, seats_with_room
from engine.amalfi.phases.turns import EndActions, open_actions
from engine.amalfi.values import decree_counts, emergency_value, end_points, meal
from engine.kernel.events import Ended
from engine.kernel.orders import Orders, Pace, Question, unconditional
from engine.kernel.position import ExecuteOrders, Step
from engine.kernel.table import seal
from engine.kernel.turn_chapters import Defaults, Gates, Sets, Steps
from engine.kernel.viewers import Seat

BREAD: Final = "bread"


class BeginPeriod(Step, saved="amalfi.BeginPeriod"):
    """Begin a period. `number`: 1 to 4."""

    number: int


class OpenActions(Step, saved="amalfi.OpenActions"):
    """Begin the actions, after all effects of the new period."""


class Eat(Step, saved="amalfi.Eat"):
    """Make all players pay for the meal."""


class ScoreDecree(Step, saved="amalfi.ScoreDecree"):
    """Score the decree of the period."""


class EndPeriod(Step, saved="amalfi.EndPeriod"):
    """Begin a new period, or end the game."""


class Convert(ExecuteOrders, saved="amalfi.Convert"):
    """A player's remaining optional actions before the meal or the decree."""


# --- periods


def begin_period(table: Game, step: BeginPeriod) -> None:
    """Begin a period with the player who passed first; a single player is always first (Défis solo)."""
    board = table.board
    table.emit(e.PeriodBegan(turn=step.number, first=board.next_first or board.first))
    open_standing(table)
    table.then(OpenActions())
    if step.number > 1:
        table.then(*(effect for seat in board.seats for effect in triggered(board, seat, On.PERIOD)))


def begin_actions(table: Game, step: OpenActions) -> None:
    """Begin phase 1; see `open_actions`."""
    open_actions(table)


# --- phase 2


def meal_question(period: int, seat: Seat) -> Question:
    """Return the question of how to find the missing bread; nobody need wait, because ships find it by default."""
    return Question(f"meal/{period}", seat, "meal", pace=Pace.REACTION)


def begin_meal(table: Game, step: EndActions) -> None:
    """Ask players who lack bread and might find some."""
    board = table.board
    table.emit(e.PhaseBegan(phase=Phase.MEAL))
    table.then(Eat())
    short = [s for s in board.seats if missing(table.position, s) and means(board, s)]
    table.ask(*(meal_question(board.period, seat) for seat in short))


def _default_meal(seen: Seen, decision: Question) -> Orders:
    """Find the missing bread with ships, as a player who knows the rules would."""
    found = provision(seen, decision.seat)
    return unconditional(o.Provide()) if missing(seen, decision.seat) and any(found) else ()


def eat(table: Game, step: Eat) -> None:
    """Pay all bread due; lose three points for each missing (A17)."""
    board = table.board
    for seat in board.seats:
        due = meal(board, seat)
        paid = min(due, board.players[seat].bread)
        table.emit(e.Fed(seat=seat, due=due, paid=paid, lost=(due - paid) * MEAL["penalty"]))
    table.emit(e.PhaseBegan(phase=Phase.DECREES))
    table.then(ScoreDecree())
    asked = seats_with_room(board, (seat for seat in board.seats if counts_bread(board, seat)))
    table.ask(*(Question(f"decree/{board.period}", seat, "decree", pace=Pace.REACTION) for seat in asked))


def _default_decree(seen: Seen, decision: Question) -> Orders:
    """Fill the granary with ships of the bay, which cost nothing: the new period brings them back (page 19)."""
    board, player = seen.board, seen.board.players[decision.seat]
    room, each = board.granary(decision.seat) - player.bread, emergency_value(board, decision.seat)
    ships = min(player.bay, -(-room // each))
    return unconditional(o.Supply(ships)) if ships else ()


def counts_bread(board: Board, seat: Seat) -> bool:
    """Return True if bread gives this player points now: by the decree, or at the end (A9)."""
    if BREAD in DECREES[board.decrees[board.period - 1]].vp:
        return True
    return board.period == PERIODS and any(CHARACTERS[card].per == BREAD for card in board.players[seat].invited)


def take_conversions(table: Game, gate: str, answers: Mapping[Seat, Orders]) -> None:
    """Queue the answers in turn order."""
    asks = gate.partition("/")[0]
    seats = (seat for seat in table.board.seats if seat in answers)
    table.then(*(Convert(seat, gate, asks, seal(answers[seat])) for seat in seats))


def convert(table: Game, step: Convert) -> None:
    """Do the next possible optional action."""
    order, rest = table.next_order(step)
    if order is not None:
        do_optional(table, step.seat, order)
        table.then(rest.line_done())


# --- phase 3


def score_decree(table: Game, step: ScoreDecree) -> None:
    """Décrets: Apply characters that react, and score all players' things."""
    board = table.board
    table.then(
        *(effect for seat in board.seats for effect in triggered(board, seat, On.DECREE)),
        EndPeriod(),
    )
    for seat in board.seats:
        counts, parts = decree_counts(board, seat)
        decree = board.decrees[board.period - 1]
        table.emit(e.DecreeScored(seat=seat, decree=decree, counted=dict(counts), parts=dict(parts)))


def end_period(table: Game, step: EndPeriod) -> None:
    """End the solo game without enough titles; else begin a new period, or end the game."""
    board = table.board
    if len(board.players) == 1 and not solo.goes_on(table):
        (seat,) = board.seats
        points = {seat: board.players[seat].vp}
        table.emit(Ended(reason="titles", ranking=((seat,),), points=points, is_won=False, result="lost"))
    elif board.period == PERIODS:
        _end(table)
    else:
        _renew(table)
        table.then(BeginPeriod(board.period + 1))


def _renew(table: Game) -> None:
    """Nouvelle Période: Renew the board, in the order of the rulebook (A24)."""
    board = table.board
    table.emit(e.ShipsReturned())
    if board.rows["atlas"]:
        covered = next(place for place in EVOLVING if DESTINATIONS[place].evolves == board.period + 1)
        table.emit(e.TileTaken(tile=board.rows["atlas"][-1], place=covered))
        refill(table, "atlas")
    discard_rightmost(table, "atelier", "new_period")
    table.emit(e.AllRefreshed())
    discard_rightmost(table, "council", "new_period")


# --- the end


def _end(table: Game) -> None:
    """Fin du jeu: Score end-of-game characters; most points win, titles break ties, else the victory is shared."""
    board = table.board
    for seat in board.seats:
        for card in board.players[seat].invited:
            if CHARACTERS[card].category is Category.END_GAME:
                count, points = end_points(board, seat, card)
                table.emit(e.EndScored(seat=seat, character=card, counted=count, points=points))
    scores = {seat: board.players[seat].vp for seat in board.seats}
    rated = {seat: (board.players[seat].vp, board.players[seat].title_vp) for seat in board.seats}
    places = sorted(set(rated.values()), reverse=True)
    ranking = tuple(tuple(seat for seat in board.seats if rated[seat] == worth) for worth in places)
    result = solo.band(scores[board.seats[0]]) if len(scores) == 1 else ""
    table.emit(Ended(reason="periods", ranking=ranking, points=scores, result=result))


STEPS: Final[Steps] = {
    BeginPeriod: begin_period,
    OpenActions: begin_actions,
    EndActions: begin_meal,
    Eat: eat,
    Convert: convert,
    ScoreDecree: score_decree,
    EndPeriod: end_period,
}
GATES: Final[Gates] = {"meal": take_conversions, "decree": take_conversions}
SETS: Final[Sets] = {"meal": Convert, "decree": Convert}
DEFAULTS: Final[Defaults] = {"meal": _default_meal, "decree": _default_decree}

"""1.

Placement des Tuiles Terrain: the won tile, workers on covered squares, immediate effects of new tiles.

`territory.refuse` checks the squares; this module applies it to a player's tile and the era.
"""

from collections.abc import Mapping
from typing import Final

from engine.kernel.gates import Gate
from engine.kernel.orders import Orders, Problem, Question
from engine.kernel.pace import ask_reaction
from engine.kernel.position import ExecuteOrders, Options, Step
from engine.kernel.table import seal
from engine.kernel.turn_chapters import Gates, Refusals, Sets, Steps
from engine.kernel.viewers import Seat
from engine.patchistory import territory as t
from engine.patchistory.acts import Game, Seen, call, choose_square, note_replies, reply
from engine.patchistory.board import Board, Lot, free_squares
from engine.patchistory.catalogue import GOODS, LEVELS, LIMITS, SET_UP, TILES
from engine.patchistory.effects import level, production
from engine.patchistory.events import TileDiscarded, TilePlaced, WorkerMoved, WorkerSentBack
from engine.patchistory.orders import Forgo, Home, Place, Settle
from engine.patchistory.phases.specials import OnPlace, settle

PROBLEMS = (
    "nothing_won",  # {}: no tile is to be placed
    "won_another",  # {lot}: not the tile that was won
    "side_needed",  # {}: with two players the side is chosen
    "side_given",  # {side}: the side that was on offer is up
    "taken_square",  # {square}: not a free own square
    *t.PROBLEMS,
)
NOTES = ("would_have",)  # {levels, production}: of each that would change its name, the number now, and that then


class Placing(ExecuteOrders, saved="patch.Placing"):
    """The lines of a placement; the first possible one is done."""


class Crowd(Step, saved="patch.Crowd"):
    """A-10: Make room if workers share a location. `gate`: where their owner was asked; "" before."""

    seat: Seat
    gate: str = ""


class FreeWorkers(Step, saved="patch.FreeWorkers"):
    """Important: Give free workers to all after the first placement.

    `gate`: where they were asked; "" before.
    """

    gate: str = ""


def begin(table: Game) -> None:
    """Ask all players who have won a tile; after the first auction free workers follow."""
    board = table.board
    if board.turn == 1:
        table.then(FreeWorkers())
    call(table, "placement", [seat for seat in board.seats if board.players[seat].won is not None])


def take_orders(table: Game, gate: str, answers: Mapping[Seat, Orders]) -> None:
    """Queue the placements in turn order."""
    table.then(
        *(Placing(seat, gate, "placement", seal(answers[seat])) for seat in table.board.seats if seat in answers)
    )


def place(table: Game, step: Placing) -> None:
    """Do the first possible line. If none is possible, ask again; without lines, discard the tile."""
    won = table.board.players[step.seat].won
    if won is None:
        return
    order, rest = table.next_order(step)
    match order:
        case Place():
            _put(table, step.seat, won, order)
        case Forgo():
            table.emit(TileDiscarded(seat=step.seat, tile=won.tile))
        case _ if not table.trial and rest.orders.value:
            _ask_again(table, step)
        case _:
            table.emit(TileDiscarded(seat=step.seat, tile=won.tile))


def _ask_again(table: Game, step: Placing) -> None:
    """Ask again, because an invalid line must never discard a tile."""
    asked = any(d.seat == step.seat and d.topic == "placement" for d in table.core.questions)
    if not asked:
        table.ask(Question(str(Gate.parse(step.gate).next()), step.seat, step.topic))


def _put(table: Game, seat: Seat, won: Lot, order: Place) -> None:
    player, side = table.board.players[seat], won.side or order.side
    face = TILES[won.tile].face(side)
    placement = t.Placement(won.tile, face, order.corner, frozenset(order.under))
    seen = {letter for square, letter in placement.squares().items() if square not in placement.under}
    under, before = t.in_reading_order(order.under), _counts(table.board, seat)
    table.emit(TilePlaced(seat=seat, tile=won.tile, side=side, corner=order.corner, under=under))
    if table.trial:
        levels, made = map(_changes, before, _counts(table.board, seat))
        table.note(Problem("would_have", {"levels": levels, "production": made}))
    shown = dict.fromkeys(face.rooms[letter] for letter in sorted(seen))
    crowded = (Crowd(seat),) if _crowded(player.territory, player.workers) else ()
    table.then(*crowded, *(OnPlace(seat, room) for room in shown))


def _counts(board: Board, seat: Seat) -> tuple[Mapping[str, int], Mapping[str, int]]:
    """Return a player's levels, and what a Production brings."""
    made = production(board, seat)
    return {name: level(board, seat, name) for name in LEVELS}, {name: made[name] for name in GOODS}


def _changes(before: Mapping[str, int], after: Mapping[str, int]) -> tuple[tuple[str, int, int], ...]:
    return tuple((name, before[name], after[name]) for name in after if after[name] != before[name])


def _crowded(territory: t.Territory, workers: tuple[str, ...]) -> tuple[str, ...]:
    """Return workers who share a location with an earlier one."""
    found, held = [], set[str]()
    for square in workers:
        if square in held:
            found.append(square)
        held |= set(t.location(territory, square))
    return tuple(found)


def make_room(table: Game, step: Crowd) -> None:
    """A-10: Move extra workers to free locations of the owner's choice, or back to the People track."""
    player = table.board.players[step.seat]
    extra = _crowded(player.territory, player.workers)
    if not step.gate:
        table.then(Crowd(step.seat, ask_reaction(table, "crowd", step.seat, (step.seat,), workers=len(extra))))
        return
    order = reply(table, step.gate, step.seat)
    wanted = order.squares if isinstance(order, Home) else ()
    for square in extra:
        to = choose_square(player, wanted)
        if to:
            table.emit(WorkerMoved(seat=step.seat, start=square, to=to, cause="crowded"))
        else:
            table.emit(WorkerSentBack(seat=step.seat, square=square, number=0, cause="crowded"))


def free_workers(table: Game, step: FreeWorkers) -> None:
    """Give one free worker with Equality, two with Liberty, on different locations."""
    count, seats = SET_UP["free_workers"][table.core.options["side"]], table.board.seats
    if not step.gate:
        gate = f"settle/{table.board.turn}"
        table.then(FreeWorkers(gate))
        table.ask(*(Question(gate, seat, "settle", {"workers": count}) for seat in seats))
        return
    for seat in seats:
        settle(table, seat, step.gate, count, "setup")


# --- answers


def as_placement(board: Board, seat: Seat, order: Place) -> t.Placement | Problem:
    """Return the placement of the won tile, or the problem of a wrong tile or side."""
    won = board.players[seat].won
    if won is None:
        return Problem("nothing_won", {})
    if order.lot not in ("", won.name):
        return Problem("won_another", {"lot": order.lot})
    if won.side and order.side not in ("", won.side):
        return Problem("side_given", {"side": won.side})
    if not (won.side or order.side):
        return Problem("side_needed", {})
    face = TILES[won.tile].face(won.side or order.side)
    return t.Placement(won.tile, face, order.corner, frozenset(order.under))


def refuse_place(seen: Seen, decision: Question, order: Place) -> Problem | None:
    """Return why the tile cannot be placed so, or None."""
    found = as_placement(seen.board, decision.seat, order)
    if isinstance(found, Problem):
        return found
    mine = seen.board.players[decision.seat].territory
    return t.refuse(mine, found, LIMITS[seen.board.era - 1], mixed=mixed(seen.core.options))


def mixed(options: Options) -> bool:
    """A-05: Return True if one tile may be partly over and partly under."""
    return options["mixed"] == "yes"


def refuse_forgo(seen: Seen, decision: Question, order: Forgo) -> Problem | None:
    """Require a tile to place."""
    return None if seen.board.players[decision.seat].won else Problem("nothing_won", {})


def refuse_squares(seen: Seen, decision: Question, order: Settle | Home) -> Problem | None:
    """Require own squares, at least one of them free now."""
    player = seen.board.players[decision.seat]
    strange = next((square for square in order.squares if square not in player.territory), None)
    if strange is not None:
        return Problem("taken_square", {"square": strange})
    free = {s for first in free_squares(player) for s in t.location(player.territory, first)}
    return None if free & set(order.squares) else Problem("taken_square", {"square": order.squares[0]})


STEPS: Final[Steps] = {Placing: place, Crowd: make_room, FreeWorkers: free_workers}
GATES: Final[Gates] = {"placement": take_orders, "crowd": note_replies, "settle": note_replies}
REFUSALS: Final[Refusals] = {
    Place: refuse_place,
    Forgo: refuse_forgo,
    Settle: refuse_squares,
    Home: refuse_squares,
}
SETS: Final[Sets] = {"placement": Placing}

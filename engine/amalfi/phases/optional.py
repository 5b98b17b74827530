"""Les actions optionnelles: bread for ships and characters, at any time except in the middle of a gain."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import product
from typing import Any, Final, NamedTuple

from engine.amalfi import events as e
from engine.amalfi import orders as o
from engine.amalfi.acts import Game, Seen, in_hand
from engine.amalfi.board import Board, Phase
from engine.amalfi.catalogue import HOLDS, MEAL
from engine.amalfi.values import emergency_value, hold_value, meal, stored
from engine.kernel.gates import Gate
from engine.kernel.orders import Order, Orders, Problem, Question, single_order
from engine.kernel.turn_chapters import Gates, Refusals
from engine.kernel.viewers import Seat

PROBLEMS = (
    "in_the_middle",  # {}: not while ships are being sent, only before the first or after the last
    "not_so_many_ships",  # {hold, ships}: the hold has only so many
    "holds_empty",  # {}
    "not_so_many_in_bay",  # {ships}
    "not_in_hand",  # {character}
    "nothing_missing",  # {}: the meal is paid
    "no_ship_to_provide",  # {}: no ship to find the missing bread with
    "no_queue",  # {}: no stored actions
)
NOTES: Final = ("meal_short",)  # {bread, points}: still missing for the meal, and lost for it


def standing(seat: Seat, period: int) -> Question:
    """Return the question that stays open for the whole period."""
    return Question(f"free/{period}", seat, "free", blocking=False)


def open_standing(table: Game) -> None:
    """Ask all players for optional actions until the end of the period."""
    for seat in dict.fromkeys(decision.seat for decision in table.core.questions):
        table.withdraw(seat)
    table.ask(*(standing(seat, table.board.period) for seat in table.board.seats))


def take_free(table: Game, gate: str, answers: Mapping[Seat, Orders]) -> None:
    """Do the actions at once, in any player's turn, and repeat the question."""
    again = str(Gate.parse(gate).next())
    for seat, orders in answers.items():
        decision, order = Question(gate, seat, "free", blocking=False), single_order(orders)
        if order is not None and REFUSALS[type(order)](table.position, decision, order) is None:
            do_optional(table, seat, order)
        table.ask(Question(again, seat, "free", blocking=False))


def do_optional(table: Game, seat: Seat, order: Order) -> None:
    """Do an optional action."""
    DO[type(order)](table, seat, order)


def _lower(table: Game, seat: Seat, order: o.Lower) -> None:
    lower(table, seat, Counter(order.holds))


def lower(table: Game, seat: Seat, holds: Mapping[str, int]) -> None:
    """Move ships of the holds to the bay; their value becomes bread."""
    worth = sum(hold_value(table.board, seat, hold) * n for hold, n in holds.items())
    kept, lost = stored(table.board, seat, worth)
    table.emit(e.ShipsLowered(seat=seat, holds=dict(holds), bread=kept, lost=lost))


def _supply(table: Game, seat: Seat, order: o.Supply) -> None:
    kept, lost = stored(table.board, seat, emergency_value(table.board, seat) * order.ships)
    table.emit(e.ShipsSupplied(seat=seat, ships=order.ships, bread=kept, lost=lost))


def _drop(table: Game, seat: Seat, order: o.Drop) -> None:
    cards = tuple(dict.fromkeys(order.characters))
    kept, lost = stored(table.board, seat, len(cards))
    table.emit(e.CharactersDropped(seat=seat, characters=cards, bread=kept, lost=lost))


def _provide(table: Game, seat: Seat, order: o.Provide) -> None:
    """Find the bread that is missing for the meal with ships, as `provision` chooses them."""
    found = provision(table.position, seat)
    if found.holds:
        lower(table, seat, found.holds)
    if found.supplied:
        _supply(table, seat, o.Supply(found.supplied))
    unpaid = meal(table.board, seat) - table.board.players[seat].bread
    if unpaid > 0 and table.board.phase is Phase.MEAL:
        table.note(Problem("meal_short", {"bread": unpaid, "points": unpaid * MEAL["penalty"]}))


def missing(seen: Seen, seat: Seat) -> int:
    """Return the bread that a player lacks for the meal, up to the room in the granary (Le Pain)."""
    board = seen.board
    due = meal(board, seat)
    return max(0, min(due, board.granary(seat)) - board.players[seat].bread)


class Provision(NamedTuple):
    """Ships that give bread for the meal: those lowered from each hold, then those moved from the bay to the port."""

    holds: Mapping[str, int]
    supplied: int


def provision(seen: Seen, seat: Seat) -> Provision:
    """Return which ships find the missing bread: as few loaded ones as possible, then least waste.

    A ship of the bay costs nothing, because the new period brings it back from the port (page 19). A ship that is
    lowered can go on to the port. All ships if they are too few.
    """
    board = seen.board
    player, lacking = board.players[seat], missing(seen, seat)
    ways = [way for way in _ways(board, seat, lacking) if way[0] >= lacking]
    if not ways:
        return Provision({hold: n for hold, n in player.holds.items() if n}, player.bay + player.in_holds)
    return min(ways, key=lambda way: (sum(way[1].holds.values()), way[0]))[1]


def _ways(board: Board, seat: Seat, lacking: int) -> Iterator[tuple[int, Provision]]:
    """Yield what any ships of the holds give, with as many of the bay as are needed then."""
    player, each = board.players[seat], emergency_value(board, seat)
    for counts in product(*(range(player.holds[hold] + 1) for hold in HOLDS)):
        holds = {hold: n for hold, n in zip(HOLDS, counts, strict=True) if n}
        lowered = sum(hold_value(board, seat, hold) * n for hold, n in holds.items())
        supplied = min(player.bay + sum(counts), max(0, -(-(lacking - lowered) // each)))
        yield lowered + supplied * each, Provision(holds, supplied)


def _recant(table: Game, seat: Seat, order: o.Recant) -> None:
    queued = table.board.players[seat].queued
    if queued is not None:
        lines = queued.value
        table.emit(e.QueueDropped(seat=seat, lines=lines, visible_to=frozenset({seat})))


# --- judging


def _in_the_middle(seen: Seen, decision: Question) -> Problem | None:
    """Refuse optional actions between the first ship that the current action sends and the last one (page 17)."""
    asked = any("sends" in d.limits for d in seen.core.questions if d.seat == decision.seat)
    return Problem("in_the_middle") if asked else None


def _refuse_lower(seen: Seen, decision: Question, order: o.Lower) -> Problem | None:
    held = seen.board.players[decision.seat].holds
    for hold, n in Counter(order.holds).items():
        if n > held[hold]:
            return Problem("not_so_many_ships", {"hold": hold, "ships": held[hold]})
    return _in_the_middle(seen, decision)


def _refuse_supply(seen: Seen, decision: Question, order: o.Supply) -> Problem | None:
    bay = seen.board.players[decision.seat].bay
    if order.ships > bay:
        return Problem("not_so_many_in_bay", {"ships": bay})
    return _in_the_middle(seen, decision)


def _refuse_drop(seen: Seen, decision: Question, order: o.Drop) -> Problem | None:
    held = in_hand(seen.board, decision.seat)
    absent = next((card for card in order.characters if card not in held), None)
    return Problem("not_in_hand", {"character": absent}) if absent else None


def _refuse_provide(seen: Seen, decision: Question, order: o.Provide) -> Problem | None:
    """Require missing bread, and a ship that can give some; in advance of the meal, accept."""
    player = seen.board.players[decision.seat]
    if not any(d.gate == decision.gate and d.seat == decision.seat for d in seen.core.questions):
        return None
    if not missing(seen, decision.seat):
        return Problem("nothing_missing")
    return None if player.bay or player.in_holds else Problem("no_ship_to_provide")


def _refuse_recant(seen: Seen, decision: Question, order: o.Recant) -> Problem | None:
    return None if seen.board.players[decision.seat].queue is not None else Problem("no_queue")


def means(board: Board, seat: Seat) -> bool:
    """Return True if a player could find more bread, by public knowledge: ships, or characters in hand."""
    player = board.players[seat]
    return bool(player.in_holds or player.bay or player.hand)


def seats_with_room(board: Board, seats: Iterable[Seat]) -> tuple[Seat, ...]:
    """Return the seats that have means, and room for the bread."""
    return tuple(seat for seat in seats if means(board, seat) and board.players[seat].bread < board.granary(seat))


DO: Final[Mapping[type[Order], Callable[[Game, Seat, Any], None]]] = {
    o.Lower: _lower,
    o.Supply: _supply,
    o.Drop: _drop,
    o.Provide: _provide,
    o.Recant: _recant,
}
GATES: Final[Gates] = {"free": take_free}
REFUSALS: Final[Refusals] = {
    o.Lower: _refuse_lower,
    o.Supply: _refuse_supply,
    o.Drop: _refuse_drop,
    o.Provide: _refuse_provide,
    o.Recant: _refuse_recant,
}

"""What each event changes."""

from dataclasses import replace

from engine.diplomacy import events as e
from engine.diplomacy.board import Board, Part, Player, Resolved
from engine.diplomacy.catalogue import province_of
from engine.diplomacy.orders import Retreat
from engine.kernel.events import Event
from engine.kernel.secrets import Secret


def apply(board: Board, event: Event) -> None:
    """Change the board as the event says."""
    match event:
        case e.PowersGiven(powers=powers):
            board.powers = {seat: Player(power) for seat, power in powers.items()}
        case e.PhaseBegan(phase=phase):
            board.phase, board.orders = phase, {}
            if phase.part is not Part.RETREAT:
                board.dislodged, board.contested = {}, frozenset()
        case e.Ordered(seat=seat, order=order):
            before = board.orders[seat].value if seat in board.orders else ()
            board.orders[seat] = Secret((*before, order), frozenset({seat}))
        case e.OrderResolved(unit=unit, order=order, succeeded=succeeded):
            _remember(board, Resolved(board.phase, unit, order, succeeded))
        case e.UnitsMoved(moved=moved, dislodged=dislodged, contested=contested):
            staying = {p: unit for p, unit in board.units.items() if p not in moved and p not in dislodged}
            arrived = {province_of(place): replace(board.units[p], place=place) for p, place in moved.items()}
            board.units = staying | arrived
            board.dislodged, board.contested, board.orders = dict(dislodged), contested, {}
        case e.Retreated(unit=unit, to=to):
            _remember(board, Resolved(board.phase, unit, Retreat(unit.province, to), succeeded=True))
            del board.dislodged[unit.province]
            board.units[province_of(to)] = replace(unit, place=to)
        case e.Disbanded(unit=unit):
            del (board.units if board.phase.part is Part.ADJUSTMENT else board.dislodged)[unit.province]
        case e.Built(unit=unit):
            board.units[unit.province] = unit
        case e.CentresTaken(owners=owners):
            board.centres = {**board.centres, **owners}
        case e.Won(power=power) | e.Conceded(power=power):
            board.winner = power
        case e.DrawAgreed(powers=powers):
            board.drawn = powers
        case e.YearBegan() | e.Waived() | e.Eliminated():
            pass
        case _:
            raise TypeError(f"the board does not know {type(event).__name__}")


def _remember(board: Board, resolved: Resolved) -> None:
    """Keep what came of an order, with those before it of the same season."""
    last = board.resolved[-1].phase if board.resolved else board.phase
    is_new = (last.year, last.is_fall) != (board.phase.year, board.phase.is_fall)
    board.resolved = (resolved,) if is_new else (*board.resolved, resolved)

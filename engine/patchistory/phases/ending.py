"""8. Fin d'une Ère: gains of heroes and wonders, and the final count."""

from engine.kernel.events import Ended
from engine.kernel.viewers import Seat
from engine.patchistory.acts import Game, gain
from engine.patchistory.catalogue import When


def begin(table: Game) -> None:
    """Apply the gains and losses of heroes and wonders at the end of an era."""
    for seat in table.board.seats:
        gain(table, seat, When.ERA)


def finish(table: Game) -> None:
    """End the game: most Culture wins, shared if equal (A-40)."""
    for seat in table.board.seats:
        gain(table, seat, When.GAME)
    points = {seat: player.amount("culture") for seat, player in table.board.players.items()}
    table.emit(Ended(reason="culture", ranking=ranking(points), points=points))


def ranking(points: dict[Seat, int]) -> tuple[tuple[Seat, ...], ...]:
    """Return the groups of players by Culture, best first."""
    steps = sorted(set(points.values()), reverse=True)
    return tuple(tuple(seat for seat, n in points.items() if n == step) for step in steps)

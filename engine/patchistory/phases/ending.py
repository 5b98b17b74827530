"""8. Fin d'une Ère: what heroes and wonders bring then, and the final count."""

from engine.kernel.events import Ended
from engine.kernel.viewers import Seat
from engine.patchistory.acts import Game, gain
from engine.patchistory.catalogue import When


def begin(table: Game) -> None:
    """Players gain or discard Culture as their heroes and wonders say."""
    for seat in table.board.seats:
        gain(table, seat, When.ERA)


def finish(table: Game) -> None:
    """The most Culture wins; equals share the victory (A-40). Nothing else counts."""
    for seat in table.board.seats:
        gain(table, seat, When.GAME)
    points = {seat: player.amount("culture") for seat, player in table.board.players.items()}
    table.emit(Ended(reason="culture", ranking=ranking(points), points=points))


def ranking(points: dict[Seat, int]) -> tuple[tuple[Seat, ...], ...]:
    """Players by Culture, equals together."""
    steps = sorted(set(points.values()), reverse=True)
    return tuple(tuple(seat for seat, n in points.items() if n == step) for step in steps)

"""§11  The end: the last card play, in which every playable card must be played, and the score."""

from collections.abc import Mapping
from typing import Final

from engine.age_of_renaissance.acts import Game, GameOver, note_replies
from engine.age_of_renaissance.board import Board, Power
from engine.age_of_renaissance.catalogue import ADVANCES, MISERY
from engine.age_of_renaissance.events import CardsKept, RepliesUsed
from engine.age_of_renaissance.orders import Play
from engine.age_of_renaissance.phases import history, war
from engine.age_of_renaissance.phases.targets import plays
from engine.kernel.events import Ended
from engine.kernel.gates import Gate
from engine.kernel.orders import Orders, Question
from engine.kernel.pace import is_in_order, phase_gate
from engine.kernel.position import ExecuteOrders, Step
from engine.kernel.secrets import Sealed, seen_by
from engine.kernel.turn_chapters import Gates, Sets, Steps
from engine.kernel.viewers import Seat


class LastCards(Step, saved="aor.LastCards"):
    """A power's turn of the last card play. `gate`: where it was asked; "" before."""

    seat: Seat
    gate: str = ""


class FinalPlay(ExecuteOrders, saved="aor.FinalPlay"):
    """The lines of the last card play."""


class PlayOut(Step, saved="aor.PlayOut"):
    """Play the cards that were not ordered.

    `kept`: cards found unplayable since the last one played (R52).
    """

    seat: Seat
    kept: tuple[str, ...] = ()


def begin(table: Game) -> None:
    """§11.1  Ask each holder of cards for their order and targets, in order of play."""
    board, gate = table.board, phase_gate(table.board, "final")
    sealed = not is_in_order(table.core.options)
    for power in reversed(board.playing()):
        table.then(war.WarsDue(power.seat), LastCards(power.seat, gate if sealed else ""))
    if sealed:
        table.ask(*(Question(gate, power.seat, "final") for power in board.playing() if power.hand))


def last_cards(table: Game, step: LastCards) -> None:
    """§11.1  Take a power's turn: tied Wars have been rolled again, now its cards follow."""
    power = table.board.powers[step.seat]
    if power.eliminated:
        return
    if not step.gate and power.hand:
        gate = f"{phase_gate(table.board, 'final')}/{step.seat}"
        table.then(LastCards(step.seat, gate))
        table.ask(Question(gate, step.seat, "final"))
        return
    orders = _answer(table, f"{step.gate}/{step.seat}")
    table.then(FinalPlay(step.seat, step.gate, "final", Sealed(orders)), PlayOut(step.seat))


def _answer(table: Game, key: str) -> Orders:
    answer = table.board.answers.get(key)
    if answer is None:
        return ()
    table.emit(RepliesUsed(keys=(key,)))
    return answer.value


def answered(table: Game, gate: str, answers: Mapping[Seat, Orders]) -> None:
    """Store the answers until the power's turn; carry out repeated answers at once."""
    if not Gate.parse(gate).again:
        note_replies(table, gate, answers)
        return
    table.then(*(FinalPlay(seat, gate, "final", Sealed(orders)) for seat, orders in answers.items()))


def final_play(table: Game, step: FinalPlay) -> None:
    """§11.1  Play the next line; cards that no line names follow later."""
    if table.board.powers[step.seat].eliminated:
        return
    order, rest = table.next_order(step)
    if isinstance(order, Play):
        history.carry(table, step.seat, order, rest.line_done())


def play_out(table: Game, step: PlayOut) -> None:
    """§11.1, §7.2, R52  Play the next card left in hand, at the first legal target, another power if possible.

    An unplayable card stays in hand, which is reported to its owner alone. It is tried again after another card was
    played.
    """
    power = table.board.powers[step.seat]
    if power.eliminated or not power.hand:
        return
    card = next((card.value for card in power.hand if card.value not in step.kept), None)
    if card is None:
        table.emit(CardsKept(seat=step.seat, cards=step.kept, visible_to=frozenset({step.seat})))
        return
    play = _lawful(table, step.seat, card)
    if play is None:
        table.then(PlayOut(step.seat, (*step.kept, card)))
    else:
        history.carry(table, step.seat, play, PlayOut(step.seat))


def _lawful(table: Game, seat: Seat, card: str) -> Play | None:
    """Return the first way of playing a card on its holder's own view; one that spares the holder if possible."""
    with seen_by(seat):
        return next(iter(plays(table.position, seat, card)), None)


def game_over(table: Game, step: GameOver) -> None:
    """§11.2  End the game: Wars end undecided (§11.1, R41), and the highest total wins, shared if equal (R31).

    A trial counts no points, because it may not know the cash of others (R33).
    """
    if table.trial:
        return
    war.end_all(table)
    points = {seat: score(power) for seat, power in table.board.powers.items()}
    table.emit(Ended(reason=step.reason, ranking=ranking(table.board, points), points=points))


def score(power: Power) -> int:
    """§11.2  Return the printed costs of advances plus the cash, minus misery; misery beyond 1000 counts as 1000."""
    advances = sum(ADVANCES[letter].cost for letter in power.advances)
    return advances + power.cash - MISERY[min(power.misery, len(MISERY) - 1)]


def ranking(board: Board, points: Mapping[Seat, int]) -> tuple[tuple[Seat, ...], ...]:
    """§11.2, R31  Return the groups of seats, best first; eliminated powers come last.

    If the last players are eliminated together, nobody has won: the first group is empty.
    """
    seats = [seat for seat in board.order if not board.powers[seat].eliminated]
    out = tuple(seat for seat in board.order if board.powers[seat].eliminated)
    totals = sorted({points[seat] for seat in seats}, reverse=True)
    ranks = tuple(tuple(seat for seat in seats if points[seat] == total) for total in totals)
    return (*(ranks or ((),)), out) if out else ranks


STEPS: Final[Steps] = {
    LastCards: last_cards,
    FinalPlay: final_play,
    PlayOut: play_out,
    GameOver: game_over,
}
GATES: Final[Gates] = {"final": answered}
SETS: Final[Sets] = {"final": FinalPlay}

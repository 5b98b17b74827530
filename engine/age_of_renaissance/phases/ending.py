"""§11  The end: the last card play, in which every card that can be played must be, and the score."""

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
    """A power's turn of the last card play. `gate`: where it was asked (`` : not yet)."""

    seat: Seat
    gate: str = ""


class FinalPlay(ExecuteOrders, saved="aor.FinalPlay"):
    """The lines of the last card play."""


class PlayOut(Step, saved="aor.PlayOut"):
    """What was not ordered is played all the same. `kept`: cards that could not be played since one last was (R52)."""

    seat: Seat
    kept: tuple[str, ...] = ()


def begin(table: Game) -> None:
    """§11.1  In the order of play; each holder of cards is asked for their order and targets."""
    board, gate = table.board, phase_gate(table.board, "final")
    sealed = not is_in_order(table.core.options)
    for power in reversed(board.playing()):
        table.then(war.WarsDue(power.seat), LastCards(power.seat, gate if sealed else ""))
    if sealed:
        table.ask(*(Question(gate, power.seat, "final") for power in board.playing() if power.hand))


def last_cards(table: Game, step: LastCards) -> None:
    """§11.1  Wars still tied are rolled again on the turn of each power that follows; then come its cards."""
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
    """Lines wait for their power's turn; those asked for again go on at once."""
    if not Gate.parse(gate).again:
        note_replies(table, gate, answers)
        return
    table.then(*(FinalPlay(seat, gate, "final", Sealed(orders)) for seat, orders in answers.items()))


def final_play(table: Game, step: FinalPlay) -> None:
    """§11.1  The next line; what no line names comes afterwards."""
    if table.board.powers[step.seat].eliminated:
        return
    order, rest = table.next_order(step)
    if isinstance(order, Play):
        history.carry(table, step.seat, order, rest.line_done())


def play_out(table: Game, step: PlayOut) -> None:
    """§11.1, §7.2, R52  The next card left in hand, at the first lawful target that is not its player, else at any.

    A card that nobody can play any more, or that can touch nobody, stays in hand, its owner alone told; another card
    may still open a way for it.
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
    """The first way of playing a card that its holder's own view allows: one that spares them, if there is one."""
    with seen_by(seat):
        return next(iter(plays(table.position, seat, card)), None)


def game_over(table: Game, step: GameOver) -> None:
    """§11.2  Wars end undecided (§11.1, R41); the highest total wins, equals together (R31).

    A trial counts no points: it may not know the cash of others (R33), and nobody plays behind the end.
    """
    if table.trial:
        return
    war.end_all(table)
    points = {seat: score(power) for seat, power in table.board.powers.items()}
    table.emit(Ended(reason=step.reason, ranking=ranking(table.board, points), points=points))


def score(power: Power) -> int:
    """§11.2  Advances at their printed cost, and the cash, less the misery; beyond 1000 counts as 1000."""
    advances = sum(ADVANCES[letter].cost for letter in power.advances)
    return advances + power.cash - MISERY[min(power.misery, len(MISERY) - 1)]


def ranking(board: Board, points: Mapping[Seat, int]) -> tuple[tuple[Seat, ...], ...]:
    """§11.2, R31  Best first; a power out of the game comes last, whatever it had.

    If the last players are eliminated together, nobody has won: the first rank is empty.
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

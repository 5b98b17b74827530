"""§9.6  Phase 6: income, then the shortages and surpluses of the next turn."""

from typing import Final

from engine.age_of_renaissance import catalogue
from engine.age_of_renaissance.acts import Game, draw_card, lower_misery, move_market
from engine.age_of_renaissance.board import Board, Power
from engine.age_of_renaissance.catalogue import MIDDLE_CLASS, STRUCK
from engine.age_of_renaissance.events import IncomeTaken, MarketRolled, Paid
from engine.kernel.position import Step
from engine.kernel.turn_chapters import Steps
from engine.kernel.viewers import Seat

ROLLS: Final = 2
"""§9.6.1  The number of rolls of the three dice."""


class RollMarkets(Step, saved="aor.RollMarkets"):
    """Roll the markets of the next turn."""


def begin(table: Game) -> None:
    """§9.6  Pay income to all powers in the game; D also lowers misery by 1."""
    for power in table.board.playing():
        table.emit(income_of(table.board, power))
        if table.board.has(power.seat, "D"):
            lower_misery(table, power.seat, 1, "D")
    table.then(RollMarkets())


def income_of(board: Board, power: Power) -> IncomeTaken:
    """§9.6  Return a power's income: 15, plus one ducat a province for each starting player; Z adds 10.

    L doubles the cash, by at most that sum.
    """
    base, middle = regular(board, power)
    bank = min(power.cash, base + middle) if board.has(power.seat, "L") else 0
    return IncomeTaken(seat=power.seat, provinces=board.provinces(power.seat), base=base, middle=middle, bank=bank)


def regular(board: Board, power: Power) -> tuple[int, int]:
    """§9.6  Return the income that does not depend on the cash: for the provinces, and for Z."""
    base = catalogue.income(board.players, board.provinces(power.seat))
    return base, MIDDLE_CLASS if board.has(power.seat, "Z") else 0


def roll_markets(table: Game, step: RollMarkets) -> None:
    """§9.6.1  Roll twice, apply the results to the greatest producers, and remove the markets of this turn.

    Markets last until the end of the turn after their roll. In the last turn they still count in the last card play
    (§11.1).
    """
    before = dict(table.board.markets)
    rolls = [_roll(table, n) for n in range(1, ROLLS + 1)]
    struck = {good for roll in rolls for good in roll.goods}
    made_up = {good for good in struck if sum(roll.shift for roll in rolls if good in roll.goods) == 0}
    for roll in rolls:
        for good in roll.goods:
            if good not in made_up:
                _strike(table, good, roll.shift)
    if not table.board.last_turn:
        for good, value in before.items():
            move_market(table, good, -value, "expired")


def _roll(table: Game, number: int) -> MarketRolled:
    """Roll once: black and white select the good, 12 two of them (R19); green 1-3 is a shortage, 4-6 a surplus."""
    name = f"market/{table.board.turn}/{number}"
    green, black, white = (table.roll(f"{name}/{colour}") for colour in ("green", "black", "white"))
    shift = 1 if green <= 3 else -1
    rolled = MarketRolled(green=green, black=black, white=white, goods=STRUCK[black + white], shift=shift)
    table.emit(rolled)
    return rolled


def _strike(table: Game, good: str, shift: int) -> None:
    """Apply a shortage (the greatest producer draws a card) or a surplus (they pay a ducat a province).

    They can always pay, because they have just taken at least 15 ducats, and 3 for each province.
    """
    seat = majority(table.board, good)
    if seat is None:
        return
    if shift > 0:
        draw_card(table, seat, "shortage")
    else:
        table.emit(Paid(seat=seat, ducats=table.board.controls(seat, good), cause="surplus"))


def majority(board: Board, good: str) -> Seat | None:
    """§9.6.1, R43  Return the power still in the game that alone controls most producers of a good, or None."""
    counts = {power.seat: board.controls(power.seat, good) for power in board.playing()}
    most = max(counts.values(), default=0)
    best = [seat for seat, count in counts.items() if count == most]
    return best[0] if most > 0 and len(best) == 1 else None


STEPS: Final[Steps] = {RollMarkets: roll_markets}

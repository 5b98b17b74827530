"""§9.1  Phase 1: the first player cancels markets, Mills move one, each player draws a card."""

from collections import Counter
from typing import Final

from engine.age_of_renaissance.acts import Game, Seen, draw_card, move_market, note_replies, reply
from engine.age_of_renaissance.board import Board
from engine.age_of_renaissance.catalogue import GOODS, RETURN_TURN
from engine.age_of_renaissance.events import PileMade
from engine.age_of_renaissance.orders import CancelMarkets, Mill
from engine.kernel.orders import Problem, Question
from engine.kernel.pace import ask_reaction
from engine.kernel.position import Options, Step
from engine.kernel.secrets import Secret
from engine.kernel.turn_chapters import Gates, Refusals, Steps
from engine.kernel.viewers import Seat

PROBLEMS = (
    "not_first",  # {}: only the first player cancels markets (§9.1)
    "no_market",  # {good, asked, there}: the good has only `there` shortages or surpluses
    "too_dear",  # {cost, cash}
    "no_such_good",  # {good}
    "not_milled",  # {good}: Mills adjust grain, cloth, wine and metal only (§9.1)
    "no_such_way",  # {way}: neither `shortage` nor `surplus`
    "not_yours",  # {advance}
    "mills_elsewhere",  # {seat}: another holder of Mills plays later (§9.1, R20)
)
PAIR: Final = ("gold", "ivory")
"""The goods that a roll of 12 affects together (§9.6.1)."""


class PayMarkets(Step, saved="aor.PayMarkets"):
    """Carry out the first player's answer."""

    seat: Seat
    gate: str


class AskMills(Step, saved="aor.AskMills"):
    """Ask the holder of Mills, after the first player."""


class TurnMills(Step, saved="aor.TurnMills"):
    """Carry out the answer of the holder of Mills."""

    seat: Seat
    gate: str


class DrawCards(Step, saved="aor.DrawCards"):
    """Let each player draw a card."""


def begin(table: Game) -> None:
    """§9.1  Shuffle in withheld cards first (§8.1, R25), then queue the steps of the phase."""
    board = table.board
    if board.withheld and board.turn == return_turn(board, table.core.options):
        _return_withheld(table)
    table.then(AskMills(), DrawCards())
    first = board.playing()[0]
    if board.markets and _may_afford(table, first.cash):
        gate = ask_reaction(table, "surplus", first.seat, [first.seat])
        table.then(PayMarkets(first.seat, gate))


def return_turn(board: Board, options: Options) -> int:
    """§8.1, R25  Return the turn at whose start the five withheld cards return."""
    turn = RETURN_TURN[board.players]
    return turn + 1 if turn > 1 and options["withheld"] == "turn_3" else turn


def _return_withheld(table: Game) -> None:
    board = table.board
    cards = (*(card.value for card in board.deck), *board.withheld)
    deck = tuple(Secret(card) for card in table.shuffle("withheld", cards))
    table.emit(PileMade(epoch=board.epoch, deck=deck, cause="withheld"))


def _may_afford(table: Game, cash: int) -> bool:
    """Return True if the first player may be able to pay; if cash is piled, always (R33)."""
    piled = table.core.options["cash"] == "piled"
    return piled or cash >= min(GOODS[good].base for good in table.board.markets)


def cancelling(goods: Counter[str], pair_cost: int) -> int:
    """§9.1, R19  Return the cost of cancelling these goods. Gold and ivory together cost `pair_cost`."""
    pairs = min(goods[good] for good in PAIR)
    single = sum(GOODS[good].base * count for good, count in goods.items())
    return single - pairs * (sum(GOODS[good].base for good in PAIR) - pair_cost)


def pay_markets(table: Game, step: PayMarkets) -> None:
    """§9.1  Cancel each named marker for its base value."""
    order = reply(table, step.gate, step.seat)
    if not isinstance(order, CancelMarkets) or table.board.powers[step.seat].eliminated:
        return
    goods, paid = Counter(order.goods), 0
    total = cancelling(goods, int(table.core.options["pair_cost"]))
    for n, good in enumerate(order.goods):
        cost = total - paid if n + 1 == len(order.goods) else min(GOODS[good].base, total - paid)
        by = -1 if table.board.markets[good] > 0 else 1
        move_market(table, good, by, "cancelled", step.seat, cost)
        paid += cost


def ask_mills(table: Game, step: AskMills) -> None:
    """§9.1, R20  Ask the owner of Mills who plays last."""
    seat = miller(table.board)
    if seat is not None:
        gate = ask_reaction(table, "mills", seat, [seat])
        table.then(TurnMills(seat, gate))


def miller(board: Board) -> Seat | None:
    """R20  Return the holder of Mills who plays last, or None."""
    holders = [power.seat for power in board.playing() if board.has(power.seat, "J")]
    return holders[-1] if holders else None


def turn_mills(table: Game, step: TurnMills) -> None:
    """R44  Move a market by one step; nobody draws or pays for it."""
    order = reply(table, step.gate, step.seat)
    if isinstance(order, Mill) and not table.board.powers[step.seat].eliminated:
        by = 1 if order.way == "shortage" else -1
        move_market(table, order.good, by, "J", step.seat)


def draw_cards(table: Game, step: DrawCards) -> None:
    """§9.1  Draw one card for each player, in order of play, while cards are left (R26)."""
    for power in table.board.playing():
        draw_card(table, power.seat, "turn")


def refuse_cancelling(seen: Seen, decision: Question, order: CancelMarkets) -> Problem | None:
    """§9.1  Require the first player, enough markers and enough cash.

    Reaction orders are judged when the seat plays first, on the markets of that moment.
    """
    board, power = seen.board, seen.board.powers[decision.seat]
    unknown = next((good for good in order.goods if good not in GOODS), None)
    if unknown is not None:
        return Problem("no_such_good", {"good": unknown}, lasting=True)
    if not board.playing() or board.playing()[0].seat != decision.seat:
        return Problem("not_first", {})
    goods = Counter(order.goods)
    for good, count in goods.items():
        there = abs(board.markets.get(good, 0))
        if count > there:
            return Problem("no_market", {"good": good, "asked": count, "there": there})
    cost = cancelling(goods, int(seen.core.options["pair_cost"]))
    return Problem("too_dear", {"cost": cost, "cash": power.cash}) if cost > power.cash else None


def refuse_mill(seen: Seen, decision: Question, order: Mill) -> Problem | None:
    """§9.1, R20, R44  Require Mills, the last holder in order of play, and one of the four milled goods."""
    board = seen.board
    if order.good not in GOODS:
        return Problem("no_such_good", {"good": order.good}, lasting=True)
    if not GOODS[order.good].milled:
        return Problem("not_milled", {"good": order.good}, lasting=True)
    if order.way not in ("shortage", "surplus"):
        return Problem("no_such_way", {"way": order.way}, lasting=True)
    if not board.has(decision.seat, "J"):
        return Problem("not_yours", {"advance": "J"})
    seat = miller(board)
    return None if seat == decision.seat else Problem("mills_elsewhere", {"seat": seat})


STEPS: Final[Steps] = {
    PayMarkets: pay_markets,
    AskMills: ask_mills,
    TurnMills: turn_mills,
    DrawCards: draw_cards,
}
GATES: Final[Gates] = {
    "surplus": note_replies,
    "mills": note_replies,
}
REFUSALS: Final[Refusals] = {
    CancelMarkets: refuse_cancelling,
    Mill: refuse_mill,
}

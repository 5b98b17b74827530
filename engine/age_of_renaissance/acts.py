"""Actions that several chapters share: questions, draws, misery, reduced markers, elimination."""

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from engine.age_of_renaissance.board import Board, Power
from engine.age_of_renaissance.catalogue import CARDS, MISERY
from engine.age_of_renaissance.events import (
    CardDrawn,
    Eliminated,
    LastTurnCame,
    MarkerReduced,
    MarketMoved,
    MiseryMoved,
    PileMade,
    Replied,
    RepliesUsed,
)
from engine.kernel import pace
from engine.kernel.events import LineFailed
from engine.kernel.orders import Order, Orders, Problem, single_order, unconditional
from engine.kernel.position import Position, Step
from engine.kernel.secrets import UNKNOWN, Secret
from engine.kernel.table import Table
from engine.kernel.viewers import Seat

Seen: TypeAlias = Position[Board]
Game: TypeAlias = Table[Board]

LAST_EPOCH: Mapping[str, int] = {"1": 1, "1-2": 2, "1-3": 3}


class AskInTurn(pace.AskInTurn, saved="aor.AskInTurn"):
    """Ask one seat for its orders of a phase, in pace `order`."""


class GameOver(Step, saved="aor.GameOver"):
    """Compute the score and end the game for this reason."""

    reason: str


def call_for_orders(table: Game, asks: str) -> None:
    """§9  Ask all players for the orders of a phase."""
    pace.call_for_orders(table, asks, AskInTurn)


def note_replies(table: Game, gate: str, answers: Mapping[Seat, Orders]) -> None:
    """Store the answers to a question until a later step uses them."""
    for seat, orders in answers.items():
        table.emit(Replied(key=f"{gate}/{seat}", answer=Secret(orders)))


def reply(table: Game, gate: str, seat: Seat) -> Order | None:
    """Return the order that a seat answered at a gate and remove it from the board.

    Return None if the seat passed or was not asked.
    """
    key = f"{gate}/{seat}"
    answer = table.board.answers.get(key)
    if answer is None:
        return None
    table.emit(RepliesUsed(keys=(key,)))
    return single_order(answer.value)


def unfulfilled(seat: Seat, gate: str, order: Order, *reasons: Problem) -> LineFailed:
    """Return the event for an answer that was impossible when its turn came; only its owner sees it."""
    attempted = unconditional(order)[0]
    return LineFailed(seat=seat, gate=gate, line=0, reasons=reasons, attempted=attempted, visible_to=frozenset({seat}))


def lapse(table: Game, gate: str, seats: Iterable[Seat], target: Seat) -> None:
    """§9.4.4, §11.3  Drop the answers of these seats at a gate, because `target` has left the game."""
    gone = Problem("power_gone", {"target": table.board.powers[target].capital}, lasting=True)
    for seat in seats:
        order = reply(table, gate, seat)
        if order is not None and not table.board.powers[seat].eliminated:
            table.emit(unfulfilled(seat, gate, order, gone))


def last_epoch(table: Game) -> int:
    """Return the last epoch of this game (§11)."""
    return LAST_EPOCH[table.core.options["epochs"]]


def draw_card(table: Game, seat: Seat, cause: str, ducats: int = 0, tokens: int = 0) -> bool:
    """Draw the top card for a seat. Return False if no pile is left, and do nothing then (R26).

    §4.7: when the pile is empty, the next epoch's cards are shuffled with the discards, and the epoch begins with the
    first card drawn from them. The last card of the last pile makes this turn the last (R26), unless the five withheld
    cards are still to be shuffled in (§8.1).

    In a trial nothing is shuffled: an unknown card is drawn at its price.
    """
    board = table.board
    if not board.deck and board.epoch >= last_epoch(table):
        return False
    if not board.deck and not table.trial:
        _next_pile(table)
    card = board.deck[0] if board.deck else UNKNOWN
    drawn = card.shown_to(seat) if card.visible else card
    table.emit(CardDrawn(seat=seat, card=drawn, cause=cause, ducats=ducats, tokens=tokens))
    exhausted = not table.board.deck and not board.withheld and board.epoch >= last_epoch(table)
    if exhausted and not board.last_turn:
        table.emit(LastTurnCame(reason="last_card" if last_epoch(table) == 3 else "epoch_over"))
    return True


def _next_pile(table: Game) -> None:
    board = table.board
    epoch = board.epoch + 1
    cards = (*board.discard, *(card for card in board.later if CARDS[card].epoch == epoch))
    deck = tuple(Secret(card) for card in table.shuffle(f"pile/{epoch}", cards))
    table.emit(PileMade(epoch=epoch, deck=deck, cause="epoch"))


def move_market(table: Game, good: str, by: int, cause: str, seat: Seat | None = None, ducats: int = 0) -> None:
    """§9.6.1  Move a market by `by`, positive towards shortage."""
    left = table.board.markets.get(good, 0) + by
    table.emit(MarketMoved(good=good, by=by, cause=cause, seat=seat, ducats=ducats, left=left))


def raise_misery(table: Game, seat: Seat, steps: int, cause: str) -> None:
    """§9.3.2, §9.4.4  Raise misery by `steps`; a power beyond 1000 is eliminated."""
    power = table.board.powers[seat]
    if steps <= 0 or power.eliminated:
        return
    move_misery(table, power, min(power.misery + steps, len(MISERY)), cause)


def lower_misery(table: Game, seat: Seat, steps: int, cause: str) -> None:
    """§9.4.2  Lower misery by `steps`, but not below 0; further steps are lost (R21)."""
    power = table.board.powers[seat]
    if steps > 0 and not power.eliminated:
        move_misery(table, power, max(power.misery - steps, 0), cause)


def move_misery(table: Game, power: Power, after: int, cause: str) -> None:
    """Move misery to an index of the ladder; `len(MISERY)` is beyond its end and eliminates the power."""
    if after == power.misery:
        return
    table.emit(MiseryMoved(seat=power.seat, before=power.misery, after=after, cause=cause))
    if after >= len(MISERY):
        eliminate(table, power.seat, "misery")


def eliminate(table: Game, seat: Seat, cause: str) -> None:
    """§9.4.4, §11.3  Eliminate a power.

    If at most one is left, the game ends and open questions are withdrawn (R32).
    """
    power = table.board.powers[seat]
    cards = [card.value for card in power.hand if card.visible]
    kept = tuple(card for card in cards if CARDS[card].recycles)
    gone = tuple(card for card in cards if not CARDS[card].recycles)
    table.emit(Eliminated(seat=seat, cause=cause, discarded=kept, removed=gone))
    table.withdraw(seat)
    if len(table.board.playing()) <= 1:
        for survivor in table.board.playing():
            table.withdraw(survivor.seat)
        table.then(GameOver("alone"))


def reduce_marker(table: Game, seat: Seat, province: str, cause: str, *, empty: bool = False) -> None:
    """§9.3.2, R13  Replace a marker by a token from the stock, or else one from the pool.

    If there is no token, the province becomes empty. `empty`: the owner keeps the pool and leaves the province empty.
    """
    power = table.board.powers[seat]
    source = ""
    if power.stock > 0:
        source = "stock"
    elif power.expansion > 0:
        source = "left" if empty else "expansion"
    table.emit(MarkerReduced(seat=seat, province=province, source=source, cause=cause))

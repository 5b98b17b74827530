"""Acts that several chapters share: asking, drawing, misery, markers that fall, leaving the game."""

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from engine.age_of_renaissance.board import Board, Power
from engine.age_of_renaissance.catalogue import CARDS, MISERY
from engine.age_of_renaissance.events import (
    CardDrawn,
    Eliminated,
    LastTurnCame,
    MarkerReduced,
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
    """In the pace `order`: one seat's turn of a phase."""


class GameOver(Step, saved="aor.GameOver"):
    """Score, and end the game for this reason."""

    reason: str


def call_for_orders(table: Game, asks: str) -> None:
    """§9  Ask everybody for a phase's orders."""
    pace.call_for_orders(table, asks, AskInTurn)


def note_replies(table: Game, gate: str, answers: Mapping[Seat, Orders]) -> None:
    """The answers to an interrupting question are in: keep them for the step that waits behind it."""
    for seat, orders in answers.items():
        table.emit(Replied(key=f"{gate}/{seat}", answer=Secret(orders)))


def reply(table: Game, gate: str, seat: Seat) -> Order | None:
    """The order that a seat answered with, taken up; None when it passed or was not asked."""
    key = f"{gate}/{seat}"
    answer = table.board.answers.get(key)
    if answer is None:
        return None
    table.emit(RepliesUsed(keys=(key,)))
    return single_order(answer.value)


def unfulfilled(seat: Seat, gate: str, order: Order, *reasons: Problem) -> LineFailed:
    """An answer that could not be carried out when its turn came: its owner alone is told, with why."""
    attempted = unconditional(order)[0]
    return LineFailed(seat=seat, gate=gate, line=0, reasons=reasons, attempted=attempted, visible_to=frozenset({seat}))


def lapse(table: Game, gate: str, seats: Iterable[Seat], target: Seat) -> None:
    """§9.4.4, §11.3  What these seats answered at a gate comes to nothing, for `target` is out of the game."""
    gone = Problem("power_gone", {"target": table.board.powers[target].capital}, lasting=True)
    for seat in seats:
        order = reply(table, gate, seat)
        if order is not None and not table.board.powers[seat].eliminated:
            table.emit(unfulfilled(seat, gate, order, gone))


def last_epoch(table: Game) -> int:
    """The last epoch of this game (§11)."""
    return LAST_EPOCH[table.core.options["epochs"]]


def draw_card(table: Game, seat: Seat, cause: str, ducats: int = 0, tokens: int = 0) -> bool:
    """Draw the top card; False when no pile is left, and nothing happens (R26).

    §4.7: an empty pile is followed by the next epoch's cards with the discards; the epoch begins with the first
    card drawn of them. Who draws the last card of the last pile brings on the last turn (R26); while the five withheld
    cards are still to be shuffled in (§8.1), none is the last. A trial shuffles nothing: it takes a card that nobody
    knows, at its price.
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


def raise_misery(table: Game, seat: Seat, steps: int, cause: str) -> None:
    """§9.3.2, §9.4.4  Up the ladder; beyond 1000 the player is out."""
    power = table.board.powers[seat]
    if steps <= 0 or power.eliminated:
        return
    move_misery(table, power, min(power.misery + steps, len(MISERY)), cause)


def lower_misery(table: Game, seat: Seat, steps: int, cause: str) -> None:
    """§9.4.2  Down the ladder, never below 0; what would go lower is lost (R21)."""
    power = table.board.powers[seat]
    if steps > 0 and not power.eliminated:
        move_misery(table, power, max(power.misery - steps, 0), cause)


def move_misery(table: Game, power: Power, after: int, cause: str) -> None:
    """To a place of the ladder; `len(MISERY)` is beyond its end."""
    if after == power.misery:
        return
    table.emit(MiseryMoved(seat=power.seat, before=power.misery, after=after, cause=cause))
    if after >= len(MISERY):
        eliminate(table, power.seat, "misery")


def eliminate(table: Game, seat: Seat, cause: str) -> None:
    """§9.4.4, §11.3  Out of the game; alone, the last one left ends it, whatever they were being asked (R32)."""
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
    """§9.3.2, R13  A marker becomes one token, from the stock, else from those bought, else the province is empty.

    `empty`: its owner keeps those bought, and leaves the province empty.
    """
    power = table.board.powers[seat]
    bought = "left" if empty else "expansion"
    source = "stock" if power.stock > 0 else bought if power.expansion > 0 else ""
    table.emit(MarkerReduced(seat=seat, province=province, source=source, cause=cause))

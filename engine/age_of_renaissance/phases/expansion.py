"""§9.5  Phase 5, expansion: Indulgences, each power's orders in order of play, the bonus card, consolidation."""

from collections.abc import Mapping
from typing import Final

from engine.age_of_renaissance.acts import LAST_EPOCH, Game, Seen, call_for_orders, draw_card, note_replies
from engine.age_of_renaissance.board import NEW, Board
from engine.age_of_renaissance.catalogue import expansion_card
from engine.age_of_renaissance.events import Consolidated
from engine.age_of_renaissance.orders import Attack, BuyCard, Exchange, Indulge, Lift, Place, UseConversion
from engine.age_of_renaissance.phases import indulgences, lifting, placing, rivalry
from engine.kernel.orders import Order, Orders, Problem, Question
from engine.kernel.position import ExecuteOrders, Step
from engine.kernel.secrets import Sealed
from engine.kernel.turn_chapters import Defaults, Gates, Refusals, Sets, Steps
from engine.kernel.viewers import Seat

PROBLEMS: Final = (
    "card_bought_already",  # {}: one card a phase (§9.5.1)
    "card_too_dear",  # {tokens: price, pool}
    "no_card_left",  # {}: the last pile is empty (R26)
)


class OpenExpansion(Step, saved="aor.OpenExpansion"):
    """Ask all players for their orders."""


class Expand(ExecuteOrders, saved="aor.Expand"):
    """Carry out a power's orders."""


class CloseExpansion(Step, saved="aor.CloseExpansion"):
    """Close the phase after all have expanded."""


def begin(table: Game) -> None:
    """§9.5  Queue Indulgences, then all orders, then bonus and consolidation."""
    table.then(OpenExpansion(), CloseExpansion())
    indulgences.grant(table)


def open_expansion(table: Game, step: OpenExpansion) -> None:
    """§9.5  Ask for the orders."""
    call_for_orders(table, "expansion")


def carry_out(table: Game, gate: str, answers: Mapping[Seat, Orders]) -> None:
    """§9.5  Queue the orders received, in order of play."""
    seats = (power.seat for power in table.board.playing())
    table.then(*(Expand(seat, gate, "expansion", Sealed(answers[seat])) for seat in seats if seat in answers))


def expand(table: Game, step: Expand) -> None:
    """§9.5  Do one line of orders and queue the rest."""
    if table.board.powers[step.seat].eliminated:
        return
    order, rest = table.next_order(step)
    if order is None:
        table.then(placing.FinishExpansion(step.seat))
    elif isinstance(order, Attack):
        rivalry.attack(table, order, rest)
    else:
        table.then(rest.line_done())
        _do(table, step.seat, order)


def _do(table: Game, seat: Seat, order: Order) -> None:
    """Do an order that cannot fail once it is started."""
    if isinstance(order, Place):
        placing.place(table, seat, order)
    elif isinstance(order, Lift):
        lifting.lift(table, seat, order)
    else:
        _buy_card(table, seat)


def _buy_card(table: Game, seat: Seat) -> None:
    """§9.5.1  Draw a card for 3n tokens, the n-th of the phase."""
    if table.trial:
        table.note(Problem("unforeseen", {"what": "card"}))
    draw_card(table, seat, "expansion", tokens=expansion_card(table.board.cards_bought))


def refuse_card(seen: Seen, decision: Question, order: BuyCard) -> Problem | None:
    """§9.5.1  Require the first card of this power in the phase, its price of 3n tokens, and a card to draw."""
    power, price = seen.board.powers[decision.seat], expansion_card(seen.board.cards_bought)
    if power.card_bought:
        return Problem("card_bought_already", lasting=True)
    if price > power.expansion:
        return Problem("card_too_dear", {"tokens": price, "pool": power.expansion}, lasting=True)
    if not seen.board.deck and seen.board.epoch >= LAST_EPOCH[seen.core.options["epochs"]]:
        return Problem("no_card_left", lasting=True)
    return None


def close(table: Game, step: CloseExpansion) -> None:
    """§9.5.3, §9.5.4  Draw a card for the power with most new markers (○), then turn all new pieces old."""
    leaders = most_new(table.board)
    if leaders:
        draw_card(table, leaders[0], "bonus" if len(leaders) == 1 else "bonus_tied")
    table.emit(Consolidated())


def most_new(board: Board) -> tuple[Seat, ...]:
    """§9.5.3, R23, R43  Return the powers with most control markers placed in this phase, in order of play.

    The marker of Crusades is an old one. Return none if no marker was placed.
    """
    count = dict.fromkeys((power.seat for power in board.playing()), 0)
    for here in board.pieces.values():
        for seat, piece in here.items():
            if piece.marker == NEW and seat in count:
                count[seat] += 1
    best = max(count.values(), default=0)
    return tuple(seat for seat, markers in count.items() if markers == best) if best else ()


STEPS: Final[Steps] = {
    OpenExpansion: open_expansion,
    Expand: expand,
    CloseExpansion: close,
    placing.FinishExpansion: placing.finish,
    lifting.LiftMarker: lifting.lift_marker,
    rivalry.Fight: rivalry.fight,
    rivalry.SwapCards: rivalry.swap_cards,
    indulgences.SettleIndulgences: indulgences.settle,
}
GATES: Final[Gates] = {
    "expansion": carry_out,
    "indulgences": note_replies,
    "conversion": note_replies,
    "manuscripts": note_replies,
    "lift": note_replies,
}
REFUSALS: Final[Refusals] = {
    Place: placing.refuse_place,
    Attack: rivalry.refuse_attack,
    BuyCard: refuse_card,
    Lift: lifting.refuse_lift,
    Indulge: indulgences.refuse_indulge,
    UseConversion: rivalry.refuse_conversion,
    Exchange: rivalry.refuse_exchange,
}
DEFAULTS: Final[Defaults] = {"indulgences": indulgences.default}
SETS: Final[Sets] = {"expansion": Expand}

"""§9.2  Phase 2: an extra card for Urban Growth, then a discard for Arts and Techniques."""

from typing import Final

from engine.age_of_renaissance.acts import Game, Seen, draw_card, last_epoch, note_replies, reply, unfulfilled
from engine.age_of_renaissance.board import Phase
from engine.age_of_renaissance.catalogue import CARDS, EXTRA_CARD
from engine.age_of_renaissance.events import CardDiscarded
from engine.age_of_renaissance.orders import BuyExtra, Discard
from engine.kernel.orders import Problem, Question
from engine.kernel.pace import ask_reaction, is_in_order
from engine.kernel.position import Step
from engine.kernel.turn_chapters import Gates, Refusals, Steps
from engine.kernel.viewers import Seat

PROBLEMS = (
    "not_yours",  # {advance}
    "too_dear",  # {cost, cash}
    "no_card_left",  # {}: every pile of this game is drawn (R26)
    "no_such_card",  # {card}
    "not_in_hand",  # {card}
    "discarded_already",  # {}: one card a turn, or one at the purchase (§9.2, R11)
    "after_stability",  # {}: stability is bought last (§9.4, R60)
)


class AskExtras(Step, saved="aor.AskExtras"):
    """Ask these powers, together or one, whether they buy a card."""

    seats: tuple[Seat, ...]


class BuyExtras(Step, saved="aor.BuyExtras"):
    """Draw the extra cards, in order of play."""

    gate: str
    seats: tuple[Seat, ...]


class AskDiscards(Step, saved="aor.AskDiscards"):
    """Ask these powers what they discard, after the extra cards."""

    seats: tuple[Seat, ...]


class DiscardCards(Step, saved="aor.DiscardCards"):
    """Discard the cards, in order of play."""

    gate: str
    seats: tuple[Seat, ...]


def begin(table: Game) -> None:
    """§9.2  Queue the extra cards of all and then the discards of all; in pace `order`, both for each seat in turn."""
    seats = tuple(power.seat for power in table.board.playing())
    groups = [(seat,) for seat in seats] if is_in_order(table.core.options) else [seats]
    for group in reversed(groups):
        table.then(AskExtras(group), AskDiscards(group))


def _about(group: tuple[Seat, ...]) -> str:
    return group[0] if len(group) == 1 else "all"


def ask_extras(table: Game, step: AskExtras) -> None:
    """Ask the owners of V who can pay, or whose cash is piled (R33), if a card can be drawn."""
    board, piled = table.board, table.core.options["cash"] == "piled"
    if not cards_left(table):
        return
    able = tuple(s for s in step.seats if board.has(s, "V") and (piled or board.powers[s].cash >= EXTRA_CARD))
    if able:
        gate = ask_reaction(table, "extra", _about(step.seats), able)
        table.then(BuyExtras(gate, able))


def cards_left(table: Game) -> bool:
    """Return True if a card can be drawn: from this pile, or from a later one of this game (R26)."""
    return bool(table.board.deck) or table.board.epoch < last_epoch(table)


def buy_extras(table: Game, step: BuyExtras) -> None:
    """§9.2  Sell a card to each for 10 ducats, while there are cards."""
    for seat in step.seats:
        order = reply(table, step.gate, seat)
        if not isinstance(order, BuyExtra) or table.board.powers[seat].eliminated:
            continue
        if not draw_card(table, seat, "extra", ducats=EXTRA_CARD):
            table.emit(unfulfilled(seat, step.gate, order, Problem("no_card_left", {})))


def ask_discards(table: Game, step: AskDiscards) -> None:
    """Ask the owners of P who hold a card; the number of cards is public."""
    board = table.board
    able = tuple(seat for seat in step.seats if board.has(seat, "P") and board.powers[seat].hand)
    if able:
        gate = ask_reaction(table, "discard", _about(step.seats), able)
        table.then(DiscardCards(gate, able))


def discard_cards(table: Game, step: DiscardCards) -> None:
    """§9.2  Discard one card of each, face up."""
    for seat in step.seats:
        order = reply(table, step.gate, seat)
        if isinstance(order, Discard) and not table.board.powers[seat].eliminated:
            put_away(table, seat, order.card)


def put_away(table: Game, seat: Seat, card: str) -> None:
    """§9.2  Discard a card face up; one that does not recycle leaves the game."""
    held = table.board.copy_held(seat, card) or card
    table.emit(CardDiscarded(seat=seat, card=held, removed=not CARDS[held].recycles, cause="P"))


def refuse_extra(seen: Seen, decision: Question, order: BuyExtra) -> Problem | None:
    """§9.2  Require V and 10 ducats."""
    board, power = seen.board, seen.board.powers[decision.seat]
    if not board.has(decision.seat, "V"):
        return Problem("not_yours", {"advance": "V"})
    if power.cash < EXTRA_CARD:
        return Problem("too_dear", {"cost": EXTRA_CARD, "cash": power.cash})
    return None


def refuse_discard(seen: Seen, decision: Question, order: Discard) -> Problem | None:
    """§9.2, §9.4.2, R11, R60  Require P and a card in hand.

    The discard is possible in phase 2, or after P was bought and before stability.
    """
    board, power = seen.board, seen.board.powers[decision.seat]
    if order.card not in CARDS:
        return Problem("no_such_card", {"card": order.card}, lasting=True)
    bought_now = board.phase is Phase.PURCHASES and "P" not in power.bought
    if not board.has(decision.seat, "P") or (decision.topic == "purchases" and bought_now):
        return Problem("not_yours", {"advance": "P"})
    if decision.topic == "purchases" and power.stabilised:
        return Problem("after_stability", {})
    if board.copy_held(decision.seat, order.card) is None:
        return Problem("not_in_hand", {"card": order.card})
    return Problem("discarded_already", {}) if power.discarded else None


STEPS: Final[Steps] = {
    AskExtras: ask_extras,
    BuyExtras: buy_extras,
    AskDiscards: ask_discards,
    DiscardCards: discard_cards,
}
GATES: Final[Gates] = {
    "extra": note_replies,
    "discard": note_replies,
}
REFUSALS: Final[Refusals] = {
    BuyExtra: refuse_extra,
    Discard: refuse_discard,
}

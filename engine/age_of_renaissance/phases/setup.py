"""§8  Set-up: keep two of three cards, bid secretly for the capitals, and buy the first tokens."""

from collections.abc import Mapping, Sequence
from typing import Final

from engine.age_of_renaissance.acts import Game, Seen, eliminate, note_replies, reply
from engine.age_of_renaissance.board import Board, Phase, Power
from engine.age_of_renaissance.catalogue import CAPITALS, CARDS, CARDS_DEALT, CARDS_KEPT, FACE, WITHHELD
from engine.age_of_renaissance.events import BidMade, CapitalTaken, Dealt, Kept, PileMade, TieRolled
from engine.age_of_renaissance.orders import Bid, Capitals, Keep, Leave
from engine.age_of_renaissance.phases.turn import BeginPhase, BeginTurn
from engine.kernel.orders import Orders, Problem, Question, single_order, unconditional
from engine.kernel.pace import is_in_order
from engine.kernel.position import Options, Step
from engine.kernel.secrets import Secret
from engine.kernel.turn_chapters import Defaults, Gates, Refusals, Steps
from engine.kernel.viewers import Seat

PROBLEMS = (
    "keep_so_many",  # {count, wanted}
    "no_such_card",  # {card}
    "not_in_hand",  # {card}: not among the cards dealt, or not twice
    "below_zero",  # {ducats}: no bid is negative
    "too_dear",  # {cost, cash}
    "no_capital_named",  # {}
    "named_twice",  # {capital}
    "no_such_capital",  # {capital}: not one of this game (§8.2)
    "capitals_taken",  # {}: every capital named is taken already
)


class KeepCards(Step, saved="aor.KeepCards"):
    """Return the third cards and shuffle the pile."""


class RevealBids(Step, saved="aor.RevealBids"):
    """Reveal the bids and take the payments."""


class TakeCapital(Step, saved="aor.TakeCapital"):
    """Take a capital. `gate`: where the seat was asked; "" before."""

    seat: Seat
    gate: str = ""


def blank(seats: Sequence[Seat], options: Options) -> Board:
    """§8  Return the board with all cards in the box and all pieces in their stocks.

    Seats are in table order.

    By option, the cash of others is hidden (R33).
    """
    first = tuple(card.id for card in CARDS.values() if card.epoch == 1)
    later = tuple(card.id for card in CARDS.values() if card.epoch > 1)
    powers = {seat: Power(seat) for seat in seats}
    for power in powers.values():
        power.pile(options["cash"] == "piled")
    return Board(players=len(seats), powers=powers, order=tuple(seats), withheld=first, later=later)


def begin(table: Game) -> None:
    """§8.1, §8.3  Deal the cards and ask the secret choices.

    In pace `sealed` all three are asked together; in pace `order` the capitals are asked one by one after the bids.
    """
    _deal(table)
    seats, sealed = table.core.seats, not is_in_order(table.core.options)
    table.then(KeepCards(), RevealBids())
    table.ask(*(Question("leave/0", seat, "leave", blocking=False) for seat in seats))
    for asks in ("keep", "bid", "capitals") if sealed else ("keep", "bid"):
        table.ask(*(Question(f"{asks}/0", seat, asks) for seat in seats))


def _deal(table: Game) -> None:
    cards = tuple(card for card in table.board.withheld if card not in WITHHELD)
    deck = tuple(Secret(card) for card in table.shuffle("deal", cards))
    table.emit(PileMade(epoch=1, deck=deck, cause="setup"))
    for seat in table.core.seats:
        table.emit(Dealt(seat=seat, cards=tuple(card.shown_to(seat) for card in table.board.deck[:CARDS_DEALT])))


def keep_cards(table: Game, step: KeepCards) -> None:
    """§8.1  Keep two cards, by default the first two, and put the third back face down."""
    for power in table.board.playing():
        order = reply(table, "keep/0", power.seat)
        hand = {card.value: card for card in power.hand}
        named = table.board.copies_held(power.seat, order.cards) if isinstance(order, Keep) else None
        names = named or tuple(hand)[:CARDS_KEPT]
        kept = tuple(hand[name] for name in names)
        back = next(card for name, card in hand.items() if name not in names)
        table.emit(Kept(seat=power.seat, kept=kept, back=back))
    cards = tuple(card.value for card in table.board.deck)
    deck = tuple(Secret(card) for card in table.shuffle("kept", cards))
    table.emit(PileMade(epoch=1, deck=deck, cause="kept"))


def reveal_bids(table: Game, step: RevealBids) -> None:
    """§8.3  Take each bid; the highest chooses first, ties are decided by dice."""
    bids: dict[Seat, int] = {}
    for power in table.board.playing():
        order = reply(table, "bid/0", power.seat)
        bids[power.seat] = order.ducats if isinstance(order, Bid) else 0
    for seat, ducats in bids.items():
        table.emit(BidMade(seat=seat, ducats=ducats))
    numbers = sorted(set(bids.values()), reverse=True)
    groups = (tuple(seat for seat in bids if bids[seat] == number) for number in numbers)
    ranked = [seat for group in groups for seat in by_dice(table, group)]
    table.then(*(TakeCapital(seat) for seat in ranked), BeginPhase(Phase.TOKENS), BeginTurn())


def by_dice(table: Game, seats: tuple[Seat, ...], attempt: int = 1) -> tuple[Seat, ...]:
    """§8.3  Return tied seats by a die each, the highest first; ties are rolled again."""
    if len(seats) < 2:
        return seats
    rolls = {seat: table.roll(f"bid/{attempt}/{seat}") for seat in seats}
    table.emit(TieRolled(rolls=tuple(rolls.items())))
    numbers = sorted(set(rolls.values()), reverse=True)
    groups = (tuple(seat for seat in seats if rolls[seat] == number) for number in numbers)
    return tuple(seat for group in groups for seat in by_dice(table, group, attempt + 1))


def free_capitals(board: Board) -> tuple[str, ...]:
    """§8.2  Return the capitals of this game that are still free, in printed order."""
    return tuple(capital for capital in CAPITALS[board.players] if board.power_of(capital) is None)


def take_capital(table: Game, step: TakeCapital) -> None:
    """§8.3  Take the first free capital of the seat's preferences, or else the first in printed order."""
    board, seat = table.board, step.seat
    if board.powers[seat].eliminated:
        return
    free = free_capitals(board)
    if is_in_order(table.core.options) and not step.gate and len(free) > 1:
        gate = f"capitals/0/{seat}"
        table.then(TakeCapital(seat, gate))
        table.ask(Question(gate, seat, "capitals"))
        return
    order = reply(table, step.gate or "capitals/0", seat)
    wishes = order.capitals if isinstance(order, Capitals) else ()
    capital = next((wish for wish in wishes if wish in free), free[0])
    chosen = 1 + max(power.chosen for power in board.powers.values())
    table.emit(CapitalTaken(seat=seat, capital=capital, chosen=chosen))


def leave(table: Game, gate: str, answers: Mapping[Seat, Orders]) -> None:
    """§11.3  Eliminate a player who leaves; ask again if they do not."""
    for seat, orders in answers.items():
        if isinstance(single_order(orders), Leave):
            eliminate(table, seat, "left")
        else:
            table.ask(Question(gate, seat, "leave", blocking=False))


def refuse_keep(seen: Seen, decision: Question, order: Keep) -> Problem | None:
    """§8.1  Require two cards of the hand."""
    if len(order.cards) != CARDS_KEPT:
        return Problem("keep_so_many", {"count": len(order.cards), "wanted": CARDS_KEPT}, lasting=True)
    unknown = next((card for card in order.cards if card not in CARDS), None)
    if unknown is not None:
        return Problem("no_such_card", {"card": unknown}, lasting=True)
    for n, card in enumerate(order.cards, 1):
        if seen.board.copies_held(decision.seat, order.cards[:n]) is None:
            return Problem("not_in_hand", {"card": card}, lasting=True)
    return None


def refuse_bid(seen: Seen, decision: Question, order: Bid) -> Problem | None:
    """§8.3  Require a bid from 0 up to the cash."""
    cash = seen.board.powers[decision.seat].cash
    if order.ducats < 0:
        return Problem("below_zero", {"ducats": order.ducats}, lasting=True)
    return Problem("too_dear", {"cost": order.ducats, "cash": cash}, lasting=True) if order.ducats > cash else None


def refuse_capitals(seen: Seen, decision: Question, order: Capitals) -> Problem | None:
    """§8.2, §8.3  Require capitals of this game, each once, at least one of them free."""
    if not order.capitals:
        return Problem("no_capital_named", {}, lasting=True)
    for capital in order.capitals:
        if capital not in CAPITALS[seen.board.players]:
            return Problem("no_such_capital", {"capital": capital}, lasting=True)
        if order.capitals.count(capital) > 1:
            return Problem("named_twice", {"capital": capital}, lasting=True)
    taken = not set(order.capitals) & set(free_capitals(seen.board))
    return Problem("capitals_taken", {}, lasting=True) if taken else None


def accept_leaving(seen: Seen, decision: Question, order: Leave) -> Problem | None:
    """§11.3  Accept: any player may leave at any time."""
    return None


def first_two(seen: Seen, decision: Question) -> Orders:
    """Return the first two of the cards dealt."""
    return unconditional(Keep(tuple(FACE[card] for card in seen.board.known_hand(decision.seat)[:CARDS_KEPT])))


def no_bid(seen: Seen, decision: Question) -> Orders:
    """Return a bid of 0."""
    return unconditional(Bid(0))


def printed_order(seen: Seen, decision: Question) -> Orders:
    """Return the capitals in the order of §8.2."""
    return unconditional(Capitals(CAPITALS[seen.board.players]))


STEPS: Final[Steps] = {
    KeepCards: keep_cards,
    RevealBids: reveal_bids,
    TakeCapital: take_capital,
}
GATES: Final[Gates] = {
    "keep": note_replies,
    "bid": note_replies,
    "capitals": note_replies,
    "leave": leave,
}
REFUSALS: Final[Refusals] = {
    Keep: refuse_keep,
    Bid: refuse_bid,
    Capitals: refuse_capitals,
    Leave: accept_leaving,
}
DEFAULTS: Final[Defaults] = {
    "keep": first_two,
    "bid": no_bid,
    "capitals": printed_order,
}

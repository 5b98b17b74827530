"""What the rules still have to do, and how a march is carried out."""

from engine.kernel.orders import Pace, Problem, Question
from engine.kernel.position import ExecuteOrders, Step
from engine.kernel.secrets import Secret, seen_by
from engine.kernel.table import Table
from engine.kernel.viewers import Seat
from tests.toy.board import SHIELDS, WARES, Board, defence, known, playing
from tests.toy.events import Attacked, Fought, Scouted, Sold
from tests.toy.orders import Attack, Scout, Sell

NOTES = (
    "odds",  # {lost, of}
    "unforeseen",  # {seat}
)
"""What a preview remarks."""


class Turn(Step, saved="toy.Turn"):
    """§1  Open a turn."""

    number: int


class AskMarch(Step, saved="toy.AskMarch"):
    """§3  Ask these seats for their marches."""

    seats: tuple[Seat, ...]
    suffix: str = ""


class March(ExecuteOrders, saved="toy.March"):
    """§3  Carry out what is left of a march."""


class Strike(Step, saved="toy.Strike"):
    """§4  Fight for a town, once everybody was asked for a shield; then the rest of the march."""

    town: str
    armies: int
    rest: March


class Close(Step, saved="toy.Close"):
    """§9  Close the turn."""


def march(table: Table[Board], step: March) -> None:
    """§3  The next line that can be done; nothing more of a seat that has left."""
    if step.seat in table.board.gone:
        return
    order, rest = table.next_order(step)
    match order:
        case Attack():
            attack(table, order, rest)
        case Sell(cards=cards):
            price = sum(WARES[card][0] for card in cards)
            table.emit(Sold(seat=step.seat, cards=cards, price=price))
            table.then(rest.line_done())
        case Scout(of=of):
            scout(table, step.seat, Seat(of))
            table.then(rest.line_done())


def attack(table: Table[Board], order: Attack, rest: March) -> None:
    """§4, §7  Armies are hired; each seat that may hold a shield, as far as all know, is asked before the dice roll."""
    seat, board = rest.seat, table.board
    table.emit(Attacked(seat=seat, town=order.town, armies=order.armies))
    gate = f"shield/{board.turn}/{board.attacks}"
    asked = [other for other in playing(board) if other != seat and board.hands[other]]
    table.ask(*(shield(table, gate, other, order, seat) for other in asked))
    table.then(Strike(order.town, order.armies, rest))


def shield(table: Table[Board], gate: str, seat: Seat, order: Attack, by: Seat) -> Question:
    """§7  The question for a shield; how many the seat holds is wrapped, for every seat reads open questions."""
    with seen_by(seat):
        shields = sum(card in SHIELDS for card in known(table.board.hands[seat]))
    held = Secret(shields, frozenset({seat}))
    return Question(gate, seat, "shield", {"by": by, "town": order.town, "shields": held}, pace=Pace.REACTION)


def strike(table: Table[Board], step: Strike) -> None:
    """§4  One die that reaches the defence takes the town; a trial presumes it, and says the odds."""
    board, seat, need = table.board, step.rest.seat, defence(table.board, step.town)
    if seat in board.gone:
        return
    rolls: tuple[int, ...] = ()
    if table.trial:
        table.note(Problem("odds", {"lost": (need - 1) ** step.armies, "of": 6**step.armies}))
    elif not board.parried:
        rolls = tuple(table.roll(f"march/{board.turn}/{board.attacks}/{n}") for n in range(step.armies))
    won = table.trial or any(roll >= need for roll in rolls)
    table.emit(Fought(seat=seat, town=step.town, rolls=rolls, won=won))
    table.then(step.rest.line_done() if won else step.rest)


def scout(table: Table[Board], seat: Seat, of: Seat) -> None:
    """§6  The oldest card that the seat does not know: which place that is, only its own view can say."""
    hand = table.board.hands[of]
    with seen_by(seat):
        place = next(n for n, card in enumerate(hand) if not card.visible)
    if table.trial:
        table.note(Problem("unforeseen", {"seat": of}))
    table.emit(Scouted(seat=seat, of=of, place=place, card=hand[place].shown_to(seat)))

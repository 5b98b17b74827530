"""Positions for tests, built piece by piece, and short ways to play on from them.

Seats bear the colours of the rulebook's example: yellow has Venezia, violet Genoa, blue Barcelona, then red Paris,
green London, brown Hamburg.  What the builders change they change in place; `play` and `enter` never do.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TypeVar

from engine.age_of_renaissance.atlas import Hull, Ship
from engine.age_of_renaissance.board import NEW, OLD, Board, Phase, Piece
from engine.age_of_renaissance.catalogue import CAPITALS, CARDS, COLOURS, MISERY, RETURN_TURN, SLOTS, WITHHELD
from engine.age_of_renaissance.phases.setup import blank
from engine.age_of_renaissance.phases.turn import BeginPhase
from engine.age_of_renaissance.ruleset import RULES
from engine.kernel.dice import HmacDraws
from engine.kernel.events import Corrected, Event, QuestionsAsked, StepsQueued
from engine.kernel.orders import LineResult, Order, Orders, Problem, Question, unconditional
from engine.kernel.position import Core, Position, Step
from engine.kernel.run import Advance, advance, correct
from engine.kernel.secrets import Secret, redact, seen_by, truth
from engine.kernel.validation import check_orders
from engine.kernel.viewers import Seat
from tests.scripted_draws import ScriptedDraws

E = TypeVar("E", bound=Event)
At = Position[Board]
Went = Advance[Board]
Answer = Order | Sequence[Order] | Orders
Script = Mapping[str, int | Sequence[object]]

YELLOW, VIOLET, BLUE, RED, GREEN, BROWN = (Seat(COLOURS[capital]) for capital in CAPITALS[6])
SEATS = (YELLOW, VIOLET, BLUE, RED, GREEN, BROWN)


def game(seats: int = 3, *, turn: int = 2, phase: Phase = Phase.HISTORY, **options: str) -> At:
    """A game under way, past its set-up: capitals given in printed order, which is also the order of play.

    Hands are empty, everybody has 40 ducats and no tokens bought, nobody is asked anything.
    """
    table, first = SEATS[:seats], tuple(card.id for card in CARDS.values() if card.epoch == 1)
    board = blank(table, {"cash": "public", **options})
    board.turn, board.phase = turn, phase
    board.withheld = WITHHELD if turn < RETURN_TURN[seats] else ()
    board.deck = tuple(Secret(card) for card in first if card not in board.withheld)
    core = Core(table, RULES.meta.chosen(options), Secret(b"seed"))
    position = Position(core, board)
    for chosen, (seat, capital) in enumerate(zip(table, CAPITALS[seats], strict=True), 1):
        power = board.powers[seat]
        power.capital, power.chosen, power.slot = capital, chosen, SLOTS[seats][chosen - 1]
        piece(position, seat, capital, marker=OLD)
    return position


def order(position: At, *seats: Seat) -> None:
    """The order of play, first to last."""
    board = position.board
    board.order = seats
    for seat, slot in zip(seats, SLOTS[board.players], strict=True):
        board.powers[seat].slot = slot


def cash(position: At, seat: Seat, ducats: int, written: int | None = None) -> None:
    """Ducats in hand; `written` on the sheet (the same, unless told)."""
    power = position.board.powers[seat]
    power.cash, power.written = ducats, ducats if written is None else written


def misery(position: At, seat: Seat, value: int) -> None:
    """The misery marker on the box that shows `value`."""
    position.board.powers[seat].misery = MISERY.index(value)


def advances(position: At, seat: Seat, letters: str, *, bought: str = "") -> None:
    """Advances owned, those of `bought` since this turn only; the ship that they bring comes along."""
    power = position.board.powers[seat]
    power.advances, power.bought = frozenset(letters + bought), frozenset(bought)
    if "T" in power.advances:
        power.ship = Ship(Hull.GALLEON, 1)
    elif "S" in power.advances:
        power.ship = Ship(Hull.SEAWORTHY, 10)


def ship(position: At, seat: Seat, hull: Hull, level: int) -> None:
    """A fleet."""
    position.board.powers[seat].ship = Ship(hull, level)


def tokens(position: At, seat: Seat, count: int) -> None:
    """Tokens bought for this turn, out of the stock."""
    power = position.board.powers[seat]
    power.stock += power.expansion - count
    power.expansion = count


def piece(position: At, seat: Seat, province: str, *, old: int = 0, new: int = 0, marker: str = "") -> None:
    """What a power has in a province, taken from its stock and its row; nothing at all clears it."""
    board, power = position.board, position.board.powers[seat]
    before = board.at(province, seat)
    power.stock += before.tokens - old - new
    power.markers += before.controls - bool(marker)
    here = board.pieces.setdefault(province, {})
    here.pop(seat, None)
    if old or new or marker:
        here[seat] = Piece(old, new, marker)
    if not here:
        del board.pieces[province]


def control(position: At, seat: Seat, *provinces: str, new: bool = False) -> None:
    """Control markers, old unless told otherwise."""
    for province in provinces:
        piece(position, seat, province, marker=NEW if new else OLD)


def hand(position: At, seat: Seat, *cards: str) -> None:
    """Exactly these cards, from wherever they lie; what the hand held before goes under the pile."""
    board = position.board
    with truth():
        old = tuple(Secret(card.value) for card in board.powers[seat].hand if card.value not in cards)
        for power in board.powers.values():
            power.hand = tuple(card for card in power.hand if card.value not in cards)
        board.deck = (*(card for card in board.deck if card.value not in cards), *old)
    board.discard = tuple(card for card in board.discard if card not in cards)
    board.removed = tuple(card for card in board.removed if card not in cards)
    board.withheld = tuple(card for card in board.withheld if card not in cards)
    board.later = tuple(card for card in board.later if card not in cards)
    board.powers[seat].hand = tuple(Secret(card, frozenset({seat})) for card in cards)


def pile(position: At, *cards: str, epoch: int | None = None) -> None:
    """The pile holds exactly these cards, top first; what lay there is removed from the game."""
    board = position.board
    holder = board.order[0]
    mine = held(position, holder)
    hand(position, holder, *mine, *cards)
    with truth():
        board.removed = (*board.removed, *(card.value for card in board.deck))
    board.powers[holder].hand = tuple(Secret(card, frozenset({holder})) for card in mine)
    board.deck = tuple(Secret(card) for card in cards)
    if epoch is not None:
        board.removed = (*board.removed, *(card for card in board.later if CARDS[card].epoch <= epoch))
        board.later = tuple(card for card in board.later if CARDS[card].epoch > epoch)
        board.epoch = epoch


def held(position: At, seat: Seat) -> tuple[str, ...]:
    """The cards of a hand, by id, in hand order."""
    with truth():
        return tuple(card.value for card in position.board.powers[seat].hand)


def ask(position: At, asks: str, *seats: Seat, **limits: int | str) -> str:
    """Open a question of the present turn to these seats (all, if none is named); returns its gate."""
    gate = f"{asks}/{position.board.turn}"
    for seat in seats or position.board.order:
        position.core.questions = (*position.core.questions, Question(gate, seat, asks, dict(limits)))
    return gate


def orders(answer: Answer) -> Orders:
    """A set of orders from one order, a sequence of them, or lines."""
    if isinstance(answer, Order):
        return unconditional(answer)
    if all(isinstance(line, Order) for line in answer):
        return unconditional(*(line for line in answer if isinstance(line, Order)))
    return tuple(line for line in answer if not isinstance(line, Order))


def play(position: At, gate: str, answers: Mapping[Seat, Answer], script: Script | None = None) -> Went:
    """Close a gate; seats not named confirm the empty set. Only scripted draws are made, if there is a script."""
    given: dict[Seat, Orders] = {d.seat: () for d in position.core.gate(gate) if d.blocking}
    given.update({seat: orders(answer) for seat, answer in answers.items()})
    return advance(RULES, position, gate, given, draws=_draws(script))


def enter(position: At, phase: Phase, script: Script | None = None) -> Went:
    """Begin a phase and go on to the first question, with nothing queued behind the phase."""
    return queue(position, BeginPhase(phase), script=script)


def queue(position: At, *steps: Step, script: Script | None = None) -> Went:
    """Do these steps before anything else, up to the next question."""
    edits = (StepsQueued(steps=steps),)
    return correct(RULES, position, Corrected(by="test", reason="", edits=edits), draws=_draws(script))


def reopen(position: At, *decisions: Question) -> Went:
    """Put questions as the table would."""
    edits = (QuestionsAsked(decisions=decisions),)
    return correct(RULES, position, Corrected(by="test", reason="", edits=edits))


def _draws(script: Script | None) -> HmacDraws | ScriptedDraws:
    return HmacDraws(b"seed", b"") if script is None else ScriptedDraws(script)


def events_of(went: Went, kind: type[E]) -> list[E]:
    """The facts of one kind, in order."""
    return [event for event in went.events if isinstance(event, kind)]


def judged(position: At, seat: Seat, asks: str, answer: Answer, **limits: int | str) -> tuple[LineResult, ...]:
    """What the author of a set would be told of each line, on their own view."""
    gate = next((d.gate for d in position.core.questions if d.seat == seat and d.topic == asks), "")
    decision = Question(gate or f"{asks}/{position.board.turn}", seat, asks, dict(limits))
    return check_orders(RULES, redact(position, seat), decision, orders(answer))


def refused(position: At, seat: Seat, asks: str, answer: Order, **limits: int | str) -> Problem | None:
    """Why one order cannot stand on its author's own view; None if it can."""
    decision = Question(f"{asks}/{position.board.turn}", seat, asks, dict(limits))
    seen = redact(position, seat)
    with seen_by(seat):
        return RULES.refusal(seen, decision, answer)


def sound(position: At) -> None:
    """Nothing was minted, nothing lost."""
    with truth():
        found: Iterable[Problem] = RULES.list_violations(position)
    assert not found, found


@contextmanager
def knowing() -> Iterator[None]:
    """Within this block a test may read everything."""
    with truth():
        yield

"""Positions of the expansion phase, and sets carried out on them through the real loop. Seats are colours."""

from collections.abc import Mapping, Sequence

from engine.age_of_renaissance.board import Phase, Piece, Power
from engine.age_of_renaissance.catalogue import PROVINCES
from engine.age_of_renaissance.phases import expansion
from engine.age_of_renaissance.ruleset import RULES
from engine.kernel.orders import Clause, Line, LineResult, Order, Orders, Problem, Question
from engine.kernel.position import Position
from engine.kernel.run import advance
from engine.kernel.validation import check_orders
from engine.kernel.viewers import Seat
from tests.engine.age_of_renaissance import build
from tests.engine.age_of_renaissance.build import At, Went
from tests.scripted_draws import ScriptedDraws

Sets = Mapping[str, Sequence[Order | Line]]
"""Sets of orders by colour."""
GATE = "expansion/5"
SIX = ("yellow", "violet", "blue", "green", "red", "brown")
"""All six colours, in an order of play that suits the examples of §9.5.2: London plays fourth."""


def field(*colours: str, **options: str) -> At:
    """An expansion of turn 5 under way: colours in order of play, each with its capital alone."""
    seen = build.game(len(colours), turn=5, phase=Phase.EXPANSION, **options)
    build.order(seen, *(Seat(colour) for colour in colours))
    return seen


def put(seen: At, seat: str, province: str, old: int = 0, new: int = 0, marker: str = "") -> None:
    """Pieces on the map, from stock and row; what the power had there goes back first."""
    build.piece(seen, Seat(seat), province, old=old, new=new, marker=marker)


def clear(seen: At, province: str) -> None:
    """Nobody has anything there."""
    for seat in list(seen.board.pieces.get(province, {})):
        put(seen, seat, province)


def give(seen: At, seat: str, tokens: int | None = None, **fields: object) -> Power:
    """Tokens in the pool (from the stock), and any other field of a power; `advances` as letters."""
    power = seen.board.powers[Seat(seat)]
    if tokens is not None:
        build.tokens(seen, power.seat, tokens)
    for name, value in fields.items():
        setattr(power, name, frozenset(str(value)) if name == "advances" else value)
    return power


def run_out(row: int = 0) -> At:
    """Barcelona has `row` markers left; Lisboa and Sevilla are among what it controls."""
    seen = field(*SIX[2:], *SIX[:2])
    give(seen, "blue", tokens=9)
    free = [p.id for p in PROVINCES.values() if p.region in ("VI", "VII", "VIII", "V", "II") and not p.satellite]
    for province in ("lisboa", "sevilla", *free):
        if seen.board.powers[Seat("blue")].markers > row and province not in seen.board.pieces:
            put(seen, "blue", province, marker="old")
    return seen


def again(order: Order, times: int, *otherwise: Order) -> Line:
    """A line tried several times, with what is done otherwise."""
    return Line((Clause(order),), times, tuple(Clause(other) for other in otherwise))


def lines(*orders: Order | Line) -> Orders:
    """A set of orders: plain ones become lines."""
    return tuple(order if isinstance(order, Line) else Line((Clause(order),)) for order in orders)


def carry(
    seen: At,
    sets: Sets,
    script: Mapping[str, int] | None = None,
    close: bool = False,
) -> Went:
    """Carry out these sets (nothing for the others) with these dice alone; `close`: end the phase too."""
    seen.core.agenda = (expansion.CloseExpansion(),) if close else ()
    seen.core.questions = tuple(Question(GATE, power.seat, "expansion") for power in seen.board.playing())
    answers = {decision.seat: lines(*sets.get(decision.seat, ())) for decision in seen.core.questions}
    return advance(RULES, seen, GATE, answers, b"luck", ScriptedDraws(script or {}))


def rolls(seat: str, province: str, *dice: tuple[int, int, int], first: int = 1, turn: int = 5) -> dict[str, int]:
    """The dice (green, black, white) of a power's attacks on a province, from the `first` of the turn on."""
    return {
        f"rivalry/{turn}/{province}/{seat}/{number}/{colour}": roll
        for number, throw in enumerate(dice, first)
        for colour, roll in zip(("green", "black", "white"), throw, strict=True)
    }


def answer(
    went: Went, gate: str, answers: Mapping[str, Sequence[Order]], script: Mapping[str, int] | None = None
) -> Went:
    """Answer a gate, with these draws alone."""
    given = {Seat(seat): lines(*orders) for seat, orders in answers.items()}
    return advance(RULES, went.position, gate, given, b"luck", ScriptedDraws(script or {}))


def rulings(seen: At, seat: str, *orders: Order | Line) -> tuple[LineResult, ...]:
    """How a set of the expansion is judged."""
    return check_orders(RULES, seen, Question(GATE, Seat(seat), "expansion"), lines(*orders))


def problem(seen: At, seat: str, *orders: Order | Line) -> Problem:
    """What is wrong with the last line of a set; a problem `fine` if nothing is."""
    return rulings(seen, seat, *orders)[-1].problem or Problem("fine")


def code(seen: At, seat: str, *orders: Order | Line) -> str:
    """The code of what is wrong with the last line; `fine` if nothing is."""
    return problem(seen, seat, *orders).code


def at(went: Went | At, province: str, seat: str) -> Piece:
    """What a power has in a province."""
    seen = went if isinstance(went, Position) else went.position
    return seen.board.at(province, Seat(seat))


def power(went: Went, seat: str) -> Power:
    """A power afterwards."""
    return went.position.board.powers[Seat(seat)]

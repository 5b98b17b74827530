"""2. Diplomatie: aid, threats, the end of an alliance; in turn order, line by line."""

from collections import Counter
from collections.abc import Mapping
from typing import Final

from engine.kernel.gates import Gate
from engine.kernel.orders import Orders, Problem, Question
from engine.kernel.pace import ask_reaction
from engine.kernel.position import ExecuteOrders, Step
from engine.kernel.table import seal
from engine.kernel.turn_chapters import Gates, Refusals, Sets, Steps
from engine.kernel.viewers import Seat
from engine.patchistory.acts import Game, Seen, call, discard_route, gain, note_replies, reply
from engine.patchistory.board import Board
from engine.patchistory.catalogue import AID, THREAT, Effect, Op, When
from engine.patchistory.effects import defence, effects, level, points, price
from engine.patchistory.events import AidAnswered, AidOffered, AllianceBroken, Threatened
from engine.patchistory.orders import Aid, Answer, BreakAlliance, Threaten
from engine.patchistory.phases.specials import refuse_player, seat_of

PROBLEMS = (
    "too_few_points",  # {needed, points}: Politics Points
    "not_connected",  # {to}: no route joins the two
    "no_main_route",  # {to}: no main route joins the two
    "allies",  # {to}: an ally is not threatened
    "not_allied",  # {to}
    "three_goods",  # {count}: aid is exactly three goods
    "too_few_goods",  # {good, needed, amount}
    "aided_already",  # {}: who has accepted Aid offers none in the same round
    "too_weak",  # {military, defence}: a threat that cannot succeed
    "not_first",  # {}: an alliance is broken before any other act of diplomacy
)


class Diplomacy(ExecuteOrders, saved="patch.Diplomacy"):
    """What is left of a player's diplomacy."""


class Aided(Step, saved="patch.Aided"):
    """The answer to an offer of aid; then the rest."""

    order: Aid
    gate: str
    rest: Diplomacy


def begin(table: Game) -> None:
    """In turn order, each as much as they wish; who can do nothing is not asked."""
    call(table, "diplomacy", (seat for seat in table.board.seats if _able(table.board, seat)))


def _able(board: Board, seat: Seat) -> bool:
    """What everybody can see of it: points for the cheapest act, or an ally, whose worker at home may bring some."""
    cheapest = min(price(board, seat, act) for act in ("aid", "threat"))
    return points(board, seat) >= cheapest or any(board.allied(seat, other) for other in board.seats)


def take_orders(table: Game, gate: str, answers: Mapping[Seat, Orders]) -> None:
    """In turn order."""
    seats = [seat for seat in table.board.seats if seat in answers]
    table.then(*(Diplomacy(seat, gate, "diplomacy", seal(answers[seat])) for seat in seats))


def act(table: Game, step: Diplomacy) -> None:
    """The next line that can be done."""
    order, rest = table.next_order(step)
    match order:
        case Aid():
            _offer(table, order, rest)
        case Threaten():
            _threaten(table, step.seat, order)
            table.then(rest.line_done())
        case BreakAlliance(to=to):
            table.then(rest.line_done())
            _break(table, step.seat, seat_of(table.board, to))


def _offer(table: Game, order: Aid, rest: Diplomacy) -> None:
    """Aide: the other is asked whether they take it."""
    seat, to = rest.seat, seat_of(table.board, order.to)
    table.emit(AidOffered(seat=seat, to=to, goods=order.goods, points=price(table.board, seat, "aid")))
    about = f"{seat}/{rest.line}/{rest.tries}" + "again" * Gate.parse(rest.gate).again
    gate = ask_reaction(table, "aid", about, (to,), by=seat, goods=",".join(order.goods))
    table.then(Aided(order, gate, rest))


def answer_aid(table: Game, step: Aided) -> None:
    """Taken: 5 Culture for the giver; refused, or no answer: 2. A trial presumes that it is taken."""
    seat, to = step.rest.seat, seat_of(table.board, step.order.to)
    answer = reply(table, step.gate, to)
    accepted = table.trial or (isinstance(answer, Answer) and answer.accept)
    culture = AID["accepted" if accepted else "refused"]
    table.emit(AidAnswered(seat=seat, to=to, goods=step.order.goods, accepted=accepted, culture=culture))
    gain(table, seat, When.AID)
    table.then(step.rest.line_done())


def _threaten(table: Game, seat: Seat, order: Threaten) -> None:
    """Menace: what is demanded, as far as the other has it."""
    board, to = table.board, seat_of(table.board, order.to)
    great = lead(board, seat, to) >= THREAT["lead"]
    demanded = THREAT["greater" if great else "demand"][order.good]
    paid, cost = board.players[to].able(order.good, demanded), price(board, seat, "threat")
    table.emit(Threatened(seat=seat, to=to, good=order.good, demanded=demanded, paid=paid, points=cost))
    gain(table, seat, When.THREAT)


def lead(board: Board, seat: Seat, to: Seat) -> int:
    """Military above the other's power of defence, which Gandhi makes nothing (A-31)."""
    shield = next((e.value for e in _pleas(board, seat)), defence(board, to))
    return level(board, seat, "military") - shield


def _pleas(board: Board, seat: Seat) -> tuple[Effect, ...]:
    return tuple(effects(board.players[seat], When.PERMANENT, Op.THREAT_DEFENCE))


def _break(table: Game, seat: Seat, to: Seat) -> None:
    """Briser une Alliance: all points for as many votes; the route goes, its workers come home."""
    board = table.board
    spent = points(board, seat)
    table.emit(AllianceBroken(seat=seat, to=to, points=spent, votes=spent))
    route = next(route for route in board.between(seat, to) if route.allied)
    discard_route(table, route, "broken")


# --- answers


def refuse_points(board: Board, seat: Seat, needed: int) -> Problem | None:
    """A-11: as many Politics Points as are left."""
    left = points(board, seat)
    return Problem("too_few_points", {"needed": needed, "points": left}) if needed > left else None


def refuse_goods(board: Board, seat: Seat, needed: Mapping[str, int]) -> Problem | None:
    """As much of each good as lies behind the screen."""
    player = board.players[seat]
    for good, n in needed.items():
        if n > player.amount(good):
            return Problem("too_few_goods", {"good": good, "needed": n, "amount": player.amount(good)})
    return None


def refuse_aid(seen: Seen, decision: Question, order: Aid) -> Problem | None:
    """Aide: three goods that one holds (A-12), to a player on any route."""
    board, seat = seen.board, decision.seat
    problem = refuse_player(board, seat, order.to)
    if problem is not None:
        return problem
    if len(order.goods) != AID["gives"]:
        return Problem("three_goods", {"count": len(order.goods)}, lasting=True)
    if "accepted" in board.players[seat].done:
        return Problem("aided_already", {})
    if not board.between(seat, seat_of(board, order.to)):
        return Problem("not_connected", {"to": order.to})
    return refuse_points(board, seat, price(board, seat, "aid")) or refuse_goods(board, seat, Counter(order.goods))


def refuse_threat(seen: Seen, decision: Question, order: Threaten) -> Problem | None:
    """Menace: on a main route, no ally, weaker than oneself."""
    board, seat = seen.board, decision.seat
    problem = refuse_player(board, seat, order.to)
    if problem is not None:
        return problem
    to = seat_of(board, order.to)
    if board.allied(seat, to):
        return Problem("allies", {"to": order.to})
    if not board.between(seat, to):
        return Problem("no_main_route", {"to": order.to})
    if lead(board, seat, to) <= 0 and not _pleas(board, seat):
        terms = {"military": level(board, seat, "military"), "defence": defence(board, to)}
        return Problem("too_weak", terms)
    return refuse_points(board, seat, price(board, seat, "threat"))


def refuse_break(seen: Seen, decision: Question, order: BreakAlliance) -> Problem | None:
    """Briser une Alliance: one's first act of diplomacy, with at least a point (A-14)."""
    board, seat = seen.board, decision.seat
    problem = refuse_player(board, seat, order.to)
    if problem is not None:
        return problem
    if not board.allied(seat, seat_of(board, order.to)):
        return Problem("not_allied", {"to": order.to})
    if "acted" in board.players[seat].done:
        return Problem("not_first", {})
    return refuse_points(board, seat, 1)


def refuse_answer(seen: Seen, decision: Question, order: Answer) -> Problem | None:
    """Everybody may take or refuse."""
    return None


STEPS: Final[Steps] = {Diplomacy: act, Aided: answer_aid}
GATES: Final[Gates] = {"diplomacy": take_orders, "aid": note_replies}
REFUSALS: Final[Refusals] = {
    Aid: refuse_aid,
    Threaten: refuse_threat,
    BreakAlliance: refuse_break,
    Answer: refuse_answer,
}
SETS: Final[Sets] = {"diplomacy": Diplomacy}

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
    "aided_already",  # {}: no offer after accepting Aid in the same round
    "too_weak",  # {military, defence}: a threat that cannot succeed
    "not_first",  # {}: an alliance is broken before any other act of diplomacy
)


class Diplomacy(ExecuteOrders, saved="patch.Diplomacy"):
    """A player's remaining lines of diplomacy."""


class Aided(Step, saved="patch.Aided"):
    """Carry out the answer to an offer of aid, then continue."""

    order: Aid
    gate: str
    rest: Diplomacy


def begin(table: Game) -> None:
    """Ask all players who can act, in turn order."""
    call(table, "diplomacy", (seat for seat in table.board.seats if _able(table.board, seat)))


def _able(board: Board, seat: Seat) -> bool:
    """Return True if a player may act, by public knowledge: with points for the cheapest action, or with an ally."""
    cheapest = min(price(board, seat, act) for act in ("aid", "threat"))
    return points(board, seat) >= cheapest or any(board.allied(seat, other) for other in board.seats)


def take_orders(table: Game, gate: str, answers: Mapping[Seat, Orders]) -> None:
    """Queue the orders in turn order."""
    seats = [seat for seat in table.board.seats if seat in answers]
    table.then(*(Diplomacy(seat, gate, "diplomacy", seal(answers[seat])) for seat in seats))


def act(table: Game, step: Diplomacy) -> None:
    """Do the next possible line."""
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
    """Aide: ask the other player."""
    seat, to = rest.seat, seat_of(table.board, order.to)
    table.emit(AidOffered(seat=seat, to=to, goods=order.goods, points=price(table.board, seat, "aid")))
    about = f"{seat}/{rest.line}/{rest.tries}" + "again" * Gate.parse(rest.gate).again
    gate = ask_reaction(table, "aid", about, (to,), by=seat, goods=",".join(order.goods))
    table.then(Aided(order, gate, rest))


def answer_aid(table: Game, step: Aided) -> None:
    """Give 5 Culture to the giver of accepted aid, 2 if it is refused or not answered.

    A trial presumes acceptance.
    """
    seat, to = step.rest.seat, seat_of(table.board, step.order.to)
    answer = reply(table, step.gate, to)
    accepted = table.trial or (isinstance(answer, Answer) and answer.accept)
    culture = AID["accepted" if accepted else "refused"]
    table.emit(AidAnswered(seat=seat, to=to, goods=step.order.goods, accepted=accepted, culture=culture))
    gain(table, seat, When.AID)
    table.then(step.rest.line_done())


def _threaten(table: Game, seat: Seat, order: Threaten) -> None:
    """Menace: take the demand, as far as the other has it."""
    board, to = table.board, seat_of(table.board, order.to)
    great = lead(board, seat, to) >= THREAT["lead"]
    demanded = THREAT["greater" if great else "demand"][order.good]
    paid, cost = board.players[to].able(order.good, demanded), price(board, seat, "threat")
    table.emit(Threatened(seat=seat, to=to, good=order.good, demanded=demanded, paid=paid, points=cost))
    gain(table, seat, When.THREAT)


def lead(board: Board, seat: Seat, to: Seat) -> int:
    """Return Military minus the other's power of defence, which Gandhi makes irrelevant (A-31)."""
    shield = next((e.value for e in _pleas(board, seat)), defence(board, to))
    return level(board, seat, "military") - shield


def _pleas(board: Board, seat: Seat) -> tuple[Effect, ...]:
    return tuple(effects(board.players[seat], When.PERMANENT, Op.THREAT_DEFENCE))


def _break(table: Game, seat: Seat, to: Seat) -> None:
    """Briser une Alliance: spend all points for as many votes; the route is discarded."""
    board = table.board
    spent = points(board, seat)
    table.emit(AllianceBroken(seat=seat, to=to, points=spent, votes=spent))
    route = next(route for route in board.between(seat, to) if route.allied)
    discard_route(table, route, "broken")


# --- answers


def refuse_points(board: Board, seat: Seat, needed: int) -> Problem | None:
    """A-11: Require the Politics Points."""
    left = points(board, seat)
    return Problem("too_few_points", {"needed": needed, "points": left}) if needed > left else None


def refuse_goods(board: Board, seat: Seat, needed: Mapping[str, int]) -> Problem | None:
    """Require the goods behind the screen."""
    player = board.players[seat]
    for good, n in needed.items():
        if n > player.amount(good):
            return Problem("too_few_goods", {"good": good, "needed": n, "amount": player.amount(good)})
    return None


def refuse_aid(seen: Seen, decision: Question, order: Aid) -> Problem | None:
    """Aide: Require three own goods (A-12) and a player on any own route."""
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
    """Menace: Require a main route to a weaker player who is not an ally."""
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
    """Briser une Alliance: Require the first diplomacy of the round, and at least a point (A-14)."""
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
    """Accept any answer."""
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

"""4. Guerre: powers, secret discards for power, and the winner's gains."""

from collections.abc import Mapping
from typing import Final

from engine.kernel.orders import Problem, Question
from engine.kernel.pace import ask_reaction
from engine.kernel.position import Step
from engine.kernel.turn_chapters import Gates, Refusals, Steps
from engine.kernel.viewers import Seat
from engine.patchistory.acts import BringHome, Game, Seen, gain, note_replies, reply
from engine.patchistory.board import RED, Board, Route
from engine.patchistory.catalogue import VOTE, WAR, WAR_SPACE, When
from engine.patchistory.effects import defence, fuels, level
from engine.patchistory.events import WarFought
from engine.patchistory.orders import Fights, Fuel
from engine.patchistory.phases.diplomacy import refuse_goods

PROBLEMS = (
    "not_a_war",  # {route}: no own war is fought there now
    "no_votes_here",  # {}: no effect allows discarding votes for power
)


class WarTurn(Step, saved="patch.WarTurn"):
    """Fight a player's wars of this round. `gate`: where their order was asked; "" before."""

    seat: Seat
    gate: str = ""


class Fight(Step, saved="patch.Fight"):
    """Fight a war. `gate`: where both were asked for discards; "" before."""

    number: int
    gate: str = ""


def begin(table: Game) -> None:
    """Queue the wars in turn order; a player in several chooses their order."""
    table.then(*(WarTurn(seat) for seat in table.board.seats))


def ready(board: Board, seat: Seat) -> tuple[Route, ...]:
    """Return the wars of a player to be fought in this round."""
    return tuple(r for r in board.of(seat) if r.war and r.spots.get(r.start) == WAR_SPACE)


def take_turn(table: Game, step: WarTurn) -> None:
    """Ask for the order of several wars, then queue them."""
    wars = [route.number for route in ready(table.board, step.seat)]
    if len(wars) > 1 and not step.gate:
        table.then(WarTurn(step.seat, ask_reaction(table, "fights", step.seat, (step.seat,), wars=len(wars))))
        return
    order = reply(table, step.gate, step.seat)
    wanted = [int(name) for name in order.routes] if isinstance(order, Fights) else []
    ranked = [*(n for n in wanted if n in wars), *(n for n in wars if n not in wanted)]
    table.then(*(Fight(number) for number in dict.fromkeys(ranked)))


def fight(table: Game, step: Fight) -> None:
    """2.: Ask both players for secret discards, then resolve the war."""
    route = table.board.route(step.number)
    if route is None or not route.war:
        return
    if not step.gate:
        powers = {f"power_{table.board.players[s].colour}": base_power(table.board, route, s) for s in route.ends}
        gate = ask_reaction(table, "fuel", str(step.number), route.ends, route=step.number, **powers)
        table.then(Fight(step.number, gate))
        return
    fuel = {seat: _fuel(table, step.gate, seat) for seat in route.ends}
    _resolve(table, route, fuel)


def base_power(board: Board, route: Route, seat: Seat) -> int:
    """1.: Return Military for an aggressor, Military plus Defence for a defender (A-27: current values)."""
    return level(board, seat, "military") if route.war[seat] == RED else defence(board, seat)


def _fuel(table: Game, gate: str, seat: Seat) -> Mapping[str, int]:
    order = reply(table, gate, seat)
    goods = {"resource": order.resources, VOTE: order.votes} if isinstance(order, Fuel) else {}
    return {good: n for good, n in goods.items() if n}


def _resolve(table: Game, route: Route, fuel: Mapping[Seat, Mapping[str, int]]) -> None:
    """3.: Let the greater power win; a defender wins a tie, two aggressors both lose it."""
    board = table.board
    powers = {seat: base_power(board, route, seat) + sum(fuel[seat].values()) for seat in route.ends}
    winner = _winner(route, powers)
    loser = route.other(winner) if winner is not None else None
    culture, taken = _spoils(board, route, powers, winner, loser)
    table.emit(
        WarFought(
            number=route.number,
            powers=powers,
            fuel=fuel,
            winner=winner,
            loser=loser,
            culture=culture,
            taken=taken,
        )
    )
    if winner is not None:
        gain(table, winner, When.WAR_WON)
    for seat in board.seats:
        gain(table, seat, When.WAR)
    table.then(BringHome(route.number, (route.start,), "war"))


def _winner(route: Route, powers: Mapping[Seat, int]) -> Seat | None:
    one, other = route.ends
    if powers[one] != powers[other]:
        return max(route.ends, key=lambda seat: powers[seat])
    return next((seat for seat in route.ends if route.war[seat] != RED), None)


def _spoils(
    board: Board, route: Route, powers: Mapping[Seat, int], winner: Seat | None, loser: Seat | None
) -> tuple[int, int]:
    """A-45: Return the Culture gained by role and era, and what is taken from the loser after a memorable victory."""
    if winner is None or loser is None:
        return 0, 0
    role = "aggressor" if route.war[winner] == RED else "defender"
    memorable = powers[winner] - powers[loser] >= WAR["memorable"]
    taken = board.players[loser].able("culture", WAR["taken"]) if memorable else 0
    return int(WAR[role][board.era - 1]), taken


def refuse_fuel(seen: Seen, decision: Question, order: Fuel) -> Problem | None:
    """2.: Require the goods; votes only if an effect allows it."""
    board, seat = seen.board, decision.seat
    if order.votes and VOTE not in fuels(board, seat):
        return Problem("no_votes_here", {})
    return refuse_goods(board, seat, {"resource": order.resources, VOTE: order.votes})


def refuse_fights(seen: Seen, decision: Question, order: Fights) -> Problem | None:
    """Require own wars."""
    wars = {route.number for route in seen.board.of(decision.seat) if route.war}
    strange = next((name for name in order.routes if int(name) not in wars), None)
    return None if strange is None else Problem("not_a_war", {"route": int(strange)})


STEPS: Final[Steps] = {WarTurn: take_turn, Fight: fight}
GATES: Final[Gates] = {"fights": note_replies, "fuel": note_replies}
REFUSALS: Final[Refusals] = {Fuel: refuse_fuel, Fights: refuse_fights}

"""Préparation: nations, the first order of play, start cities with rampart, the third garrison."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from engine.kernel.orders import Orders, Problem, Question, unconditional
from engine.kernel.pace import is_in_order
from engine.kernel.position import Options, Step
from engine.kernel.secrets import Secret
from engine.kernel.turn_chapters import Defaults, Gates, Refusals, Steps
from engine.kernel.viewers import Seat
from engine.renaissance import orders as o
from engine.renaissance.acts import Game, Seen, first
from engine.renaissance.board import Board, City, Power
from engine.renaissance.catalogue import ARTISTS, CARDS, ROADS, SCENARIOS, TOWNS, PlayerCount, Start
from engine.renaissance.events import DeckMade, Founded, GarrisonPlaced, NationTaken, OrderDrawn, TableSet
from engine.renaissance.phases.turn import BeginTurn

PROBLEMS: Final = (
    "no_such_nation",  # {nation}: not in this game
    "not_your_start",  # {city, cities}: the rampart or palace must be in one of these (A28)
    "no_such_choice",  # {city, cities}: the scenario offers only these (A29)
    "choice_wanted",  # {cities}
    "no_palace_now",  # {}: only the scenario of 1515 gives one
    "palace_wanted",  # {cities}
    "out_of_reach",  # {cities}: none is free and linked to a start city by road or sea
)


class AskGarrison(Step, saved="ren.AskGarrison"):
    """Ask one seat for its third garrison (pace `order`)."""

    seat: Seat


class AskFoundation(Step, saved="ren.AskFoundation"):
    """Ask one seat for its start cities (pace `order`)."""

    seat: Seat


class Foundations(Step, saved="ren.Foundations"):
    """Draw the order and ask for start cities, once all nations are known."""


class ThirdGarrisons(Step, saved="ren.ThirdGarrisons"):
    """Ask for the third garrisons after all start cities, in the game of 1454."""


def blank(seats: Sequence[Seat], options: Options) -> Board:
    """Return the empty board."""
    powers = {seat: Power(seat) for seat in seats}
    board = Board(len(seats), powers, dict.fromkeys(TOWNS, City()), tuple(sorted(ARTISTS)), order=tuple(seats))
    board.scenario = options["scenario"]
    return board


def table_of(options: Options, players: int) -> PlayerCount:
    """Jeu à 3 ou 4, à 5 joueurs; scénarios  Return the nations removed and provinces closed with this number of
    players.
    """
    scenario = SCENARIOS[options["scenario"]]
    found = [table for table in scenario.tables if table.players == players]
    chosen = f"{players}{options['without']}"
    return next((table for table in found if table.id == chosen), found[0])


def begin(table: Game) -> None:
    """Close provinces, make the deck, and draw or ask for nations."""
    board, options = table.board, table.core.options
    layout = table_of(options, board.players)
    table.emit(TableSet(scenario=board.scenario, closed=layout.closed))
    cards = table.shuffle("deck/0", tuple(CARDS))
    table.emit(DeckMade(deck=tuple(Secret(card) for card in cards), cause="start"))
    table.then(Foundations())
    if options["nations"] == "chosen":
        table.ask(*(Question("nations/0", seat, "nations") for seat in table.core.seats))
    else:
        drawn = table.shuffle("nations/0", nations(board, options))
        for seat, nation in zip(table.core.seats, drawn, strict=True):
            table.emit(NationTaken(seat=seat, nation=nation, drawn=True))


def nations(board: Board, options: Options) -> tuple[str, ...]:
    """Return the nations of this game, in the order of the scenario."""
    removed = table_of(options, board.players).removed
    return tuple(start.nation for start in SCENARIOS[board.scenario].starts if start.nation not in removed)


def choose_nations(table: Game, gate: str, answers: Mapping[Seat, Orders]) -> None:
    """Préparation, A34  Give each seat its first free wish, in a drawn order; the others draw from the rest."""
    left = list(nations(table.board, table.core.options))
    wishes = {seat: claim.nations for seat, given in answers.items() if (claim := first(given, o.Claim))}
    late = []
    for seat in table.shuffle("nations/0", table.core.seats):
        wanted = next((n for n in wishes.get(seat, ()) if n in left), None)
        if wanted is None:
            late.append(seat)
            continue
        left.remove(wanted)
        table.emit(NationTaken(seat=seat, nation=wanted, drawn=False))
    if late:
        for seat, nation in zip(late, table.shuffle("nations/0/left", left), strict=True):
            table.emit(NationTaken(seat=seat, nation=nation, drawn=True))


def foundations(table: Game, step: Foundations) -> None:
    """Préparation, A27, A35  Set the first order, drawn or as listed; then ask all seats for their start cities."""
    board = table.board
    scenario = SCENARIOS[board.scenario]
    listed = [board.nation(start.nation) for start in scenario.starts]
    order = tuple(power.seat for power in listed if power is not None)
    if scenario.drawn:
        order = table.shuffle("order/0", order)
    table.emit(OrderDrawn(order=order, listed=not scenario.drawn))
    table.then(ThirdGarrisons())
    if is_in_order(table.core.options):
        table.then(*(AskFoundation(seat) for seat in order))
    else:
        table.ask(*(Question("setup/0", seat, "setup") for seat in order))


def ask_foundation(table: Game, step: AskFoundation) -> None:
    """Ask one seat."""
    table.ask(Question(f"setup/0/{step.seat}", step.seat, "setup"))


def found(table: Game, gate: str, answers: Mapping[Seat, Orders]) -> None:
    """Préparation, A28, A29  Found the start cities, in order of play; all may answer at once, because no city is
    shared.
    """
    for seat in table.board.order:
        order = first(answers.get(seat, ()), o.Found)
        if order is not None:
            cities = start_cities(table.board, seat, order.choice)
            table.emit(Founded(seat=seat, cities=cities, rampart=order.rampart, palace=order.palace))


def start_of(board: Board, seat: Seat) -> Start:
    """Return the start of a seat's nation."""
    nation = board.powers[seat].nation
    return next(start for start in SCENARIOS[board.scenario].starts if start.nation == nation)


def start_cities(board: Board, seat: Seat, choice: str) -> tuple[str, ...]:
    """Return the start cities, including the chosen one."""
    start = start_of(board, seat)
    return (*start.fixed, choice) if start.choice else start.fixed


def refuse_claim(seen: Seen, decision: Question, order: o.Claim) -> Problem | None:
    """Require nations of this game."""
    there = nations(seen.board, seen.core.options)
    wrong = next((n for n in order.nations if n not in there), None)
    return Problem("no_such_nation", {"nation": wrong}, lasting=True) if wrong else None


def refuse_found(seen: Seen, decision: Question, order: o.Found) -> Problem | None:
    """A28, A29  Require rampart and palace in own start cities, and a choice if the scenario offers one."""
    board, seat = seen.board, decision.seat
    offered = start_of(board, seat).choice
    if offered and not order.choice:
        return Problem("choice_wanted", {"cities": offered}, lasting=True)
    if order.choice and order.choice not in offered:
        return Problem("no_such_choice", {"city": order.choice, "cities": offered}, lasting=True)
    cities, gives = start_cities(board, seat, order.choice), SCENARIOS[board.scenario].palace
    for town in (order.rampart, order.palace):
        if town and town not in cities:
            return Problem("not_your_start", {"city": town, "cities": cities}, lasting=True)
    if gives != bool(order.palace):
        return Problem("palace_wanted" if gives else "no_palace_now", {"cities": cities}, lasting=True)
    return None


# --- the third garrison


def third_garrisons(table: Game, step: ThirdGarrisons) -> None:
    """Préparation  Ask for the third garrisons in order of play, only in the game of 1454 (A27)."""
    table.then(BeginTurn())
    if not SCENARIOS[table.board.scenario].extra_garrison:
        return
    if is_in_order(table.core.options):
        table.then(*(AskGarrison(seat) for seat in table.board.order))
    else:
        table.ask(*(Question("garrison/0", seat, "garrison") for seat in table.board.order))


def ask_garrison(table: Game, step: AskGarrison) -> None:
    """Ask one seat."""
    table.ask(Question(f"garrison/0/{step.seat}", step.seat, "garrison"))


def answer_garrison(table: Game, gate: str, answers: Mapping[Seat, Orders]) -> None:
    """Place the third garrisons in order of play."""
    for seat in table.board.order:
        order = first(answers.get(seat, ()), o.Garrison)
        if order is not None:
            _place(table, seat, order.cities)


def _place(table: Game, seat: Seat, cities: Iterable[str]) -> None:
    town = next((c for c in cities if c in reachable(table.board, seat)), None)
    if town is not None:
        by_road = any(origin in ROADS[town] for origin in table.board.powers[seat].starts)
        table.emit(GarrisonPlaced(seat=seat, city=town, sea=not by_road))


def reachable(board: Board, seat: Seat) -> tuple[str, ...]:
    """Préparation  Return free cities joined by road to a start city; for an owner of a port, also every free port."""
    starts = board.powers[seat].starts
    sails = any(TOWNS[town].port for town in starts)
    free = (town for town in board.open() if board.cities[town].owner is None)
    return tuple(t for t in free if any(s in ROADS[t] for s in starts) or (sails and TOWNS[t].port))


def refuse_garrison(seen: Seen, decision: Question, order: o.Garrison) -> Problem | None:
    """Require at least one city that is possible now."""
    can = reachable(seen.board, decision.seat)
    return None if any(town in can for town in order.cities) else Problem("out_of_reach", {"cities": order.cities})


# --- defaults


def default_found(seen: Seen, decision: Question) -> Orders:
    """Return the first start city of the scenario, and the first choice."""
    start = start_of(seen.board, decision.seat)
    choice, town = next(iter(start.choice), ""), start.fixed[0]
    return unconditional(o.Found(town, choice, town if SCENARIOS[seen.board.scenario].palace else ""))


def default_garrison(seen: Seen, decision: Question) -> Orders:
    """Return all possible cities, by road before by sea."""
    can = reachable(seen.board, decision.seat)
    starts = seen.board.powers[decision.seat].starts
    ranked = sorted(can, key=lambda town: not any(s in ROADS[town] for s in starts))
    return unconditional(o.Garrison(tuple(ranked))) if ranked else ()


STEPS: Final[Steps] = {
    Foundations: foundations,
    AskFoundation: ask_foundation,
    ThirdGarrisons: third_garrisons,
    AskGarrison: ask_garrison,
}
GATES: Final[Gates] = {
    "nations": choose_nations,
    "setup": found,
    "garrison": answer_garrison,
}
REFUSALS: Final[Refusals] = {
    o.Claim: refuse_claim,
    o.Found: refuse_found,
    o.Garrison: refuse_garrison,
}
DEFAULTS: Final[Defaults] = {
    "setup": default_found,
    "garrison": default_garrison,
}

"""The narration hooks of the game: names of powers, own figures, weights of events."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.age_of_renaissance import catalogue, corrections, events, invariants
from engine.age_of_renaissance.board import Board, Phase
from engine.age_of_renaissance.chapters import MODULES
from engine.age_of_renaissance.events import (
    AdvanceBought,
    CapitalTaken,
    CardPlayed,
    CommodityPaid,
    Eliminated,
    MarkerReduced,
    MiseryMoved,
    PhaseBegan,
    PiecesRemoved,
    Placed,
    ProvinceCeded,
    RivalryFought,
    TurnBegan,
    WarRolled,
)
from engine.age_of_renaissance.figures import NAMES
from engine.age_of_renaissance.gazetteer import DESCRIBED
from engine.kernel.events import Event
from engine.kernel.narration_hooks import NarrationHooks, classes_in, problem_codes
from engine.kernel.position import Position
from engine.kernel.secrets import seen_by
from engine.kernel.viewers import Seat


def figures(position: Position[Board], seat: Seat) -> Mapping[str, int]:
    """Return a seat's own figures for its report; `misery` is an index on the ladder."""
    board, power = position.board, position.board.powers[seat]
    with seen_by(seat):
        cash = power.cash
    return {
        "cash": cash,
        "misery": power.misery,
        "provinces": board.provinces(seat),
        "cards": len(power.hand),
        "tokens": power.expansion,
    }


def boxes(event: CommodityPaid) -> int:
    """Return which box of the progression paid (§9.3.1, §9.6.1); the tenth is the maximum (R24)."""
    printed = catalogue.GOODS[event.good].progression
    return min(event.provinces + event.market + event.manufactures, len(printed))


def holdings(view: Mapping[str, Any], seat: Seat) -> Sequence[Mapping[str, Any]]:
    """Return a power's pieces in a view, control markers first."""
    found = [
        {"province": province["id"], "marker": piece["marker"], "tokens": piece["old"] + piece["new"]}
        for province in view["provinces"]
        for piece in province["pieces"]
        if piece["seat"] == seat
    ]
    return sorted(found, key=lambda held: not held["marker"])


def weight(event: Event, seat: Seat) -> int:
    """Return how important an event is in a seat's story of the whole game; 0 leaves it out."""
    match event:
        case Eliminated() if event.seat == seat:
            return 100
        case WarRolled(winner=str()) if seat in (event.attacker, event.defender):
            return 80
        case ProvinceCeded() if seat in (event.loser, event.winner):
            return 60
        case CapitalTaken() if event.seat == seat:
            return 55
        case RivalryFought():
            return _fought(event, seat)
        case AdvanceBought() if event.seat == seat:
            return 20 + event.cost // 4
        case MiseryMoved() if event.seat == seat:
            return 9 * max(event.after - event.before, 0)
    return _lesser(event, seat)


def _fought(event: RivalryFought, seat: Seat) -> int:
    """Return the weight of a rivalry: won or lost provinces count most."""
    if event.seat == seat:
        return (40 if event.won else 12) + event.tokens
    beaten = event.won and seat in dict(event.against)
    return 42 if beaten else 0


def _lesser(event: Event, seat: Seat) -> int:
    match event:
        case CommodityPaid() if event.seat == seat:
            return min(event.ducats // 3, 45)
        case CardPlayed() if event.seat == seat and catalogue.CARDS[event.card].aim:
            return 25
        case MarkerReduced() | PiecesRemoved() if event.seat == seat:
            return 22
        case Placed() if event.seat == seat and event.via == "ocean":
            return 24
    return 0


def turns(story: Sequence[Event]) -> Mapping[int, Event]:
    """Return the event that begins each turn of a story, by index; a turn begins with its purchase of tokens (§9.7)."""
    begun: dict[int, Event] = {}
    turn = 0
    for number, event in enumerate(story):
        match event:
            case TurnBegan():
                turn, begun[number] = event.turn, event
            case PhaseBegan(phase=Phase.TOKENS) if turn:
                begun[number] = TurnBegan(turn=turn + 1)
    return begun


TELLING: Final = NarrationHooks(
    events=classes_in(events, corrections),
    problems=problem_codes("PROBLEMS", *MODULES, invariants, corrections),
    notes=problem_codes("NOTES", *MODULES),
    words={
        "CARDS": catalogue.CARDS,
        "ADVANCES": catalogue.ADVANCES,
        "GOODS": catalogue.GOODS,
        "PROVINCES": catalogue.PROVINCES,
        "MISERY": catalogue.MISERY,
        "PHASES": tuple(str(phase) for phase in Phase),
        "INCOME_BASE": catalogue.income(3, 0),
        "boxes": boxes,
        "holdings": holdings,
    },
    name_of=NAMES.name_of,
    seat_of=NAMES.seat_of,
    name="province",
    mark=frozenset({"advance"}),
    figures=figures,
    weight=weight,
    described=DESCRIBED,
    turns=turns,
)
"""Powers are named after their capitals (§8.2); advances are shown with their letter."""

"""The narration hooks of the game: names of powers, own figures, weights of events."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from engine.kernel.events import Event
from engine.kernel.narration_hooks import NarrationHooks, classes_in, problem_codes
from engine.kernel.position import Position
from engine.kernel.viewers import Seat
from engine.renaissance import catalogue, corrections, invariants
from engine.renaissance import events as e
from engine.renaissance.acts import POWER_OPTIONS
from engine.renaissance.board import Board
from engine.renaissance.chapters import MODULES
from engine.renaissance.figures import NAMES
from engine.renaissance.gazetteer import DESCRIBED
from engine.renaissance.phases.intrigue import LURED
from engine.renaissance.phases.purchases import price


def figures(position: Position[Board], seat: Seat) -> Mapping[str, int]:
    """Return a seat's own figures for its report."""
    board, power = position.board, position.board.powers[seat]
    return {
        "points": power.score,
        "ducats": power.ducats,
        "cities": len(board.held(seat)),
        "provinces": len(board.provinces(seat)),
        "cards": power.cards,
    }


def kind_of_card(card: str) -> str:
    """Return the id of a card's kind."""
    return catalogue.kind_of(card).id


def counted(cards: Iterable[str]) -> tuple[tuple[str, int], ...]:
    """Return each kind among these cards (or kinds) with its number, in the order of the catalogue."""
    found = Counter(card if card in catalogue.KINDS else catalogue.kind_of(card).id for card in cards)
    return tuple((kind, found[kind]) for kind in catalogue.KINDS if kind in found)


def palaces(view: Mapping[str, Any], seat: Seat) -> int:
    """Return the number of a power's palaces in a view."""
    return sum(city["palace"] for city in view["cities"] if city["owner"] == seat)


def towns(view: Mapping[str, Any], seat: Seat | None) -> tuple[Mapping[str, Any], ...]:
    """Return a power's cities in a view; the free cities for None."""
    return tuple(city for city in view["cities"] if city["owner"] == seat)


Way = tuple[str, int, Sequence[str]]


def resistance(view: Mapping[str, Any], town: str, origins: Sequence[str]) -> tuple[Way, ...]:
    """Combat  Return (way, strength, origins) of a defence before cards and dice, by road and by sea.

    Genoa's privilege ignores terrain and landing.
    """
    nation = view["powers"][view["own"]["seat"]]["nation"]
    spared = nation == "genes" and view["options"][POWER_OPTIONS["genes"]] == "on"
    level = next(city["level"] for city in view["cities"] if city["id"] == town)
    walls = catalogue.STRENGTH[level] + (0 if spared else catalogue.TOWNS[town].bonus)
    road = tuple(origin for origin in origins if origin in catalogue.ROADS[town])
    sea = tuple(origin for origin in origins if origin not in road)
    found = (("road", walls, road), ("sea", walls + (0 if spared else catalogue.LANDING), sea))
    return tuple(way for way in found if way[2])


def owner(view: Mapping[str, Any], town: str) -> Seat:
    """Return the owner of a city in a view."""
    seat: Seat = next(city["owner"] for city in view["cities"] if city["id"] == town)
    return seat


def votes_for(event: e.StateSet, state: str) -> tuple[Seat, ...]:
    """Return the seats that voted for a state."""
    return tuple(seat for seat, vote in event.votes.items() if vote == state)


def weight(event: Event, seat: Seat) -> int:
    """Return how important an event is in a seat's story of the whole game; 0 leaves it out."""
    match event:
        case e.Eliminated() if event.seat == seat:
            return 100
        case e.BattleEnded() if seat in (event.attacker, event.defender):
            return 70 if event.captured else 30
        case e.Corrupted() | e.Married() if seat in (event.seat, event.loser):
            return 50 if getattr(event, "won", True) else 5
        case e.Returned() if seat in (event.seat, event.loser):
            return 60
        case e.Swapped() if seat in (event.seat, event.to):
            return 45
        case e.ArtistLured() if seat in (event.seat, event.loser):
            return 45 if event.won else 5
    return _lesser(event, seat)


def _lesser(event: Event, seat: Seat) -> int:
    match event:
        case e.ArtistCame() if event.seat == seat:
            return 40
        case e.PointsScored() if event.seat == seat:
            return 10 + 5 * (len(event.provinces) + len(event.artists))
        case e.Pillaged() if seat in (event.seat, event.owner):
            return 15 if event.won else 0
        case e.Built() if event.seat == seat:
            return 10
        case e.StateSet():
            return 8
    return 0


TELLING: Final = NarrationHooks(
    events=classes_in(e, corrections),
    problems=problem_codes("PROBLEMS", *MODULES, invariants, corrections),
    notes=problem_codes("NOTES", *MODULES),
    words={
        "kind_of_card": kind_of_card,
        "counted": counted,
        "palaces": palaces,
        "towns": towns,
        "resistance": resistance,
        "owner": owner,
        "votes_for": votes_for,
        "price": price,
        "DEALT": catalogue.DEALT,
        "PAID": catalogue.PAID,
        "PRICES": catalogue.PRICES,
        "HAND_LIMIT": catalogue.HAND_LIMIT,
        "EXPANSIONS": catalogue.EXPANSIONS,
        "TURNS": catalogue.TURNS,
        "year": catalogue.year,
        "LURED": LURED,
    },
    name_of=NAMES.name_of,
    seat_of=NAMES.seat_of,
    name="nation",
    figures=figures,
    weight=weight,
    described=DESCRIBED,
    card=lambda card: ("card", kind_of_card(card)),
)
"""Powers are named after their nations, cards after their kinds."""

"""Figures of a view computed by the rules: purchases with prices, and odds of dice."""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any, Final

from engine.kernel.orders import Question
from engine.kernel.viewers import Seat
from engine.renaissance import orders as o
from engine.renaissance.acts import Seen
from engine.renaissance.catalogue import EMBASSY, FREE, STRENGTH
from engine.renaissance.phases.intrigue import corruptible, refuse_pillage
from engine.renaissance.phases.purchases import NEEDS, price, refuse_build, refuse_cards

FACES: Final = range(1, 7)
THROWS: Final = len(FACES) ** 2
"""The number of results of two dice."""


def shop(seen: Seen, seat: Seat) -> Iterator[Mapping[str, Any]]:
    """Séquence 3  Yield each purchase: its price, the own cities where it is possible, and what prevents it.

    `obstacle`: "" if possible; `nowhere` if no own city can take it.
    """
    decision = Question("", seat, "purchases")
    cards = refuse_cards(seen, decision, o.BuyCards(1))
    yield {"what": "card", "price": price("card"), "cities": (), "obstacle": cards.code if cards else ""}
    for what in NEEDS:
        found = {town: refuse_build(seen, decision, o.Build(city=town, what=what)) for town in seen.board.held(seat)}
        cities = tuple(town for town, problem in found.items() if problem is None)
        codes = {problem.code for problem in found.values() if problem is not None}
        obstacle = next((code for code in ("none_left", "too_dear") if code in codes), "nowhere")
        yield {"what": what, "price": price(what), "cities": cities, "obstacle": "" if cities else obstacle}


def pillage(seen: Seen, seat: Seat) -> Iterator[Mapping[str, Any]]:
    """Pillards, A3  Yield the cities that can be pillaged, and how many of six results succeed."""
    decision = Question("", seat, "combat")
    for town in seen.board.open():
        if refuse_pillage(seen, decision, o.Pillage(town)) is None:
            level = seen.board.cities[town].level
            yield {"city": town, "wins": len(FACES) if level == FREE else above(level), "of": len(FACES)}


def embassy(seen: Seen, seat: Seat) -> Mapping[str, Any] | None:
    """Ambassadeur  Return how many of 36 results give each effect, and the odds of corrupting each possible city.

    Return None without such a card in hand.
    """
    board = seen.board
    if "ambassadeur" not in board.kinds(seat):
        return None
    sums = Counter(sum(dice) for dice in product(FACES, repeat=2))
    comes = {effect: sum(sums[n] for n in range(low, high + 1)) for low, high, effect in EMBASSY}
    towns = (town for town in board.open() if corruptible(board, seat, town) is None)
    wins = tuple({"city": town, "wins": above(board.level(town)), "of": len(FACES)} for town in towns)
    return {"effects": comes, "of": THROWS, "corrupt": wins}


def above(level: int) -> int:
    """Return how many faces of a die beat walls of this level."""
    return sum(face > STRENGTH[level] for face in FACES)

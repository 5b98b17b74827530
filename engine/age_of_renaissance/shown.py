"""Figures of a view computed by the rules: payments of cards, prices of advances, needs of attacks."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from engine.age_of_renaissance.acts import Seen
from engine.age_of_renaissance.atlas import upgraded
from engine.age_of_renaissance.board import Board, Power
from engine.age_of_renaissance.catalogue import (
    ADVANCES,
    CARDS,
    GOODS,
    MISERY,
    PROVINCES,
    REGIONS_IN_PLAY,
    SHIP_UPGRADE,
    payout,
    unpaid,
)
from engine.age_of_renaissance.phases.advances import hindrance, missing, quote
from engine.age_of_renaissance.phases.leaders import credit
from engine.age_of_renaissance.phases.placing import bases, overseas_full, placeable_counts, reach, ship_room
from engine.age_of_renaissance.phases.purchases import stability_cost
from engine.age_of_renaissance.phases.strength import defenders, needed, odds, resistance
from engine.age_of_renaissance.phases.targets import burden
from engine.kernel.viewers import Seat

GOOD_IDS: Final = tuple(GOODS)
THROWS: Final = 216
"""The number of results of three dice."""


def payments(board: Board, controls: Mapping[Seat, Mapping[str, int]]) -> dict[str, dict[Seat, int]]:
    """§9.3.1, §9.6.1  Return what the next card of each good would pay, by seat; zero payments are left out."""
    return {good: paid for good in GOODS if (paid := _payments(board, good, controls))}


def _payments(board: Board, good: str, controls: Mapping[Seat, Mapping[str, int]]) -> dict[Seat, int]:
    market = board.markets.get(good, 0)
    shift = (market > 0) - (market < 0)
    paid = {p.seat: payout(good, controls[p.seat][good], shift + board.has(p.seat, "M")) for p in board.playing()}
    return {seat: ducats for seat, ducats in paid.items() if ducats}


def credited(card: str) -> tuple[str, ...]:
    """Return the advances that a leader makes cheaper."""
    return tuple(CARDS[card].credits)


def card(seen: Seen, seat: Seat, name: str) -> dict[str, Any]:
    """Return a card of the viewer's own hand, with what it would pay or save now, and why it is a burden."""
    facts = CARDS[name]
    weight = burden(seen.board, name)
    controls = seen.board.all_controls() if facts.goods else {}
    return {
        "card": name,
        "kind": facts.kind.value,
        "epoch": facts.epoch,
        "recycles": facts.recycles,
        "goods": facts.goods,
        "aim": facts.aim.value if facts.aim else "",
        "pays": {good: _payments(seen.board, good, controls) for good in facts.goods},
        "credits": {letter: credit(seen, name, letter) for letter in facts.credits},
        "burden": weight.code if weight else "",
    }


def price(seen: Seen, seat: Seat, letter: str) -> dict[str, Any]:
    """§9.4.2  Return the current price of an advance not yet owned, and what prevents its purchase ("": nothing)."""
    found, obstacle = quote(seen, seat, letter), hindrance(seen, seat, letter)
    return {
        "advance": letter,
        "category": ADVANCES[letter].category,
        "cost": found.cost,
        "credits": found.credits,
        "price": found.paid,
        "claims": found.claims,
        "obstacle": obstacle.code if obstacle else "",
        "missing": missing(seen, letter, seen.board.powers[seat].advances),
    }


def stability(board: Board, power: Power) -> dict[str, Any]:
    """§9.4.3  Return the cost of stability with the present hand, and the misery if it is not paid."""
    cost = stability_cost(board, power.seat)
    level = unpaid(power.misery, cost)
    return {"cost": cost, "cards": len(power.hand), "unpaid": MISERY[level] if level < len(MISERY) else None}


def next_ship(power: Power) -> dict[str, Any] | None:
    """§9.4.1  Return the next upgrade of the fleet, or None if there is none this turn."""
    ship = None if power.ship_upgraded else upgraded(power.ship)
    return {"hull": ship.hull.value, "level": ship.level, "cost": SHIP_UPGRADE} if ship else None


def placements(board: Board, seat: Seat) -> Iterator[Mapping[str, Any]]:
    """§9.5  Yield the provinces where tokens can be placed without a fight, with the most of them."""
    if not board.powers[seat].expansion:
        return
    held = bases(board, seat)
    for province in _in_play(board):
        room = placeable_counts(board, seat, province, held)
        if room:
            yield {"province": province, "most": room[-1]}


def attacks(board: Board, seat: Seat) -> Iterator[Mapping[str, Any]]:
    """§9.5.2, B1  Yield the attacks within reach: tokens needed, and how many of 216 throws win.

    `carried`: the most tokens that a ship can still bring (None: any number). `enough`: True if the pool and the ship
    suffice.
    """
    pool, held = board.powers[seat].expansion, bases(board, seat)
    for province in _in_play(board):
        foes = defenders(board, seat, province) if province in board.pieces else ()
        way = reach(board, seat, province, held) if foes and not board.at(province, seat).controls else None
        if way is None or overseas_full(board, seat, province):
            continue
        tokens, carried = needed(board, seat, province), ship_room(board, seat, province, way)
        chance = odds(board, seat, province)
        yield {
            "province": province,
            "foes": foes,
            "resistance": resistance(board, seat, province, foes),
            "needs": tokens,
            "wins": chance.numerator * (THROWS // chance.denominator),
            "of": THROWS,
            "how": way.how.value,
            "carried": carried,
            "enough": tokens <= pool and (carried is None or tokens <= carried),
        }


def _in_play(board: Board) -> Iterator[str]:
    regions = REGIONS_IN_PLAY[board.players]
    return (p.id for p in PROVINCES.values() if p.region in regions)

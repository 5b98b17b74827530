"""Rough values of things for a player, in tenths of a point, which sort suggestions."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.amalfi.acts import in_hand
from engine.amalfi.board import Board
from engine.amalfi.catalogue import (
    ANY,
    ARTWORKS,
    BONUSES,
    CHARACTERS,
    DESTINATIONS,
    HOLDS,
    PERIODS,
    TITLES,
    Category,
    Character,
    Op,
    Verb,
)
from engine.amalfi.payment import Payment, least_waste
from engine.amalfi.values import counted, end_points, invite_cost, row_cost
from engine.kernel.viewers import Seat

SHIP_SENT: Final = 32
SHIP_SPENT: Final = 18
"""The cost of a ship that goes to a dock, which could be used for something else."""
BREAD: Final = 1
CHARACTER: Final = 7
LIGHTHOUSE: Final = 18
UNTAP: Final = 10
RESOURCE: Final = 4
EMERGENCY: Final = 74
IDLE: Final = 1
"""`EMERGENCY`, `IDLE`: the cost of a ship that goes to the port, if it could sail and if not."""
TITLE_SHARE: Final = 6
"""Tenths of a point for each point of a title, divided among the things that are still missing."""
LAST: Final = 1
"""The value of a lasting benefit for each later period."""


def worth(board: Board, seat: Seat, ops: Sequence[Op], away: int = 0) -> int:
    """Return the value of effects now, if `away` ships of the bay have sailed."""
    bay = board.players[seat].bay - away
    total = 0
    for op in ops:
        sent = min(op.n, max(0, bay)) if op.op is Verb.SEND else 0
        bay -= sent
        total += _worth_of(board, seat, op, sent)
    return total


def _worth_of(board: Board, seat: Seat, op: Op, sent: int) -> int:
    player = board.players[seat]
    room = board.granary(seat) - player.bread
    match op.op:
        case Verb.SEND:
            return sent * (SHIP_SENT + (op.hold == ANY) * 2)
        case Verb.BREAD:
            return min(op.n, room) * BREAD
        case Verb.PAY_BREAD:
            return -op.n * BREAD
        case Verb.VP:
            return op.n * 10
        case Verb.VP_PER:
            return 10 * min(op.most, op.vp * counted(board, seat, op.per))
        case Verb.CHARACTER:
            return min(op.n, 4) * CHARACTER
        case Verb.LIGHTHOUSE:
            return op.n * LIGHTHOUSE
        case Verb.UNTAP | Verb.EITHER:
            return UNTAP * bool(player.engaged)
        case Verb.LAUNCH:
            return min(op.n, player.port) * SHIP_SENT
        case Verb.RECALL:
            return min(op.n, len(board.docked(seat))) * SHIP_SENT
        case Verb.DISCARD_FOR_VP:
            return op.vp * 10 if player.hand else 0
        case Verb.ACQUIRE | Verb.DISCOVER | Verb.INVITE | Verb.BUILD | Verb.USE_PRIVATE:
            return 20 + op.minus * RESOURCE
    return 0


def wanted_holds(board: Board, seat: Seat) -> tuple[str, ...]:
    """Return the holds sorted by what they could pay: open artworks and tiles, the hand, ships to build."""
    player, demand = board.players[seat], Counter[str]()
    for card in board.rows["atelier"]:
        demand.update(dict.fromkeys(ARTWORKS[card].accepts, ARTWORKS[card].vp))
    for tile in board.rows["atlas"]:
        demand.update(dict.fromkeys(DESTINATIONS[tile].accepts, DESTINATIONS[tile].vp))
    for card in in_hand(board, seat):
        demand.update(dict.fromkeys(CHARACTERS[card].accepts, 4))
    demand["wood"] += player.yard if board.period < PERIODS else 0
    demand["spice"] -= 3
    return tuple(sorted(HOLDS, key=lambda hold: (player.holds[hold] * 4 - demand[hold], HOLDS.index(hold))))


def character_worth(board: Board, seat: Seat, card: str) -> int:
    """Return the value of a character if it were laid out now."""
    character, left = CHARACTERS[card], max(1, PERIODS - board.period + 1)
    value = _by_category(board, seat, character, left)
    return value + title_worth(board, seat, "character", f"character_{character.category.value}")


def _by_category(board: Board, seat: Seat, character: Character, left: int) -> int:
    match character.category:
        case Category.END_GAME:
            _, points = end_points(board, seat, character.id)
            hoped = min(character.most, points + character.vp * max(0, left - 1))
            return hoped * 10
        case Category.IMMEDIATE:
            return worth(board, seat, character.effects)
        case Category.ENGAGEABLE:
            return worth(board, seat, character.effects) * left
    return 12 * left + worth(board, seat, character.effects)


def title_worth(board: Board, seat: Seat, *things: str) -> int:
    """Return the value of a step towards unearned titles: its share of the points of the next cell."""
    total = 0
    for name in board.titles:
        title, claims = TITLES[name], board.claims[name]
        if seat in claims or not any(thing in title.needs for thing in things):
            continue
        missing = {what: n - counted(board, seat, what) for what, n in title.needs.items()}
        if any(missing.get(thing, 0) > 0 for thing in things):
            left = sum(n for n in missing.values() if n > 0)
            total += title.vp[len(claims)] * TITLE_SHARE // (left + 1)
    return total


def net(board: Board, seat: Seat, cost: int, accepts: Sequence[str], gain: int) -> int | None:
    """Return a gain minus its payment, or None if it cannot be paid."""
    payment = least_waste(board, seat, cost, accepts)
    if not isinstance(payment, Payment):
        return None
    room = board.granary(seat) - board.players[seat].bread
    kept = min(room, payment.worth - cost)
    price = EMERGENCY if can_sail(board, seat) else IDLE
    return gain + kept * BREAD - cost * RESOURCE - payment.emergency * price


def can_sail(board: Board, seat: Seat) -> bool:
    """Return True if a ship of the bay could bring others: with bread, a free dock, and ships to send."""
    player = board.players[seat]
    places = (place for place in (*board.public, *player.destinations) if place not in board.docks)
    return player.bay > 1 and any(
        DESTINATIONS[place].bread <= player.bread and DESTINATIONS[place].holds for place in places
    )


def at_the_end(board: Board, seat: Seat, things: Sequence[str]) -> int:
    """Return what end-of-game characters laid out give for one more of these."""
    laid = (CHARACTERS[card] for card in board.players[seat].invited)
    return sum(character.vp * 10 for character in laid if character.per in things)


# --- values of actions


@dataclass(frozen=True)
class Got:
    """The best thing for an action that an effect gives.

    `more`: its value beyond what `worth` counts for the effect.
    """

    name: str = ""
    more: int = 0


def acquisition(board: Board, seat: Seat, name: str, minus: int = 0) -> int | None:
    """Return the net value of an open artwork with a discount, or None if it cannot be paid."""
    card = ARTWORKS[name]
    gain = card.vp * 10 + worth(board, seat, BONUSES[card.bonus])
    gain += title_worth(board, seat, "artwork", card.type, "artwork_same_type", "artwork_pairs_of_two")
    gain += at_the_end(board, seat, ("artwork", card.type))
    return net(board, seat, row_cost(board, seat, "atelier", name, minus), card.accepts, gain)


def discovery(board: Board, seat: Seat, name: str, minus: int = 0) -> int | None:
    """Return the net value of an open tile with a discount, or None if it cannot be paid."""
    tile, left = DESTINATIONS[name], PERIODS - board.period
    use = max(0, worth(board, seat, tile.effects) - tile.bread * BREAD - SHIP_SPENT) + LAST
    gain = tile.vp * 10 + use * left // 2 + title_worth(board, seat, "private_destination")
    gain += at_the_end(board, seat, ("private_destination",))
    return net(board, seat, row_cost(board, seat, "atlas", name, minus), tile.accepts, gain)


def invitation(board: Board, seat: Seat, name: str, minus: int = 0) -> int | None:
    """Return the net value of a character of the hand with a discount, or None if it cannot be paid."""
    cost = invite_cost(board, seat, name, minus)
    return net(board, seat, cost, CHARACTERS[name].accepts, character_worth(board, seat, name))


def after_payment(board: Board, seat: Seat, cost: int, accepts: Sequence[str]) -> Board:
    """Return the board after a payment with least waste; as it is, if the cost cannot be paid."""
    payment, player = least_waste(board, seat, cost, accepts), board.players[seat]
    if not isinstance(payment, Payment):
        return board
    holds = {hold: ships - payment.holds.get(hold, 0) for hold, ships in player.holds.items()}
    bay = player.bay + sum(payment.holds.values()) - payment.emergency
    paid = replace(player, holds=holds, bay=bay, port=player.port + payment.emergency)
    return replace(board, players={**board.players, seat: paid})


def gives(ops: Sequence[Op]) -> bool:
    """Return True if effects give an action about a thing."""
    return any(op.op in _GIVEN for op in ops)


def best_got(board: Board, seat: Seat, ops: Sequence[Op], besides: str = "") -> Got:
    """Return the best thing for the action that these effects give.

    `besides`: a thing that is left out. Without a possible thing, the action has no value.
    """
    given = next((op for op in ops if op.op in _GIVEN), None)
    if given is None:
        return Got()
    reckoned = worth(board, seat, (given,))
    name, value = next(((n, v) for n, v in given_worth(board, seat, given) if n != besides), ("", 0))
    return Got(name, value - reckoned) if value > 0 else Got("", -reckoned)


def given_worth(board: Board, seat: Seat, given: Op) -> list[tuple[str, int]]:
    """Return the things that a given action can pay, with their net values, the best first."""
    found = ((name, _GIVEN[given.op](board, seat, name, given.minus)) for name in _about(board, seat, given.op))
    return sorted(((name, value) for name, value in found if value is not None), key=lambda one: -one[1])


def _about(board: Board, seat: Seat, verb: Verb) -> tuple[str, ...]:
    """Return the things that an action given by an effect could be about, payable or not."""
    match verb:
        case Verb.ACQUIRE:
            return board.rows["atelier"]
        case Verb.DISCOVER:
            return board.rows["atlas"]
    return in_hand(board, seat)


_GIVEN: Final = {Verb.ACQUIRE: acquisition, Verb.DISCOVER: discovery, Verb.INVITE: invitation}
"""The actions about a thing that an effect may give."""

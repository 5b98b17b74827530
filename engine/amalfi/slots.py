"""The values worth trying in the slots of orders: those that may be legal and change something."""

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations, combinations_with_replacement, product
from typing import Final

from engine.amalfi import orders as o
from engine.amalfi.acts import Seen, engageable, free_slots, in_hand
from engine.amalfi.catalogue import ARTWORKS, CHARACTERS, DESTINATIONS, HOLDS, Op, Verb
from engine.amalfi.payment import worth_of
from engine.amalfi.phases.actions import WOOD, minus
from engine.amalfi.phases.choices import fleeing, holds_for, ships_to_send, usable
from engine.amalfi.phases.setup import KEPT, choosable
from engine.amalfi.values import invite_cost, row_cost, ship_cost
from engine.amalfi.vocabulary import INSTEAD_CHARACTER, INSTEAD_POINTS, NO_SHIP, RIGHTMOST
from engine.kernel.holes import Filling, SlotValues, one_of
from engine.kernel.orders import Problem, Question
from engine.kernel.ruleset import SlotTable

Bill = tuple[int, tuple[str, ...]]
"""A cost, and the resources that are accepted for it."""
Find = Callable[[Seen, Question, Filling], SlotValues]


# --- what an action is about


def _docks(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    board = seen.board
    places = (*board.public, *board.players[decision.seat].destinations)
    return one_of(place for place in places if place not in board.docks)


def _atelier(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    return one_of(seen.board.rows["atelier"])


def _atlas(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    return one_of(seen.board.rows["atlas"])


def _hand(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    return one_of(in_hand(seen.board, decision.seat), Problem("hand_empty"))


def _engageable(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    return one_of(engageable(seen.board, decision.seat), Problem("none_engageable"))


def _yard(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    return SlotValues(range(1, seen.board.players[decision.seat].yard + 1))


def _bay(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    return SlotValues(range(1, seen.board.players[decision.seat].bay + 1))


def _hands(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    return one_of(seen.board.hands)


def _preferences(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    """Return each packet first in a list, the others after it as printed."""
    hands = seen.board.hands
    lists = tuple((first, *(hand for hand in hands if hand != first)) for first in hands)
    return SlotValues(least=len(hands), most=len(hands), lists=lists)


def _characters_to_keep(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    count = KEPT[decision.topic]
    sets = combinations(choosable(seen.board, decision.seat, decision.topic), count)
    return SlotValues(least=count, most=count, lists=tuple(sets))


# --- payments


def _bill(seen: Seen, decision: Question, known: Filling) -> Bill | None:
    """Return what the thing of an action costs; None if it is not known or not on offer."""
    board, seat, less = seen.board, decision.seat, minus(decision)
    if (artwork := known.get("artwork")) in board.rows["atelier"]:
        return row_cost(board, seat, "atelier", artwork, less), tuple(ARTWORKS[artwork].accepts)
    if (tile := known.get("destination")) in board.rows["atlas"]:
        return row_cost(board, seat, "atlas", tile, less), tuple(DESTINATIONS[tile].accepts)
    if (card := known.get("character")) in in_hand(board, seat):
        return invite_cost(board, seat, card, less), tuple(CHARACTERS[card].accepts)
    ships = known.get("ships")
    return None if ships is None else (ship_cost(board, seat, less) * ships, WOOD)


def _paid(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    """Return each way to lower ships that pays, with the ships of an emergency or as many as could follow."""
    bill, player = _bill(seen, decision, known), seen.board.players[decision.seat]
    if bill is None:
        return SlotValues(lists=())
    cost, accepts = bill
    said = known.get("emergency")

    def pays(counts: tuple[int, ...]) -> bool:
        emergency = player.bay + sum(counts) if said is None else len(said)
        lowered = dict(zip(accepts, counts, strict=True))
        return any(counts) and worth_of(seen.board, decision.seat, lowered, emergency) >= cost

    ways = filter(pays, product(*(range(player.holds[hold] + 1) for hold in accepts)))
    things = (tuple(h for h, n in zip(accepts, counts, strict=True) for _ in range(n)) for counts in ways)
    return SlotValues(lists=tuple(sorted(things, key=len)))


def _in_emergency(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    """Return the ships of an emergency that pay, with the ships lowered."""
    bill, board, seat = _bill(seen, decision, known), seen.board, decision.seat
    if bill is None:
        return SlotValues(lists=())
    cost, accepts = bill
    lowered = known.get("pay") or ()
    holds = {hold: lowered.count(hold) for hold in lowered}
    most = board.players[seat].bay + len(lowered)
    counts = (n for n in range(1, most + 1) if worth_of(board, seat, holds, n) >= cost)
    return SlotValues(lists=tuple(ships for n in counts for ships in combinations_with_replacement(accepts, n)))


# --- choices within an action


def _ops(known: Filling) -> Iterator[Op]:
    """Yield the effects of the thing that is chosen."""
    for place in (known.get("place"), known.get("use")):
        yield from DESTINATIONS[place].effects if place else ()
    card = known.get("character")
    yield from CHARACTERS[card].effects if card else ()


def _sent(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    """Return the holds that an action shows; of an answer, any."""
    if decision.topic == "send":
        most = ships_to_send(seen.board, decision) if "ships" in decision.limits else None
        return SlotValues((*HOLDS, NO_SHIP), most=most)
    sends = [op for op in _ops(known) if op.op is Verb.SEND]
    shown = holds_for(tuple(dict.fromkeys(op.hold for op in sends)))
    return SlotValues((*shown, NO_SHIP) if shown else (), most=sum(op.n for op in sends))


def _first(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    """A25: Characters of the Council, before sailing to an evolving destination."""
    place = known.get("place")
    evolving = place is None or seen.board.evolving(place)
    return _taken(seen, decision, known) if evolving else one_of(())


def _taken(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    return one_of((*seen.board.rows["council"], RIGHTMOST))


def _erected(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    left = seen.board.left(decision.seat)
    return one_of(free_slots(seen.board) if left else (INSTEAD_POINTS, INSTEAD_CHARACTER))


def _refreshed(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    """A19: Engaged characters."""
    return one_of(fleeing(seen.board, decision.seat, decision.limits.get("cause"), decision.limits.get("besides")))


def _recalled(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    return one_of(seen.board.docked(decision.seat))


def _gotten(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    board = seen.board
    return one_of((*board.rows["atelier"], *board.rows["atlas"], *in_hand(board, decision.seat)))


def _used(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    return one_of(usable(seen.board, decision.seat))


def _lit(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    return one_of(HOLDS)


def _lowered(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    held = seen.board.players[decision.seat].holds
    return one_of((hold for hold, n in held.items() if n), Problem("holds_empty"))


_MAIN: Final = (o.Sail, o.Acquire, o.Discover, o.Invite, o.Engage, o.Build)
_CHOICES: Final[Mapping[str, Find]] = {
    "pay": _paid,
    "emergency": _in_emergency,
    "send": _sent,
    "take": _taken,
    "erect": _erected,
    "refresh": _refreshed,
    "recall": _recalled,
    "get": _gotten,
    "use": _used,
    "discard": _hand,
    "light": _lit,
}
"""The slots for choices within an action."""
WORTH_TRYING: Final[SlotTable] = {
    (o.ChooseHand, "hand"): _hands,
    (o.ListHands, "hands"): _preferences,
    (o.Keep, "characters"): _characters_to_keep,
    (o.Sail, "place"): _docks,
    (o.Sail, "first"): _first,
    (o.Acquire, "artwork"): _atelier,
    (o.Discover, "destination"): _atlas,
    (o.Invite, "character"): _hand,
    (o.Engage, "character"): _engageable,
    (o.Build, "ships"): _yard,
    **{(order, slot): find for order in _MAIN for slot, find in _CHOICES.items()},
    (o.Send, "send"): _sent,
    (o.Take, "take"): _taken,
    (o.Erect, "erect"): _erected,
    (o.Refresh, "refresh"): _refreshed,
    (o.Recall, "recall"): _recalled,
    (o.Use, "use"): _used,
    (o.GiveUp, "discard"): _hand,
    (o.Light, "light"): _lit,
    (o.Lower, "holds"): _lowered,
    (o.Supply, "ships"): _bay,
    (o.Drop, "characters"): _hand,
}

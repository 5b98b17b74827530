"""The values worth trying in the slots of orders: those that may be legal and change something."""

from collections.abc import Iterator
from itertools import chain, product
from typing import Final

from engine.kernel.holes import Filling, SlotValues, one_of
from engine.kernel.orders import Problem, Question
from engine.kernel.ruleset import SlotTable
from engine.patchistory import orders as o
from engine.patchistory.acts import Seen, held
from engine.patchistory.board import free_squares
from engine.patchistory.catalogue import AID, TILES, VALUES, VOTE
from engine.patchistory.effects import exchanged, points
from engine.patchistory.phases.auction import amount
from engine.patchistory.phases.movement import strength, stride
from engine.patchistory.phases.specials import destructible
from engine.patchistory.territory import (
    Placement,
    clearable,
    corners,
    in_reading_order,
    location,
    ways_under,
    within_reach,
)


def _up_to(most: int, low: int = 1) -> SlotValues:
    return SlotValues(range(low, most + 1))


def _lots(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    return one_of(lot.name for lot in seen.board.offer)


def _start(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    """1.  From the least bid that leads to all money."""
    board, seat, lot = seen.board, decision.seat, known.get("lot")
    own = board.bids[seat].money if seat in board.bids else 0
    least = amount(board, seat, o.Bid(lot)) if lot is not None and board.lot(lot) is not None else 1
    return _up_to(own + board.players[seat].amount("money"), least)


def _limit(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    """5.  No limit with two players, who bid in secret."""
    return one_of(()) if len(seen.board.players) == 2 else _start(seen, decision, known)


def _corners(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    return one_of(corners(seen.board.players[decision.seat].territory))


def _under(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    """Return the sets of squares that can go under, where the tile lies; every square if that is not known."""
    player, corner, side = seen.board.players[decision.seat], known.get("corner"), known.get("side")
    if player.won is None or corner is None or not (side := player.won.side or side):
        return one_of(player.territory)
    bare = Placement(player.won.tile, TILES[player.won.tile].face(side), corner)
    ways = ways_under(player.territory, bare) if bare.within else ()
    return SlotValues(lists=tuple(in_reading_order(squares) for squares in ways if squares))


def _free(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    player = seen.board.players[decision.seat]
    return one_of(square for first in free_squares(player) for square in location(player.territory, first))


def _workers(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    return one_of(dict.fromkeys(seen.board.players[decision.seat].workers), Problem("no_worker_out"))


def _near(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    free, start = _free(seen, decision, known), known.get("start")
    if start is None:
        return free
    near = within_reach(seen.board.players[decision.seat].territory, start, stride(seen.board, decision.seat))
    return one_of((square for square in free.values if square in near), Problem("no_free_location"))


def _clearable(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    """Return the locations of one square, if there is a building tile for them."""
    player = seen.board.players[decision.seat]
    return one_of(square for square in player.territory if player.pack and clearable(player.territory, square))


def _buildings(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    return one_of(dict.fromkeys(held(seen.board.players[decision.seat])))


def _routes(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    return one_of((route.number for route in seen.board.of(decision.seat)), Problem("no_routes"))


def _named_routes(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    seat = decision.seat
    own = (str(route.number) for route in seen.board.of(seat) if seat in route.spots)
    return one_of(own, Problem("no_worker_on_routes"))


def _wars(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    return one_of(str(route.number) for route in seen.board.of(decision.seat) if route.war)


def _destructible(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    return one_of(route.number for route in destructible(seen.board, decision.seat))


def _spaces(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    return _up_to(strength(seen.board, decision.seat))


def _points(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    return _up_to(points(seen.board, decision.seat))


def _aid(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    """A-12  Any three goods of the stock."""
    has = seen.board.players[decision.seat].amount
    return SlotValues(tuple(good for good in VALUES if has(good)), AID["gives"], AID["gives"])


def _exchanged(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    board, seat, good = seen.board, decision.seat, known.get("good")
    has = board.players[seat].amount
    stock = has(good) if good is not None else max(map(has, VALUES))
    most = exchanged(board, seat)
    return SlotValues(range(1, min(stock, most) + 1), none=Problem("no_exchange", {"most": most}))


def _gained(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    """A-17  Goods of the same value, other than the good given."""
    count, good = known.get("count"), known.get("good")
    counts = _exchanged(seen, decision, known).values if count is None else (count,)
    ways = product(counts, VALUES if good is None else (good,))
    found = (_of_value(int(n) * VALUES[given], [other for other in VALUES if other != given]) for n, given in ways)
    none = Problem("no_exchange", {"most": exchanged(seen.board, decision.seat)})
    return SlotValues(lists=tuple(dict.fromkeys(chain.from_iterable(found))), none=none)


def _of_value(value: int, goods: list[str]) -> Iterator[tuple[str, ...]]:
    """Yield the amounts of goods that have this value together."""
    if not goods:
        yield from ((),) if value == 0 else ()
        return
    first, *rest = goods
    for count in range(value // VALUES[first] + 1):
        yield from ((first,) * count + more for more in _of_value(value - count * VALUES[first], rest))


def _resources(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    return _up_to(seen.board.players[decision.seat].amount("resource"), 0)


def _spent_votes(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    return _up_to(seen.board.players[decision.seat].amount(VOTE), 0)


def _votes(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    """4.  A number for each card, or one number if a single card is asked."""
    cards = len(seen.board.polls)
    votes = range(seen.board.players[decision.seat].amount(VOTE) + 1)
    return SlotValues(votes, 1 if seen.core.options["voting"] == "card" else cards, cards)


def _hand(seen: Seen, decision: Question, known: Filling) -> SlotValues:
    return one_of(card.value for card in seen.board.players[decision.seat].cards if card.visible)


WORTH_TRYING: Final[SlotTable] = {
    (o.Bid, "lot"): _lots,
    (o.Bid, "start"): _start,
    (o.Bid, "most"): _limit,
    (o.Take, "lot"): _lots,
    (o.Place, "corner"): _corners,
    (o.Place, "under"): _under,
    (o.Settle, "squares"): _free,
    (o.Home, "squares"): _free,
    (o.SendBack, "squares"): _workers,
    (o.SendBack, "routes"): _named_routes,
    (o.DiscardRoute, "route"): _destructible,
    (o.Bomb, "building"): _buildings,
    (o.Aid, "goods"): _aid,
    (o.Send, "square"): _workers,
    (o.Send, "route"): _routes,
    (o.Exchange, "count"): _exchanged,
    (o.Exchange, "gained"): _gained,
    (o.Train, "square"): _free,
    (o.Clear, "square"): _clearable,
    (o.Clear, "building"): _buildings,
    (o.Build, "building"): _buildings,
    (o.Build, "square"): _clearable,
    (o.Campaign, "points"): _points,
    (o.Move, "start"): _workers,
    (o.Move, "to"): _near,
    (o.Travel, "route"): _routes,
    (o.Travel, "spaces"): _spaces,
    (o.Rest, "route"): _routes,
    (o.Fights, "routes"): _wars,
    (o.Fuel, "resources"): _resources,
    (o.Fuel, "votes"): _spent_votes,
    (o.PutCard, "card"): _hand,
    (o.Votes, "counts"): _votes,
}

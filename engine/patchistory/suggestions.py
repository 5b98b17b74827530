"""Likely orders for each question, best first, for templates, bots and slots.

These are proposals from what the author knows; `OrderLanguage` removes those that the rules refuse.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from engine.kernel.orders import Order, Question
from engine.kernel.ruleset import Proposals
from engine.kernel.suggestions import preferences
from engine.kernel.viewers import Seat
from engine.patchistory import orders as o
from engine.patchistory.acts import Seen, best_square, held
from engine.patchistory.board import Board, Player, Route, free_squares
from engine.patchistory.catalogue import AID, LIMITS, SIDES, SPECIALS, TILES, VALUES, VOTE, Kind, Room
from engine.patchistory.effects import counted, level, points
from engine.patchistory.phases.movement import strength, stride
from engine.patchistory.phases.placement import mixed
from engine.patchistory.phases.vote import ranked
from engine.patchistory.territory import Placement, in_reading_order, placed, placements, within_reach

Proposed = Iterable[Order]

SYMBOL_WORTH: Final = {
    "food": 4,
    "money": 4,
    "resource": 7,
    "culture": 8,
    "politics": 7,
    "transport": 4,
    "military": 4,
    "defence": 2,
}
_SPECIAL_WORTH: Final = 14
_FEW: Final = 12


def worth(room: Room) -> int:
    """Return a rough value of a location."""
    base = sum(SYMBOL_WORTH[name] * n for name, n in room.base.items())
    gold = sum(SYMBOL_WORTH[name] * n for name, n in room.gold.items()) // 2
    return base + gold + (_SPECIAL_WORTH if room.kind in SPECIALS else 0)


def others(board: Board, seat: Seat) -> tuple[str, ...]:
    """Return the colours of the other players, from the left."""
    return tuple(board.players[other].colour for other in board.seats if other != seat)


def spread(player: Player) -> Iterator[str]:
    """Yield free locations, the best gold frames first."""
    free = free_squares(player)
    yield from sorted(free, key=lambda s: -sum(player.territory[s].shows.gold.values()))


# --- auction and placement


def _lots(board: Board) -> list[str]:
    """Return the lots on offer, the best first."""

    def value(tile: str, side: str) -> int:
        faces = [TILES[tile].face(x) for x in ((side,) if side else SIDES)]
        return max(sum(worth(face.room(letter)) for letter in face.rooms) for face in faces)

    return [lot.name for lot in sorted(board.offer, key=lambda lot: -value(lot.tile, lot.side))]


def _take(seen: Seen, decision: Question) -> Proposed:
    return (o.Take(lot) for lot in _lots(seen.board))


def _bid(seen: Seen, decision: Question) -> Proposed:
    """A limit of half the money, less for worse lots; with two players a secret sum."""
    money = seen.board.players[decision.seat].amount("money")
    for lot, share in zip(_lots(seen.board), (2, 3, 4, 4), strict=False):
        most = max(1, -(-money // share))
        yield o.Bid(lot, most) if len(seen.board.players) == 2 else o.Bid(lot, 1, most if most > 1 else 0)
    yield from (o.Bid(lot) for lot in _lots(seen.board))


def _place(seen: Seen, decision: Question) -> Proposed:
    """Placements with the best resulting territory first; discarding last."""
    player = seen.board.players[decision.seat]
    if player.won is None:
        return
    found: list[tuple[int, o.Place]] = []
    for side in (player.won.side,) if player.won.side else SIDES:
        face, limit = TILES[player.won.tile].face(side), LIMITS[seen.board.era - 1]
        for way in placements(player.territory, player.won.tile, face, limit, mixed=mixed(seen.core.options)):
            named = "" if player.won.side else side
            order = o.Place(way.corner, in_reading_order(way.under), side=named)
            found.append((_value(player, way), order))
    yield from (order for _, order in sorted(found, key=lambda pair: -pair[0])[:_FEW])
    yield o.Forgo()


def _value(player: Player, way: Placement) -> int:
    """Return the value of all locations after a placement."""
    after = placed(player.territory, way)
    seen = {(square.tile, square.letter, square.over): square.shows for square in after.values()}
    return sum(worth(room) for room in seen.values())


def _squares(seen: Seen, decision: Question) -> Proposed:
    workers = decision.limits.get("workers", 1)
    free = tuple(spread(seen.board.players[decision.seat]))
    return map(o.Settle, preferences(free, workers if isinstance(workers, int) else 1))


def _home(seen: Seen, decision: Question) -> Proposed:
    player = seen.board.players[decision.seat]
    return (o.Home((square,)) for square in spread(player))


def _recall(seen: Seen, decision: Question) -> Proposed:
    board, seat = seen.board, decision.seat
    yield from (o.SendBack((square,)) for square in board.players[seat].workers)
    yield from (o.SendBack((), (str(route.number),)) for route in board.of(seat) if seat in route.spots)


def _bomb(seen: Seen, decision: Question) -> Proposed:
    """A rival's best squares."""
    board = seen.board
    for seat in board.seats:
        if seat != decision.seat:
            there = board.players[seat].territory
            rich = sorted(there, key=lambda square: -worth(there[square].shows))
            yield from (o.Bomb(board.players[seat].colour, square) for square in rich[:_FEW])


# --- diplomacy and administration


def _diplomacy(seen: Seen, decision: Question) -> Proposed:
    board, seat = seen.board, decision.seat
    for colour in others(board, seat):
        yield o.Threaten(colour, "culture")
        yield o.Threaten(colour, "money")
    for colour in others(board, seat):
        for goods in AID["goods"]:
            yield o.Aid((goods,) * AID["gives"], colour)
        yield o.Aid(tuple(VALUES), colour)
    yield from (o.BreakAlliance(colour) for colour in others(board, seat))


def _administration(seen: Seen, decision: Question) -> Proposed:
    """Training, routes, honours, buildings; the rest goes into votes."""
    board, seat = seen.board, decision.seat
    player = board.players[seat]
    best = best_square(player)
    if best:
        yield o.Train(best)
    yield from _honours(board, seat)
    yield from _sendings(board, seat)
    yield from _buildings(player)
    yield from (o.BuildRoute(colour) for colour in others(board, seat))
    yield from _exchanges(board, seat)
    yield o.Campaign(max(1, points(board, seat)))


def _honours(board: Board, seat: Seat) -> Proposed:
    return (o.Honour(what) for what in ("hero", "wonder") if counted(board, seat, what) > 1)


def _sendings(board: Board, seat: Seat) -> Proposed:
    """Send the least useful worker to an open route."""
    workers = sorted(board.players[seat].workers, key=lambda s: worth(board.players[seat].territory[s].shows))
    routes = [route.number for route in board.of(seat) if route.opens_to(seat)]
    return (o.Send(square, route) for square in workers[:2] for route in routes[:3])


def _buildings(player: Player) -> Proposed:
    """A building on Wasteland or the worst square; clearing a Sea or a bad square last."""
    single = [s for s, here in player.territory.items() if here.shows.kind not in SPECIALS]
    poor = sorted(single, key=lambda square: (worth(player.territory[square].shows), square))
    lands = [square for square in poor if player.territory[square].shows.kind is not Kind.SEA]
    yield from (o.Build(building, square) for building in dict.fromkeys(held(player)) for square in lands[:2])
    yield from (o.Clear(square) for square in poor[:2])


def _exchanges(board: Board, seat: Seat) -> Proposed:
    """The most plentiful good for the scarcest."""
    player = board.players[seat]
    goods = sorted(VALUES, key=player.amount)
    for good in reversed(goods):
        for into in goods:
            if into == good:
                continue
            given = 2 if VALUES[good] < VALUES[into] else 1
            got = 2 if VALUES[good] > VALUES[into] else 1
            yield o.Exchange(given, good, (into,) * got)


# --- movement


def _movement(seen: Seen, decision: Question) -> Proposed:
    """Workers without a gold frame to one within reach; routes forward, to their end first."""
    board, seat = seen.board, decision.seat
    player = board.players[seat]
    for square in player.workers:
        near = within_reach(player.territory, square, stride(board, seat))
        free = [s for s in spread(player) if s in near and player.territory[s].shows.gold]
        yield from (o.Move(square, to) for to in free[:3] if not player.territory[square].shows.gold)
    for route in board.of(seat):
        if seat in route.spots:
            yield from (o.Travel(route.number, n) for n in range(1, strength(board, seat) + 1))
            yield o.Rest(route.number)
    for square in player.workers:
        near = within_reach(player.territory, square, stride(board, seat))
        yield from (o.Move(square, to) for to in list(spread(player))[:3] if to in near)


# --- negotiation, war, vote


def _token(seen: Seen, decision: Question) -> Proposed:
    """War for the stronger player, an alliance for others."""
    board, seat = seen.board, decision.seat
    number = decision.limits.get("route")
    route: Route | None = board.route(number) if isinstance(number, int) else None
    rival = route.other(seat) if route is not None and seat in route.ends else seat
    stronger = level(board, seat, "military") > level(board, rival, "military") + level(board, rival, "defence")
    calm = (o.Token("blue", True, "A"), o.Token("blue", True, "B"), o.Token("blue"))
    return (o.Token("red"), *calm) if stronger else (*calm, o.Token("red"))


def _fights(seen: Seen, decision: Question) -> Proposed:
    wars = [str(route.number) for route in seen.board.of(decision.seat) if route.war]
    return (o.Fights((*wars[n:], *wars[:n])) for n in range(len(wars)))


def _fuel(seen: Seen, decision: Question) -> Proposed:
    player = seen.board.players[decision.seat]
    resources, votes = player.amount("resource"), player.amount(VOTE)
    yield from (o.Fuel(n) for n in dict.fromkeys((min(resources, 3), 0, resources)))
    yield o.Fuel(0, votes)


def _sacrifice(seen: Seen, decision: Question) -> Proposed:
    player = seen.board.players[decision.seat]
    idle = tuple(s for s in player.workers if not player.territory[s].shows.gold)
    yield from (o.SendBack(squares) for squares in (idle, player.workers) if squares)


def _put(seen: Seen, decision: Question) -> Proposed:
    """The cards with the best rank first."""
    hand = [card.value for card in seen.board.players[decision.seat].cards if card.visible]
    return (o.PutCard(card) for card in sorted(hand, key=lambda card: ranked(seen.board, card)[decision.seat]))


def _votes(seen: Seen, decision: Question) -> Proposed:
    """A good share for cards on which the seat leads, nothing for other or past ones."""
    place = decision.limits.get("place", 0)
    amount = seen.board.players[decision.seat].amount(VOTE)
    ranks = [poll.ranks.get(decision.seat, 4) for poll in seen.board.polls]
    open_now = [n for n in range(len(ranks)) if not isinstance(place, int) or n >= place]
    good = [n for n in open_now if ranks[n] == 1] or open_now[:1]
    for share in (2, 1, 3) if good else ():
        each = amount // share // len(good)
        yield o.Votes(tuple(each if n in good else 0 for n in range(len(ranks))))
    yield o.Votes((0,))


PROPOSALS: Final[Proposals] = {
    "voyage": _take,
    "opening": _bid,
    "auction": _bid,
    "placement": _place,
    "settle": _squares,
    "crowd": _home,
    "recall": _recall,
    "bombing": _bomb,
    "diplomacy": _diplomacy,
    "administration": _administration,
    "movement": _movement,
    "home": _home,
    "negotiation": _token,
    "fights": _fights,
    "fuel": _fuel,
    "sacrifice": _sacrifice,
    "prosperity": _put,
    "votes": _votes,
}

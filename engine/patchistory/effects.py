"""The effects of locations for their owner. The data says what each does; no location is named here.

A symbol outside a gold frame always counts; one inside counts while a worker is there (À ne pas oublier).
"""

from collections import Counter as Tally
from collections.abc import Iterator, Mapping

from engine.kernel.viewers import Seat
from engine.patchistory.board import Board, Player
from engine.patchistory.catalogue import (
    ACTIONS,
    GOODS,
    LEVELS,
    UPKEEP,
    Counter,
    Effect,
    Kind,
    Op,
    Room,
    When,
)
from engine.patchistory.territory import count, locations, specials


def staffed(player: Player) -> Iterator[tuple[Room, bool]]:
    """Yield each location, and True if it has a worker."""
    held = set(player.workers)
    for squares in locations(player.territory):
        yield player.territory[squares[0]].shows, not held.isdisjoint(squares)


def printed(player: Player) -> Tally[str]:
    """Return the visible symbols, including those in gold frames with a worker."""
    found = Tally[str]()
    for room, worked in staffed(player):
        found.update(room.base)
        if worked:
            found.update(room.gold)
    return found


def effects(player: Player, when: When, *ops: Op) -> Iterator[Effect]:
    """Yield the effects of one moment, all or some kinds, location by location."""
    for room in specials(player.territory):
        yield from (e for e in room.effects if e.when is when and (not ops or e.op in ops))


def gains(board: Board, seat: Seat, effect: Effect) -> Mapping[str, int]:
    """Return what a `gain` or `gain_per` gives now."""
    if effect.op is Op.GAIN:
        return effect.symbols
    times = sum(counted(board, seat, what) for what in effect.per) // effect.divisor
    return {name: n * times for name, n in effect.symbols.items()}


def brought(board: Board, seat: Seat, when: When) -> Tally[str]:
    """Return what all effects of one moment give together."""
    found = Tally[str]()
    for effect in effects(board.players[seat], when, Op.GAIN, Op.GAIN_PER):
        found.update(gains(board, seat, effect))
    return found


def counted(board: Board, seat: Seat, what: str) -> int:
    """Return what a `gain_per` or a prosperity card counts; levels and production by the name of their symbol."""
    player = board.players[seat]
    match what:
        case Counter.WORKER:
            return board.in_play(seat)
        case Counter.MAIN_ROUTE:
            return sum(route.start == seat and not route.allied for route in board.of(seat))
        case Counter.ALLIED_ROUTE:
            return sum(route.allied for route in board.of(seat))
        case "trade_route":
            return counted(board, seat, Counter.MAIN_ROUTE) + counted(board, seat, Counter.ALLIED_ROUTE)
        case Counter.CLEARED:
            return sum(square.cleared for square in player.territory.values())
        case Counter.FOOD_INDUSTRY:
            return sum(_feeds(room, worked) for room, worked in staffed(player))
        case Counter.MONEY:
            return player.amount("money")
    return _seen(board, seat, what)


def _seen(board: Board, seat: Seat, what: str) -> int:
    """Return a count that is public."""
    player = board.players[seat]
    if what in LEVELS:
        return level(board, seat, what)
    if what in GOODS:
        return production(board, seat)[what]
    if what == "building":
        return sum(square.shows.kind is Kind.GENERAL for square in player.territory.values() if square.over)
    if what == Counter.WASTELAND:
        seas = any(effects(player, When.PERMANENT, Op.SEA_IS_WASTELAND))
        return count(player.territory, Kind.WASTELAND, *((Kind.SEA,) if seas else ()))
    return count(player.territory, Kind(what))


def _feeds(room: Room, worked: bool) -> bool:
    """A-46: Return True for an Industry location that produces Food; its gold frame counts only with a worker."""
    return room.domain == "industry" and ("food" in room.base or (worked and "food" in room.gold))


def level(board: Board, seat: Seat, name: str) -> int:
    """Return Politics, Transport, Military or Defence (Tableau de Références); a fixed level overrides all (A-38)."""
    player = board.players[seat]
    total = sum(room.base.get(name, 0) + (room.gold.get(name, 0) if worked else 0) for room, worked in staffed(player))
    for effect in effects(player, When.PERMANENT, Op.SET_LEVEL, Op.GAIN, Op.GAIN_PER):
        if effect.op is Op.SET_LEVEL and effect.level == name:
            return effect.value
        if name in effect.symbols:
            total += gains(board, seat, effect)[name]
    return total


def production(board: Board, seat: Seat) -> Tally[str]:
    """Return the production of goods and votes by the player's own tiles (5. Production)."""
    found = printed(board.players[seat]) + brought(board, seat, When.PRODUCTION)
    return Tally({name: n for name, n in found.items() if name not in LEVELS})


def points(board: Board, seat: Seat) -> int:
    """A-11: Return the Politics Points left this round."""
    return max(0, level(board, seat, "politics") - board.players[seat].spent)


def defence(board: Board, seat: Seat) -> int:
    """Puissance de Défense: Return Military plus Defence."""
    return level(board, seat, "military") + level(board, seat, "defence")


def price(board: Board, seat: Seat, action: str) -> int:
    """Return the Politics Points for an action, at least 1 (2. Diplomatie et Administration)."""
    off = sum(e.by for e in effects(board.players[seat], When.PERMANENT, Op.REDUCE_POINTS) if e.action == action)
    return max(1, ACTIONS[action].pp - off)


def cost(board: Board, seat: Seat, action: str, printed_cost: int = 0) -> int:
    """Return the goods for an action in this era, plus the printed cost of a tile; a fixed cost
    overrides all (A-38).
    """
    player = board.players[seat]
    for effect in effects(player, When.PERMANENT, Op.SET_GOODS):
        if effect.action == action:
            return effect.value
    off = sum(e.by for e in effects(player, When.PERMANENT, Op.REDUCE_GOODS) if e.action == action)
    return max(0, ACTIONS[action].cost[board.era - 1] + printed_cost - off)


def upkeep(board: Board, seat: Seat) -> int:
    """Entretien des Ouvriers: Return the highest visible number of the People track; a fixed one
    overrides all (A-38).
    """
    player = board.players[seat]
    for effect in effects(player, When.PERMANENT, Op.SET_UPKEEP):
        return effect.value
    off = sum(effect.by for effect in effects(player, When.PERMANENT, Op.REDUCE_UPKEEP))
    return max(0, UPKEEP[board.in_play(seat)] - off)


def exchanged(board: Board, seat: Seat) -> int:
    """Échange: Return how many units one action may give."""
    bonus = sum(effect.value for effect in effects(board.players[seat], When.PERMANENT, Op.EXCHANGE_BONUS))
    return level(board, seat, "transport") + bonus


def fuels(board: Board, seat: Seat) -> tuple[str, ...]:
    """Guerre: Return what may be discarded for power: Resources, and what effects add."""
    more = (good for e in effects(board.players[seat], When.PERMANENT, Op.WAR_FUEL) for good in e.goods)
    return tuple(dict.fromkeys(("resource", *more)))

"""5. Production et Entretien des Ouvriers, 6. Entretien des Héros et des Merveilles."""

from collections import Counter
from collections.abc import Mapping

from engine.kernel.viewers import Seat
from engine.patchistory.acts import Game, gain
from engine.patchistory.board import Board, Route
from engine.patchistory.catalogue import ALLIED_TRACK, KEEP, MAIN_TRACK, Kind, When
from engine.patchistory.effects import production, upkeep
from engine.patchistory.events import Produced, SpecialsKept, WorkersFed
from engine.patchistory.territory import count


def begin(table: Game) -> None:
    """Produce for all players, then feed all workers (A-43)."""
    for seat in table.board.seats:
        _produce(table, seat)
    for seat in table.board.seats:
        _feed(table, seat)


def _produce(table: Game, seat: Seat) -> None:
    """2., 3.: Add the production of tiles, of workers on routes, and of effects."""
    brought = [route_goods(route, seat) for route in table.board.of(seat)]
    routes = dict(sum((Counter(goods) for goods in brought), Counter[str]()))
    table.emit(Produced(seat=seat, tiles=dict(production(table.board, seat)), routes=routes))
    gain(table, seat, When.ROUTE, sum(bool(goods) for goods in brought))


def route_goods(route: Route, seat: Seat) -> Mapping[str, int]:
    """Return what a player's worker on a route gives now; nothing while it rests."""
    if seat not in route.spots or seat in route.rests:
        return {}
    spot = route.spots[seat]
    if not route.allied:
        return MAIN_TRACK[spot]
    return ALLIED_TRACK[spot if seat == route.start else len(ALLIED_TRACK) - 1 - spot]


def _feed(table: Game, seat: Seat) -> None:
    """Entretien des Ouvriers: pay Food, and Culture for missing Food."""
    player, needed = table.board.players[seat], upkeep(table.board, seat)
    if not needed:
        return
    food = player.able("food", needed)
    culture = player.able("culture", (needed - food) * KEEP["missing_food"])
    table.emit(WorkersFed(seat=seat, food=food, missing=needed - food, culture=culture))


def keep_specials(table: Game) -> None:
    """6.: Pay two Food for each hero and a Resource for each wonder; Culture for missing ones (A-28)."""
    for seat in table.board.seats:
        needed = specials_upkeep(table.board, seat)
        if not any(needed.values()):
            continue
        player = table.board.players[seat]
        paid = {good: player.able(good, n) for good, n in needed.items()}
        missing = {good: needed[good] - paid[good] for good in needed}
        due = missing["food"] * KEEP["missing_food"] + missing["resource"] * KEEP["missing_resource"]
        table.emit(
            SpecialsKept(
                seat=seat,
                food=paid["food"],
                resources=paid["resource"],
                missing=missing,
                culture=player.able("culture", due),
            )
        )


def specials_upkeep(board: Board, seat: Seat) -> Mapping[str, int]:
    """Return what heroes and wonders need at the end of an era."""
    there = board.players[seat].territory
    return {
        "food": count(there, Kind.HERO) * KEEP["hero_food"],
        "resource": count(there, Kind.WONDER) * KEEP["wonder_resource"],
    }

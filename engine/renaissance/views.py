"""The view of one viewer: ids of the catalogue and numbers, from a position that they may read.

It has no words of any language; cities, provinces, kinds, nations and artists are ids, seats are seats.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from engine.kernel.lazy import LazyMapping
from engine.kernel.position import Options
from engine.kernel.rules import View
from engine.kernel.secrets import seen_by
from engine.kernel.viewers import Seat, Viewer
from engine.renaissance import shown
from engine.renaissance.acts import Seen
from engine.renaissance.board import Battle, Board, Laid, Power
from engine.renaissance.catalogue import PROVINCES, STRENGTH, TOWNS, TURNS, kind_of, year
from engine.renaissance.phases.attacks import bases
from engine.renaissance.phases.diplomacy import spendable
from engine.renaissance.phases.expansion import accessible, origins
from engine.renaissance.phases.scoring import artists, income


def present(seen: Seen, viewer: Viewer) -> View:
    """Return the whole view: the table for everybody; hand and reach for a seat."""
    with seen_by(viewer):
        board = seen.board
        view = {**_course(seen), **_table(seen)}
        power = board.powers.get(Seat(viewer))
        if power is not None:
            view["own"] = _own(seen, power)
        return view


def _course(seen: Seen) -> dict[str, Any]:
    """Return the state of the game."""
    board = seen.board
    return {
        "turn": board.turn,
        "turns": TURNS,
        "year": year(board.scenario, board.turn),
        "phase": board.phase.value,
        "state": board.state,
        "scenario": board.scenario,
        "players": board.players,
        "acting": board.acting,
        "over": seen.core.over,
        "ending": seen.core.ending,
        "options": dict(seen.core.options),
    }


def _table(seen: Seen) -> dict[str, Any]:
    """Return powers, map, piles, the current battle and offers."""
    board = seen.board
    return {
        "order": board.order,
        "powers": {seat: _power(seen, board.powers[seat]) for seat in board.order},
        "cities": tuple(_cities(board)),
        "provinces": tuple(_provinces(board)),
        "deck": len(board.deck),
        "discard": dict(sorted(Counter(kind_of(card).id for card in board.discard).items())),
        "supplies": {piece: board.left(piece) for piece in ("ramparts", "castles", "palaces", "pillage")},
        "artists": len(board.supply),
        "battle": _battle(board.battle) if board.battle is not None else None,
        "fallen": board.fallen,
        "offers": tuple({"seat": o.seat, "gives": o.gives, "wants": o.wants} for o in board.offers),
    }


def _power(seen: Seen, power: Power) -> dict[str, Any]:
    """Return the row of a power. `income`: what the treasury would pay now."""
    board, held = seen.board, seen.board.held(power.seat)
    due = income(seen.core.options, board, power.seat)
    return {
        "nation": power.nation,
        "ducats": power.ducats,
        "score": power.score,
        "points": power.points,
        "cards": power.cards,
        "shown": tuple(kind_of(card).id for card in power.shown),
        "aside": tuple(kind_of(card).id for card in power.aside),
        "cities": held,
        "provinces": board.provinces(power.seat),
        "artists": artists(board, power.seat),
        "income": due.ducats + due.bonus if held else 0,
        "garrisons": board.garrisons(power.seat),
        "starts": power.starts,
        "seas": power.seas,
        "eliminated": power.eliminated,
        "stance": power.stance,
        "targets": power.targets,
        "origins": power.origins,
        "married": power.married,
        "used": tuple(sorted(power.used)),
    }


def _cities(board: Board) -> Iterator[dict[str, Any]]:
    for town in board.open():
        city, printed = board.cities[town], TOWNS[town]
        yield {
            "id": town,
            "province": printed.province,
            "terrain": printed.terrain,
            "port": printed.port,
            "owner": city.owner,
            "level": city.level,
            "strength": STRENGTH[city.level],
            "palace": city.palace,
            "artist": city.artist,
            "pillaged": city.pillaged,
            "swapped": city.swapped,
        }


def _provinces(board: Board) -> Iterator[dict[str, Any]]:
    for province in PROVINCES.values():
        if board.closed.isdisjoint(province.cities):
            owners = {board.cities[town].owner for town in province.cities}
            owner = next(iter(owners)) if len(owners) == 1 else None
            yield {"id": province.id, "cities": province.cities, "owner": owner}


def _battle(battle: Battle) -> dict[str, Any]:
    return {
        "number": battle.number,
        "attacker": battle.attacker,
        "defender": battle.defender,
        "city": battle.city,
        "origin": battle.origin,
        "way": battle.way,
        "attack": tuple(_card_view(card) for card in battle.attack),
        "defence": tuple(_card_view(card) for card in battle.defence),
        "dice": battle.dice,
        "won_by": battle.won_by,
    }


def _card_view(card: Laid) -> dict[str, Any]:
    kind = kind_of(card.card.value).id if card.card.visible else ""
    return {"card": kind, "value": card.value, "gone": card.gone, "doubled": card.doubled, "hired": card.hired}


def _own(seen: Seen, power: Power) -> LazyMapping:
    """Return the seat's own hand and what is within its reach."""
    board, seat, options = seen.board, power.seat, seen.core.options
    reckon = {
        "seat": lambda: seat,
        "hand": lambda: tuple(sorted(board.kinds(seat))),
        "spendable": lambda: spendable(board, seat),
        "free": lambda: tuple(_free(board, seat)),
        "targets": lambda: tuple(_targets(options, board, seat)),
        "shop": lambda: tuple(shown.shop(seen, seat)),
        "pillage": lambda: tuple(shown.pillage(seen, seat)),
        "embassy": lambda: shown.embassy(seen, seat),
    }
    return LazyMapping(seat, reckon)


def _free(board: Board, seat: Seat) -> Iterator[dict[str, Any]]:
    for town in accessible(board, seat):
        yield {"city": town, "origins": origins(board, seat, town)}


def _targets(options: Options, board: Board, seat: Seat) -> Iterator[dict[str, Any]]:
    theirs = (town for town in board.open() if board.cities[town].owner not in (None, seat))
    for town in theirs:
        if found := bases(options, board, seat, town):
            yield {"city": town, "origins": found}

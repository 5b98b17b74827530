"""The view of one viewer: ids of the catalogue and numbers, from a position that they may read.

The view includes prices, odds and payments computed for this viewer. It has no words of any language; cards, provinces,
goods, advances and capitals are ids, seats are seats.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from engine.age_of_renaissance import shown
from engine.age_of_renaissance.acts import Seen
from engine.age_of_renaissance.board import Board, Phase, Power
from engine.age_of_renaissance.catalogue import (
    ADVANCES,
    MISERY,
    PROVINCES,
    REGIONS_IN_PLAY,
    SLOTS,
    expansion_card,
)
from engine.age_of_renaissance.phases.ending import score
from engine.age_of_renaissance.phases.income import income_of, regular
from engine.age_of_renaissance.phases.leaders import claims_left, credit
from engine.kernel.lazy import LazyMapping
from engine.kernel.rules import View
from engine.kernel.secrets import seen_by
from engine.kernel.viewers import Seat, Viewer

BEYOND: Final = 1001
"""The misery shown for a power beyond the last box, 1000 (§9.4.4)."""


def present(seen: Seen, viewer: Viewer) -> View:
    """Return the whole view: the table for everybody; hand, prices, reach and odds for a seat in the game."""
    with seen_by(viewer):
        board = seen.board
        view = {**_course(seen), **_table(seen)}
        power = board.powers.get(Seat(viewer))
        if power is not None:
            view["own"] = _own(seen, power)
        return view


# --- public


def _course(seen: Seen) -> dict[str, Any]:
    """Return the state of the game (§3, §4.7); of the discards, the top card and the count (R34)."""
    board = seen.board
    return {
        "turn": board.turn + (board.phase is Phase.TOKENS),  # tokens are bought for the next turn
        "phase": board.phase.value,
        "epoch": board.epoch,
        "players": board.players,
        "pile": len(board.deck),
        "withheld": board.withheld if board.turn else (),
        "discard": {"count": len(board.discard), "top": board.discard[-1] if board.discard else ""},
        "last_turn": board.last_turn,
        "over": seen.core.over,
        "ending": seen.core.ending,
        "options": dict(seen.core.options),
    }


def _table(seen: Seen) -> dict[str, Any]:
    """Return powers, map, markets, and what applies this turn."""
    board, controls = seen.board, seen.board.all_controls()
    return {
        "slots": SLOTS[board.players],
        "order": tuple({"seat": seat, "slot": board.powers[seat].slot} for seat in board.order),
        "powers": {seat: _power(seen, board.powers[seat], controls[seat]) for seat in board.order},
        "provinces": tuple(_provinces(board)),
        "markets": dict(sorted(board.markets.items())),
        "payments": shown.payments(board, controls),
        "leaders": tuple(_leaders(seen)),
        "wars": tuple(
            {"attacker": war.attacker, "defender": war.defender, "turn": war.turn, "rolls": war.rolls}
            for war in board.wars
        ),
        "played_last": board.civil_war,
        "banned": board.banned,
        "this_turn": board.this_turn,
        "cards_bought": board.cards_bought,
        "expansion_card": expansion_card(board.cards_bought),
    }


def _power(seen: Seen, power: Power, controls: Mapping[str, int]) -> dict[str, Any]:
    """Return the row of a power. Cash, and figures that depend on it, are None if piled (R33)."""
    board, seat = seen.board, power.seat
    counted, gone = power.counted, power.eliminated
    return {
        "capital": power.capital,
        "chosen": power.chosen,
        "slot": power.slot,
        "cash": power.cash if counted else None,
        "written": power.written,
        "stock": power.stock,
        "expansion": power.expansion,
        "markers": power.markers,
        "provinces": board.provinces(seat),
        "income": 0 if gone else sum(regular(board, power)),
        "bank": 0 if gone else income_of(board, power).bank if counted else None,
        "goods": {good: count for good in shown.GOOD_IDS if (count := controls[good])},
        "misery": misery(power),
        "ship": {"hull": power.ship.hull.value, "level": power.ship.level} if power.ship else None,
        "advances": tuple(sorted(power.advances)),
        "bought": tuple(sorted(power.bought)),
        "cards": len(power.hand),
        "known": board.known_hand(seat),
        "weapons": power.weapons,
        "shielded": power.shielded,
        "converted": tuple(other for other in board.order if other in power.converted),
        "swapped": power.swapped,
        "exchanged": power.exchanged,
        "stabilised": power.stabilised,
        "eliminated": power.eliminated,
        "score": score(power) if counted else None,
    }


def misery(power: Power) -> int:
    """Return the misery shown on the board; BEYOND for a power beyond the last box."""
    return MISERY[power.misery] if power.misery < len(MISERY) else BEYOND


def _provinces(board: Board) -> Iterator[dict[str, Any]]:
    """Yield the provinces in play, with the pieces of each power in order of play."""
    regions = REGIONS_IN_PLAY[board.players]
    for province in PROVINCES.values():
        if province.region in regions:
            yield {
                "id": province.id,
                "region": province.region,
                "capacity": province.capacity,
                "goods": province.goods,
                "satellite": province.satellite,
                "capital": province.capital,
                "pieces": _pieces(board, province.id),
            }


def _pieces(board: Board, province: str) -> tuple[Mapping[str, Any], ...]:
    here = board.pieces.get(province, {})
    return tuple(
        {"seat": seat, "old": here[seat].old, "new": here[seat].new, "marker": here[seat].marker}
        for seat in board.order
        if seat in here
    )


def _leaders(seen: Seen) -> Iterator[dict[str, Any]]:
    """§9.3.3  Yield the leaders in play: credits, claims, and how many more claims are possible (None: any)."""
    for leader in seen.board.leaders:
        yield {
            "card": leader.card,
            "seat": leader.seat,
            "box": leader.box,
            "claims": leader.claims,
            "left": claims_left(leader),
            "credits": {letter: credit(seen, leader.card, letter) for letter in shown.credited(leader.card)},
        }


# --- the seat's own


def _own(seen: Seen, power: Power) -> LazyMapping:
    """Return the seat's own part. A seat without a capital, or out of the game, has a hand but no choices."""
    board, seat = seen.board, power.seat
    active = bool(power.capital) and not power.eliminated
    missing = [letter for letter in ADVANCES if letter not in power.advances]
    reckon = {
        "seat": lambda: seat,
        "hand": lambda: tuple(shown.card(seen, seat, card) for card in board.known_hand(seat)),
        "advances": lambda: tuple(shown.price(seen, seat, letter) for letter in missing) if active else (),
        "stability": lambda: shown.stability(board, power) if active else None,
        "ship": lambda: shown.next_ship(power) if active else None,
        "placements": lambda: tuple(shown.placements(board, seat)) if active else (),
        "attacks": lambda: tuple(shown.attacks(board, seat)) if active else (),
    }
    return LazyMapping(seat, reckon)

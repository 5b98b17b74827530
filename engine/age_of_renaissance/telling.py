"""What a narrator must know of this game beside its templates: what powers are called, which figures are one's own."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from engine.age_of_renaissance import catalogue
from engine.age_of_renaissance.board import Board, Phase
from engine.age_of_renaissance.events import CommodityPaid
from engine.kernel.names import Seat
from engine.kernel.position import Position
from engine.kernel.secrets import seen_by


def name_of(position: Position[Board], seat: Seat) -> str:
    """The id of the name that a seat plays under: its capital; empty while it has none."""
    power = position.board.powers.get(seat)
    return "" if power is None else power.capital


def seat_of(position: Position[Board], name: str) -> Seat | None:
    """The seat that plays under a name."""
    power = position.board.power_of(name)
    return None if power is None else power.seat


def figures(position: Position[Board], seat: Seat) -> Mapping[str, int]:
    """The numbers of its own affairs that a report compares; `misery` as the place on the ladder."""
    board, power = position.board, position.board.powers[seat]
    with seen_by(seat):
        cash = power.cash
    return {
        "cash": cash,
        "misery": power.misery,
        "provinces": board.provinces(seat),
        "cards": len(power.hand),
        "tokens": power.expansion,
    }


def boxes(event: CommodityPaid) -> int:
    """Which box of the progression paid (§9.3.1, §9.6.1; R24: the tenth is the most)."""
    printed = catalogue.GOODS[event.good].progression
    return min(event.provinces + event.market + event.manufactures, len(printed))


WORDS: Final[Mapping[str, object]] = MappingProxyType(
    {
        "CARDS": catalogue.CARDS,
        "ADVANCES": catalogue.ADVANCES,
        "GOODS": catalogue.GOODS,
        "PROVINCES": catalogue.PROVINCES,
        "MISERY": catalogue.MISERY,
        "PHASES": tuple(str(phase) for phase in Phase),
        "INCOME_BASE": catalogue.income(3, 0),
        "boxes": boxes,
    }
)
"""Tables and small functions that the templates of this game may call."""

"""What the narrator must know of each game beside its templates: how powers are called, which figures are one's own."""

import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import Any, Final

from engine.age_of_renaissance import catalogue
from engine.age_of_renaissance.board import Phase
from engine.age_of_renaissance.events import CommodityPaid
from engine.age_of_renaissance.ruleset import RULES
from engine.kernel.names import Seat
from engine.kernel.position import Position
from engine.kernel.rules import Meta, Rules
from engine.kernel.secrets import seen_by


@dataclass(frozen=True)
class Teller:
    """One game, as far as telling it goes.

    `words`: tables and small functions that its templates may call. `power`: the id of the name that a seat plays
    under ("" while it has none), `seat_of` the way back. `figures`: a seat's own numbers that a report compares,
    in the order of the report.
    """

    rules: Rules[Any]
    words: Mapping[str, object]
    power: Callable[[Position[Any], Seat], str]
    seat_of: Callable[[Position[Any], str], Seat | None]
    figures: Callable[[Position[Any], Seat], Mapping[str, int]]

    @property
    def meta(self) -> Meta:
        """Title, options, topics, endings."""
        return self.rules.meta

    @property
    def problems(self) -> tuple[str, ...]:
        """Every code of a refusal that the game's modules say they use."""
        return codes(self.meta.name, "PROBLEMS")

    @property
    def notes(self) -> tuple[str, ...]:
        """Every code of a preview's remarks that they say they use."""
        return codes(self.meta.name, "NOTES")


@cache
def codes(game: str, tuples: str) -> tuple[str, ...]:
    """The codes in the tuples of this name in all modules of a game."""
    package = import_module(f"engine.{game}")
    modules = [import_module(m.name) for m in pkgutil.walk_packages(package.__path__, f"engine.{game}.")]
    return tuple(dict.fromkeys(code for module in modules for code in getattr(module, tuples, ())))


def _capital(position: Position[Any], seat: Seat) -> str:
    power = position.board.powers.get(seat)
    return "" if power is None else str(power.capital)


def _holder(position: Position[Any], capital: str) -> Seat | None:
    power = position.board.power_of(capital)
    return None if power is None else power.seat


def _boxes(event: CommodityPaid) -> int:
    """Which box of the progression paid (§9.3.1, §9.6.1; R24: the tenth is the most)."""
    boxes = catalogue.GOODS[event.good].progression
    return min(event.provinces + event.market + event.manufactures, len(boxes))


def _figures(position: Position[Any], seat: Seat) -> Mapping[str, int]:
    """What one watches of one's own affairs: `misery` as the place on the ladder."""
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


_FLAGSHIP: Final = Teller(
    RULES,
    MappingProxyType(
        {
            "CARDS": catalogue.CARDS,
            "ADVANCES": catalogue.ADVANCES,
            "GOODS": catalogue.GOODS,
            "PROVINCES": catalogue.PROVINCES,
            "MISERY": catalogue.MISERY,
            "PHASES": tuple(str(phase) for phase in Phase),
            "INCOME_BASE": catalogue.income(3, 0),
            "boxes": _boxes,
        }
    ),
    _capital,
    _holder,
    _figures,
)
_TELLERS: Final[Mapping[str, Teller]] = MappingProxyType({RULES.meta.name: _FLAGSHIP})


def teller(game: str) -> Teller:
    """The teller of a game; raises KeyError, whose text names the games there are."""
    try:
        return _TELLERS[game]
    except KeyError:
        raise KeyError(f"no teller for {game!r}; there is: {', '.join(_TELLERS)}") from None

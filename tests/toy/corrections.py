"""What a master may put right in the smallest game: coins, and how a rule is read."""

from collections.abc import Mapping
from typing import Any

from engine.kernel.catalogues import Words
from engine.kernel.corrections import Corrections
from engine.kernel.forms import Form
from engine.kernel.position import Position
from engine.kernel.rulings import Adopt, Give, Take
from engine.kernel.viewers import Seat
from tests.bilingual import words
from tests.toy.meta import META


class Rightings(Corrections):
    """The corrections of the smallest game."""

    figures: Mapping[str, Words] = {"coins": words("sous|sou", "coins|coin")}
    adoptable = tuple(option for option in META.options if option.name == "income")

    def forms(self, position: Position[Any]) -> tuple[Form, ...]:
        """It has no piles to move cards between."""
        return tuple(form for form in super().forms(position) if form.order in (Give, Take, Adopt))

    def add(self, board: Any, seat: Seat, what: str, by: int, about: str) -> None:
        """From the bank, or into it."""
        board.coins[seat] += by
        board.bank -= by

    def value(self, board: Any, seat: Seat, what: str) -> int:
        """Those that lie before a player."""
        return int(board.coins[seat])

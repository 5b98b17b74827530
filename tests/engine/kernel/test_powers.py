"""What powers are called and counted by, said once by a game."""

from dataclasses import dataclass, field
from typing import Any

from engine.kernel.catalogues import Words
from engine.kernel.languages import LANGUAGES
from engine.kernel.names import Seat
from engine.kernel.plots import Called
from engine.kernel.position import Core, Position
from engine.kernel.powers import PowerFigures, PowerNames
from engine.kernel.secrets import Secret

ANN, BOB = Seat("ann"), Seat("bob")
NAMES = PowerNames("house", {"lion": Words.same("Lion"), "bear": Words.same("Bear")}, {"lion": 2, "bear": 5})


@dataclass
class Power:
    """A seat's affairs."""

    house: str = ""


@dataclass
class Board:
    """Two powers, one without a name yet."""

    powers: dict[Seat, Power] = field(default_factory=lambda: {ANN: Power("lion"), BOB: Power()})


def position() -> Position[Any]:
    """The two at the table."""
    return Position[Any](Core((ANN, BOB), {}, Secret(b"seed")), Board())


def test_a_seat_is_found_by_its_name_and_the_other_way_round() -> None:
    """A seat without a name yet, or nobody's seat, is called by nothing."""
    assert (NAMES.name_of(position(), ANN), NAMES.name_of(position(), BOB)) == ("lion", "")
    assert NAMES.name_of(position(), Seat("cleo")) == ""
    assert (NAMES.seat_of(position(), "lion"), NAMES.seat_of(position(), "bear")) == (ANN, None)


def test_a_view_tells_names_with_their_looks() -> None:
    """A view has names in every language; a power without a name is left out."""
    view = {"powers": {"ann": {"house": "lion"}, "bob": {"house": ""}}}
    assert all(NAMES.called(view, language) == {"ann": Called("Lion", 2)} for language in LANGUAGES)


def test_things_are_counted_and_what_is_hidden_stays_unknown() -> None:
    """A figure is a number, as many as there are things, or None."""
    figures = PowerFigures({"coins": Words.same("Coins"), "towns": Words.same("Towns")})
    view = {"powers": {"ann": {"coins": 3, "towns": ("mill", "abbey")}, "bob": {"coins": None, "towns": ()}}}
    assert figures.count(view) == {"coins": {"ann": 3, "bob": None}, "towns": {"ann": 2, "bob": 0}}

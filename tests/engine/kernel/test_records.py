"""Events, orders and steps are records by their bases: frozen, saved under the name that they give."""

from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from engine.kernel.codec import dump, load, saved_name
from engine.kernel.correction_events import CorrectionRefused, ValueSet
from engine.kernel.events import Event
from engine.kernel.viewers import Seat
from tests.toy import RULES
from tests.toy.board import Board


class Rang(Event, saved="test.Rang"):
    """A bell rang."""

    bells: int


class CoinsSet(ValueSet, saved="test.CoinsSet"):
    """Somebody has so many coins."""

    path = "coins/{seat}"
    seat: Seat


class TurnSet(ValueSet, saved="test.TurnSet"):
    """It is another turn."""

    path = "turn"


def board() -> Board:
    """A board of two."""
    found: Any = RULES.blank((Seat("ann"), Seat("bob")), {})
    assert isinstance(found, Board)
    return found


def test_a_record_is_saved_under_its_name_and_cannot_be_changed() -> None:
    """What is written is read back equal, and nobody changes a fact."""
    rang = Rang(bells=3)
    assert saved_name(Rang) == "test.Rang"
    assert load(dump(rang)) == rang
    with pytest.raises(FrozenInstanceError):
        rang.bells = 4  # type: ignore[misc]


def test_a_value_is_set_where_its_path_leads_and_taken_back() -> None:
    """The path leads through the board's mappings and attributes, by the fields of the fact."""
    table = board()
    coins = CoinsSet(seat=Seat("ann"), before=table.coins[Seat("ann")], after=99)
    coins.put(table)
    turn = TurnSet(before=table.turn, after=7)
    turn.put(table)
    assert (table.coins[Seat("ann")], table.turn) == (99, 7)
    for fact in (turn, coins):
        fact.inverse(table).put(table)
    assert table == board()


def test_a_value_that_has_moved_on_is_not_taken_back() -> None:
    """What was changed since belongs to the game."""
    table = board()
    fact = TurnSet(before=table.turn, after=7)
    fact.put(table)
    table.turn = 8
    with pytest.raises(CorrectionRefused, match="moved_on"):
        fact.inverse(table)

"""What is told, counted and covered of a game that says it, and of one that says nothing."""

from engine.kernel.coverage import coverage_of
from engine.kernel.events import Event
from engine.kernel.narration_hooks import NarrationHooks, classes_in, hooks_of
from engine.kernel.run import start
from engine.kernel.viewers import Seat
from tests.toy import RULES, events


def test_rules_that_say_nothing_are_told_as_a_small_game() -> None:
    """Seats play under no name, no figures are compared, and an event matters to the seat that it is of."""
    told, position = hooks_of(object()), start(RULES, (Seat("ann"), Seat("bob")), {}, b"told").position
    assert told == NarrationHooks()
    assert (told.name_of(position, Seat("ann")), told.seat_of(position, "ann")) == ("", None)
    assert told.figures(position, Seat("ann")) == {}
    sold = events.Sold(seat=Seat("ann"), cards=("wool",), price=2)
    assert (told.weight(sold, Seat("ann")), told.weight(sold, Seat("bob"))) == (1, 0)
    assert coverage_of(object()).expected == {}


def test_the_events_of_a_module_are_those_that_it_defines() -> None:
    """What it imports is not its own."""
    found = classes_in(events)
    assert events.Sold in found
    assert Event not in found
    assert all(cls.__module__ == events.__name__ for cls in found)

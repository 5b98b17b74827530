"""Every event: a fact in the past tense, and a sentence of the report (a macro of its name in `templates`)."""

from collections.abc import Mapping

from engine.kernel.events import Event, Heading
from engine.kernel.viewers import Seat


class TurnBegan(Event, saved="stub.TurnBegan"):
    """A turn began; the event is its heading in the report."""

    heading = Heading.TURN
    turn: int


class Revealed(Event, saved="stub.Revealed"):
    """All offers were shown and paid. `winner`: the highest offer, None if several are equal."""

    offers: Mapping[Seat, int]
    winner: Seat | None

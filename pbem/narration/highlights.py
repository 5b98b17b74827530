"""A game as one seat lived it, in ten lines: the events that weighed most for it, under their turns."""

from collections.abc import Sequence
from typing import Final

from engine.kernel.events import Event, Heading
from engine.kernel.names import Seat
from pbem.narration.tellers import teller

LINES: Final = 10
"""How many events a seat's story has."""


def highlights(game: str, events: Sequence[Event], seat: Seat) -> tuple[Event, ...]:
    """The weightiest events for a seat, in the order in which they happened, each under the beginning of its turn."""
    weigh = teller(game).telling.weight
    weights = {number: weigh(event, seat) for number, event in enumerate(events)}
    heavy = sorted((n for n, weight in weights.items() if weight), key=lambda n: (-weights[n], n))[:LINES]
    kept = {*heavy, *_turns(events, heavy)}
    return tuple(event for number, event in enumerate(events) if number in kept)


def _turns(events: Sequence[Event], chosen: Sequence[int]) -> set[int]:
    """Where the turns of these events began."""
    began = [n for n, event in enumerate(events) if event.heading is Heading.TURN]
    return {max(before) for n in chosen if (before := [turn for turn in began if turn < n])}

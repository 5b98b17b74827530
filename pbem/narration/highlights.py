"""A game as one seat lived it, in ten lines: the events that weighed most for it, under their turns."""

from collections.abc import Sequence
from typing import Final

from engine.kernel.events import Event
from engine.kernel.viewers import Seat
from pbem.narration.game_texts import load_game_texts

LINES: Final = 10
"""How many events a seat's story has."""


def select_highlights(game: str, events: Sequence[Event], seat: Seat) -> tuple[Event, ...]:
    """The weightiest events for a seat, in the order in which they happened, each under the heading of its turn."""
    telling = load_game_texts(game).telling
    weights = {number: telling.weight(event, seat) for number, event in enumerate(events)}
    heavy = sorted((n for n, weight in weights.items() if weight), key=lambda n: (-weights[n], n))[:LINES]
    begun = telling.turns(events)
    heads = {max(before) for n in heavy if (before := [turn for turn in begun if turn < n])}
    return tuple(begun[n] if n in heads else events[n] for n in sorted({*heavy, *heads}))

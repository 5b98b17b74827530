"""What a game wants to see occur in its simulated games, and which test shows what bots cannot bring about.

A game's package may hold a module `census` with a `Census` named CENSUS.  Topics, orders, events and endings are
known without it, from the game's Meta, its forms and its events.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.kernel.bots import Entry, Played
from engine.kernel.codec import saved_name
from engine.kernel.events import Asked, Event
from engine.kernel.rules import Meta

Thing = tuple[str, str]
"""A kind (`card`, `advance`, `ruling`) and the name of one of it."""

Witness = Callable[[Entry[Any]], Iterable[Thing]]
"""What occurred in an entry, as far as the kernel cannot see it; read under `truth`."""


@dataclass(frozen=True)
class Census:
    """The things of a game by kind, how to see that one occurred, and which need not occur.

    `expected`: every thing that must occur somewhere.  `elsewhere`: the test (`tests/…py::name`) that brings a
    thing about, or that holds it where no position can meet it.
    """

    expected: Mapping[str, Sequence[str]] = field(default_factory=dict)
    witness: Witness = lambda entry: ()
    elsewhere: Mapping[Thing, str] = field(default_factory=dict)


def always_expected(meta: Meta, events: Iterable[type[Event]]) -> Iterator[Thing]:
    """What any game must show: its events, topics, riders and endings, every value of the options that rules read."""
    rules_read = [option for option in meta.options if not option.table]
    yield from (("event", saved_name(event)) for event in events)
    yield from (("topic", topic.asks) for topic in meta.topics)
    yield from (("rider", topic.asks) for topic in meta.topics if topic.rider)
    yield from (("ending", ending) for ending in meta.endings)
    yield from (("option", f"{option.name}={value}") for option in rules_read for value in option.values)


def always_seen(game: Played[Any]) -> Iterator[tuple[Thing, int]]:
    """What the kernel sees of these in a whole game, with how often."""
    yield from ((("event", name), count) for name, count in game.events.items())
    yield from ((("form", keyword), count) for keyword, count in game.forms.items())
    yield from ((("rider", asks), count) for asks, count in game.riders.items())
    yield ("ending", game.position.core.ending), 1
    yield from ((("option", f"{name}={value}"), 1) for name, value in game.position.core.options.items())
    for entry in game.entries:
        for event in entry.after.events:
            if isinstance(event, Asked):
                yield from ((("topic", d.asks), 1) for d in event.decisions)

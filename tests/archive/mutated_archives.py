"""Files that somebody changed at random: what they say is of every form that a person might try."""

import random
from collections.abc import Iterator, Sequence
from copy import deepcopy
from typing import Any, Final

NUMBERS: Final = (0, -1, 10**18, -(10**18), (1 << 63) - 1, 10**6)
WORDS: Final[tuple[Any, ...]] = ("", "s1", "x" * 10_000, "\x1b[2J")
THINGS: Final[tuple[Any, ...]] = (*NUMBERS, *WORDS, None, True, [], {}, {"!": "mask"}, {"!": "list", "v": []})


def places(thing: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where something stands within a line of JSON, all the way down."""
    found: Sequence[Any] = ()
    if isinstance(thing, dict):
        found = tuple(thing)
    elif isinstance(thing, list):
        found = range(len(thing))
    for key in found:
        yield (*path, key)
        yield from places(thing[key], (*path, key))


def at(thing: Any, path: tuple[Any, ...]) -> Any:
    """What stands there."""
    for key in path:
        thing = thing[key]
    return thing


def mutated(line: Any, chance: random.Random) -> Any:
    """The same line with one to three things changed: numbers most of all, the rest for anything or left out."""
    whole = [deepcopy(line)]
    for _ in range(chance.choice((1, 1, 2, 3))):
        paths = list(places(whole))
        numbers = [path for path in paths if type(at(whole, path)) is int]
        path = chance.choice(numbers if numbers and chance.random() < 0.5 else paths)
        _change(at(whole, path[:-1]), path[-1], deepcopy(at(whole, chance.choice(paths))), chance)
    return whole[0] if whole else None


def _change(holder: Any, key: Any, other: Any, chance: random.Random) -> None:
    old = holder[key]
    if type(old) is int and chance.random() < 0.8:
        holder[key] = chance.choice((*NUMBERS, old + 1, old - 1, old * 1000))
    elif isinstance(old, list) and chance.random() < 0.4:
        holder[key] = old * chance.choice((2, 50))
    elif chance.random() < 0.1:
        holder[key] = nested(old, chance.choice((3, 200)))
    else:
        holder[key] = chance.choice((chance.choice(THINGS), other))


def nested(thing: Any, deep: int) -> Any:
    """A thing within so many lists."""
    for _ in range(deep):
        thing = [thing]
    return thing

"""Dice and shuffles, drawn by name.

With a sequential generator, one more die changes all later ones. With named draws it does not. A draw is HMAC-SHA256
over (seed; luck, name, counter) with rejection sampling (RFC 2104; unbiased as in FIPS 186-5 B.2.2). `luck` is the
value mixed into this entry, which includes what players contributed.
"""

import hmac
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Protocol, TypeVar

from engine.kernel.codec import serializable

T = TypeVar("T")


class NameUsedTwice(Exception):
    """Two draws of one entry have the same name, so the first result would reveal the second."""


@serializable("kernel.Draw")
@dataclass(frozen=True)
class Draw:
    """One recorded draw.

    `sides`: the number of outcomes of a roll, or of items shuffled. `result`: a number from 1 to `sides`, or a
    permutation of the positions from 0.
    """

    name: str
    sides: int
    result: int | tuple[int, ...]


class Draws(Protocol):
    """A source of draws."""

    def roll(self, name: str, sides: int) -> int:
        """Return a number from 1 to `sides`."""
        ...

    def shuffle(self, name: str, items: Sequence[object]) -> tuple[int, ...]:
        """Return a permutation of the positions of `items`."""
        ...


MAX_SIDES: Final = 1 << 64
"""The most outcomes of one draw: 64 random bits cannot select among more."""


class HmacDraws:
    """Draws of real games, computed from a secret seed, the luck of the entry and the name of the draw."""

    def __init__(self, seed: bytes, luck: bytes) -> None:
        """`seed`: the secret of the game, revealed when it ends. `luck`: the value mixed into this entry."""
        self._seed, self._luck = seed, luck

    @cached_property
    def _mac(self) -> hmac.HMAC:
        """What all draws begin with; each continues a copy, for taking in the key takes longer than the rest."""
        return hmac.new(self._seed, self._luck + b"\x00", "sha256")

    def roll(self, name: str, sides: int) -> int:
        """Return a number from 1 to `sides`, all equally likely.

        Raises ValueError unless 1 <= `sides` <= MAX_SIDES.
        """
        return self._below(name, sides) + 1

    def shuffle(self, name: str, items: Sequence[object]) -> tuple[int, ...]:
        """Return a Fisher-Yates permutation, with one named draw for each position."""
        places = list(range(len(items)))
        for last in range(len(places) - 1, 0, -1):
            other = self._below(f"{name}#{last}", last + 1)
            places[last], places[other] = places[other], places[last]
        return tuple(places)

    def _below(self, name: str, bound: int) -> int:
        if not 1 <= bound <= MAX_SIDES:
            raise ValueError(f"a draw has from 1 to {MAX_SIDES} outcomes")
        limit = (1 << 64) - (1 << 64) % bound
        counter = 0
        while True:
            mac = self._mac.copy()
            mac.update(b"%b\x00%d" % (name.encode(), counter))
            number = int.from_bytes(mac.digest()[:8], "big")
            if number < limit:
                return number % bound
            counter += 1


class RecordedDraws:
    """Draws of a replayed entry: the recorded results by name, except those to reroll."""

    def __init__(self, draws: Iterable[Draw], otherwise: Draws, anew: Iterable[str] = ()) -> None:
        """`anew`: the names to reroll.

        `otherwise`: the source for rerolled draws, for names without a record, and for a changed number of sides.
        """
        again = frozenset(anew)
        self._then = {draw.name: draw for draw in draws if draw.name not in again}
        self._otherwise = otherwise

    def is_recorded(self, name: str, sides: int) -> bool:
        """Return True if there is a recorded result for this name and number of sides, and it is not to be rerolled."""
        return name in self._then and self._then[name].sides == sides

    def roll(self, name: str, sides: int) -> int:
        """Return the recorded number, or a new one if there is none to keep."""
        result = self._then[name].result if self.is_recorded(name, sides) else None
        return result if isinstance(result, int) else self._otherwise.roll(name, sides)

    def shuffle(self, name: str, items: Sequence[object]) -> tuple[int, ...]:
        """Return the recorded permutation, or a new one if there is none to keep."""
        result = self._then[name].result if self.is_recorded(name, len(items)) else None
        return result if isinstance(result, tuple) else self._otherwise.shuffle(name, items)

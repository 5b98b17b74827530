"""Draws by name.

A sequential generator makes every inserted die shift the rest; a draw by name does not. A draw is
HMAC-SHA256 over (seed; luck, name, counter) with rejection sampling (RFC 2104; bias-free as in
FIPS 186-5 B.2.2). `luck` is what the players' own commitments put into this entry.
"""

import hmac
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar

from engine.kernel.codec import serializable

T = TypeVar("T")


class NameUsedTwice(Exception):
    """Two draws of one entry bore the same name: one of them could be foreseen from the other."""


@serializable("kernel.Draw")
@dataclass(frozen=True)
class Draw:
    """A draw made: its name, the number of sides (or of things shuffled), and what came (1..sides, or places)."""

    name: str
    sides: int
    result: int | tuple[int, ...]


class Draws(Protocol):
    """Where a table's draws come from."""

    def roll(self, name: str, sides: int) -> int:
        """A number from 1 to `sides`."""
        ...

    def shuffle(self, name: str, items: Sequence[object]) -> tuple[int, ...]:
        """A permutation of the places of `items`."""
        ...


MAX_SIDES: Final = 1 << 64
"""With more outcomes than the numbers that are drawn from, a draw would never end."""


class HmacDraws:
    """The draws of real games: secret seed, public luck, name."""

    def __init__(self, seed: bytes, luck: bytes) -> None:
        """`seed`: the game's own, revealed at its end; `luck`: what was mixed into this entry."""
        self._seed, self._luck = seed, luck

    def roll(self, name: str, sides: int) -> int:
        """Return a number from 1 to `sides`, each as likely."""
        return self._below(name, sides) + 1

    def shuffle(self, name: str, items: Sequence[object]) -> tuple[int, ...]:
        """Return a permutation by Fisher and Yates, with one named draw for each place."""
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
            message = b"\x00".join((self._luck, name.encode(), str(counter).encode()))
            number = int.from_bytes(hmac.digest(self._seed, message, "sha256")[:8], "big")
            if number < limit:
                return number % bound
            counter += 1


class RecordedDraws:
    """The draws of an entry that is replayed: the earlier ones by their names, except those to be drawn again."""

    def __init__(self, draws: Iterable[Draw], otherwise: Draws, anew: Iterable[str] = ()) -> None:
        """`otherwise`: for names that were not drawn then, or of another number of sides."""
        again = frozenset(anew)
        self._then = {draw.name: draw for draw in draws if draw.name not in again}
        self._otherwise = otherwise

    def is_exhausted(self, name: str, sides: int) -> bool:
        """Return True if the earlier draw is kept."""
        return name in self._then and self._then[name].sides == sides

    def roll(self, name: str, sides: int) -> int:
        """Return the earlier number, or a new one."""
        result = self._then[name].result if self.is_exhausted(name, sides) else None
        return result if isinstance(result, int) else self._otherwise.roll(name, sides)

    def shuffle(self, name: str, items: Sequence[object]) -> tuple[int, ...]:
        """Return the earlier permutation, or a new one."""
        result = self._then[name].result if self.is_exhausted(name, len(items)) else None
        return result if isinstance(result, tuple) else self._otherwise.shuffle(name, items)

"""Draws by script, for tests and for the examples of the rulebooks."""

from collections.abc import Mapping, Sequence

from engine.kernel.dice import Draws


class ScriptedDraws:
    """The draws of tests and of the rulebook's examples: by exact name, else from another source.

    A shuffle is scripted by the things that are to come first, in order; the rest follow as they lay.
    """

    def __init__(self, script: Mapping[str, int | Sequence[object]], otherwise: Draws | None = None) -> None:
        """`script`: name -> number, or things to come first; `otherwise`: for names not scripted (None: refuse)."""
        self._script, self._otherwise = dict(script), otherwise
        self.used: set[str] = set()

    def roll(self, name: str, sides: int) -> int:
        """The scripted number; raises LookupError for a name not scripted."""
        if name not in self._script:
            return self._source(name).roll(name, sides)
        self.used.add(name)
        number = self._script[name]
        if not isinstance(number, int) or not 1 <= number <= sides:
            raise ValueError(f"{name} is scripted as {number!r}, not a number from 1 to {sides}")
        return number

    def shuffle(self, name: str, items: Sequence[object]) -> tuple[int, ...]:
        """A permutation that puts the scripted things first."""
        if name not in self._script:
            return self._source(name).shuffle(name, items)
        self.used.add(name)
        first = self._script[name]
        if isinstance(first, int):
            raise ValueError(f"{name} is scripted as a number, and is a shuffle")
        left = list(range(len(items)))
        places = []
        for thing in first:
            place = next(p for p in left if items[p] == thing)
            left.remove(place)
            places.append(place)
        return (*places, *left)

    def _source(self, name: str) -> Draws:
        if self._otherwise is None:
            raise LookupError(f"no draw was scripted for {name}")
        return self._otherwise

"""Amounts that not everybody may count: arithmetic that works for every reader and tells none of them anything.

`HiddenAmount` is a number that lies open, or one that only some know.  A `Tally` also keeps what follows in public
from all that was ever done to it: how much there is at least, and at most.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Self

from engine.kernel.codec import serializable
from engine.kernel.secrets import Hidden, Mask, Secret
from engine.kernel.viewers import Seat

HiddenAmount = int | Secret[int]
"""A number that everybody may count, or only those who know the secret."""


def to_tally(amount: HiddenAmount) -> bool:
    """Return True if the reader in force may count it."""
    return isinstance(amount, int) or amount.visible


def count_visible(amount: HiddenAmount) -> int:
    """The number; raises Hidden for a reader who may not count it."""
    return amount if isinstance(amount, int) else amount.value


def add_amount(amount: HiddenAmount, number: int) -> HiddenAmount:
    """Another number in its place, known to the same readers."""
    return number if isinstance(amount, int) else Secret(number, amount.known_to)


def add_hidden(amount: HiddenAmount, change: HiddenAmount) -> HiddenAmount:
    """So many more, or fewer; where the reader may not count one of the two, neither may they count the sum.

    It is known to those who know both.
    """
    secrets = [part for part in (amount, change) if not isinstance(part, int)]
    if not secrets:
        return count_visible(amount) + count_visible(change)
    known = all(secret.visible for secret in secrets)
    knowing = frozenset.intersection(*(secret.known_to for secret in secrets))
    return Secret(count_visible(amount) + count_visible(change) if known else Mask.UNKNOWN, knowing)


@serializable("kernel.Tally")
@dataclass(frozen=True)
class Tally:
    """An amount with its bounds: everybody may know that there are `least` at least, and `most` at most.

    `most` None: nothing is known.  `floor`: below that it cannot fall, as everybody knows.
    """

    amount: HiddenAmount
    least: int = 0
    most: int | None = None
    floor: int = 0

    @classmethod
    def open(cls, number: int) -> Self:
        """An amount that lies before everybody's eyes."""
        return cls(number, number, number)

    @classmethod
    def of(cls, number: int, *seats: Seat, least: int = 0, most: int | None = None) -> Self:
        """An amount that these seats know; the bounds are everybody's to know.

        Raises ValueError for a number beyond them.
        """
        if number < least or (most is not None and number > most):
            raise ValueError("the number lies beyond its bounds")
        return cls(Secret(number, frozenset(seats)), least, most)

    @property
    def visible(self) -> bool:
        """Return True if the reader in force knows it, or can reckon it from what is public."""
        return to_tally(self.amount) or self.least == self.most

    @property
    def value(self) -> int:
        """The number; raises Hidden for a reader who neither knows it nor can reckon it."""
        if not self.visible:
            raise Hidden("this reader cannot count that")
        return count_visible(self.amount) if to_tally(self.amount) else self.least

    def is_at_least(self, number: int) -> bool | None:
        """Whether there are so many, as far as the reader in force can tell; None if they cannot."""
        if self.visible:
            return self.value >= number
        if self.least >= number:
            return True
        return False if self.most is not None and self.most < number else None

    def add(self, change: HiddenAmount, least: int | None = None, most: int | None = None) -> Self:
        """So many more, or fewer.  `least`, `most`: what is known in public of a change that is secret itself.

        What is taken away was there, so the bounds stay above the floor.  Raises ValueError where a secret change has
        no public bound on the side that matters, or where the amount cannot be what the bounds say.
        """
        low, high = (change, change) if isinstance(change, int) else (least, most)
        if low is None:
            raise ValueError("a secret change needs a bound")
        top = None if self.most is None or high is None else self.most + high
        made = replace(self, amount=add_hidden(self.amount, change), least=max(self.floor, self.least + low), most=top)
        if made.most is not None and made.most < made.least:
            raise ValueError("nobody can have so few")
        return made

    def minus(self, change: HiddenAmount, least: int = 0, most: int | None = None) -> Self:
        """So many fewer; `least`, `most`: what is known in public of a secret change."""
        if isinstance(change, int):
            return self.add(-change)
        lost = Secret(-change.value, change.known_to) if change.visible else change
        return self.add(lost, None if most is None else -most, -least)

    def narrow(self, least: int | None = None, most: int | None = None) -> Self:
        """The same, once everybody knows that there are so many at least, or at most: narrower, never wider."""
        low = max(self.least, self.least if least is None else least)
        tops = [top for top in (self.most, most) if top is not None]
        return replace(self, least=low, most=min(tops, default=None))

    def shown(self) -> Self:
        """The same, laid open; raises Hidden for a reader who cannot count it."""
        return replace(self, amount=self.value, least=self.value, most=self.value)


def find_shortage(have: Mapping[str, Tally], want: Mapping[str, int]) -> str | None:
    """The first thing that is wanted and, as far as the reader knows, is not there; None where all may be."""
    return next((thing for thing, number in want.items() if number and not _can_cover(have, thing, number)), None)


def _can_cover(have: Mapping[str, Tally], thing: str, number: int) -> bool:
    return thing in have and have[thing].is_at_least(number) is not False

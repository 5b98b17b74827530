"""Names of gates: `expansion/5`, `weapon/5/s1/s2`, `expansion/5~2`, `admin/s1`."""

from dataclasses import dataclass, replace
from typing import Self


@dataclass(frozen=True)
class Gate:
    """What the name of a gate says: what is asked, in which turn, about what else.

    `again`: which asking of the same question this is, where it is asked anew within its turn; 0 for the first.
    """

    asks: str
    turn: int | None = None
    about: tuple[str, ...] = ()
    again: int = 0

    @classmethod
    def parse(cls, name: str) -> Self:
        """Read a name as `str` writes it; any text can be read."""
        path, _, again = name.partition("~")
        asks, *about = path.split("/")
        turn = int(about.pop(0)) if about and _is_number(about[0]) else None
        return cls(asks, turn, tuple(about), int(again) if _is_number(again) else 0)

    def __str__(self) -> str:
        """The name."""
        turn = () if self.turn is None else (str(self.turn),)
        return "/".join((self.asks, *turn, *self.about)) + (f"~{self.again}" if self.again else "")

    @property
    def recurs(self) -> bool:
        """Return True if its question may come more than once in a turn."""
        return self.turn is None or bool(self.about)

    def holds(self, other: "Gate") -> bool:
        """Return True if `other` is this gate, or this gate for one seat or thing."""
        return other == self or str(other).startswith(f"{self}/")

    def next(self) -> "Gate":
        """The gate at which the same question is asked anew."""
        return replace(self, again=self.again + 1)


def _is_number(part: str) -> bool:
    return part.isascii() and part.isdecimal() and len(part) < 10

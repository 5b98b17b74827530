"""Names of gates and questions: `expansion/5`, `weapon/5/s1/s2`, `expansion/5~2`, `admin/s1`, `war/3#2`."""

from dataclasses import dataclass, replace
from functools import lru_cache


@dataclass(frozen=True)
class Gate:
    """What the name of a gate says: what is asked, in which turn, about what else.

    `again`: which asking of the same question this is, where it is asked anew within its turn; 0 for the first.
    `part`: which question this is of several that the gate asks of one seat, counted from 1; 0 where it asks one.
    """

    topic: str
    turn: int | None = None
    about: tuple[str, ...] = ()
    again: int = 0
    part: int = 0

    @staticmethod
    @lru_cache(maxsize=4096)
    def parse(name: str) -> "Gate":
        """Read a name as `str` writes it; any text can be read.  A cycle reads the same few hundreds of times."""
        asked, _, again = name.partition("~")
        path, _, part = asked.partition("#")
        asks, *about = path.split("/")
        turn = int(about.pop(0)) if about and _is_number(about[0]) else None
        return Gate(asks, turn, tuple(about), _parse_number(again), _parse_number(part))

    def __str__(self) -> str:
        """The name."""
        turn = () if self.turn is None else (str(self.turn),)
        path = "/".join((self.topic, *turn, *self.about))
        return path + (f"#{self.part}" if self.part else "") + (f"~{self.again}" if self.again else "")

    @property
    def recurs(self) -> bool:
        """Return True if its question may come more than once in a turn."""
        return self.turn is None or bool(self.about) or bool(self.part)

    @property
    def number(self) -> int | None:
        """Which of several questions of its topic in a turn it is: its part, else the last number that it is about."""
        return self.part or next((int(part) for part in reversed(self.about) if _is_number(part)), None)

    @property
    def closing(self) -> "Gate":
        """The gate at which it resolves, together with the other questions of that gate."""
        return replace(self, part=0)

    def holds(self, other: "Gate") -> bool:
        """Return True if `other` is this gate, or this gate for one seat or thing, or a part of it."""
        return other == self or str(other).startswith((f"{self}/", f"{self}#"))

    def next(self) -> "Gate":
        """The gate at which the same question is asked anew."""
        return replace(self, again=self.again + 1)


def parse_closing(name: str) -> str:
    """The name of the gate at which a question resolves; a name without a part is its own."""
    return str(Gate.parse(name).closing) if "#" in name else name


def _parse_number(part: str) -> int:
    return int(part) if _is_number(part) else 0


def _is_number(part: str) -> bool:
    return part.isascii() and part.isdecimal() and len(part) < 10

"""Names of gates and questions: `expansion/5`, `weapon/5/s1/s2`, `expansion/5~2`, `admin/s1`, `war/3#2`."""

from dataclasses import dataclass, replace
from functools import lru_cache


@dataclass(frozen=True)
class Gate:
    """The parsed name of a gate or question: the topic, the turn, and what else it is about.

    `again`: how many times the question was repeated within its turn; 0 the first time.
    `part`: the number, from 1, of a question when the gate asks a seat several; 0 if it asks one.
    """

    topic: str
    turn: int | None = None
    about: tuple[str, ...] = ()
    again: int = 0
    part: int = 0

    @staticmethod
    @lru_cache(maxsize=4096)
    def parse(name: str) -> "Gate":
        """Parse a name as `str` writes it; every text is accepted. Results are cached."""
        asked, _, again = name.partition("~")
        path, _, part = asked.partition("#")
        asks, *about = path.split("/")
        turn = int(about.pop(0)) if about and _is_number(about[0]) else None
        return Gate(asks, turn, tuple(about), _parse_number(again), _parse_number(part))

    def __str__(self) -> str:
        """Return the name."""
        turn = () if self.turn is None else (str(self.turn),)
        path = "/".join((self.topic, *turn, *self.about))
        return path + (f"#{self.part}" if self.part else "") + (f"~{self.again}" if self.again else "")

    @property
    def recurs(self) -> bool:
        """Return True if the question may come more than once in a turn."""
        return self.turn is None or bool(self.about) or bool(self.part)

    @property
    def number(self) -> int | None:
        """Return which of several questions of its topic in a turn this is, or None.

        This is its part, or else the last number in `about`.
        """
        return self.part or next((int(part) for part in reversed(self.about) if _is_number(part)), None)

    @property
    def closing(self) -> "Gate":
        """Return the gate at which the question resolves, together with the other parts of that gate."""
        return replace(self, part=0)

    def holds(self, other: "Gate") -> bool:
        """Return True if `other` is this gate, a part of it, or this gate with more in `about`."""
        return other == self or str(other).startswith((f"{self}/", f"{self}#"))

    def next(self) -> "Gate":
        """Return the gate at which the question is repeated."""
        return replace(self, again=self.again + 1)


def parse_closing(name: str) -> str:
    """Return the name of the gate at which a question resolves; a name without a part is returned unchanged."""
    return str(Gate.parse(name).closing) if "#" in name else name


def _parse_number(part: str) -> int:
    return int(part) if _is_number(part) else 0


def _is_number(part: str) -> bool:
    return part.isascii() and part.isdecimal() and len(part) < 10

"""What a letter says, line by line: sets, riders, commands, words for luck, and what was talk."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.kernel.grammar import SectionKey
from engine.kernel.orders import Line, Problem


@dataclass(frozen=True)
class ParsedLine:
    """One line of a letter that meant something: its number, its text, and the Line or the Problem it gave.

    `is_withdrawal`: it takes a rider back (`ON CIVIL WAR: NONE`); then both are None.
    """

    number: int
    text: str
    line: Line | None = None
    problem: Problem | None = None
    is_withdrawal: bool = False


@dataclass(frozen=True)
class ParsedSet:
    """What was written for one section; `is_pass`: the confirmed empty set."""

    lines: tuple[ParsedLine, ...] = ()
    is_pass: bool = False

    @property
    def readable(self) -> bool:
        """Return True if every line could be read, so that the set may be judged."""
        return all(w.problem is None for w in self.lines)

    @property
    def orders(self) -> tuple[Line, ...]:
        """The lines that could be read."""
        return tuple(w.line for w in self.lines if w.line is not None)


@dataclass(frozen=True)
class Command:
    """A request beside orders, by its name in COMMANDS, with what it is about.

    `word`: what help is asked about, when one is away, whether one is sure, the address that one will have. `turn`: the
    report's. `section`: what is withdrawn, None for all; `rider`: the rider withdrawn. `problem`: a withdrawal that
    names nothing known.
    """

    number: int
    text: str
    name: str
    word: str = ""
    turn: int | None = None
    section: SectionKey | None = None
    rider: str | None = None
    problem: Problem | None = None


@dataclass(frozen=True)
class ParsedLetter:
    """All that a letter says.

    `sets`: by what they answer; a section that the letter does not name is absent. `unmatched`: lines under a
    heading that cannot be answered now, or orders while nothing is asked: each has a Problem.
    `luck`: words to be mixed into the draws. `skipped`: (number, text) of the chatter. `stopped_at`: END was read.
    `ambiguous`: numbers of the chatter that may be orders gone wrong.
    """

    sets: Mapping[SectionKey, ParsedSet] = field(default_factory=dict)
    reactions: Mapping[str, ParsedLine] = field(default_factory=dict)
    commands: tuple[Command, ...] = ()
    luck: tuple[str, ...] = ()
    skipped: tuple[tuple[int, str], ...] = ()
    unmatched: tuple[ParsedLine, ...] = ()
    stopped_at: bool = False
    ambiguous: tuple[int, ...] = ()

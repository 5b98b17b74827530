"""The parsed contents of an order email: orders by section, reaction orders, commands, words for luck, and skipped
text.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.kernel.grammar import SectionKey
from engine.kernel.orders import Line, Problem


@dataclass(frozen=True)
class ParsedLine:
    """One line of an email that was understood or refused: its number, its text, and the Line or the Problem.

    `is_withdrawal`: the line withdraws reaction orders (`ON CIVIL WAR: NONE`). Then `line` and `problem` are None.
    """

    number: int
    text: str
    line: Line | None = None
    problem: Problem | None = None
    is_withdrawal: bool = False


@dataclass(frozen=True)
class ParsedSet:
    """The lines written for one section.

    `pass_number`: the number of the line PASS, which confirms an empty set of orders; 0 if it was not written.
    """

    lines: tuple[ParsedLine, ...] = ()
    pass_number: int = 0

    @property
    def is_pass(self) -> bool:
        """Return True if PASS was written."""
        return self.pass_number > 0

    @property
    def readable(self) -> bool:
        """Return True if no line has a problem, so that the orders can be validated."""
        return all(w.problem is None for w in self.lines)

    @property
    def orders(self) -> tuple[Line, ...]:
        """Return the lines that could be parsed."""
        return tuple(w.line for w in self.lines if w.line is not None)


@dataclass(frozen=True)
class Command:
    """A request that is not an order. `name`: its key in COMMANDS.

    `word`: the argument as typed: the topic of HELP, the days of ABSENT, the confirmation of RESIGN, a new address.
    `turn`: the turn of the requested report.
    `section`: the section to withdraw; None for all.
    `reaction`: the topic key of the reaction orders to withdraw.
    `problem`: set if WITHDRAW names nothing known.
    """

    number: int
    text: str
    name: str
    word: str = ""
    turn: int | None = None
    section: SectionKey | None = None
    reaction: str | None = None
    problem: Problem | None = None


@dataclass(frozen=True)
class ParsedLetter:
    """Everything parsed from one email.

    `sets`: orders by section; a section that the email does not name is absent.
    `reactions`: reaction orders by topic key.
    `luck`: words to mix into the draws.
    `skipped`: (line number, text) of lines that are not orders.
    `unmatched`: refused lines of no open section, each with a Problem.
    `has_end`: True if END was read.
    `ambiguous`: numbers of skipped lines that may be misspelled orders.
    `below_end`: lines below END that begin like an order or a command. They are not read.
    """

    sets: Mapping[SectionKey, ParsedSet] = field(default_factory=dict)
    reactions: Mapping[str, ParsedLine] = field(default_factory=dict)
    commands: tuple[Command, ...] = ()
    luck: tuple[str, ...] = ()
    skipped: tuple[tuple[int, str], ...] = ()
    unmatched: tuple[ParsedLine, ...] = ()
    has_end: bool = False
    ambiguous: tuple[int, ...] = ()
    below_end: tuple[str, ...] = ()

"""Written lines as a receipt tells them, the same by letter, page, program and chat."""

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, Protocol

from engine.kernel.gates import Gate
from engine.kernel.grammar import Grammar, Section
from engine.kernel.orders import Orders, Problem
from engine.kernel.parse import parse_letter
from engine.kernel.parsed import ParsedSet
from engine.kernel.position import Position
from engine.kernel.printing import print_under
from engine.kernel.rules import Rules
from engine.kernel.suggestions import LineSlot
from pbem.narration.facts import ReceiptFacts, ReceiptReaction, ReceiptSet


@dataclass(frozen=True)
class LineReceipt:
    """One written line: as written, as understood, why not, what would be accepted, remarks of the preview.

    Reasons and remarks are worded as they stand behind a colon.
    """

    number: int
    written: str
    understood: str
    is_valid: bool
    problem: str = ""
    nearest: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class LineFault:
    """What is wrong with one or several lines, and what would be accepted instead of the last of them."""

    numbers: tuple[int, ...]
    problem: str
    nearest: str


@dataclass(frozen=True)
class SetReceipt:
    """One set. `topic` empty: lines that belong to no question."""

    topic: str
    turn: int | None
    lines: tuple[LineReceipt, ...]
    taken: bool
    passed: bool
    ahead: bool
    problem: str
    commitment: str
    replaces: str

    @property
    def judged(self) -> bool:
        """True if its lines were tried in sequence: not while one cannot be read, nor before the question opens."""
        return not self.ahead and all(line.understood for line in self.lines)

    @property
    def is_valid(self) -> bool:
        """Return True if nothing is wrong with it."""
        return not self.problem and all(line.is_valid for line in self.lines)

    @property
    def faults(self) -> tuple[LineFault, ...]:
        """Its problems, each told once for all the lines that have it."""
        found: dict[tuple[str, str], list[int]] = {}
        for line in self.lines:
            if not line.is_valid:
                found.setdefault((line.problem, line.nearest), []).append(line.number)
        return tuple(LineFault(tuple(numbers), *told) for told, numbers in found.items())

    @property
    def refused(self) -> int:
        """How many of its lines cannot stand."""
        return sum(not line.is_valid for line in self.lines) or int(bool(self.problem))


@dataclass(frozen=True)
class ReactionReceipt:
    """One reaction: filed, withdrawn, or refused, why, and what could be written instead."""

    topic: str
    number: int
    written: str
    understood: str
    withdrawn: bool
    problem: str
    nearest: str = ""


PROPOSALS: Final = 12
"""How many refused lines of a set are each given a line to write instead: every one takes trials of the whole set."""

Verdict = Literal["all", "some", "none", "nothing", "withdrawn"]


def find_verdict(facts: ReceiptFacts, sets: Sequence[SetReceipt]) -> Verdict:
    """The first thing to tell: all stands, some of it, none, nothing was there, or something was withdrawn."""
    if any(command.name == "withdraw" and command.outcome == "done" for command in facts.commands):
        return "withdrawn"
    if not sets:
        return "nothing"
    good = sum(one.is_valid for one in sets)
    if good == len(sets):
        return "all"
    return "some" if good else "none"


class ReceiptContext(Protocol):
    """What lines are told with: how their reader calls, writes and hears things."""

    @property
    def rules(self) -> Rules[Any]:
        """The rules of the game."""
        ...

    @property
    def position(self) -> Position[Any]:
        """The reader's own copy."""
        ...

    @property
    def grammar(self) -> Grammar:
        """What the reader may write now."""
        ...

    def topic(self, asks: str, number: int | None = None) -> str:
        """How a question is called; `number`: which one of its topic, where the game counts them."""
        ...

    def print_orders(self, thing: Any, asks: str) -> str:
        """Something of the order language, as the reader would write it."""
        ...

    def print_reaction(self, asks: str, orders: Orders) -> str:
        """A reaction, as the reader would write it."""
        ...

    def reason(self, problem: Problem) -> str:
        """Why a line cannot stand, or a remark about it."""
        ...


def build_sets(tells: ReceiptContext, facts: ReceiptFacts) -> tuple[SetReceipt, ...]:
    """Every set of a receipt, line by line, without remarks on questions that are answered ahead."""
    brought = {one.topic: not one.withdrawn for one in facts.reactions if one.problem is None}
    answered = {topic for topic, stands in (dict.fromkeys(_topics(facts), True) | brought).items() if stands}
    return tuple(_build_set(tells, _without_answered(one, answered)) for one in facts.sets)


def _topics(facts: ReceiptFacts) -> Iterator[str]:
    return (one.topic for one in facts.stored_reactions)


def _without_answered(one: ReceiptSet, answered: Container[str]) -> ReceiptSet:
    """The same set; a remark about a question names it by its term `asks`."""
    lines = (
        replace(read, notes=tuple(note for note in read.notes if note.terms.get("asks") not in answered))
        for read in one.lines
    )
    return replace(one, lines=tuple(lines))


def build_reactions(tells: ReceiptContext, facts: ReceiptFacts) -> tuple[ReactionReceipt, ...]:
    """Every reaction of a receipt."""
    return tuple(_build_reaction(tells, one) for one in facts.reactions)


def _build_set(tells: ReceiptContext, one: ReceiptSet) -> SetReceipt:
    mended = [number for number, read in enumerate(one.lines) if read.problem is not None][:PROPOSALS]
    return SetReceipt(
        tells.topic(one.topic, one.number) if one.topic else "",
        one.turn,
        tuple(_build_line(tells, one, number, number in mended) for number in range(len(one.lines))),
        one.taken,
        one.passed,
        bool(one.topic) and one.decision is None,
        reason_alone(tells, one.problem),
        one.commitment,
        one.replaces,
    )


def _build_line(tells: ReceiptContext, one: ReceiptSet, number: int, mended: bool) -> LineReceipt:
    read = one.lines[number]
    why, nearest = _with_proposals(tells, one, number) if mended else (reason_alone(tells, read.problem), "")
    return LineReceipt(
        read.number,
        read.written,
        tells.print_orders(read.line, one.topic) if read.line is not None else "",
        read.problem is None,
        why,
        nearest,
        tuple(tells.reason(note) for note in read.notes),
    )


def _with_proposals(tells: ReceiptContext, one: ReceiptSet, number: int) -> tuple[str, str]:
    """Why a line cannot stand, and what to write instead; a heading that is missing is named in the sentence itself."""
    problem, section = one.lines[number].problem, _section(tells, one)
    if problem is None or problem.code == "one_answer":
        return reason_alone(tells, problem), ""
    said = str(problem.terms.get("accepted", ""))
    read = _parse_line(tells, section, said) if section is not None else ParsedSet()
    if said and not read.orders and not read.is_pass:
        return tells.reason(problem), ""
    passes = read.is_pass and len(one.lines) == 1
    return reason_alone(tells, problem), said if passes else _nearest_line(tells, one, number, section, read)


def reason_alone(tells: ReceiptContext, problem: Problem | None) -> str:
    """What is wrong, without the line to write instead, which is told beside it; empty where nothing is."""
    if problem is None or "accepted" not in problem.terms:
        return tells.reason(problem) if problem is not None else ""
    return tells.reason(replace(problem, terms={**problem.terms, "accepted": ""}))


def _nearest_line(tells: ReceiptContext, one: ReceiptSet, number: int, section: Section | None, read: ParsedSet) -> str:
    """The line to write instead, judged there as the written one was; empty where none is known."""
    line = next(iter(read.orders), None)
    if section is None:
        return ""
    if one.decision is not None:
        place = LineSlot(tells.rules, tells.position, one.decision, tuple(read.line for read in one.lines), number)
        line = line if line is not None and place.accepts(line) else place.best(section.likely, line)
    return print_under(section, tells.print_orders(line, one.topic), tells.grammar.language) if line is not None else ""


def _section(tells: ReceiptContext, one: ReceiptSet) -> Section | None:
    """What a set answers; None for lines that belong to no question."""
    turn = Gate.parse(one.decision.gate).turn if one.decision is not None else one.turn
    mine = (s for s in tells.grammar.sections if s.topic.key == one.topic and turn in (s.turn, None))
    return next((s for s in mine if s.number in (one.number, None)), None)


def _parse_line(tells: ReceiptContext, section: Section, said: str) -> ParsedSet:
    """A proposal as it is read where it is to be written; empty if it cannot be read."""
    alone = replace(tells.grammar, sections=(replace(section, open=True),))
    return next(iter(parse_letter([said], alone).sets.values()), ParsedSet()) if said else ParsedSet()


def _build_reaction(tells: ReceiptContext, one: ReceiptReaction) -> ReactionReceipt:
    return ReactionReceipt(
        tells.topic(one.topic),
        one.number,
        one.written,
        tells.print_reaction(one.topic, one.orders) if one.orders else "",
        one.withdrawn,
        reason_alone(tells, one.problem),
        _suggest_reaction(tells, one),
    )


def _suggest_reaction(tells: ReceiptContext, one: ReceiptReaction) -> str:
    """What to write instead of a reaction that cannot be read, if that can be."""
    said = str(one.problem.terms.get("accepted", "")) if one.problem is not None else ""
    found = parse_letter([said], tells.grammar).reactions.values() if said else ()
    return said if any(reaction.problem is None for reaction in found) else ""

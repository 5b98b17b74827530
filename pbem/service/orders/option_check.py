"""What the page offers, judged behind the lines that are written: what is good alone may be refused in their company.

Each offered line is tried once, on the seat's own view, by the judge that will meet it.  Nothing is kept.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from engine.kernel.grammar import Section
from engine.kernel.orders import Line, Problem, Question
from engine.kernel.parse import ParsedSet
from engine.kernel.suggestions import LineContext
from pbem.common.cpu_budget import BudgetExceeded, check, limit
from pbem.service.orders import validation
from pbem.service.orders.submission import ParsedOrders

TRYING_S: Final = 0.25
"""How long the processor may try offered lines in one answer: many times what any turn of any game takes."""


@dataclass(frozen=True)
class OptionValue:
    """A likely value of a slot: of the section's form with this number, by the slot's name."""

    form: int
    slot: str
    value: str


@dataclass(frozen=True)
class OptionCheck:
    """What became of a section's likely lines behind those written for it.

    `refused`: for each of the first of them why it would be refused, None where it stands; there was no time for those
    that it lacks.  `values`: with which likely values no likely line stands, and why the best of those that hold them
    does not.  `passed`: the set is empty on purpose, so that no line goes with it.
    """

    section: Section
    refused: tuple[Problem | None, ...] = ()
    passed: bool = False
    values: Mapping[OptionValue, Problem] = field(default_factory=dict)


def check_options(laid: ParsedOrders, at: int, most: int) -> tuple[OptionCheck, ...]:
    """The open questions for which something is written, and that take more than one line, with what they offer.

    `at`: behind which row of the text a line would be written.  `most`: so many likely lines of each are looked at.
    """
    with limit(TRYING_S):
        return tuple(_try_option(laid, at, most))


def has_heading(laid: ParsedOrders, lines: Sequence[str], at: int) -> bool:
    """Return True if one of the first `at` rows may be a heading: it says something, and is no line of a set."""
    reading = laid.reading
    read = {line.number for one in reading.sets.values() for line in one.lines}
    read |= {line.number for line in (*reading.riders.values(), *reading.unmatched)}
    read |= {command.number for command in reading.commands}
    read |= {number for number, _ in reading.skipped}
    rows = enumerate(lines[:at], 1)
    return any(row.partition(";")[0].strip() and number not in read for number, row in rows)


def lines_with_value(section: Section) -> Mapping[OptionValue, tuple[int, ...]]:
    """For each likely value that a form lets one choose, the likely lines that hold it."""
    found: dict[OptionValue, list[int]] = {}
    for number, line in enumerate(section.likely):
        for value in _values(section, line):
            found.setdefault(value, []).append(number)
    return {value: tuple(numbers) for value, numbers in found.items()}


def _values(section: Section, line: Line) -> Iterator[OptionValue]:
    for number, form in enumerate(section.forms):
        said = form.read(line.plan[0].order) if line.plan else None
        for slot in form.slots if said is not None else ():
            held = said[slot.name] if said is not None and slot.choices else ()
            several = held if isinstance(held, tuple | Mapping) else (held,)
            yield from (
                OptionValue(number, slot.name, str(one)) for one in dict.fromkeys(several) if one not in ("", None)
            )


def _try_option(laid: ParsedOrders, at: int, most: int) -> Iterator[OptionCheck]:
    for section in laid.grammar.sections:
        written = laid.reading.sets.get(section.key)
        decision = validation.question_of(laid, section)
        if written is not None and decision is not None and section.topic.lines:
            if written.passed:
                yield OptionCheck(section, passed=True)
            else:
                yield _judge(laid, section, decision, written, at, most)


def _judge(
    laid: ParsedOrders, section: Section, decision: Question, written: ParsedSet, at: int, most: int
) -> OptionCheck:
    before, after = (
        tuple(w.line for w in written.lines if w.line is not None and (w.number <= at) is early)
        for early in (True, False)
    )
    found: dict[int, Problem | None] = {}
    company = LineContext(laid.rules, laid.seen, decision, before, after)
    shown = range(min(most, len(section.likely)))

    def judge(numbers: Sequence[int]) -> None:
        refusals = company.refusals([section.likely[n] for n in numbers], check)
        found.update(zip(numbers, refusals, strict=True))  # what was found before there was no time stays

    held: Mapping[OptionValue, tuple[int, ...]] = {}
    with suppress(BudgetExceeded):
        judge(shown)
        held = lines_with_value(section)
        judge(
            sorted({n for numbers in held.values() if _open_values(numbers, found) for n in numbers if n not in found})
        )
    refused = tuple(found[n] for n in shown if n in found)
    return OptionCheck(section, refused, values=dict(_dead_values(held, found)))


def _open_values(numbers: Sequence[int], found: Mapping[int, Problem | None]) -> bool:
    """Return True if none of these lines is known to stand."""
    return not any(n in found and found[n] is None for n in numbers)


def _dead_values(
    held: Mapping[OptionValue, Sequence[int]], found: Mapping[int, Problem | None]
) -> Iterator[tuple[OptionValue, Problem]]:
    """The values whose every line was refused, each with why the first one was."""
    for value, numbers in held.items():
        problems = [problem for n in numbers if (problem := found.get(n)) is not None]
        if len(problems) == len(numbers):
            yield value, problems[0]

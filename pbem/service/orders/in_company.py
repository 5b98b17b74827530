"""What the page offers, judged behind the lines that are written: what is good alone may be refused in their company.

Each offered line is tried once, on the seat's own view, by the judge that will meet it.  Nothing is kept.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from engine.kernel.grammar import Section
from engine.kernel.orders import Decision, Problem
from engine.kernel.parse import ParsedSet
from engine.kernel.proposals import Company
from pbem.service.orders import weighing
from pbem.service.orders.submission import LaidOpen
from pbem.work import Overspent, spend, within

TRYING_S: Final = 0.25
"""How long the processor may try offered lines in one answer: many times what any turn of any game takes."""


@dataclass(frozen=True)
class InCompany:
    """What became of a section's likely lines behind those written for it.

    `refused`: for each of the first of them why it would be refused, None where it stands; there was no time for those
    that it lacks.  `passed`: the set is empty on purpose, so that no line goes with it.
    """

    section: Section
    refused: tuple[Problem | None, ...] = ()
    passed: bool = False


def in_company(laid: LaidOpen, at: int, most: int) -> tuple[InCompany, ...]:
    """The open questions for which something is written, and that take more than one line, with what they offer.

    `at`: behind which row of the text a line would be written.  `most`: so many likely lines of each are looked at.
    """
    with within(TRYING_S):
        return tuple(_tried(laid, at, most))


def headed(laid: LaidOpen, lines: Sequence[str], at: int) -> bool:
    """Return True if one of the first `at` rows may be a heading: it says something, and is no line of a set."""
    reading = laid.reading
    read = {line.number for one in reading.sets.values() for line in one.lines}
    read |= {line.number for line in (*reading.riders.values(), *reading.astray)}
    read |= {command.number for command in reading.commands}
    read |= {number for number, _ in reading.skipped}
    rows = enumerate(lines[:at], 1)
    return any(row.partition(";")[0].strip() and number not in read for number, row in rows)


def _tried(laid: LaidOpen, at: int, most: int) -> Iterator[InCompany]:
    for section in laid.grammar.sections:
        written = laid.reading.sets.get(section.key)
        decision = weighing.decision_of(laid, section)
        if written is not None and decision is not None and section.topic.lines:
            refused = () if written.passed else _refused(laid, section, decision, written, at, most)
            yield InCompany(section, refused, written.passed)


def _refused(
    laid: LaidOpen, section: Section, decision: Decision, written: ParsedSet, at: int, most: int
) -> tuple[Problem | None, ...]:
    before, after = (
        tuple(w.line for w in written.lines if w.line is not None and (w.number <= at) is early)
        for early in (True, False)
    )
    found: list[Problem | None] = []
    with suppress(Overspent):
        company = Company(laid.rules, laid.seen, decision, before, after)
        found.extend(company.refusals(section.likely[:most], spend))
    return tuple(found)

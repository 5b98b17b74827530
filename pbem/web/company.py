"""What the page offers, in the words of the judge who tried it behind the lines that are written so far."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from engine.kernel.orders import Problem
from pbem.narration.line_receipts import alone
from pbem.service.orders.in_company import InCompany
from pbem.service.orders.web_orders import Tried
from pbem.web import order_builder
from pbem.web.presenter import Presenter


@dataclass(frozen=True)
class Offers:
    """Lines that the page offers and that would be refused now, with the reason; and those that were not tried.

    `headed`: they may stand under a heading, where they would be read otherwise.
    """

    refused: Mapping[str, str]
    untried: tuple[str, ...]
    headed: bool = False


def offers(told: Presenter, found: Tried) -> Offers:
    """What of a page's likely lines does not go with what is written."""
    refused: dict[str, str] = {}
    untried: list[str] = []
    for one in found.company:
        lines = order_builder.whole_lines(one.section, told.language, told.grammar.facts)
        refused |= {line: alone(told, problem) for line, problem in _refused(told, one, lines) if problem is not None}
        untried += () if one.passed else lines[len(one.refused) :]
    return Offers(refused, tuple(untried), found.headed)


def _refused(told: Presenter, one: InCompany, lines: Sequence[str]) -> Iterator[tuple[str, Problem | None]]:
    """PASS goes with no line, and no line with PASS."""
    passing = order_builder.passing(one.section, told.language)
    clash = Problem("pass_and_orders", {"word": passing}, lasting=True)
    if one.passed:
        yield from ((line, clash) for line in lines)
        return
    yield from zip(lines, one.refused, strict=False)
    if one.section.topic.may_pass:
        yield passing, clash

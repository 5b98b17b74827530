"""What the page offers, in the words of the judge who tried it behind the lines that are written so far."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from engine.kernel.orders import Problem
from pbem.narration.line_receipts import alone
from pbem.service.orders.in_company import InCompany, Value, holders
from pbem.service.orders.web_orders import Tried
from pbem.web import order_builder
from pbem.web.presenter import Presenter


@dataclass(frozen=True)
class Offers:
    """Lines that the page offers and that would be refused now, with the reason; and those that were not tried.

    `headed`: they may stand under a heading, where they would be read otherwise.  `lists`: the same of likely values in
    lists: for a list (the question, the number of its form, the slot) the values with which no likely line stands.
    """

    refused: Mapping[str, str]
    untried: tuple[str, ...]
    headed: bool = False
    lists: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


def offers(told: Presenter, found: Tried) -> Offers:
    """What of a page's likely lines, and of the values in its lists, does not go with what is written."""
    refused: dict[str, str] = {}
    untried: list[str] = []
    lists: dict[str, dict[str, str]] = {}
    for one in found.company:
        lines = order_builder.whole_lines(one.section, told.language, told.grammar.facts)
        refused |= {line: alone(told, problem) for line, problem in _refused(told, one, lines) if problem is not None}
        untried += () if one.passed else lines[len(one.refused) :]
        question = order_builder.question_of(one.section)
        for held, problem in _values(told, one).items():
            lists.setdefault(f"{question}.{held.form}.{held.slot}", {})[held.value] = alone(told, problem)
    return Offers(refused, tuple(untried), found.headed, lists)


def _refused(told: Presenter, one: InCompany, lines: Sequence[str]) -> Iterator[tuple[str, Problem | None]]:
    if one.passed:
        yield from ((line, _clash(told, one)) for line in lines)
        return
    yield from zip(lines, one.refused, strict=False)
    if one.section.topic.may_pass:
        yield order_builder.passing(one.section, told.language), _clash(told, one)


def _values(told: Presenter, one: InCompany) -> Mapping[Value, Problem]:
    return dict.fromkeys(holders(one.section), _clash(told, one)) if one.passed else one.values


def _clash(told: Presenter, one: InCompany) -> Problem:
    """PASS goes with no line, and no line with PASS."""
    return Problem("pass_and_orders", {"word": order_builder.passing(one.section, told.language)}, lasting=True)

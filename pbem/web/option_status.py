"""What the page offers, in the words of the judge who tried it behind the lines that are written so far."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from engine.kernel.orders import Problem
from pbem.narration.line_receipts import reason_alone
from pbem.service.orders.web_orders import DraftPreview, OptionCheck, OptionValue, lines_with_value
from pbem.web import order_builder
from pbem.web.presenter import Presenter


@dataclass(frozen=True)
class OptionStatus:
    """Lines that the page offers and that would be refused now, with the reason; and those that were not tried.

    `has_heading`: they may stand under a heading, where they would be read otherwise.  `lists`: the same of likely
    values in lists: for a list (the question, the number of its form, the slot) the values with which no likely line
    stands.
    """

    refused: Mapping[str, str]
    untried: tuple[str, ...]
    has_heading: bool = False
    lists: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


def check_options(told: Presenter, found: DraftPreview) -> OptionStatus:
    """What of a page's likely lines, and of the values in its lists, does not go with what is written."""
    refused: dict[str, str] = {}
    untried: list[str] = []
    lists: dict[str, dict[str, str]] = {}
    for one in found.options:
        lines = order_builder.whole_lines(one.section, told.language, told.grammar.facts)
        refused |= {
            line: reason_alone(told, problem)
            for line, problem in _refused_values(told, one, lines)
            if problem is not None
        }
        untried += () if one.accepted else lines[len(one.refused) :]
        question = order_builder.question_of(one.section)
        for held, problem in _values(told, one).items():
            lists.setdefault(f"{question}.{held.form}.{held.slot}", {})[held.value] = reason_alone(told, problem)
    return OptionStatus(refused, tuple(untried), found.has_heading, lists)


def _refused_values(told: Presenter, one: OptionCheck, lines: Sequence[str]) -> Iterator[tuple[str, Problem | None]]:
    if one.accepted:
        yield from ((line, _pass_conflict(told, one)) for line in lines)
        return
    yield from zip(lines, one.refused, strict=False)
    if one.section.topic.may_pass:
        yield order_builder.pass_line(one.section, told.language), _pass_conflict(told, one)


def _values(told: Presenter, one: OptionCheck) -> Mapping[OptionValue, Problem]:
    return dict.fromkeys(lines_with_value(one.section), _pass_conflict(told, one)) if one.accepted else one.values


def _pass_conflict(told: Presenter, one: OptionCheck) -> Problem:
    """PASS goes with no line, and no line with PASS."""
    return Problem("pass_and_orders", {"word": order_builder.pass_line(one.section, told.language)}, lasting=True)

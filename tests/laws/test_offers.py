"""Every line that a letter, a page, a chat or a receipt offers is accepted where it is offered, on whole bot games."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from types import SimpleNamespace
from typing import Any, Final, cast

import pytest

from engine.kernel.grammar import Grammar, Section, build_grammar, key_of
from engine.kernel.languages import LANGUAGES
from engine.kernel.orders import Orders, Problem
from engine.kernel.parse import parse_letter
from engine.kernel.position import Position
from engine.kernel.printing import CannotPrint, help_rows, print_clause, print_line, print_under
from engine.kernel.rules import Rules
from engine.kernel.secrets import seen_by
from engine.kernel.validation import check_orders
from pbem.narration.facts import ReceiptFacts, ReceiptLine, ReceiptSet
from pbem.narration.line_receipts import build_sets
from tests.budget import budget
from tests.laws.test_moves import NAMES, some_questions
from tests.laws.walks import Count, OpenQuestion, find, walk
from tests.random_orders import RandomOrders

in_its_languages = pytest.mark.parametrize(
    ("name", "language"),
    [
        pytest.param(name, language, marks=() if language == "en" or name == "toy" else pytest.mark.night)
        for name in NAMES
        for language in LANGUAGES
    ],
)
"""Each game in English, and the smallest one in every language."""
WALL: Final = 140
"""The most signs of an offered line."""


@dataclass(frozen=True)
class Desk:
    """A seat that writes answers to one question, and what a receipt is told with."""

    rules: Rules[Any]
    position: Position[Any]
    asked: OpenQuestion
    section: Section
    grammar: Grammar

    def topic(self, asks: str, number: int | None = None) -> str:
        """See `ReceiptContext`."""
        return asks

    def print_orders(self, thing: Any, asks: str = "") -> str:
        """See `ReceiptContext`."""
        return print_clause(self.section.forms, thing, self.grammar.language, self.grammar.facts)

    def print_reaction(self, asks: str, orders: Orders) -> str:
        """See `ReceiptContext`."""
        return ""

    def reason(self, problem: Problem) -> str:
        """See `ReceiptContext`."""
        return problem.code

    def read(self, *written: str) -> ReceiptSet:
        """The receipt of a set, without what is filed."""
        decision = self.asked.decision
        found = parse_letter(written, self.grammar, chatter=False)
        lines = found.sets[self.section.key].lines if self.section.key in found.sets else found.unmatched
        told = [ReceiptLine(line.number, line.text, line.line, line.problem) for line in lines]
        if all(line.line is not None for line in told):
            orders = tuple(line.line for line in told if line.line is not None)
            results = check_orders(self.rules, self.position, decision, orders, own=True)
            told = [replace(line, problem=result.problem) for line, result in zip(told, results, strict=True)]
        return ReceiptSet(decision.topic, tuple(told), decision=decision, turn=self.section.turn)

    def proposal(self, *written: str) -> str:
        """What a receipt proposes instead of the last line, if that is refused; empty if it proposes nothing."""
        facts = SimpleNamespace(sets=(self.read(*written),), reactions=(), stored_reactions=())
        (told,) = build_sets(self, cast(ReceiptFacts, facts))
        return told.lines[-1].nearest

    def refused(self, *written: str) -> list[tuple[str, str]]:
        """The lines that are refused, each with the code of its problem."""
        return [(line.written, line.problem.code) for line in self.read(*written).lines if line.problem is not None]


def _desks(name: str, language: str) -> Iterator[Desk]:
    for asked in some_questions(name):
        decision = asked.decision
        with seen_by(decision.seat):
            whole = build_grammar(asked.rules, asked.seen, decision.seat, language)
        key = key_of(asked.rules.meta.topic(decision.topic), decision.gate)
        section = next(section for section in whole.sections if section.open and section.key == key)
        alone = replace(whole, sections=(section,), reactions=())
        yield Desk(asked.rules, asked.seen, asked, section, alone)


@in_its_languages
def test_offered_lines_are_accepted_where_they_are_offered(name: str, language: str) -> None:
    """Templates and examples of help, as they are written; each is found by walking, and can be read at a glance."""
    count, offered = Count(), 0
    for desk in _desks(name, language):
        with seen_by(desk.asked.decision.seat):
            said = (print_line(desk.section.forms, line, language) for line in desk.section.likely)
            written = [print_under(desk.section, line, language) for line in said]
            written += [row.example for row in help_rows(desk.section, language) if row.example]
        for text in dict.fromkeys(written):
            offered += 1
            assert desk.refused(text) == []
            assert len(text) <= WALL, text
        moves = desk.asked.moves()
        for line in desk.section.likely[:: budget(4, 1)]:
            assert not (why := find(moves, line.plan[0].order, count)), f"{desk.asked.decision}: {line}: {why}"
    assert offered > 10


@in_its_languages
def test_lines_that_receipts_propose_are_accepted_in_place_of_the_refused_one(name: str, language: str) -> None:
    """Behind a line that stands, for lines that the rules refuse, and for lines that cannot be read."""
    random, refused, proposed = Random(name), 0, 0
    for desk in _desks(name, language):
        before = _legal_line(desk, random) if desk.asked.moves().takes_lines else []
        for text in _wrong_lines(desk, random, budget(2, 12)):
            if not desk.refused(*before, text):
                continue
            refused += 1
            nearest = desk.proposal(*before, text)
            proposed += bool(nearest)
            if nearest:
                assert desk.refused(*before, nearest) == [], f"{desk.asked.decision}: {text}"
    assert refused > 10
    assert proposed > refused / 2


def _legal_line(desk: Desk, random: Random) -> list[str]:
    moves = desk.asked.moves()
    order = walk(moves, random.choice(moves.forms), random, Count())
    return [desk.print_orders(order)] if order is not None else []


def _wrong_lines(desk: Desk, random: Random, count: int) -> Iterator[str]:
    """Lines of random words, and suggested lines whose last word is spoilt."""
    with seen_by(desk.asked.decision.seat):
        made = RandomOrders(desk.section.forms, (), random.randrange)
        for _ in range(count):
            try:
                yield desk.print_orders(made.order())
            except CannotPrint:
                continue
        for line in desk.section.likely[:count]:
            said = desk.print_orders(line)
            yield f"{said.rpartition(' ')[0] or said} Xyzzyx"

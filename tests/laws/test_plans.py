"""The plan that a letter offers is sent as it stands: over whole games, line by line, in both languages."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from engine import GAMES
from engine.kernel.grammar import key_of
from engine.kernel.languages import Language
from engine.kernel.orders import Question
from engine.kernel.parse import parse_letter
from engine.kernel.plans import is_planned
from engine.kernel.position import Position
from engine.kernel.secrets import redact, seen_by
from engine.kernel.validation import check_orders
from engine.kernel.viewers import Seat
from pbem.bench.exchanges import MailGame
from pbem.narration.facts import OpenQuestion
from pbem.narration.reports import OfferedOrders, order_templates
from pbem.narration.seat_narrator import SeatNarrator
from tests.budget import budget
from tests.narration.cases import case_of

LINES, COLUMNS = 10, 140
"""The most lines of a plan with all that is offered ahead, for a phone, and signs of a line."""


class Letters(MailGame):
    """A game by mail that keeps what each seat saw whenever somebody was awaited."""

    def __init__(self, title: str, players: int, seed: bytes) -> None:
        self.seen: list[tuple[Seat, Position[Any]]] = []
        seats = case_of(title).seats[:players]
        super().__init__(GAMES[title], seats, dict.fromkeys(seats, "plan"), seed)

    def _wait(self, missing: Sequence[Question]) -> None:
        self.seen += [(seat, redact(self.position, seat)) for seat in self.ways]
        super()._wait(missing)


def templates(title: str, language: Language) -> Iterator[tuple[SeatNarrator, Seat, tuple[OfferedOrders, ...]]]:
    """The template of each letter of some games that offers a plan."""
    case = case_of(title)
    for game in range(budget(1, 6)):
        for seat, seen in Letters(title, 4, f"plans/{game}".encode()).play().seen[:: budget(3, 1)]:  # type: ignore[attr-defined]
            telling = SeatNarrator(case.frame(seat, language), seen)
            owed = [OpenQuestion(d, None) for d in seen.core.questions if d.seat == seat and d.blocking]
            found = order_templates(telling, owed)
            if any(part.kind in ("plan", "next") for part in found):
                yield telling, seat, found


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("title", ["amalfi"])
def test_each_line_of_a_plan_is_accepted_as_it_stands(title: str, language: Language) -> None:
    """All lines of the template sent at once: nothing is refused or skipped, and what is planned is on file."""
    kinds: Counter[str] = Counter()
    for telling, seat, parts in templates(title, language):
        whole = (part.lines[:1] if part.kind == "line" else part.lines for part in parts)
        written = [line.removeprefix("; ") for lines in whole for line in lines]
        assert len(written) <= LINES, written
        assert max(map(len, written)) <= COLUMNS, written
        found = parse_letter(written, telling.grammar)
        assert (found.skipped, found.unmatched, found.commands) == ((), (), ()), written
        assert not [line for line in found.reactions.values() if line.problem], written
        with seen_by(seat):
            coming = telling.rules.advance_questions(telling.position, seat)
        for decision in (*telling.position.core.questions, *coming):
            key = key_of(telling.rules.meta.topic(decision.topic), decision.gate)
            if decision.seat != seat or not is_planned(telling.rules, decision) or key not in found.sets:
                continue
            orders = tuple(line.line for line in found.sets[key].lines if line.line is not None)
            results = check_orders(telling.rules, telling.position, decision, orders, own=True)
            assert [r.problem for r in results if r.problem] == [], written
            assert len(orders) == len(found.sets[key].lines) >= 1
            kinds["several"] += len(orders) > 1
            kinds["else"] += any(line.fallback for line in orders)
        kinds.update(part.kind for part in parts)
    assert all(kinds[kind] > 3 for kind in ("plan", "next", "lasting", "several", "else")), kinds

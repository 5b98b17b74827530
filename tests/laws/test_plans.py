"""The plan that a letter offers is sent as it stands: over whole games, line by line, in both languages."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
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
from pbem.bench.exchanges import MailGame, count_waits
from pbem.narration.facts import OpenQuestion
from pbem.narration.reports import OfferedOrders, order_templates
from pbem.narration.seat_narrator import SeatNarrator
from tests.budget import budget
from tests.narration.cases import case_of

LINES, COLUMNS = 12, 140
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


@cache
def letters(title: str, game: int) -> Sequence[tuple[Seat, Position[Any]]]:
    """Whom a game by plans wrote to, and what they saw."""
    played = Letters(title, 4, f"plans/{game}".encode())
    played.play()
    return played.seen


def templates(title: str, language: Language) -> Iterator[tuple[SeatNarrator, Seat, tuple[OfferedOrders, ...]]]:
    """The template of each letter of some games that offers a plan."""
    case = case_of(title)
    for game in range(budget(1, 6)):
        for seat, seen in letters(title, game)[:: budget(3, 1)]:
            telling = SeatNarrator(case.frame(seat, language), seen)
            owed = [OpenQuestion(d, None) for d in seen.core.questions if d.seat == seat and d.blocking]
            found = order_templates(telling, owed)
            if any(part.kind in ("plan", "next", "later") for part in found):
                yield telling, seat, found


KINDS = {"amalfi": ("plan", "next", "lasting", "several", "else"), "patchistory": ("later", "several")}


@pytest.mark.parametrize("language", ["en", pytest.param("fr", marks=pytest.mark.night)])
@pytest.mark.parametrize("title", sorted(KINDS))
def test_each_line_of_a_plan_is_accepted_as_it_stands(title: str, language: Language) -> None:
    """All lines of the template sent at once: nothing is refused or skipped, and what is planned is on file."""
    kinds: Counter[str] = Counter()
    for telling, seat, parts in templates(title, language):
        whole = (part.lines[: 1 if part.kind in ("line", "set") else None] for part in parts)
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
            planned = is_planned(telling.rules, decision) or decision in coming
            if decision.seat != seat or not planned or key not in found.sets:
                continue
            orders = tuple(line.line for line in found.sets[key].lines if line.line is not None)
            results = check_orders(telling.rules, telling.position, decision, orders, own=True)
            assert [r.problem for r in results if r.problem] == [], written
            assert len(orders) == len(found.sets[key].lines)
            assert orders or found.sets[key].is_pass
            kinds["several"] += len(orders) > 1
            kinds["else"] += any(line.fallback for line in orders)
        kinds.update(part.kind for part in parts)
    assert all(kinds[kind] > 3 for kind in KINDS[title]), kinds


@pytest.mark.long
@pytest.mark.parametrize(("title", "players", "aim"), [("amalfi", 4, 8), ("amalfi", 3, 6), ("patchistory", 4, 4)])
def test_a_table_of_plans_seldom_waits(title: str, players: int, aim: float) -> None:
    """In the mean of all turns, and much less often than with one answer a letter."""
    waits = {way: count_waits(GAMES[title], players, way, budget(2, 8))["mean"] for way in ("letter", "plan")}
    assert waits["plan"] <= min(aim, waits["letter"] * 2 / 3), waits


@pytest.mark.long
@pytest.mark.parametrize(("title", "players"), [("amalfi", 2), ("amalfi", 4), ("patchistory", 4)])
def test_plans_win_as_often_as_one_answer_a_letter(title: str, players: int) -> None:
    """Half of the seats send the lines of their templates, half answer letter by letter; then they change about.

    Forty games between equals give one side less than 45 % once in four times: they show only what is far too weak.
    """
    seats, games, least, won = case_of(title).seats[:players], budget(40, 120), budget(30, 45), 0.0
    for number in range(games):
        ways = {seat: ("plan", "letter")[(at + number) % 2] for at, seat in enumerate(seats)}
        winners = MailGame(GAMES[title], seats, ways, f"strength/{number // 2}".encode()).play().winners
        won += sum(ways[seat] == "plan" for seat in winners) / len(winners)
    assert won >= least * games / 100

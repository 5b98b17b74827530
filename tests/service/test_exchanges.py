"""By mail in days, not months: how often a turn waits for somebody, counted with real letters through a server."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine import GAMES
from engine.kernel.bots import Bot, Temper, chooser
from engine.kernel.events import AheadRefused
from engine.kernel.gates import Gate
from engine.kernel.grammar import Section
from engine.kernel.names import Seat
from engine.kernel.orders import Decision, Orders, simply
from engine.kernel.position import Position
from engine.kernel.printing import heading, printed_line, printed_rider
from engine.kernel.secrets import redact, seen_by
from engine.kernel.standing import check, stands
from engine.renaissance.board import Board
from engine.renaissance.conditions import FACTS
from engine.renaissance.forms import FORMS
from engine.renaissance.ruleset import RULES
from pbem.store.models import DecisionRow
from tests.engine.renaissance.exchanges import STANDING
from tests.service.hall import Hall, build, seated

SEATS = tuple(Seat(f"s{n}") for n in range(1, 7))
LIKELY = Temper(absent=0, meddling=0, suggested=100, passing=0, fancy=0, lines=6)
STOP = 60
"""Moments in one turn after which a count has no end."""


def test_everybody_hears_of_the_beginning_although_one_is_asked(state_dir: Path) -> None:
    """Renaissance, A35  In the pace `order` one seat founds its cities first; the others' first letter comes too."""
    hall = build(state_dir, installed=GAMES)
    seated(hall, RULES.meta.name, len(SEATS), pace="order")
    assert {a.seat for a, _ in hall.sent if a.kind == "started"} == set(SEATS)


class Table:
    """A game of six by letters, in which everybody keeps instructions on file."""

    def __init__(self, hall: Hall, pace: str) -> None:
        self.hall = hall
        hall.everywhere(chance=bytes)  # the same game each time
        self.game = seated(hall, RULES.meta.name, len(SEATS), pace=pace, unanswered="default")
        self.bots: dict[Seat, Bot[Board]] = {s: Bot(RULES, s, chooser(f"letters/{s}".encode()), LIKELY) for s in SEATS}
        self.waits: Counter[int] = Counter()
        self.again: Counter[int] = Counter()

    def play(self, turns: int) -> Counter[int]:
        """So many whole turns; at how many distinct moments of each somebody was awaited."""
        while (position := self._position()).board.turn <= turns and not position.core.over:
            awaited = self._awaited(position)
            assert awaited, "the game waits for nobody and does not go on"
            self.waits[position.board.turn] += 1
            assert self.waits[position.board.turn] < STOP
            told = len(self.hall.sent)
            self._everybody_writes(position, awaited)
            self.again[position.board.turn] += self._refused_ahead(told)
        return Counter({turn: count for turn, count in self.waits.items() if 0 < turn <= turns})

    def _refused_ahead(self, told: int) -> int:
        """How many sets filed ahead could not stand when their turn came, by the letters from this one on."""
        events = (event for _, facts in self.hall.sent[told:] for event in getattr(facts, "events", ()))
        return sum(isinstance(event, AheadRefused) for event in events)

    def _position(self) -> Position[Board]:
        return self.hall.position(self.game)

    def _awaited(self, position: Position[Board]) -> list[Decision]:
        """The questions for whose answer the game stands still."""
        answered = {(row.gate, row.seat) for row in self.hall.rows(DecisionRow) if row.answered_at is not None}
        return [d for d in position.core.open if d.blocking and (d.gate, d.seat) not in answered]

    def _everybody_writes(self, position: Position[Board], awaited: list[Decision]) -> None:
        """One letter each: those not asked file for the sequence that is, before those who are asked answer."""
        owing = {d.seat for d in awaited}
        for seat in sorted(SEATS, key=lambda seat: seat in owing):
            mine = [d for d in awaited if d.seat == seat]
            lines = [line for d in mine for line in self._answer(position, d)]
            lines += [*self._ahead(position, seat, awaited[0].asks), *self._riders(position, seat)]
            if lines:
                self.hall.write_in(self.hall.token(seat), lines)
        self.hall.settle()

    def _answer(self, position: Position[Board], decision: Decision) -> Iterator[str]:
        """A question's heading, and what a bot orders; for the expansion whatever goes together, for both rounds."""
        seen = redact(position, decision.seat)
        turn = None if _is_open(position, decision) else Gate.parse(decision.gate).turn
        with seen_by(decision.seat):
            forms = RULES.forms(seen, decision)
        yield heading(Section(RULES.meta.topic(decision.asks), forms, turn, turn is None), "en")
        both = decision.asks == "expansion"
        orders = _together(seen, decision) if both else self.bots[decision.seat].answer(seen, decision)
        yield from (printed_line(forms, line, "en", FACTS) for line in orders)
        if not orders:
            yield "PASS"

    def _ahead(self, position: Position[Board], seat: Seat, asks: str) -> Iterator[str]:
        """What may be filed for the sequence that is asked of somebody else now."""
        with seen_by(seat):
            coming = RULES.ahead(redact(position, seat), seat)
        turn = position.board.turn
        for decision in coming:
            if decision.asks == asks != "combat" and Gate.parse(decision.gate).turn == turn:
                yield from self._answer(position, decision)

    def _riders(self, position: Position[Board], seat: Seat) -> Iterator[str]:
        """Standing instructions for the battles of the turn."""
        with seen_by(seat):
            coming = {decision.asks for decision in RULES.ahead(redact(position, seat), seat)}
        for asks, order in STANDING.items():
            if asks in coming:
                section = Section(RULES.meta.topic(asks), FORMS[asks])
                yield printed_rider(section, simply(order)[0], "en", FACTS)


def _together(seen: Position[Board], decision: Decision) -> Orders:
    """Of all that could be ordered, each line that stands behind those before it."""
    kept: Orders = ()
    with seen_by(decision.seat):
        found = RULES.suggest(seen, decision)
    for line in found:
        if stands(check(RULES, seen, decision, (*kept, line))):
            kept = (*kept, line)
    return kept


def _is_open(position: Position[Board], decision: Decision) -> bool:
    return any((d.gate, d.seat) == (decision.gate, decision.seat) for d in position.core.open)


def refused(hall: Hall) -> list[str]:
    """Orders and standing instructions that a receipt says do not count."""
    receipts = hall.of("receipt")
    sets = [s.asks for facts in receipts for s in facts.sets if not s.taken]
    return sets + [r.asks for facts in receipts for r in facts.riders if r.problem is not None]


@pytest.mark.long
@pytest.mark.parametrize(("pace", "most"), [("sealed", 4), pytest.param("order", 9, marks=pytest.mark.night)])
def test_with_instructions_on_file_people_are_awaited_seldom(pace: str, most: int, state_dir: Path) -> None:
    """With six players a turn has four waits at most in the sealed pace and nine in order, counted in real letters.

    A set filed ahead of which nothing can be done any more is asked for again, and makes one more.
    """
    hall = build(state_dir, installed=GAMES)
    table = Table(hall, pace)
    counted = table.play(turns=3)
    assert refused(hall) == []
    assert len(counted) == 3
    assert max(count - table.again[turn] for turn, count in counted.items()) <= most

"""In few letters: how often somebody must write in a period, with actions on file and riders for the choices."""

from collections import Counter

import pytest

from engine.amalfi.board import Board
from engine.amalfi.ruleset import RULES
from engine.kernel.bots import Bot, Temper, chooser
from engine.kernel.names import Seat
from engine.kernel.orders import Decision, Orders, Pace
from engine.kernel.position import Position
from engine.kernel.run import advance, start
from engine.kernel.secrets import redact, seen_by
from engine.kernel.standing import check, stands
from tests.budget import budget

SEATS = tuple(Seat(f"s{n}") for n in range(1, 5))
ASKED = Temper(absent=0, meddling=0, passing=0, ahead=0, plans=True, lines=1)
"""Who plans each action when its turn comes, and nothing beyond."""
QUEUES = Temper(absent=0, meddling=0, passing=0, ahead=0, plans=True, lines=3, alternatives=4)
"""Who files three actions with four alternatives each, and riders for the choices."""


class Post:
    """A game by mail: whoever writes answers what is asked, and files what may be filed ahead beside it."""

    def __init__(self, options: dict[str, str], temper: Temper, seed: bytes) -> None:
        choose = chooser(seed)
        self.options, self.queues = options, temper.lines > 1
        self.bots: dict[str, Bot[Board]] = {seat: Bot(RULES, seat, choose, temper) for seat in SEATS}
        self.position: Position[Board] = start(RULES, SEATS, options, seed).position
        self.filed: dict[tuple[str, str], Orders] = {}
        self.waits: Counter[int] = Counter()

    def play(self) -> "Post":
        """To the end; `waits` counts the exchanges of each period, those before the first under 0."""
        while not self.position.core.over:
            self._close(next(d.gate for d in self.position.core.open if d.blocking))
        return self

    def _close(self, gate: str) -> None:
        decisions = [d for d in self.position.core.gate(gate) if d.blocking]
        unanswered = [d for d in decisions if self._on_file(d) is None]
        if unanswered:
            self.waits[self.position.board.turn] += 1
            for decision in unanswered:
                self._writes(decision)
        answers = {d.seat: self._on_file(d) or () for d in decisions}
        self.position = advance(RULES, self.position, gate, answers, gate.encode()).position

    def _writes(self, decision: Decision) -> None:
        """An answer, and riders beside it; actions of a later turn are lines of the same answer."""
        seen, bot = redact(self.position, decision.seat), self.bots[decision.seat]
        self.filed[decision.seat, decision.gate] = bot.answer(seen, decision)
        if not self.queues:
            return
        with seen_by(decision.seat):
            ahead = RULES.ahead(seen, decision.seat)
        for later in ahead:
            if later.asks != "action" or decision.asks != "action":
                self.filed[decision.seat, later.gate] = bot.answer(seen, later)

    def _on_file(self, decision: Decision) -> Orders | None:
        """Orders for this gate, or a rider for its period; of an interruption, the stated default."""
        rider = (f"{decision.asks}/{self.position.board.turn}",) if RULES.meta.topic(decision.asks).rider else ()
        for gate in (decision.gate, *rider):
            found = self.filed.get((decision.seat, gate))
            if found is not None and stands(check(RULES, self.position, decision, found)):
                return found
        if decision.pace is not Pace.REACTION or self.options.get("unanswered") == "ask":
            return None
        with seen_by(decision.seat):
            return RULES.default(redact(self.position, decision.seat), decision)


def told(name: str, options: dict[str, str], temper: Temper, games: int) -> tuple[float, float]:
    """The mean of exchanges in a period and of points, over so many games; both are printed."""
    played = [Post(options, temper, f"post/{game}".encode()).play() for game in range(games)]
    waits = sorted(n for post in played for period, n in post.waits.items() if period)
    points = [player.vp for post in played for player in post.position.board.players.values()]
    mean, score = sum(waits) / len(waits), sum(points) / len(points)
    print(f"{name}: mean {mean:.2f}, p90 {waits[len(waits) * 9 // 10]}, points {score:.1f}")
    return mean, score


@pytest.mark.long
def test_a_period_takes_few_letters() -> None:
    """With queues of three a period takes 12 exchanges of four players at most, in the mean; far fewer than asking."""
    mean, points = told("three on file", {}, QUEUES, games=budget(1, 4))
    assert mean <= 12
    asked, most = told("everything asked", {"unanswered": "ask"}, ASKED, games=budget(1, 4))
    assert asked > 2 * mean
    assert points >= 0.9 * most


@pytest.mark.night
def test_sealed_rounds_take_fewer_still() -> None:
    """Everybody's next action taken together halves the letters, or nearly so."""
    mean, _ = told("sealed, three on file", {"pace": "sealed"}, QUEUES, games=3)
    assert mean <= 8

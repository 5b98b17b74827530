"""In few letters: how often somebody must write in a round, riders and stated defaults answering where they can."""

from collections import Counter

import pytest

from engine.kernel.bots import Bot, Temper, chooser
from engine.kernel.orders import Decision, Orders, Pace
from engine.kernel.position import Position
from engine.kernel.run import advance, start
from engine.kernel.secrets import redact, seen_by
from engine.kernel.standing import check, stands
from engine.patchistory.board import Board
from engine.patchistory.ruleset import RULES
from tests.engine.patchistory.build import SEATS

CALM = Temper(absent=0, meddling=0, suggested=100, passing=10, fancy=0, lines=4)


class Post:
    """A game by mail: whoever writes answers what is asked, and files the sets and votes that may be filed."""

    def __init__(self, options: dict[str, str], seed: bytes) -> None:
        choose = chooser(seed)
        self.options = options
        self.bots: dict[str, Bot[Board]] = {seat: Bot(RULES, seat, choose, CALM) for seat in SEATS}
        self.position: Position[Board] = start(RULES, SEATS, options, seed).position
        self.filed: dict[tuple[str, str], Orders] = {}
        self.waits: Counter[int] = Counter()

    def play(self) -> Counter[int]:
        """To the end; the count of exchanges for each round."""
        while not self.position.core.over:
            self._close(next(d.gate for d in self.position.core.open if d.blocking))
        return self.waits

    def _close(self, gate: str) -> None:
        decisions = [d for d in self.position.core.gate(gate) if d.blocking]
        if any(self._on_file(d) is None for d in decisions):
            self.waits[self.position.board.turn] += 1
            for decision in decisions:
                self._writes(decision)
        answers = {d.seat: self._on_file(d) or () for d in decisions}
        self.position = advance(RULES, self.position, gate, answers, gate.encode()).position

    def _writes(self, decision: Decision) -> None:
        seen = redact(self.position, decision.seat)
        self.filed[decision.seat, decision.gate] = self.bots[decision.seat].answer(seen, decision)
        with seen_by(decision.seat):
            ahead = RULES.ahead(seen, decision.seat)
        for later in ahead:
            if later.asks in ("diplomacy", "administration", "movement", "prosperity", "votes"):
                self.filed[decision.seat, later.gate] = self.bots[decision.seat].answer(seen, later)

    def _on_file(self, decision: Decision) -> Orders | None:
        """Orders for this gate, or a rider for its turn; of an interruption, the stated default."""
        rider = f"{decision.asks}/{self.position.board.turn}"
        for gate in (decision.gate, rider):
            found = self.filed.get((decision.seat, gate))
            if found is not None and stands(check(RULES, self.position, decision, found)):
                return found
        if decision.pace is not Pace.REACTION or self.options.get("unanswered") == "ask":
            return None
        with seen_by(decision.seat):
            return RULES.default(redact(self.position, decision.seat), decision)


def rounds(options: dict[str, str], games: int) -> list[int]:
    """The exchanges of every round of so many games."""
    return sorted(n for game in range(games) for n in Post(options, f"post/{game}".encode()).play().values())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "mean", "most"),
    [({}, 4, 6), ({"voting": "once"}, 4, 6), ({"pace": "order"}, 9, 12)],
    ids=["sealed", "votes at once", "in order"],
)
def test_a_round_takes_few_letters(options: dict[str, str], mean: int, most: int) -> None:
    """Four players who keep instructions on file: in the mean and in nine rounds out of ten no more than this."""
    found = rounds(options, games=2)
    print(f"exchanges in a round: mean {sum(found) / len(found):.2f}, p90 {found[len(found) * 9 // 10]}")
    assert sum(found) <= mean * len(found)
    assert found[len(found) * 9 // 10] <= most


@pytest.mark.slow
def test_with_everything_asked_a_round_takes_more() -> None:
    """Where nothing is answered by default each interruption is an exchange of its own."""
    found = rounds({"unanswered": "ask"}, games=1)
    print(f"exchanges in a round, everything asked: mean {sum(found) / len(found):.2f}")
    assert sum(found) > 4 * len(found)
